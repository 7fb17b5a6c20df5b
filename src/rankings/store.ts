/** Stores rankings. A snapshot is stored in one transaction, either as a whole or not at all. */
import type { Queryable } from '../db/postgres.ts';
import { type EntityDeps, isReferred, type Referred, resolveReferences, storeListed } from '../identity/index.ts';
import type { Precedence } from '../identity/precedence.ts';
import { kindFacts, type RankingKind } from './kinds.ts';
import type { Snapshot } from './snapshot.ts';

interface Ranked {
  participant_id: number;
  rank: number;
  points: number | null;
}

export interface StoredSnapshot {
  /** Number of entries that are new or differ from the stored ones. */
  changed: number;
  unchanged: number;
  /** Rejected entries, by their position in the snapshot. */
  rejected: { at: number; detail: string }[];
  /** Names of participants that were added to the catalogue. */
  created: string[];
}

/**
 * Replaces the stored snapshot for this kind and day. An entry is rejected if its participant is unknown, or is listed above. The stored
 * snapshot stays if its provider has higher precedence, or if all entries are rejected.
 */
export function storeSnapshot(deps: EntityDeps, snapshot: Snapshot): Promise<StoredSnapshot> {
  return storeListed(deps, async (lookup) => {
    const { kind, published_at, provider, entries } = snapshot;
    const { sport, gender, of } = kindFacts(kind);
    const referred = await resolveReferences(
      lookup,
      entries.map(({ who }) => ({ ...who, provider, sport, gender, of })),
      true,
    );
    const { ranked, rejected } = withoutRepeats(snapshot, referred);
    const created = referred.filter(isReferred).flatMap(({ name, created }) => (created ? [name] : []));
    const counts = await replaceEntries(lookup.client, { kind, published_at, provider, ranked }, deps.precedence);
    return { ...counts, rejected, created };
  });
}

/** Rejects entries with a fault. If two entries are for the same participant, the second is rejected too. */
function withoutRepeats({ entries }: Snapshot, referred: readonly Referred[]) {
  const ranked = new Map<number, Ranked>();
  const rejected: StoredSnapshot['rejected'] = [];
  for (const [at, found] of referred.entries()) {
    const { rank, points } = entries[at]!;
    if (!isReferred(found)) {
      rejected.push({ at, detail: found.fault });
      continue;
    }
    const earlier = ranked.get(found.id);
    if (earlier) rejected.push({ at, detail: `${found.name} is already listed, with rank ${earlier.rank}` });
    else ranked.set(found.id, { participant_id: found.id, rank, points });
  }
  return { ranked: [...ranked.values()], rejected };
}

export interface RankedSnapshot {
  kind: RankingKind;
  /** YYYY-MM-DD */
  published_at: string;
  provider: string;
  ranked: readonly Ranked[];
}

/** Replaces a ranking's entries if they differ from the stored ones, so that a repeated import writes no rows. */
export async function replaceEntries(
  client: Queryable,
  { kind, published_at, provider, ranked }: RankedSnapshot,
  { rankOf }: Precedence,
): Promise<{ changed: number; unchanged: number }> {
  if (ranked.length === 0) return { changed: 0, unchanged: 0 };
  // Locks the row even if it already exists, so that a second import for the same day waits.
  const { rows } = await client.query<{ id: number; provider: string }>(
    `INSERT INTO ranking AS r (kind, published_at, provider) VALUES ($1, $2, $3)
     ON CONFLICT (kind, published_at) DO UPDATE SET provider = r.provider RETURNING id, provider`,
    [kind, published_at, provider],
  );
  const { id, provider: owner } = rows[0]!;
  if (rankOf(owner) < rankOf(provider)) return { changed: 0, unchanged: ranked.length };
  const counted = await client.query<{ unchanged: number }>(
    `SELECT count(*)::int AS unchanged FROM ${GIVEN} JOIN ranking_entry e
       ON e.ranking_id = $2 AND e.participant_id = w.participant_id AND e.rank = w.rank AND e.points IS NOT DISTINCT FROM w.points`,
    [JSON.stringify(ranked), id],
  );
  const { unchanged } = counted.rows[0]!;
  const stored = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM ranking_entry WHERE ranking_id = $1',
    [id],
  );
  if (owner !== provider) await client.query('UPDATE ranking SET provider = $2 WHERE id = $1', [id, provider]);
  if (unchanged === ranked.length && stored.rows[0]!.count === unchanged) return { changed: 0, unchanged };
  await client.query('DELETE FROM ranking_entry WHERE ranking_id = $1', [id]);
  await client.query(
    `INSERT INTO ranking_entry (ranking_id, participant_id, rank, points) SELECT $2, w.participant_id, w.rank, w.points FROM ${GIVEN}`,
    [JSON.stringify(ranked), id],
  );
  return { changed: ranked.length - unchanged, unchanged };
}

const GIVEN = 'json_to_recordset($1) AS w (participant_id bigint, rank int, points float8)';

/** Removes a computed kind's rankings, except on the given days. @returns the number of removed rankings */
export async function removeOtherDays(db: Queryable, kind: RankingKind, days: readonly string[]): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM ranking WHERE kind = $1 AND published_at <> ALL ($2::date[])', [
    kind,
    days,
  ]);
  return rowCount ?? 0;
}
