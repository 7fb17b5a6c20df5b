/** Applies updates about tournaments and seasons within one transaction. */
import type { Fault } from '../wire/fault.ts';
import type { TournamentUpdate } from '../wire/feed-update.ts';
import {
  type EntityLookup,
  type EntityResult,
  type Owners,
  recordObservation,
  referenceFaults,
  rejected,
  updateOwned,
} from './entities.ts';
import { mergeOwned } from './owned-fields.ts';
import { resolveParticipants } from './resolve-participants.ts';
import { resolveSeason, resolveTournament } from './resolve-tournaments.ts';

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

export async function applyTournamentUpdate(lookup: EntityLookup, update: TournamentUpdate): Promise<EntityResult> {
  const { provider, tournament } = update;
  const errors = referenceFaults(lookup.known, [
    { path: 'tournament', sport: tournament.sport, country: tournament.country },
  ]);
  if (errors.length > 0) return rejected(errors);
  const { client } = lookup;
  const { sport, country, gender, id, name, name_ru } = tournament;
  const tournamentId = await resolveTournament(lookup, { provider, sport, country, gender, id, name, name_ru });
  await recordObservation(lookup, 'tournament', tournamentId, provider);
  const { rows } = await client.query<Record<string, unknown> & { provenance: Owners }>(
    `SELECT ${TOURNAMENT_FIELDS.join(', ')}, provenance FROM tournament WHERE id = $1 FOR UPDATE`,
    [tournamentId],
  );
  const given = Object.fromEntries(TOURNAMENT_FIELDS.map((field) => [field, tournament[field]]));
  const stored = rows[0]!;
  const { changes, taken } = mergeOwned(lookup.precedence, { stored, owners: stored.provenance }, { given, provider });
  let changed = Object.keys(changes).length > 0 || lookup.changed.tournament.has(tournamentId);
  if (Object.keys(changes).length > 0 || Object.keys(taken).length > 0) {
    await updateOwned(client, 'tournament', tournamentId, changes, taken);
    if ('importance' in changes) lookup.renamed.tournament.add(tournamentId);
  }
  for (const [index, season] of (tournament.seasons ?? []).entries()) {
    const seasonChanged = await applySeason(lookup, update, tournamentId, season, `tournament.seasons.${index}`);
    if (Array.isArray(seasonChanged)) return rejected(seasonChanged);
    changed ||= seasonChanged;
  }
  return { outcome: changed ? 'accepted' : 'unchanged' };
}

type Season = NonNullable<TournamentUpdate['tournament']['seasons']>[number];

/** Applies an update's season. @returns true if the season has changed, or validation errors */
async function applySeason(
  lookup: EntityLookup,
  { provider, tournament: { sport, gender } }: TournamentUpdate,
  tournamentId: number,
  season: Season,
  path: string,
): Promise<boolean | Fault[]> {
  const { client } = lookup;
  const seasonId = await resolveSeason(lookup, tournamentId, season);
  let changed = false;
  if (season.rules !== undefined) {
    const { rowCount } = await client.query(
      'UPDATE season SET rules = $2 WHERE id = $1 AND rules IS DISTINCT FROM $2::jsonb',
      [seasonId, season.rules],
    );
    changed = rowCount === 1;
  }
  if (season.points_adjustments === undefined) return changed;
  const adjusted = await applyAdjustments(
    lookup,
    { provider, sport, gender },
    seasonId,
    season.points_adjustments,
    path,
  );
  return typeof adjusted === 'boolean' ? changed || adjusted : adjusted;
}

/** Applies an update's points adjustments. @returns true if the stored adjustments have changed, or validation errors */
async function applyAdjustments(
  lookup: EntityLookup,
  team: Pick<TournamentUpdate['tournament'], 'sport' | 'gender'> & { provider: string },
  seasonId: number,
  adjustments: NonNullable<Season['points_adjustments']>,
  path: string,
): Promise<boolean | Fault[]> {
  const { client } = lookup;
  const pathOf = (index: number) => `${path}.points_adjustments.${index}`;
  const errors = referenceFaults(
    lookup.known,
    adjustments.map(({ participant }, index) => ({ path: pathOf(index), country: participant.country })),
  );
  if (errors.length > 0) return errors;
  const descriptors = adjustments.map(({ participant }) => ({ ...team, ...participant }));
  const ids = await resolveParticipants(lookup, descriptors);
  const wanted = adjustments.map(({ points, position, reason, decided_on }, index) => ({
    participant_id: ids.get(descriptors[index]!)!,
    points,
    position: position ?? null,
    reason: reason ?? null,
    decided_on: decided_on ?? '-infinity',
  }));
  const decisions = wanted.map((row) => `${row.participant_id} ${row.decided_on}`);
  const repeated = decisions.findIndex((decision, index) => decisions.indexOf(decision) < index);
  if (repeated >= 0) {
    const detail =
      "the list has another decision on this side's points on the same day: give one decision with the sum";
    return [{ path: pathOf(repeated), code: 'duplicate', detail }];
  }
  const removed = await client.query(
    `DELETE FROM points_decision a WHERE season_id = $1 AND NOT EXISTS (
       SELECT FROM json_to_recordset($2) AS r (participant_id bigint, decided_on date)
       WHERE r.participant_id = a.participant_id AND r.decided_on = a.decided_on)`,
    [seasonId, JSON.stringify(wanted)],
  );
  const { rowCount } = await client.query(
    `INSERT INTO points_decision AS a (season_id, participant_id, points, position, reason, decided_on)
     SELECT $1, r.participant_id, r.points, r.position, r.reason, r.decided_on
     FROM json_to_recordset($2) AS r (participant_id bigint, points int, position smallint, reason text, decided_on date)
     ON CONFLICT (season_id, participant_id, decided_on) DO UPDATE SET points = excluded.points, position = excluded.position, reason = excluded.reason
     WHERE (a.points, a.position, a.reason) IS DISTINCT FROM (excluded.points, excluded.position, excluded.reason)`,
    [seasonId, JSON.stringify(wanted)],
  );
  return (removed.rowCount ?? 0) + (rowCount ?? 0) > 0;
}
