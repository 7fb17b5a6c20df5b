/** Deletes old rows from the delivery log, in small steps while the dispatchers work. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { RETENTION_MS } from '../../events/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { DAY_MS } from '../../wire/time.ts';

/** How long notices, and deliveries that failed at least once, are stored (spec: 30 days). Attempts are stored as long as events, for RETENTION_MS. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS;
/** Maximum number of rows that one step deletes from each table. */
const STEP_ROWS = 1_000;
const STEP_PAUSE_MS = 200;
/** Time between the end of one pass and the start of the next. */
const EVERY_MS = 10 * 60_000;

/**
 * Deletes the oldest attempts, which have the lowest ids. Ids ascend with time, except between attempts a
 * moment apart.
 */
const PRUNE_ATTEMPTS = `DELETE FROM webhook_attempt WHERE id = ANY (ARRAY(
    SELECT id FROM (SELECT id, at FROM webhook_attempt ORDER BY id LIMIT ${STEP_ROWS} FOR UPDATE SKIP LOCKED) oldest WHERE at < $1
  ))`;
const PRUNE_DELIVERIES = `DELETE FROM webhook_delivery WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_delivery WHERE state <> 'pending' AND updated_at < $1
    ORDER BY updated_at LIMIT ${STEP_ROWS} FOR UPDATE SKIP LOCKED
  ))`;

const PRUNE_NOTICES = `DELETE FROM webhook_notice WHERE id = ANY (ARRAY(
    SELECT id FROM (SELECT id, at FROM webhook_notice ORDER BY id LIMIT ${STEP_ROWS} FOR UPDATE SKIP LOCKED) oldest WHERE at < $1
  ))`;

/** @returns whether there may be more to delete */
export async function pruneStep(pool: pg.Pool, clock: Clock): Promise<boolean> {
  const before = (ms: number) => new Date(clock.now() - ms);
  const { rowCount: attempts } = await pool.query(PRUNE_ATTEMPTS, [before(RETENTION_MS)]);
  const { rowCount: deliveries } = await pool.query(PRUNE_DELIVERIES, [before(DELIVERIES_KEPT_MS)]);
  const { rowCount: notices } = await pool.query(PRUNE_NOTICES, [before(DELIVERIES_KEPT_MS)]);
  return Math.max(attempts!, deliveries!, notices!) === STEP_ROWS;
}

/** Starts pruning. Several dispatchers may run it concurrently. */
export const startPruning = (pool: pg.Pool, clock: Clock, logger: Pick<Logger, 'error' | 'info'>): Loop =>
  startLoop({
    run: async () => ((await pruneStep(pool, clock)) ? STEP_PAUSE_MS : EVERY_MS),
    retryMs: EVERY_MS,
    failed: 'pruning the delivery log failed, retrying',
    recovered: 'the delivery log is pruned again',
    logger,
  });
