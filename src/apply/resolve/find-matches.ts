/** Finds and locks the stored matches that updates are about: by the provider's id, else by their sides. */

import type { Queryable } from '../../db/postgres.ts';
import { BatchConflict, type EntityLookup } from '../../identity/entities.ts';
import type { UpdateChange } from '../merge/match-change.ts';
import type { MatchState } from '../stored/match-state.ts';
import { CORRECTION } from '../stored/provenance.ts';
import { lockMatches, matchesByExternalId } from '../stored/stored-match.ts';

/** Sets the stored match of each change, locked. @throws {BatchConflict} if two updates are about one match */
export async function findMatches({ client }: EntityLookup, changes: readonly UpdateChange[]): Promise<void> {
  const found = new Map<UpdateChange, number>();
  const missing = () => changes.filter((change) => !found.has(change) && !change.isOutdated);
  const findById = async () => {
    for (const [provider, group] of groupBy(missing(), ({ sent }) => sent.provider)) {
      const ids = await matchesByExternalId(
        client,
        provider,
        group.map(({ sent }) => sent.match.id),
      );
      for (const change of group) {
        const id = ids.get(change.sent.match.id);
        if (id === undefined) continue;
        found.set(change, id);
        change.isReferenced = true;
      }
    }
  };
  await findById();
  if (missing().length > 0) {
    const unknown = missing();
    for (const [index, at] of await deletionTimes(client, unknown.map(pairing)))
      unknown[index]!.isOutdated = Date.parse(unknown[index]!.sent.observed_at) <= at;
    // From here to the commit no other transaction creates a match of these seasons, or renames entities that the new ones show.
    await lockForInsertion(
      client,
      missing().map(({ refs }) => refs),
    );
    await findById();
    const unnumbered = missing();
    for (const [index, id] of await matchesByPairing(client, unnumbered.map(pairing)))
      found.set(unnumbered[index]!, id);
  }
  const sides = missing().map(({ refs }) => `${refs.season_id} ${refs.home_id} ${refs.away_id}`);
  if (hasDuplicates([...found.values()]) || hasDuplicates(sides))
    throw new BatchConflict('two updates are about one match');
  const locked = await lockMatches(client, [...found.values()]);
  for (const [change, id] of found) {
    change.before = locked.get(id) ?? null;
    // Another transaction has deleted it in between.
    if (change.before === null) change.isReferenced = false;
  }
}

const pairing = ({ sent, refs }: UpdateChange, index: number): Pairing => ({
  index,
  provider: sent.provider,
  external_id: sent.match.id,
  ...refs,
  scheduled_start: sent.match.scheduled_start ?? null,
});

const hasDuplicates = (keys: readonly (string | number)[]): boolean => new Set(keys).size < keys.length;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

interface Pairing {
  index: number;
  provider: string;
  external_id: string;
  season_id: number;
  home_id: number;
  away_id: number;
  scheduled_start: string | null;
}

/** Days by which two sources may differ about the start of the same match. */
const SAME_MATCH_DAYS = 2;

/**
 * Returns matches of the same season and sides by `index`: near in time, or at any time if a pairing has one match at each venue.
 * Two ids of one provider near in time are two matches (a double-header), unless the pairing can have only one. The same
 * day comes first: a replay on the next day is nearer to midnight, which stands for an unknown kick-off. Beside a kick-off
 * corrected by hand the one of the providers counts, too.
 */
async function matchesByPairing(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; id: number }>(
    `SELECT DISTINCT ON (p.index) p.index, m.id
     FROM json_to_recordset($1) AS p (index int, provider text, external_id text, season_id bigint, home_id bigint,
       away_id bigint, scheduled_start timestamptz)
     JOIN match m ON m.season_id = p.season_id AND m.home_id = p.home_id AND m.away_id = p.away_id
     JOIN tournament t ON t.id = m.tournament_id
     WHERE t.single_home_fixture OR ((abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)) <= $2 * 86400
         OR abs(extract(epoch FROM (m.provenance #>> '{${CORRECTION},2,below,scheduled_start}')::timestamptz - p.scheduled_start)) <= $2 * 86400)
       AND NOT EXISTS (SELECT FROM external_ref r WHERE r.entity = 'match' AND r.entity_id = m.id AND r.provider = p.provider
         AND r.external_id <> p.external_id))
     ORDER BY p.index, abs((m.scheduled_start AT TIME ZONE 'UTC')::date - (p.scheduled_start AT TIME ZONE 'UTC')::date),
       abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)), m.id`,
    [JSON.stringify(pairings), SAME_MATCH_DAYS],
  );
  return new Map(rows.map((row) => [row.index, row.id]));
}

type Shown = Pick<MatchState, 'tournament_id' | 'home_id' | 'away_id'> & { venue_id?: number | null | undefined };

/** Keeps the entities that cards show from being renamed until the commit; locks in the order in which updates resolve entities. */
export async function lockShown(client: Queryable, matches: readonly Shown[]): Promise<void> {
  if (matches.length === 0) return;
  const lock = async (table: string, ids: (number | null | undefined)[]) => {
    const wanted = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
    if (wanted.length > 0)
      await client.query(`SELECT FROM ${table} WHERE id = ANY ($1) ORDER BY id FOR SHARE`, [wanted]);
  };
  await lock(
    'participant',
    matches.flatMap(({ home_id, away_id }) => [home_id, away_id]),
  );
  await lock(
    'tournament',
    matches.map(({ tournament_id }) => tournament_id),
  );
  await lock(
    'venue',
    matches.map(({ venue_id }) => venue_id),
  );
}

/**
 * Locks the seasons in which matches are searched for the last time and created: one transaction at a time creates matches of a
 * season.
 */
async function lockForInsertion(client: Queryable, matches: readonly (Shown & { season_id: number })[]): Promise<void> {
  if (matches.length === 0) return;
  await lockShown(client, matches);
  await client.query('SELECT FROM season WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
    [...new Set(matches.map(({ season_id }) => season_id))],
  ]);
}

/** Records a deletion. @param observedAt ms, when the provider observed that there is no such match */
export async function recordDeletion(
  client: Queryable,
  provider: string,
  externalId: string,
  observedAt: number,
): Promise<void> {
  await client.query(
    `INSERT INTO match_deletion AS d VALUES ($1, $2, $3)
     ON CONFLICT (provider, external_id) DO UPDATE SET observed_at = greatest(d.observed_at, excluded.observed_at)`,
    [provider, externalId, observedAt],
  );
}

/** Returns when providers deleted these matches, in ms, by `index`. */
async function deletionTimes(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; observed_at: number }>(
    `SELECT p.index, d.observed_at FROM json_to_recordset($1) AS p (index int, provider text, external_id text)
     JOIN match_deletion d USING (provider, external_id)`,
    [JSON.stringify(pairings)],
  );
  return new Map(rows.map((row) => [row.index, row.observed_at]));
}
