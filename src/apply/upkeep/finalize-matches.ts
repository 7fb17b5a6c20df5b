/**
 * Finalizes matches that have not changed for 24 h, and does the rest of the match housekeeping: it gives teams the
 * former names from a new release, replaces silent leaders, marks matches without news, re-renders cards left over from
 * renames, and deletes old rejections.
 */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { noIds } from '../../identity/entities.ts';
import { applyListedNames } from '../../identity/index.ts';
import { wireTime } from '../../wire/time.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { deleteOldRejections } from '../rejections.ts';
import { FINAL_AFTER_MS, isFinalSince } from '../stored/match-state.ts';
import { lockMatches } from '../stored/stored-match.ts';
import type { ApplyDeps, MatchDeps } from '../update-outcomes.ts';
import { drainCardRefresh, queueRefresh } from '../write/card-refresh.ts';
import { commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';
import { deleteFormerFixtures } from '../write/write-rows.ts';
import { markAwaitingData } from './mark-awaiting-data.ts';
import { replaceSilentLeaders } from './takeovers.ts';

/** Matches finalized in one transaction. */
const SLICE = 200;

/** Finalizes finished matches that have not changed for 24 h. @returns how many matches became final */
export async function finalizeQuietMatches(deps: MatchDeps): Promise<number> {
  let total = 0;
  for (;;) {
    const now = deps.clock.now();
    const ids = await transaction(deps.pool, (client) => finalizeSlice(client, now));
    deps.changes.publish(ids);
    total += ids.length;
    if (ids.length === 0) return total;
  }
}

async function finalizeSlice(client: Queryable, now: number): Promise<number[]> {
  const due = await client.query<{ id: number }>(
    "SELECT id FROM match WHERE status = 'finished' AND NOT finalized AND updated_at <= $1 ORDER BY updated_at LIMIT $2",
    [wireTime(now - FINAL_AFTER_MS), SLICE],
  );
  const locked = await lockMatches(
    client,
    due.rows.map((row) => row.id),
  );
  // Checked again under the lock, because a correction may have arrived in the meantime.
  const quiet = [...locked.values()].filter(
    (match) => match.status === 'finished' && !match.finalized && isFinalSince(Date.parse(match.updated_at), now),
  );
  const changes = quiet.map((match) =>
    storedMatchChange(match, { finalized: true }, { events: [{ type: 'match.finalized' }] }),
  );
  return shownMatches(await commitMatchChanges(client, changes, now));
}

async function deleteOld({ pool, clock }: MatchDeps): Promise<void> {
  await deleteOldRejections(pool, clock.now());
  await deleteFormerFixtures(pool, clock.now());
}

/** Gives existing teams the former names that a new release lists. Runs after an upgrade. */
const nameTeams = ({ pool }: MatchDeps): Promise<number> =>
  transaction(pool, async (client) => queueRefresh(client, noIds(), await applyListedNames(client)));

/**
 * Prepares the match housekeeping.
 * @returns a function that runs it once; if a step fails, the others still run, and then the first error is thrown
 */
export function createHousekeeping(deps: ApplyDeps): () => Promise<void> {
  let isListApplied = false;
  return async () => {
    const failures: unknown[] = [];
    const attempt = (step: () => Promise<unknown>) => step().catch((error) => failures.push(error));
    await attempt(() => replaceSilentLeaders(deps));
    if (!isListApplied) await attempt(() => nameTeams(deps).then(() => (isListApplied = true)));
    await attempt(() => finalizeQuietMatches(deps));
    await attempt(() => markAwaitingData(deps));
    await attempt(() => drainCardRefresh(deps));
    await attempt(() => deleteOld(deps));
    if (failures.length > 0) throw failures[0];
  };
}
