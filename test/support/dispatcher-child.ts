/**
 * A dispatcher of webhooks as a child process, for tests that kill it. It starts at a message from its parent, and its
 * requests have the message in a header.
 */
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { openSender } from '../../src/webhooks/delivery/attempt.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher/dispatcher.ts';
import { createGuard } from '../../src/webhooks/subscriptions/address-guard.ts';
import { SHARED } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS } from './accounts.ts';
import { UNBOUNDED } from './webhook-policy.ts';

export interface DispatcherOptions {
  /** URL of Postgres. */
  url: string;
  /** The time, which stands still. */
  now: number;
  /** Header of its requests. */
  header: string;
  secretKeys: readonly string[];
  allow: readonly string[];
}

const { url, now, header, secretKeys, allow } = JSON.parse(process.argv[2]!) as DispatcherOptions;
const logger = pino({ level: 'silent' });
const pool = openPool(url, logger);
// Connected before the message comes, so that its first milliseconds belong to the dispatcher.
await pool.query('SELECT 1');
const log = openPostgresLog(pool);
const real = openSender({ guard: createGuard({ allow }) });

process.on('message', ({ word }: { word: number }) => {
  const sender: typeof real = {
    ...real,
    send: (to, headers, ...sent) => real.send(to, { ...headers, [header]: String(word) }, ...sent),
  };
  const clock = { now: () => now };
  void startDispatcher({
    pool,
    log,
    clock,
    logger,
    sender,
    secretKeys,
    policy: UNBOUNDED,
    plans: BUILT_IN_PLANS,
    group: SHARED,
  });
});
process.on('disconnect', () => process.exit());
process.send!('ready');
