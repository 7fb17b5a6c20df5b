/** Applies participant updates within one transaction. */
import type { Fault } from '../wire/fault.ts';
import type { ParticipantUpdate } from '../wire/feed-update.ts';
import type { FormerName } from '../wire/former-names.ts';
import { ImageError, prepareImage, storeImage } from './convert-image.ts';
import {
  type EntityLookup,
  type EntityResult,
  type Owners,
  recordObservation,
  referenceFaults,
  rejected,
} from './entities.ts';
import { isOutranked, mergeOwned } from './owned-fields.ts';
import { type GivenNames, inOrder, storeAliases, storeFormerNames } from './participant-names.ts';
import { storedBirthDate } from './person-key.ts';
import { findParticipants, type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';
import { squadFaults, storeSquadMembers } from './squad-members.ts';

interface ParticipantRow {
  id: number;
  birth_date: string | null;
  extra: Record<string, unknown>;
  provenance: Owners;
  image_etag: string | null;
  /** Oldest first. */
  former_names: FormerName[];
}

type ParticipantWrite = Pick<ParticipantRow, 'id' | 'birth_date' | 'extra' | 'provenance'>;

interface GivenAlias {
  id: number;
  name: string;
  locale: string;
  provider: string;
  /** The update's position in the list of updates. */
  index: number;
}

/** Applies participant updates in large batches, since a player file has tens of thousands. */
export async function applyParticipantUpdates(
  lookup: EntityLookup,
  updates: readonly ParticipantUpdate[],
  { existingOnly = false }: { existingOnly?: boolean },
): Promise<EntityResult[]> {
  const outcomes = updates.map((update): EntityResult => {
    const errors = findFaults(lookup, update);
    return errors.length > 0 ? rejected(errors) : { outcome: 'unchanged' };
  });
  const known = updates
    .map((update, index) => ({ update, index, descriptor: describe(update) }))
    .filter(({ index }) => outcomes[index]?.outcome !== 'rejected');
  const ids = await (existingOnly ? findParticipants : resolveParticipants)(
    lookup,
    known.map(({ descriptor }) => descriptor),
  );
  const valid = known.filter(({ descriptor }) => ids.has(descriptor));
  for (const { index, descriptor } of known)
    if (!ids.has(descriptor)) outcomes[index] = rejected([unknownParticipant(descriptor)]);
  const stored = await lockParticipants(lookup, ids.values());
  const writes = new Map<number, ParticipantWrite>();
  const formerNames = new Map<number, GivenNames>();
  const aliases: GivenAlias[] = [];
  for (const { update, index, descriptor } of valid) {
    const { participant, provider } = update;
    const row = stored.get(ids.get(descriptor)!)!;
    await recordObservation(lookup, 'participant', row.id, provider);
    const { hasChanges, hasNewNames, write } = mergeProfile(lookup, row, update);
    if (write !== null) writes.set(row.id, write);
    if (hasNewNames) formerNames.set(row.id, { provider, names: row.former_names });
    aliases.push(...(participant.aliases ?? []).map((alias) => ({ id: row.id, ...alias, provider, index })));
    if (hasChanges || lookup.changed.participant.has(row.id)) outcomes[index] = { outcome: 'accepted' };
    const imageOutcome = await applyImage(lookup, row, update);
    if (imageOutcome !== null) outcomes[index] = imageOutcome;
  }
  const listed = valid.map(({ update, index, descriptor }) => ({ update, index, player_id: ids.get(descriptor)! }));
  const stores = [await storeNewAliases(lookup, aliases), await storeSquadMembers(lookup, listed)];
  for (const index of stores.flatMap((changed) => [...changed])) {
    if (outcomes[index]?.outcome === 'unchanged') outcomes[index] = { outcome: 'accepted' };
  }
  await writeProfiles(lookup, [...writes.values()]);
  lookup.renamedIn.push(...(await storeFormerNames(lookup.client, formerNames)));
  return outcomes;
}

const unknownParticipant = ({ type, sport, gender, name, country }: ParticipantDescriptor): Fault => ({
  path: 'participant',
  code: 'unknown_participant',
  detail: `the catalogue has no ${type} ${name} (${[sport, gender, country].filter(Boolean).join(', ')})`,
});

function findFaults({ known }: EntityLookup, update: ParticipantUpdate): Fault[] {
  const { participant } = update;
  const faults = [
    ...referenceFaults(known, [{ path: 'participant', sport: participant.sport, country: participant.country }]),
    ...squadFaults(known, update),
  ];
  if (participant.type === 'player' && participant.id === undefined && !participant.birth_date) {
    faults.push({
      path: 'participant.birth_date',
      code: 'unidentified',
      detail: 'a player needs an id or a birth date to be distinguished from others',
    });
  }
  return faults;
}

async function lockParticipants({ client }: EntityLookup, ids: Iterable<number>): Promise<Map<number, ParticipantRow>> {
  const { rows } = await client.query<ParticipantRow>(
    `SELECT id, birth_date::text, extra, provenance, image_etag, former_names(id) FROM participant
     WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Merges birth date, extra fields and former names into `row`. The row is changed in place, because a later update in the same
 * batch may be about the same participant.
 */
function mergeProfile(
  { precedence }: EntityLookup,
  row: ParticipantRow,
  { provider, participant }: ParticipantUpdate,
): { hasChanges: boolean; hasNewNames: boolean; write: ParticipantWrite | null } {
  const stored = { birth_date: row.birth_date, former_names: row.former_names };
  const owners = row.provenance;
  const { former_names } = participant;
  const birth_date = storedBirthDate(participant);
  const given = { birth_date, former_names: former_names && inOrder(former_names) };
  const own = mergeOwned(precedence, { stored, owners }, { given, provider });
  const givenExtra = { given: participant.extra ?? {}, provider };
  const extra = mergeOwned(precedence, { stored: row.extra, owners }, givenExtra, 'extra.');
  const hasChanges = Object.keys(own.changes).length + Object.keys(extra.changes).length > 0;
  const hasNewOwner = Object.keys(own.taken).length + Object.keys(extra.taken).length > 0;
  const hasNewNames = 'former_names' in own.changes;
  if (!hasChanges && !hasNewOwner) return { hasChanges, hasNewNames, write: null };
  if ('birth_date' in own.changes) row.birth_date = (own.changes.birth_date as string | null) ?? null;
  if (hasNewNames) row.former_names = own.changes.former_names as FormerName[];
  row.extra = { ...row.extra, ...extra.changes };
  row.provenance = { ...row.provenance, ...own.taken, ...extra.taken };
  const { id, extra: merged, provenance } = row;
  return { hasChanges, hasNewNames, write: { id, birth_date: row.birth_date, extra: merged, provenance } };
}

async function writeProfiles({ client }: EntityLookup, writes: readonly ParticipantWrite[]): Promise<void> {
  if (writes.length === 0) return;
  await client.query(
    `UPDATE participant p SET birth_date = r.birth_date, extra = r.extra, provenance = p.provenance || r.provenance
     FROM json_to_recordset($1) AS r (id bigint, birth_date date, extra jsonb, provenance jsonb) WHERE p.id = r.id`,
    [JSON.stringify(writes)],
  );
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
    isPresent: true,
  };
}

/** Stores aliases. @returns the positions of updates with a new alias */
async function storeNewAliases(lookup: EntityLookup, aliases: readonly GivenAlias[]): Promise<Set<number>> {
  if (aliases.length === 0) return new Set<number>();
  const { rows } = await lookup.client.query<{ at: number }>(
    `SELECT r.at FROM json_to_recordset($1) AS r (at int, id bigint, name text, locale text)
     WHERE NOT EXISTS (SELECT 1 FROM participant_alias a WHERE a.participant_id = r.id AND a.name = r.name AND a.locale = r.locale)`,
    [JSON.stringify(aliases.map((alias, at) => ({ at, ...alias })))],
  );
  const fresh = rows.flatMap(({ at }) => aliases[at] ?? []);
  await storeAliases(lookup.client, fresh);
  return new Set(fresh.map(({ index }) => index));
}

/** Stores an update's image. Returns null if the update has no image, or if the same image is already stored. */
async function applyImage(
  lookup: EntityLookup,
  row: ParticipantRow,
  { provider, participant }: ParticipantUpdate,
): Promise<EntityResult | null> {
  if (participant.image === undefined || isOutranked(lookup.precedence, row.provenance.image, provider)) return null;
  try {
    const image = participant.image === null ? null : await prepareImage(Buffer.from(participant.image, 'base64'));
    if ((image?.etag ?? null) === row.image_etag) return null;
    await storeImage(lookup.client, row.id, image);
    await lookup.client.query(
      "UPDATE participant SET provenance = provenance || jsonb_build_object('image', $2::text) WHERE id = $1",
      [row.id, provider],
    );
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return rejected([{ path: 'participant.image', code: 'invalid_image', detail: error.message }]);
  }
}
