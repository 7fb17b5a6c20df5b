/**
 * Runs a webhook dispatcher as a child process, for tests that kill it. It starts when the parent sends a message, and
 * puts that message into a header of its requests.
 */
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher/dispatcher.ts';
import { SHARED } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS } from './accounts.ts';
import { UNBOUNDED } from './webhook-policy.ts';

export interface DispatcherOptions {
  /** Postgres URL. */
  url: string;
  /** The time on the dispatcher's clock, which does not advance. */
  now: number;
  /** Name of that header. */
  header: string;
  secretKeys: readonly string[];
  allow: readonly string[];
  /** Certificates to trust. */
  ca?: string | undefined;
}

const { url, now, header, secretKeys, allow, ca } = JSON.parse(process.argv[2]!) as DispatcherOptions;
const logger = pino({ level: 'silent' });
const pool = openPool(url, logger);
// Connects before the message comes, so that the first milliseconds after it are the dispatcher's.
await pool.query('SELECT 1');
const log = openPostgresLog(pool);
const guard = createGuard({ allow });
const real = openSender({ guard, ca });
const destinations = openDestinations({ guard, sender: real, ca });

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
    destinations,
    secretKeys,
    policy: UNBOUNDED,
    plans: BUILT_IN_PLANS,
    group: SHARED,
  });
});
process.on('disconnect', () => process.exit());
process.send!('ready');
