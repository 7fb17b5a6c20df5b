/** What runs once a minute: finalizes matches that have not changed for 24 h, re-renders cards left over from renames, deletes old rejections. */

import type { Logger } from 'pino';
import { type Queryable, transaction } from '../db/postgres.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { renderEnvelope } from '../wire/envelope.ts';
import { wireTime } from '../wire/time.ts';
import { drainCardRefresh } from './card-refresh.ts';
import { FINAL_AFTER_MS, isFinalSince } from './finality.ts';
import type { ApplyDeps } from './interface.ts';
import { renderCards } from './render-cards.ts';
import { addPendingChanges, envelopeMatches, lockMatches, updateMatches, writeOutbox } from './store.ts';

/** Rejected updates and deletions are stored for this long: no provider sends an update so late. */
const RETENTION_MS = 30 * 24 * 3_600_000;
const EVERY_MS = 60_000;
/** Matches finalized in one transaction. */
const SLICE = 200;

/** @returns how many matches became final */
export async function finalizeQuietMatches(deps: ApplyDeps): Promise<number> {
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
  // Checked again under the lock: a correction may have come in between.
  const quiet = [...locked.values()].filter(
    (match) => match.status === 'finished' && !match.finalized && isFinalSince(Date.parse(match.updated_at), now),
  );
  const final = quiet.map((match) => ({
    ...match,
    finalized: true,
    sequence: match.sequence + 1,
    version: match.version + 1,
    updated_at: wireTime(now),
  }));
  await updateMatches(client, final);
  const ids = final.map((match) => match.id);
  await renderCards(client, ids);
  await addPendingChanges(
    client,
    ids.map((match_id) => ({ match_id, tombstone: null })),
  );
  const shown = await envelopeMatches(client, ids);
  await writeOutbox(
    client,
    final.map(({ id, sport, tournament_id, sequence }) => ({
      match_id: id,
      sport,
      tournament_id,
      type: 'match.finalized',
      envelope: renderEnvelope('match.finalized', {
        schema: 1,
        sequence,
        occurred_at: wireTime(now),
        match: shown.get(id)!,
      }),
    })),
  );
  return ids;
}

async function deleteOld({ pool, clock }: ApplyDeps): Promise<void> {
  const since = clock.now() - RETENTION_MS;
  await pool.query('DELETE FROM feed_rejection WHERE received_at < $1', [wireTime(since)]);
  await pool.query('DELETE FROM match_deletion WHERE observed_at < $1', [since]);
}

/** Runs at once, then once a minute. */
export function startHousekeeping(deps: ApplyDeps & { logger: Pick<Logger, 'error' | 'info'> }): Loop {
  return startLoop({
    async run() {
      await finalizeQuietMatches(deps);
      await drainCardRefresh(deps);
      await deleteOld(deps);
      return EVERY_MS;
    },
    retryMs: EVERY_MS,
    failed: 'housekeeping failed, retrying in a minute',
    recovered: 'housekeeping recovered',
    logger: deps.logger,
  });
}
