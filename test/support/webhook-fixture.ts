/** The whole path of a webhook on a test database: relay, log and dispatchers, with a clock that tests advance. */
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { startRelay } from '../../src/relay/relay.ts';
import type { AttemptRow } from '../../src/webhooks/delivery/attempt-queries.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { type Dispatcher, type DispatcherDeps, startDispatcher } from '../../src/webhooks/dispatcher/dispatcher.ts';
import type { WebhookPolicy } from '../../src/webhooks/subscriptions/operator-limits.ts';
import {
  type Created,
  createSubscription,
  type NewSubscription,
  type SubscriptionDeps,
  subscriptionState,
  subscriptions,
} from '../../src/webhooks/subscriptions/subscription.ts';
import type { ManagedBy, Subscription } from '../../src/webhooks/subscriptions/subscription-queries.ts';
import { BUILT_IN_PLANS, createKey } from './accounts.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventWriter, type Sketch } from './events.ts';
import { UNBOUNDED } from './webhook-policy.ts';

export const SECRET_KEYS = ['a-secret-key-of-the-tests'];
const ACCOUNT = 'webhooks@example.com';
/** Addresses on which tests' receivers listen. */
export const ALLOW = ['http://127.0.0.1:*', '127.0.0.1:*', 'http://127.0.0.2:*'];

/** Returns a reference to a custom resource, as the operator in this installation stores it. */
export const resourceOf = (namespace: string, name: string): ManagedBy => ({
  namespace,
  name,
  uid: `uid-of-${name}`,
  installation: `${namespace}/touchline`,
  cluster: 'uid-of-the-cluster',
});

/** Returns the dependencies for managing subscriptions whose receivers get no requests. */
export const webhookDeps = (pool: SubscriptionDeps['pool'], secretKeys: readonly string[]): SubscriptionDeps => ({
  pool,
  clock: { now: () => Date.now() },
  guard: createGuard({ allow: [] }),
  secretKeys,
  policy: UNBOUNDED,
  plans: BUILT_IN_PLANS,
});

export interface WebhookFixture {
  db: TestDatabase;
  deps: SubscriptionDeps;
  clock: {
    now(): number;
    advance(ms: number): void;
    /** Lets the clock show this machine's time from now on, with which Postgres stamps events. */
    run(): void;
  };
  /** Returns the whole log as text. */
  logged(): string;
  create(wanted: Omit<NewSubscription, 'account'> & { account?: string }): Promise<Created & { secret: string }>;
  read(id: number): Promise<Subscription & { state: string }>;
  /** Returns the logged attempts, newest first. */
  attempts(id: number): Promise<AttemptRow[]>;
  /** Returns how many deliveries are due for a retry. */
  due(): Promise<number>;
  dispatch(over?: Partial<DispatcherDeps> & { timeoutMs?: number; ca?: string }): Promise<Dispatcher>;
  /**
   * Writes events as ingest does.
   * @returns the events' ids
   */
  publish(...sketches: Sketch[]): Promise<string[]>;
  /** Stops everything and drops the database. */
  close(): Promise<void>;
}

export async function createWebhookFixture(policy: WebhookPolicy = UNBOUNDED): Promise<WebhookFixture> {
  const db = await createTestDatabase();
  const silent = pino({ level: 'silent' });
  let text = '';
  const logger: Logger = pino(
    { level: 'debug' },
    new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    }),
  );
  let now = Date.parse('2026-03-01T12:00:00Z');
  let runs = false;
  const clock = {
    now: () => (runs ? Date.now() + now : now),
    advance(ms: number) {
      now += ms;
    },
    run() {
      runs = true;
      now = 0;
    },
  };
  const changes = await openMatchChanges(db.url, silent);
  const pool = openPool(db.url, silent);
  const log = openPostgresLog(pool);
  const relay = startRelay({ pool, log, clock, logger: silent, onChange: (listener) => changes.subscribe(listener) });
  const guard = createGuard({ allow: ALLOW });
  const deps: SubscriptionDeps = { pool, clock, guard, secretKeys: SECRET_KEYS, policy, plans: BUILT_IN_PLANS };
  const running: Dispatcher[] = [];
  const events = eventWriter();
  await createKey(pool, clock, { email: ACCOUNT, plan: 'pro' });

  return {
    db,
    deps,
    clock,
    logged: () => text,
    async create(wanted) {
      const { secret, ...created } = await createSubscription(deps, { account: ACCOUNT, ...wanted });
      return { ...created, secret: secret! };
    },
    async read(id) {
      const [one] = await subscriptions(pool, { id, ended: true });
      return { ...one!, state: subscriptionState(one!, BUILT_IN_PLANS) };
    },
    async attempts(id) {
      const { rows } = await db.pool.query<AttemptRow>(
        'SELECT * FROM webhook_attempt WHERE subscription_id = $1 ORDER BY id DESC',
        [id],
      );
      return rows;
    },
    async due() {
      const { rows } = await db.pool.query<{ count: number }>(
        "SELECT count(*)::int FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at <= to_timestamp($1::float8 / 1000)",
        [clock.now()],
      );
      return rows[0]!.count;
    },
    async dispatch({ timeoutMs, ca, ...over } = {}) {
      const sender = openSender({ guard, timeoutMs, ca });
      const destinations = openDestinations({ guard, sender, timeoutMs, ca });
      const dispatcher = await startDispatcher({
        pool,
        log,
        clock,
        logger,
        sender,
        destinations,
        secretKeys: SECRET_KEYS,
        policy,
        plans: BUILT_IN_PLANS,
        group: 'shared',
        ...over,
      });
      running.push(dispatcher);
      return dispatcher;
    },
    async publish(...sketches) {
      const envelopes = await events.write(pool, sketches);
      changes.publish([1]);
      return envelopes.map((envelope) => (JSON.parse(envelope) as { id: string }).id);
    },
    async close() {
      for (const one of running) await one.stop();
      await relay.stop();
      await log.close();
      await changes.close();
      await pool.end();
      await db.drop();
    },
  };
}
