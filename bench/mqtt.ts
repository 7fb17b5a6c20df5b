/**
 * Measures the time from commit to an MQTT subscriber, through relay, dispatcher and a real mosquitto on this machine, at RATE=50 events a
 * second for SECONDS=15. The events are of 20 matches, whose events are sent in order.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { pino } from 'pino';
import { startPostgres } from '../src/db/embedded-postgres.ts';
import { migratePostgres } from '../src/db/migrate.ts';
import { openMatchChanges } from '../src/db/notices.ts';
import { openPool } from '../src/db/postgres.ts';
import { openPostgresLog } from '../src/events/postgres-log.ts';
import { createGuard } from '../src/outbound/address-guard.ts';
import { startRelay } from '../src/relay/relay.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { openSender } from '../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../src/webhooks/destinations/connections.ts';
import { startDispatcher } from '../src/webhooks/dispatcher/dispatcher.ts';
import { createSubscription } from '../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS, createKey } from '../test/support/accounts.ts';
import { eventWriter } from '../test/support/events.ts';
import { MQTT_PASSWORD, MQTT_USER, startMosquitto } from '../test/support/mosquitto.ts';
import { UNBOUNDED } from '../test/support/webhook-policy.ts';
import { printFigure } from './report.ts';

const RATE = Number(process.env.RATE ?? 50);
const SECONDS = Number(process.env.SECONDS ?? 15);
const MATCHES = 20;
const GOAL_P50_MS = 50;
const SECRET_KEYS = ['a-secret-key-of-the-bench'];
const EMAIL = 'bench@example.com';

const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
const logger = pino({ level: 'silent' });
const postgres = await startPostgres(folder);
const pool = openPool(postgres.url, logger);
await migratePostgres(pool);
const log = openPostgresLog(pool);
const changes = await openMatchChanges(postgres.url, logger);
const relay = startRelay({ pool, log, clock, logger, onChange: (listener) => changes.subscribe(listener) });
const broker = await startMosquitto();
const guard = createGuard({ allow: [`http://127.0.0.1:${broker.port}`] });
const deps = { pool, clock, guard, secretKeys: SECRET_KEYS, policy: UNBOUNDED, plans: BUILT_IN_PLANS };
await createKey(pool, clock, { email: EMAIL, plan: 'pro' });
await createSubscription(deps, {
  account: EMAIL,
  destination: {
    kind: 'mqtt',
    broker: `127.0.0.1:${broker.port}`,
    prefix: 'touchline',
    home_assistant: true,
    tls: false,
    username: MQTT_USER,
    password: MQTT_PASSWORD,
  },
});
const sender = openSender({ guard });
const dispatcher = await startDispatcher({
  ...{ pool, log, clock, logger, sender, destinations: openDestinations({ guard, sender }) },
  ...{ secretKeys: SECRET_KEYS, policy: UNBOUNDED, plans: BUILT_IN_PLANS, group: 'shared' },
});
const subscriber = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
  protocolVersion: 5,
  username: MQTT_USER,
  password: MQTT_PASSWORD,
});
const committed = new Map<string, number>();
const times: number[] = [];
subscriber.on('message', (_topic, payload) => {
  const { id } = JSON.parse(payload.toString()) as { id: string };
  const at = committed.get(id);
  if (at !== undefined) times.push(performance.now() - at);
});
await subscriber.subscribeAsync('touchline/+/+/+/match.goal', { qos: 1 });

const writer = eventWriter();
const count = RATE * SECONDS;
for (let sent = 0; sent < count; sent += 1) {
  const [envelope] = await writer.write(pool, [{ match: 1 + (sent % MATCHES) }]);
  committed.set((JSON.parse(envelope!) as { id: string }).id, performance.now());
  changes.publish([1]);
  await sleep(1_000 / RATE);
}
for (const end = Date.now() + 10_000; times.length < count && Date.now() < end; ) await sleep(50);
times.sort((a, b) => a - b);
const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
printFigure(
  'MQTT, commit to subscriber, p50',
  { value: quantile(0.5), goal: GOAL_P50_MS, unit: ' ms', digits: 1 },
  `p99 ${quantile(0.99).toFixed(1)} ms, ${times.length} of ${count} events at ${RATE}/s`,
);

await subscriber.endAsync(true);
await dispatcher.stop();
await broker.stop();
await relay.stop();
await changes.close();
await log.close();
await pool.end();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
