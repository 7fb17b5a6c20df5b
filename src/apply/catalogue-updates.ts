/** Applies updates of participants, tournaments and venues within one transaction; each field belongs to its best-ranked provider. */
import { isDeepStrictEqual } from 'node:util';
import { type EntitySession, noteSeen, type Owners, referenceFaults } from '../identity/entities.ts';
import type { Precedence } from '../identity/precedence.ts';
import { type ParticipantDescriptor, resolveParticipants, storeAliases } from '../identity/resolve-participants.ts';
import { resolveSeason, resolveTournament } from '../identity/resolve-tournaments.ts';
import { resolveVenue } from '../identity/resolve-venues.ts';
import type { Fault } from '../wire/fault.ts';
import type { ParticipantUpdate, TournamentUpdate, VenueUpdate } from '../wire/feed-update.ts';
import type { ApplyResult } from './contract.ts';
import { ImageFault, prepareImage, storeImage } from './images.ts';

type Outcome = Omit<ApplyResult, 'index'>;

const rejected = (errors: Fault[]): Outcome => ({ outcome: 'rejected', errors });
const outranked = ({ rankOf }: Precedence, owner: string | undefined, provider: string) =>
  owner !== undefined && rankOf(owner) < rankOf(provider);

/** Lays the given fields over the stored ones where the provider may; undefined is no news. */
function overlay(
  precedence: Precedence,
  stored: Record<string, unknown>,
  owners: Owners,
  given: Record<string, unknown>,
  provider: string,
  prefix = '',
) {
  const changes: Record<string, unknown> = {};
  const taken: Owners = {};
  for (const [field, value] of Object.entries(given)) {
    const owner = owners[prefix + field];
    if (value === undefined || outranked(precedence, owner, provider)) continue;
    if (!isDeepStrictEqual(stored[field] ?? null, value ?? null)) changes[field] = value;
    if (owner !== provider) taken[prefix + field] = provider;
  }
  return { changes, taken };
}

interface ParticipantRow {
  id: number;
  birth_date: string | null;
  extra: Record<string, unknown>;
  provenance: Owners;
  image_etag: string | null;
}

/** Descriptor and update; several at once, since a file of players has tens of thousands. */
export async function applyParticipantUpdates(
  session: EntitySession,
  updates: readonly ParticipantUpdate[],
): Promise<Outcome[]> {
  const { client } = session;
  const outcomes: Outcome[] = updates.map(({ participant }) => {
    const errors = referenceFaults(session.cache, [
      { path: 'participant', sport: participant.sport, country: participant.country },
    ]);
    if (participant.type === 'player' && participant.id === undefined && !participant.birth_date) {
      errors.push({
        path: 'participant.birth_date',
        code: 'unidentified',
        detail: 'a player needs an id or a birth date to be told from others',
      });
    }
    return errors.length > 0 ? rejected(errors) : { outcome: 'unchanged' };
  });
  const sound = updates
    .map((update, index) => ({ update, index, descriptor: describe(update) }))
    .filter(({ index }) => outcomes[index]!.outcome !== 'rejected');
  const ids = await resolveParticipants(
    session,
    sound.map(({ descriptor }) => descriptor),
  );
  const { rows } = await client.query<ParticipantRow>(
    'SELECT id, birth_date::text, extra, provenance, image_etag FROM participant WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [[...new Set(ids.values())]],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const writes = new Map<number, { id: number; birth_date: string | null; extra: unknown; provenance: Owners }>();
  const aliases: { id: number; name: string; locale: string; provider: string; index: number }[] = [];
  for (const { update, index, descriptor } of sound) {
    const { participant, provider } = update;
    const row = stored.get(ids.get(descriptor)!)!;
    await noteSeen(session, 'participant', row.id, provider);
    const person = overlay(
      session.precedence,
      { birth_date: row.birth_date },
      row.provenance,
      { birth_date: participant.birth_date },
      provider,
    );
    const extra = overlay(session.precedence, row.extra, row.provenance, participant.extra ?? {}, provider, 'extra.');
    const changed = Object.keys(person.changes).length + Object.keys(extra.changes).length > 0;
    if (changed || Object.keys(person.taken).length + Object.keys(extra.taken).length > 0) {
      if ('birth_date' in person.changes) row.birth_date = (person.changes.birth_date as string | null) ?? null;
      row.extra = { ...row.extra, ...extra.changes };
      row.provenance = { ...row.provenance, ...person.taken, ...extra.taken };
      writes.set(row.id, { id: row.id, birth_date: row.birth_date, extra: row.extra, provenance: row.provenance });
    }
    aliases.push(...(participant.aliases ?? []).map((alias) => ({ id: row.id, ...alias, provider, index })));
    if (changed || session.changed.participant.has(row.id)) outcomes[index] = { outcome: 'accepted' };
    const imaged = await applyImage(session, row, update);
    if (imaged !== null) outcomes[index] = imaged;
  }
  for (const index of await freshAliases(session, aliases)) {
    if (outcomes[index]!.outcome === 'unchanged') outcomes[index] = { outcome: 'accepted' };
  }
  if (writes.size > 0) {
    await client.query(
      `UPDATE participant p SET birth_date = r.birth_date, extra = r.extra, provenance = p.provenance || r.provenance
       FROM json_to_recordset($1) AS r (id bigint, birth_date date, extra jsonb, provenance jsonb) WHERE p.id = r.id`,
      [JSON.stringify([...writes.values()])],
    );
  }
  return outcomes;
}

function describe({ provider, participant }: ParticipantUpdate): ParticipantDescriptor {
  const { id, type, sport, gender, name, country } = participant;
  return {
    provider,
    type,
    sport,
    gender,
    name,
    id,
    country,
    name_ru: participant.name_ru ?? undefined,
    birth_date: participant.birth_date ?? undefined,
  };
}

/** Stores the aliases that are not there yet; gives the positions of the updates that brought one. */
async function freshAliases(
  session: EntitySession,
  aliases: readonly { id: number; name: string; locale: string; provider: string; index: number }[],
) {
  if (aliases.length === 0) return new Set<number>();
  const { rows } = await session.client.query<{ at: number }>(
    `SELECT r.at FROM json_to_recordset($1) AS r (at int, id bigint, name text, locale text)
     WHERE NOT EXISTS (SELECT 1 FROM participant_alias a WHERE a.participant_id = r.id AND a.name = r.name AND a.locale = r.locale)`,
    [JSON.stringify(aliases.map((alias, at) => ({ at, ...alias })))],
  );
  const fresh = rows.map(({ at }) => aliases[at]!);
  await storeAliases(session.client, fresh);
  return new Set(fresh.map(({ index }) => index));
}

/** null: no image, or the same as before. */
async function applyImage(
  session: EntitySession,
  row: ParticipantRow,
  { provider, participant }: ParticipantUpdate,
): Promise<Outcome | null> {
  if (participant.image === undefined || outranked(session.precedence, row.provenance.image, provider)) return null;
  try {
    const image = participant.image === null ? null : await prepareImage(Buffer.from(participant.image, 'base64'));
    if ((image?.etag ?? null) === row.image_etag) return null;
    await storeImage(session.client, row.id, image);
    await session.client.query(
      "UPDATE participant SET provenance = provenance || jsonb_build_object('image', $2::text) WHERE id = $1",
      [row.id, provider],
    );
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    return rejected([{ path: 'participant.image', code: 'invalid_image', detail: error.message }]);
  }
}

const TOURNAMENT_FIELDS = [
  'tier',
  'importance',
  'amateur',
  'youth',
  'timezone',
  'single_home_fixture',
  'demo',
  'rules',
] as const;

export async function applyTournamentUpdate(
  session: EntitySession,
  { provider, tournament }: TournamentUpdate,
): Promise<Outcome> {
  const errors = referenceFaults(session.cache, [
    { path: 'tournament', sport: tournament.sport, country: tournament.country },
  ]);
  if (errors.length > 0) return rejected(errors);
  const { client } = session;
  const { sport, country, gender, id, name, name_ru } = tournament;
  const tournamentId = await resolveTournament(session, { provider, sport, country, gender, id, name, name_ru });
  await noteSeen(session, 'tournament', tournamentId, provider);
  const { rows } = await client.query<Record<string, unknown> & { provenance: Owners }>(
    `SELECT ${TOURNAMENT_FIELDS.join(', ')}, provenance FROM tournament WHERE id = $1 FOR UPDATE`,
    [tournamentId],
  );
  const given = Object.fromEntries(TOURNAMENT_FIELDS.map((field) => [field, tournament[field]]));
  const { changes, taken } = overlay(session.precedence, rows[0]!, rows[0]!.provenance, given, provider);
  let changed = Object.keys(changes).length > 0 || session.changed.tournament.has(tournamentId);
  const columns = Object.keys(changes);
  if (columns.length > 0 || Object.keys(taken).length > 0) {
    await client.query(
      `UPDATE tournament SET ${columns.map((column, index) => `${column} = $${index + 3}, `).join('')} provenance = provenance || $2 WHERE id = $1`,
      [tournamentId, taken, ...Object.values(changes)],
    );
    if ('importance' in changes) session.renamed.tournament.add(tournamentId);
  }
  for (const [index, season] of (tournament.seasons ?? []).entries()) {
    const seasonChanged = await applySeason(
      session,
      provider,
      tournament,
      tournamentId,
      season,
      `tournament.seasons.${index}`,
    );
    if (Array.isArray(seasonChanged)) return rejected(seasonChanged);
    changed ||= seasonChanged;
  }
  return { outcome: changed ? 'accepted' : 'unchanged' };
}

type Season = NonNullable<TournamentUpdate['tournament']['seasons']>[number];

async function applySeason(
  session: EntitySession,
  provider: string,
  { sport, gender }: TournamentUpdate['tournament'],
  tournamentId: number,
  season: Season,
  path: string,
): Promise<boolean | Fault[]> {
  const { client } = session;
  const seasonId = await resolveSeason(session, tournamentId, season);
  let changed = false;
  if (season.rules !== undefined) {
    const { rowCount } = await client.query(
      'UPDATE season SET rules = $2 WHERE id = $1 AND rules IS DISTINCT FROM $2::jsonb',
      [seasonId, season.rules],
    );
    changed = rowCount === 1;
  }
  if (season.points_adjustments === undefined) return changed;
  const errors = referenceFaults(
    session.cache,
    season.points_adjustments.map(({ participant }, index) => ({
      path: `${path}.points_adjustments.${index}`,
      country: participant.country,
    })),
  );
  if (errors.length > 0) return errors;
  const descriptors = season.points_adjustments.map(({ participant }) => ({ provider, sport, gender, ...participant }));
  const ids = await resolveParticipants(session, descriptors);
  const wanted = season.points_adjustments.map(({ points, reason }, index) => ({
    participant_id: ids.get(descriptors[index]!)!,
    points,
    reason: reason ?? null,
  }));
  const removed = await client.query(
    'DELETE FROM points_adjustment WHERE season_id = $1 AND participant_id <> ALL ($2)',
    [seasonId, wanted.map((row) => row.participant_id)],
  );
  const { rowCount } = await client.query(
    `INSERT INTO points_adjustment AS a (season_id, participant_id, points, reason)
     SELECT $1, r.participant_id, r.points, r.reason FROM json_to_recordset($2) AS r (participant_id bigint, points int, reason text)
     ON CONFLICT (season_id, participant_id) DO UPDATE SET points = excluded.points, reason = excluded.reason
     WHERE (a.points, a.reason) IS DISTINCT FROM (excluded.points, excluded.reason)`,
    [seasonId, JSON.stringify(wanted)],
  );
  return changed || (removed.rowCount ?? 0) + (rowCount ?? 0) > 0;
}

export async function applyVenueUpdate(session: EntitySession, { provider, venue }: VenueUpdate): Promise<Outcome> {
  const { sport, home_team, ...described } = venue;
  const errors = referenceFaults(session.cache, [
    { path: 'venue', ...(sport && { sport }), country: venue.country },
    { path: 'venue.home_team', country: home_team?.country },
  ]);
  if (home_team !== undefined && sport === undefined)
    errors.push({ path: 'venue.sport', code: 'required', detail: 'needed to know the home team by' });
  if (errors.length > 0) return rejected(errors);
  const venueId = await resolveVenue(session, { provider, ...described });
  await noteSeen(session, 'venue', venueId, provider);
  let changed = session.changed.venue.has(venueId);
  if (home_team !== undefined && sport !== undefined) {
    const descriptor: ParticipantDescriptor = { provider, sport, gender: 'men', ...home_team };
    const id = (await resolveParticipants(session, [descriptor])).get(descriptor)!;
    const { rows } = await session.client.query<{ extra: Record<string, unknown>; provenance: Owners }>(
      'SELECT extra, provenance FROM participant WHERE id = $1 FOR UPDATE',
      [id],
    );
    // In the provider's own words: what the venue is called here may change with the next provider.
    const ground = { stadium: described.name, stadium_capacity: described.capacity, city: described.city };
    const { extra, provenance } = rows[0]!;
    const { changes, taken } = overlay(session.precedence, extra, provenance, ground, provider, 'extra.');
    if (Object.keys(changes).length + Object.keys(taken).length > 0)
      await session.client.query(
        'UPDATE participant SET extra = extra || $2, provenance = provenance || $3 WHERE id = $1',
        [id, changes, taken],
      );
    changed ||= Object.keys(changes).length > 0;
  }
  return { outcome: changed ? 'accepted' : 'unchanged' };
}
