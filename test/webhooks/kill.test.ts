import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher/dispatcher.ts';
import { MAX_BUFFERED_MS } from '../../src/webhooks/dispatcher/result-buffer.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import type { DispatcherOptions } from '../support/dispatcher-child.ts';
import { type Launcher, launcher } from '../support/launcher.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { until } from '../support/until.ts';
import { ALLOW, createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';
import { UNBOUNDED } from '../support/webhook-policy.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

/** `make test-long` uses the larger numbers. */
const ROUNDS = LONG_FORMS ? 200 : 24;
/** Rounds with an ordered subscription. */
const ORDERED_ROUNDS = LONG_FORMS ? 50 : 8;
/** Rounds with a delayed subscription. */
const DELAYED_ROUNDS = LONG_FORMS ? 50 : 5;
/** Number of matches of an ordered subscription. */
const MATCHES = 40;
/** Header that says which dispatcher sent a request. */
const VICTIM = 'x-victim';
/** Number of processes that are killed. */
const KILLS = LONG_FORMS ? 10 : 2;
const SEED = Number(process.env.SEED ?? 20_260_301);
/** Tolerance for requests that are in progress at the end of the second, on a busy machine. */
const UNDER_WAY_MS = 1_000;
const HOUR = 3_600_000;

/** The generator mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('a killed webhook dispatcher', function () {
  this.timeout(900_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  /** Makes the leases of killed processes expire. */
  async function expire(): Promise<void> {
    await fixture.db.pool.query("UPDATE webhook_subscription SET lease_expires_at = '-infinity'");
    await fixture.db.pool.query('DELETE FROM webhook_dispatcher');
  }

  /** Starts a dispatcher. Killing it cuts all its connections, as the kernel does when a process ends. */
  async function victim(round: number) {
    let dead = false;
    const sockets = new Set<{ destroy(): void }>();
    const pool = new pg.Pool({ connectionString: fixture.db.url, max: 5 });
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
      if (dead) stream.destroy();
      else sockets.add(stream);
    });
    const log = openPostgresLog(pool);
    const real = openSender({ guard: fixture.deps.guard });
    const sender: typeof real = {
      ...real,
      send: (url, headers, ...sent) =>
        dead
          ? Promise.resolve({ status: 200, failure: null, cause: null, reply: null, durationMs: 0, retryAfter: null })
          : real.send(url, { ...headers, [VICTIM]: String(round) }, ...sent),
    };
    const logger = pino({ level: 'silent' });
    const dispatcher = await startDispatcher({
      pool,
      log,
      clock: fixture.clock,
      logger,
      sender,
      destinations: openDestinations({ guard: fixture.deps.guard, sender }),
      secretKeys: SECRET_KEYS,
      policy: UNBOUNDED,
      plans: BUILT_IN_PLANS,
      group: 'shared',
    });
    return {
      async kill() {
        dead = true;
        pool.connect = () => Promise.reject(new Error('killed'));
        pool.query = () => Promise.reject(new Error('killed')) as never;
        for (const socket of sockets) socket.destroy();
        real.close();
        await dispatcher.stop().catch(() => {});
        await log.close();
      },
    };
  }

  interface Course {
    rounds: number;
    begin(round: number): Promise<{ kill(): Promise<void> }>;
    /** Number of bursts of events in a round, and the longest pause after a burst. */
    pace(chance: () => number): { bursts: number; pauseMs: number };
    /** Maximum time until the receiver replies. */
    replyMs: number;
    /**
     * Whether the reply to each round's first event is delayed until the kill, so that the saved position stays before
     * it.
     */
    holdsFirst?: boolean;
    /** Whether to kill just after a delivery. A few kills at random moments might all miss deliveries. */
    onDelivery?: boolean;
    /** If given, the subscription has these settings, and the events are about several matches. */
    settings?: { ordering: 'match'; maxPerSecond?: number; maxInFlight?: number; delay?: number };
  }

  async function survives({
    rounds,
    begin,
    pace,
    replyMs,
    holdsFirst = false,
    onDelivery = false,
    settings,
  }: Course): Promise<void> {
    const chance = random(SEED);
    const delivered = new Map<string, { at: number; victim: number }[]>();
    const held = new Set<string>();
    /** When each event was first received, by this machine's clock. */
    const first = new Map<string, number>();
    let holds = false;
    receiver.answer = (got, response) => {
      if (!first.has(got.id)) first.set(got.id, Date.now());
      if (holds && held.size < rounds && !held.has(got.id)) {
        held.add(got.id);
        holds = false;
        return;
      }
      const fails = chance() < 0.05;
      setTimeout(() => {
        // The sender was killed, so it cannot record the success.
        if (response.destroyed) return;
        const victim = Number(got.headers[VICTIM] ?? rounds);
        if (!fails) delivered.set(got.id, [...(delivered.get(got.id) ?? []), { at: performance.now(), victim }]);
        response.writeHead(fails ? 500 : 200).end();
      }, chance() * replyMs);
    };
    const { id } = await fixture.create({ url: receiver.url, eventTypes: ['match.*'], ...settings });
    const sketch = () => (settings === undefined ? {} : { match: 1 + Math.floor(chance() * MATCHES) });
    const logged = async () =>
      (
        await fixture.db.pool.query<{ id: string; at: number }>(
          "SELECT envelope::json ->> 'id' AS id, (extract(epoch FROM appended_at) * 1000)::float8 AS at FROM event_log ORDER BY cursor",
        )
      ).rows;
    const sent: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { bursts, pauseMs } = pace(chance);
      const one = await begin(round);
      holds = holdsFirst;
      for (let burst = 0; burst < bursts; burst += 1) {
        sent.push(...(await fixture.publish(...Array.from({ length: 1 + Math.floor(chance() * 15) }, sketch))));
        await sleep(chance() * pauseMs);
      }
      if (onDelivery) {
        const last = await fixture.publish(...Array.from({ length: 15 }, sketch));
        sent.push(...last);
        await until('one of them is delivered', () => last.some((event) => delivered.has(event)), 20_000);
      }
      await one.kill();
      await expire();
    }
    await fixture.dispatch();
    const isExamined = async () => {
      const { lag, position } = await fixture.read(id);
      return lag === 0 && position >= (await logged()).length;
    };
    await until('everything has been looked at', isExamined, 60_000);
    const isLeft = async () => {
      const { pending, held } = await fixture.read(id);
      return pending + held > 0;
    };
    // A held match continues after each retry, and its next event may fail, too.
    for (let turn = 0; turn < 100 && (await isLeft()); turn += 1) {
      fixture.clock.advance(HOUR);
      await until('what is due has been repeated', async () => (await fixture.due()) === 0, 60_000);
      if (settings !== undefined) await sleep(1_200);
    }
    const missing = sent.filter((one) => !delivered.has(one));
    assert.deepEqual(missing, [], `seed ${SEED}`);
    assert.equal(delivered.size, sent.length);
    if (settings?.delay !== undefined)
      for (const { id: event, at } of await logged())
        assert.ok(first.get(event)! >= at + settings.delay * 1_000, `${event} was early, seed ${SEED}`);
    if (settings !== undefined) {
      const order = [...delivered.keys()].map((event) => event.split('_').slice(1).map(Number) as [number, number]);
      for (let match = 1; match <= MATCHES; match += 1) {
        const sequences = order.filter(([of]) => of === match).map(([, sequence]) => sequence);
        assert.deepEqual(
          sequences,
          sequences.map((_, index) => index + 1),
          `match ${match}, seed ${SEED}`,
        );
      }
    }
    // For each kill, when the repeated events were first received. That has to be within one second, however long it took to save them.
    const repeated = new Map<number, number[]>();
    for (const [one, times] of delivered) {
      times.slice(1).forEach((later, place) => {
        const { at, victim } = times[place]!;
        assert.ok(later.victim > victim, `${one} was repeated without a kill, seed ${SEED}`);
        repeated.set(victim, [...(repeated.get(victim) ?? []), at]);
      });
    }
    for (const times of repeated.values()) {
      const span = Math.max(...times) - Math.min(...times);
      assert.ok(span <= MAX_BUFFERED_MS + UNDER_WAY_MS, `deliveries of ${span} ms were repeated, seed ${SEED}`);
    }
    // In one round, the kill may come just when the delivery is being saved.
    const least = onDelivery ? rounds - 1 : rounds / 2 + 1;
    assert.ok(repeated.size >= least, `${repeated.size} kills fell on deliveries that were not saved`);
  }

  it(`loses no event when killed at ${ROUNDS} seeded moments, and repeats only deliveries from the last second, with the same ids`, () =>
    survives({
      rounds: ROUNDS,
      begin: victim,
      pace: (chance) => (chance() < 0.06 ? { bursts: 12, pauseMs: 250 } : { bursts: 2, pauseMs: 120 }),
      replyMs: 10,
    }));

  it('keeps the order of each match over kills, and loses no event of a subscription with limits', () =>
    survives({
      rounds: ORDERED_ROUNDS,
      begin: victim,
      pace: () => ({ bursts: 4, pauseMs: 120 }),
      replyMs: 10,
      onDelivery: true,
      settings: { ordering: 'match', maxInFlight: 8 },
    }));

  it('sends no event of a delayed subscription early over kills, and loses none', () => {
    fixture.clock.run();
    return survives({
      rounds: DELAYED_ROUNDS,
      begin: victim,
      pace: () => ({ bursts: 4, pauseMs: 120 }),
      replyMs: 10,
      onDelivery: true,
      settings: { ordering: 'match', delay: 1 },
    });
  });

  describe('as a process', () => {
    let processes: Launcher<number>;
    beforeEach(() => {
      const now = fixture.clock.now();
      const options: DispatcherOptions = {
        url: fixture.db.url,
        now,
        header: VICTIM,
        secretKeys: SECRET_KEYS,
        allow: ALLOW,
      };
      processes = launcher({ name: 'dispatcher-child', options });
    });
    afterEach(() => processes.close());

    it(`also loses no event over ${KILLS} kills, and repeats only deliveries from the last second`, () =>
      survives({
        rounds: KILLS,
        async begin(round) {
          const one = await processes.take();
          one.begin(round);
          return one;
        },
        pace: () => ({ bursts: 8, pauseMs: 200 }),
        replyMs: 200,
        onDelivery: true,
      }));

    it('repeats only deliveries from the last second even while one reply blocks the position', () =>
      survives({
        rounds: 2,
        async begin(round) {
          const one = await processes.take();
          one.begin(round);
          return one;
        },
        pace: () => ({ bursts: 40, pauseMs: 180 }),
        replyMs: 20,
        holdsFirst: true,
        onDelivery: true,
      }));
  });
});
