/** The whole path of a notification on a test database: relay, log and sender, with members who follow teams. */
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import { addBrowser } from '../../src/accounts/credentials/push-browsers.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { startPush } from '../../src/push/push-sender.ts';
import { startRelay } from '../../src/relay/relay.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventWriter, type Sketch } from './events.ts';
import type { TestBrowser } from './push-service.ts';

export const SECRET_KEYS = ['a-secret-key-of-the-tests'];

export interface PushFixture {
  db: TestDatabase;
  clock: { now(): number; advance(ms: number): void };
  /** Returns the whole log as text. */
  logged(): string;
  /** Makes an account with a member who follows these teams. */
  member(email: string, teams: readonly number[]): Promise<{ accountId: number; memberId: number }>;
  add(memberId: number, browser: TestBrowser, more?: { lang?: 'en' | 'ru'; service?: string }): Promise<void>;
  start(over?: { send?: ReturnType<typeof openSender>['send'] }): { stop(): Promise<void>; registry: Registry };
  publish(...sketches: Sketch[]): Promise<void>;
  /** Resolves with the number of notifications with an outcome. */
  count(registry: Registry, outcome: string, service?: string): Promise<number>;
  close(): Promise<void>;
}

export async function createPushFixture(): Promise<PushFixture> {
  const db = await createTestDatabase();
  const silent = pino({ level: 'silent' });
  let text = '';
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    text += chunk;
    done();
  };
  const logger: Logger = pino({ level: 'debug' }, new Writable({ write }));
  /** By how much the clock was ahead of real time, and since when. */
  const moves = [{ since: 0, ahead: 0 }];
  const ahead = (time: number) => moves.findLast(({ since }) => since <= time)!.ahead;
  const clock = {
    now: () => Date.now() + ahead(Date.now()),
    advance(ms: number) {
      moves.push({ since: Date.now(), ahead: ahead(Date.now()) + ms });
    },
  };
  const changes = await openMatchChanges(db.url, silent);
  const pool = openPool(db.url, silent);
  const real = openPostgresLog(pool);
  // Postgres writes real times. The sender gets the times of the clock.
  const log: typeof real = {
    ...real,
    read: async (...range) =>
      (await real.read(...range)).map((record) => ({
        ...record,
        committedAt: record.committedAt! + ahead(record.committedAt!),
      })),
    cursorBefore: (time) => real.cursorBefore(time - ahead(Date.now())),
  };
  const relay = startRelay({
    pool,
    log: real,
    clock,
    logger: silent,
    onChange: (listener) => changes.subscribe(listener),
  });
  const events = eventWriter();
  const running = new Set<() => Promise<void>>();

  return {
    db,
    clock,
    logged: () => text,
    async member(email, teams) {
      const { rows } = await pool.query<{ accountId: number; memberId: number }>(
        `WITH a AS (INSERT INTO account (email, plan, created_at) VALUES ($1, 'free', now()) RETURNING id)
         INSERT INTO member (account_id, email, created_at) SELECT id, $1, now() FROM a
         RETURNING account_id AS "accountId", id AS "memberId"`,
        [email],
      );
      const ids = rows[0]!;
      await pool.query(
        `INSERT INTO member_favourite (member_id, kind, entity_id, created_at) SELECT $1, 'team', unnest($2::bigint[]), now()`,
        [ids.memberId, teams],
      );
      return ids;
    },
    async add(memberId, address, { lang = 'en', service = 'other' } = {}) {
      const { rows } = await pool.query<{ accountId: number }>(
        'SELECT account_id AS "accountId" FROM member WHERE id = $1',
        [memberId],
      );
      const owner = { memberId, accountId: rows[0]!.accountId, sessionHash: randomBytes(32) };
      const deps = { pool, clock, config: { secretKeys: SECRET_KEYS } };
      const actor = { name: 'test', address: null };
      await addBrowser(deps, owner, { address, service, lang, agent: 'Firefox' }, actor);
    },
    start({ send } = {}) {
      const registry = new Registry();
      const own = openSender({ guard: createGuard({ allow: ['http://127.0.0.1:*'] }), timeoutMs: 2_000 });
      const subject = 'mailto:operator@example.com';
      const sender = { send: send ?? own.send };
      const push = startPush({ pool, log, clock, logger, secretKeys: SECRET_KEYS, sender, subject, registry });
      const stop = async () => {
        running.delete(stop);
        await push.stop();
        own.close();
      };
      running.add(stop);
      return { stop, registry };
    },
    async publish(...sketches) {
      await events.write(pool, sketches);
      changes.publish([1]);
    },
    async count(registry, outcome, service = 'other') {
      const { values } = await registry.getSingleMetric('touchline_push_notifications_total')!.get();
      return values.find(({ labels }) => labels.outcome === outcome && labels.service === service)!.value;
    },
    async close() {
      for (const stop of [...running]) await stop();
      await relay.stop();
      await real.close();
      await changes.close();
      await pool.end();
      await db.drop();
    },
  };
}
