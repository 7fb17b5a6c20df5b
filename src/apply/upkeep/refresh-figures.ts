/**
 * Computes our models' figures for stored matches. Expected goals and momentum are computed if an earlier release stored the
 * shots without them, or if they have an earlier version. Win probabilities are computed once the rates are stored. Otherwise,
 * updates keep the figures current.
 */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { FIGURE_BLOCKS, figuresVersion } from '../../expected-goals/own-figures.ts';
import { FIGURES_MARK, refreshFigures } from '../merge/expected-goals.ts';
import { noBlockChanges } from '../merge/match-blocks.ts';
import { type MatchChange, storedMatchChange } from '../merge/match-change.ts';
import { withWinProbabilities } from '../merge/win-probability.ts';
import { loadBlocks } from '../stored/blocks.ts';
import { observedAtSql } from '../stored/provenance.ts';
import { lockMatches, type StoredMatch } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { commitMatchChanges, settingsFor, shownMatches } from '../write/commit-match-changes.ts';

/** Matches written in one transaction. */
const SLICE = 200;

/**
 * Computes missing and outdated figures. An interruption does not undo what has been written.
 * @param pause is called between slices; it may throw to end the run
 * @returns how many matches now show new figures
 */
export async function refreshStoredFigures(
  deps: Omit<MatchDeps, 'config'>,
  pause: () => Promise<unknown>,
): Promise<number> {
  let total = 0;
  let after = 0;
  for (;;) {
    await pause();
    const { rows } = await deps.pool.query<{ id: number }>(
      `SELECT m.id FROM match_block b JOIN match m ON m.id = b.match_id
       WHERE b.block = 'shotmap' AND b.match_id > $1 AND ${observedAtSql('m.provenance', FIGURES_MARK)} IS DISTINCT FROM $2::bigint
       ORDER BY b.match_id LIMIT $3`,
      [after, figuresVersion(), SLICE],
    );
    if (rows.length === 0) return total;
    const ids = rows.map(({ id }) => id);
    const work = (client: Queryable) => refreshSlice(client, ids, deps.clock.now());
    const changed = await transaction(deps.pool, work, settingsFor(false));
    deps.changes.publish(changed);
    total += changed.length;
    after = ids.at(-1)!;
  }
}

async function refreshSlice(client: Queryable, ids: readonly number[], now: number): Promise<number[]> {
  const matches = await lockMatches(client, ids);
  const blocks = await loadBlocks(client, ids, FIGURE_BLOCKS);
  const changes = [...matches.values()].map((match) => refreshed(match, blocks.get(match.id) ?? new Map()));
  return shownMatches(await commitMatchChanges(client, changes, now));
}

function refreshed(match: StoredMatch, stored: Parameters<typeof refreshFigures>[0]): MatchChange {
  const { blocks, provenance } = refreshFigures(stored, match, noBlockChanges());
  const change = storedMatchChange(match, { provenance }, { blocks });
  return blocks.changed.size > 0 ? change : { ...change, effect: 'hidden' };
}

// ---- win probabilities

const isVisible = ({ blocks }: MatchChange) => blocks.changed.size > 0;

/**
 * Writes win probabilities for matches whose rates have been stored, without events. A match that is over keeps its win
 * probability.
 * @param now ms
 * @returns ids of changed matches
 */
export async function refreshWinProbabilities(
  client: Queryable,
  ids: readonly number[],
  now: number,
): Promise<number[]> {
  const locked = await lockMatches(client, ids);
  const unfinished = [...locked.values()].filter(({ status }) => status !== 'finished');
  const changes = await withWinProbabilities(
    client,
    unfinished.map((match) => storedMatchChange(match)),
  );
  return shownMatches(await commitMatchChanges(client, changes.filter(isVisible), now));
}
