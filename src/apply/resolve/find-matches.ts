/** Finds and locks each update's stored match by the provider's id or, if the id is unknown, by the sides. */
import type { Queryable } from '../../db/postgres.ts';
import { BatchConflict } from '../../identity/entities.ts';
import type { ResolvedRefs } from '../../identity/index.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { MatchState } from '../stored/match-state.ts';
import { coveredStartSql } from '../stored/provenance.ts';
import { lockMatches, matchesByExternalId, type StoredMatch } from '../stored/stored-match.ts';

/** An update with our ids of the entities that it names. */
export interface Identified {
  readonly update: MatchUpdate;
  readonly refs: ResolvedRefs;
}

/** An update with its match. */
export interface Found extends Identified {
  /** The stored match, locked. Null if there is none. */
  readonly before: StoredMatch | null;
  /** True if the provider's match id is stored. */
  readonly isReferenced: boolean;
  /** True if the provider deleted the match after observing the update. */
  readonly isOutdated: boolean;
}

/** Finds and locks each update's match. @throws {BatchConflict} if two updates are about one match */
export async function findMatches(client: Queryable, updates: readonly Identified[]): Promise<Found[]> {
  const found = new Map<Identified, number>();
  const referenced = new Set<Identified>();
  const outdated = new Set<Identified>();
  const missing = () => updates.filter((one) => !found.has(one) && !outdated.has(one));
  const findById = async () => {
    for (const [provider, group] of groupBy(missing(), ({ update }) => update.provider)) {
      const ids = await matchesByExternalId(
        client,
        provider,
        group.map(({ update }) => update.match.id),
      );
      for (const one of group) {
        const id = ids.get(one.update.match.id);
        if (id === undefined) continue;
        found.set(one, id);
        referenced.add(one);
      }
    }
  };
  await findById();
  if (missing().length > 0) {
    const unknown = missing();
    const deleted = await deletionTimes(client, unknown.map(pairing));
    for (const [index, one] of unknown.entries()) {
      const at = deleted.get(index);
      if (at !== undefined && Date.parse(one.update.observed_at) <= at) outdated.add(one);
    }
    // From here to the commit, no concurrent transaction creates a match in these seasons, or renames entities that the new
    // matches show.
    await lockForInsertion(
      client,
      missing().map(({ refs }) => refs),
    );
    await findById();
    const unnumbered = missing();
    const paired = await matchesByPairing(client, unnumbered.map(pairing));
    for (const [index, one] of unnumbered.entries()) {
      const id = paired.get(index);
      if (id !== undefined) found.set(one, id);
    }
  }
  const sides = missing().map(({ refs }) => `${refs.season_id} ${refs.home_id} ${refs.away_id}`);
  if (hasDuplicates([...found.values()]) || hasDuplicates(sides))
    throw new BatchConflict('two updates are about the same match');
  const locked = await lockMatches(client, [...found.values()]);
  return updates.map((one) => {
    // The row is missing if a concurrent transaction has deleted the match.
    const before = locked.get(found.get(one) ?? 0) ?? null;
    return { ...one, before, isReferenced: before !== null && referenced.has(one), isOutdated: outdated.has(one) };
  });
}

const pairing = ({ update, refs }: Identified, index: number): Pairing => ({
  index,
  provider: update.provider,
  external_id: update.match.id,
  ...refs,
  scheduled_start: update.match.scheduled_start ?? null,
  time_tbd: update.match.time_tbd ?? false,
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
  /** True if only the day is known. */
  time_tbd: boolean;
}

/** Maximum number of days between two sources' starts of the same match. */
const SAME_MATCH_DAYS = 2;

/** SQL for the day of a start in the tournament's time zone. An unknown kick-off is stored as midnight UTC of that day. */
const localDaySql = (start: string) =>
  `(${start}.scheduled_start AT TIME ZONE CASE WHEN ${start}.time_tbd THEN 'UTC' ELSE coalesce(t.timezone, 'UTC') END)::date`;

/**
 * Returns, by `index`, the stored match that has the update's season and sides. The starts must be close together, unless
 * the tournament has one match for each pairing and venue. Two nearby matches with different ids from one provider are a
 * double-header, and stay two matches. A match on the same day is preferred, even if one on the next day is nearer in hours,
 * because midnight stands for an unknown kick-off. Days are the tournament's: a game at 22:00 in New York is on the next day in UTC,
 * but a source without kick-offs gives the day in New York. If the kick-off has been corrected by hand, the providers' kick-off
 * counts, too.
 */
async function matchesByPairing(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; id: number }>(
    `SELECT DISTINCT ON (p.index) p.index, m.id
     FROM json_to_recordset($1) AS p (index int, provider text, external_id text, season_id bigint, home_id bigint,
       away_id bigint, scheduled_start timestamptz, time_tbd boolean)
     JOIN match m ON m.season_id = p.season_id AND m.home_id = p.home_id AND m.away_id = p.away_id
     JOIN tournament t ON t.id = m.tournament_id
     WHERE t.single_home_fixture OR ((abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)) <= $2 * 86400
         OR abs(extract(epoch FROM ${coveredStartSql('m.provenance')} - p.scheduled_start)) <= $2 * 86400)
       AND NOT EXISTS (SELECT FROM external_ref r WHERE r.entity = 'match' AND r.entity_id = m.id AND r.provider = p.provider
         AND r.external_id <> p.external_id))
     ORDER BY p.index, abs(${localDaySql('m')} - ${localDaySql('p')}),
       abs(extract(epoch FROM m.scheduled_start - p.scheduled_start)), m.id`,
    [JSON.stringify(pairings), SAME_MATCH_DAYS],
  );
  return new Map(rows.map((row) => [row.index, row.id]));
}

type Shown = Pick<MatchState, 'tournament_id' | 'home_id' | 'away_id'> & { venue_id?: number | null | undefined };

/**
 * Locks the entities that cards show, so that they are not renamed until the commit. They are locked in the order in which
 * updates resolve them.
 */
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
 * Locks seasons before their matches are searched a last time and new ones are created, so that only one transaction at a
 * time creates matches in a season.
 */
async function lockForInsertion(client: Queryable, matches: readonly (Shown & { season_id: number })[]): Promise<void> {
  if (matches.length === 0) return;
  await lockShown(client, matches);
  await client.query('SELECT FROM season WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
    [...new Set(matches.map(({ season_id }) => season_id))],
  ]);
}

/** Records a deletion. @param observedAt ms, when the provider observed that the match does not exist */
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

/** Returns the times at which providers deleted these matches, in ms, by `index`. */
async function deletionTimes(client: Queryable, pairings: readonly Pairing[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ index: number; observed_at: number }>(
    `SELECT p.index, d.observed_at FROM json_to_recordset($1) AS p (index int, provider text, external_id text)
     JOIN match_deletion d USING (provider, external_id)`,
    [JSON.stringify(pairings)],
  );
  return new Map(rows.map((row) => [row.index, row.observed_at]));
}
