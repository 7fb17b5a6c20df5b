/** Runs the sender of notifications as a child process, for tests that kill it. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { startPush } from '../../src/push/push-sender.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';

const { url, secretKeys, allow } = JSON.parse(process.argv[2]!) as {
  url: string;
  secretKeys: string[];
  allow: string[];
};
const logger = pino({ level: 'silent' });
const pool = openPool(url, logger);
startPush({
  pool,
  log: openPostgresLog(pool),
  clock: { now: () => Date.now() },
  logger,
  secretKeys,
  sender: openSender({ guard: createGuard({ allow }) }),
  subject: 'mailto:operator@example.com',
  registry: new Registry(),
});
process.on('disconnect', () => process.exit());
