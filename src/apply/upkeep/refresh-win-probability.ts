/** Writes the win probabilities of matches whose rates were stored: blocks, cards and pending changes, without events. */
import type { Queryable } from '../../db/postgres.ts';
import { type MatchChange, storedMatchChange } from '../merge/match-change.ts';
import { withWinProbabilities } from '../merge/win-probability.ts';
import { lockMatches } from '../stored/stored-match.ts';
import { commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

const isVisible = ({ blocks }: MatchChange) => blocks.changed.size > 0;

/**
 * A match that is over keeps what it has.
 * @param now ms
 * @returns ids of the matches that have changed
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
