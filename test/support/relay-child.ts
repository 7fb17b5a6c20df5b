/**
 * Runs a relay as a separate process, for tests that kill it. It waits for a message from its parent. It may kill or
 * stop itself at a named step, which it recognises by the statements on its Postgres connections and their results.
 */
import type pg from 'pg';
import type { ChangeListener } from '../../src/db/notices.ts';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { startRelay } from '../../src/relay/relay.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { RelayOptions, Strike } from './relay-process.ts';

const NOTICE_EVERY_MS = 37;

const options = JSON.parse(process.argv[2]!) as RelayOptions;
const say = () => {};
const logger = { debug: say, info: say, warn: say, error: say };

/** Statements by the relay's step. A COMMIT belongs to the last of these steps in its transaction. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/EXECUTE move_outbox/, 'move'],
  [/^BEGIN; .*FROM outbox/s, 'take'],
  [/^DELETE FROM outbox WHERE id = ANY/, 'delete'],
  [/^DELETE FROM outbox o USING unnest/, 'settle'],
  [/^DELETE FROM match_touch/, 'take pending changes'],
  [/^UPDATE relay SET change_seq/, 'give change cursors'],
  [/^INSERT INTO match_change/, 'stamp'],
];

let strike: Strike | null = null;
let passed = 0;
function at(point: string): void {
  if (strike === null || point !== strike.point) return;
  passed += 1;
  if (passed !== (strike.nth ?? 1)) return;
  const { signal, afterMs } = strike;
  if (afterMs === undefined) process.kill(process.pid, signal);
  else setTimeout(() => process.kill(process.pid, signal), afterMs);
}

function watch(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  let last = '';
  client.query = (async (...given: unknown[]) => {
    const [what] = given;
    const text = typeof what === 'string' ? what : (what as { text: string }).text;
    const kind = KINDS.find(([pattern]) => pattern.test(text))?.[1];
    if (kind !== undefined) last = kind;
    const name = text === 'COMMIT' ? `commit of ${last}` : kind;
    if (name !== undefined) at(`before ${name}`);
    const result = await query(...given);
    if (name !== undefined) at(`after ${name}`);
    return result;
  }) as typeof client.query;
}

const pool = openPool(options.url, logger, 4);
pool.on('connect', watch);
// Connects before the message comes, so that the first milliseconds after it are the relay's.
await pool.query('SELECT 1');
const log =
  options.kafka === undefined
    ? openPostgresLog(pool)
    : await (await import('../../src/events/kafka-log.ts')).openKafkaLog({ ...options.kafka, pool, logger });

/**
 * Calls the listener at random times. Some notices therefore come without a change, and some changes come without a
 * notice.
 */
function onChange(listener: ChangeListener): () => void {
  const timer = setInterval(() => listener('all', { events: true }), NOTICE_EVERY_MS);
  return () => clearInterval(timer);
}

process.on('message', ({ word }: { word: Strike | null }) => {
  strike = word;
  startRelay({ pool, log, clock: systemClock, logger, onChange });
});
process.on('disconnect', () => process.exit());
process.send!('ready');
