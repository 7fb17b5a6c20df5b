import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createRing, type Ring } from '../../src/events/ring.ts';
import type { AttemptResult, Sender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { DeliveryRunner } from '../../src/webhooks/dispatcher/delivery-runner.ts';
import { dispatcherMetrics } from '../../src/webhooks/dispatcher/dispatcher-metrics.ts';
import { MAX_BUFFERED_MS, ResultBuffer } from '../../src/webhooks/dispatcher/result-buffer.ts';
import { SubscriptionLeases } from '../../src/webhooks/dispatcher/subscription-leases.ts';
import { endSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { record } from '../support/events.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';
import { UNBOUNDED } from '../support/webhook-policy.ts';

const DISPATCHERS = 2;
const HOUR = 3_600_000;
const silent = pino({ level: 'silent' });
const DELIVERED: AttemptResult = {
  status: 200,
  failure: null,
  cause: null,
  reply: '',
  durationMs: 1,
  retryAfter: null,
};
const FAILED: AttemptResult = { ...DELIVERED, status: 500, failure: 'status 500', cause: 'server_error' };

type Action =
  /** What a dispatcher does at intervals. `leave` lets another one take the subscription. */
  | { kind: 'acquire' | 'poll' | 'leave' | 'renew' | 'save' | 'send'; dispatcher: number }
  | { kind: 'append'; count: number }
  /** Lets retries become due. */
  | { kind: 'advance' }
  /** The lease expires while its holder does not notice, or the holder is killed. */
  | { kind: 'expire' }
  | { kind: 'kill'; dispatcher: number };

const dispatcher = fc.nat(DISPATCHERS - 1);
const kinds = <K extends Action['kind']>(...all: K[]) => fc.constantFrom(...all);
const steps = fc.record({
  kind: kinds('acquire', 'acquire', 'poll', 'leave', 'leave', 'renew', 'save', 'save', 'send', 'send', 'send'),
  dispatcher,
});
const calm = fc.oneof(
  { weight: 12, arbitrary: steps },
  { weight: 2, arbitrary: fc.record({ kind: kinds('append'), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kinds('advance') }) },
);
const rough = fc.oneof(
  { weight: 12, arbitrary: calm },
  { weight: 1, arbitrary: fc.record({ kind: kinds('expire') }) },
  { weight: 1, arbitrary: fc.record({ kind: kinds('kill'), dispatcher }) },
);

/** A subscription, its log, and dispatchers. The scheduler decides when each statement runs, when its answer comes, and when receivers reply. */
class Course {
  readonly received: { id: string; attempt: number }[] = [];
  readonly #fixture: WebhookFixture;
  readonly #scheduler: fc.Scheduler;
  readonly #failing: ReadonlySet<number>;
  readonly #ring: Ring = createRing(0);
  #dispatchers: Dispatcher[] = [];
  #named = 0;
  /** Names of killed dispatchers. */
  readonly #killed: string[] = [];
  #appended = 0;
  /** Statements and transactions that run in Postgres now. */
  #running = 0;

  /** @param failing cursors of the events whose first attempts fail */
  constructor(fixture: WebhookFixture, scheduler: fc.Scheduler, failing: ReadonlySet<number>) {
    this.#fixture = fixture;
    this.#scheduler = scheduler;
    this.#failing = failing;
    this.#dispatchers = Array.from({ length: DISPATCHERS }, () => this.#start());
  }

  #later = () => this.#scheduler.schedule(Promise.resolve());

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    await this.#later();
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  /** The pool of one dispatcher. A transaction is one step, since the locks of its first statement keep others out. */
  #pool(): pg.Pool {
    const { pool } = this.#fixture.db;
    const query = async (...args: unknown[]) => {
      const answer = await this.#alone(() => (pool.query as (...all: unknown[]) => Promise<unknown>)(...args));
      await this.#later();
      return answer;
    };
    const connect = async () => {
      await this.#later();
      this.#running += 1;
      const client = await pool.connect();
      return {
        query: async (...args: unknown[]) => {
          const answer = await (client.query as (...all: unknown[]) => Promise<unknown>)(...args);
          if (args[0] !== 'COMMIT') return answer;
          this.#running -= 1;
          await this.#later();
          return answer;
        },
        release: () => client.release(),
      };
    };
    return Object.assign(Object.create(pool), { query, connect });
  }

  #start(): Dispatcher {
    this.#named += 1;
    const send: Sender['send'] = async (_url, headers, _body, attempt) => {
      const id = headers['webhook-id']!;
      const cursor = Number(id.split('_')[2]);
      await this.#later();
      this.received.push({ id, attempt });
      await this.#later();
      return attempt === 1 && this.#failing.has(cursor) && !id.startsWith('evt_0_') ? FAILED : DELIVERED;
    };
    const sender = { send, close() {} } as Sender;
    return new Dispatcher(this.#fixture, this.#pool(), sender, `dispatcher-${this.#named}`);
  }

  async take(action: Action): Promise<void> {
    if (action.kind === 'append') return this.append(action.count);
    if (action.kind === 'advance') return this.#fixture.clock.advance(HOUR);
    if (action.kind === 'expire') {
      await this.#fixture.db.pool.query("UPDATE webhook_subscription SET lease_expires_at = '-infinity'");
    } else if (action.kind === 'kill') {
      this.#killed.push(this.#dispatchers[action.dispatcher]!.kill());
      this.#dispatchers[action.dispatcher] = this.#start();
      await this.#expireKilled();
    } else this.#dispatchers[action.dispatcher]!.take(action.kind, this.#ring);
  }

  /** A statement that was on its way when a dispatcher was killed may still give it the lease, which expires later. */
  async #expireKilled(): Promise<void> {
    await this.#fixture.db.pool.query(
      "UPDATE webhook_subscription SET lease_expires_at = '-infinity' WHERE holder = ANY ($1)",
      [this.#killed],
    );
  }

  append(count: number): void {
    this.#ring.append(Array.from({ length: count }, (_, index) => record(this.#appended + 1 + index)));
    this.#appended += count;
  }

  /** Takes scheduled steps until there are none, and each statement has been answered. */
  async settle(): Promise<void> {
    for (let still = 0; still < 3; still += 1) {
      while (this.#running > 0) await turn();
      if (this.#scheduler.count() > 0) {
        still = 0;
        await this.#scheduler.waitOne();
      }
      await turn();
    }
  }

  /** Lets the dispatchers work, as long as something is left. */
  async finish(id: number): Promise<void> {
    const [first, ...others] = this.#dispatchers as [Dispatcher, ...Dispatcher[]];
    for (const one of others) for (const step of ['save', 'leave', 'leave'] as const) one.take(step, this.#ring);
    await this.settle();
    for (let round = 0; round < 40; round += 1) {
      await this.#expireKilled();
      for (const step of ['acquire', 'send', 'save', 'poll'] as const) {
        first.take(step, this.#ring);
        await this.settle();
      }
      const { position, pending } = await this.#fixture.read(id);
      if (position === this.#appended && pending === 0) break;
      for (const one of others) for (const step of ['save', 'leave'] as const) one.take(step, this.#ring);
      this.#fixture.clock.advance(HOUR);
    }
    const { position, pending } = await this.#fixture.read(id);
    assert.deepEqual([position, pending], [this.#appended, 0]);
  }

  /** Asserts that no event was lost, and that each attempt is logged once. */
  async check(id: number, isCalm: boolean): Promise<void> {
    const logged = (await this.#fixture.attempts(id)).filter(({ event_type }) => event_type === 'match.goal');
    const names = logged.map(({ event_id, attempt }) => `${event_id} ${attempt}`).sort();
    const wanted = Array.from({ length: this.#appended }, (_, index) => index + 1).flatMap((cursor) =>
      this.#failing.has(cursor) ? [`evt_1_${cursor} 1`, `evt_1_${cursor} 2`] : [`evt_1_${cursor} 1`],
    );
    assert.deepEqual(names, wanted.sort(), 'logged');
    const received = this.received
      .filter((got) => !got.id.startsWith('evt_0_'))
      .map((got) => `${got.id} ${got.attempt}`);
    if (isCalm) assert.deepEqual(received.sort(), wanted, 'received');
    else assert.deepEqual([...new Set(received)].sort(), wanted, 'received');
  }
}

/** Measures by the test's clock how long outcomes wait, since that clock also makes retries due. */
class Outcomes extends ResultBuffer {
  readonly #clock: WebhookFixture['clock'];
  #since: number | null = null;
  #savingSince: number | null = null;

  constructor(clock: WebhookFixture['clock']) {
    super();
    this.#clock = clock;
  }

  override isOverdue(): boolean {
    const oldest = this.#savingSince ?? this.#since;
    return oldest !== null && this.#clock.now() - oldest >= MAX_BUFFERED_MS;
  }

  override add(...outcome: Parameters<ResultBuffer['add']>): void {
    this.#since ??= this.#clock.now();
    super.add(...outcome);
  }

  override discard(subscriptionId: number): void {
    this.#since = null;
    super.discard(subscriptionId);
  }

  override async save(...given: Parameters<ResultBuffer['save']>): ReturnType<ResultBuffer['save']> {
    this.#savingSince = this.#since;
    this.#since = null;
    try {
      return await super.save(...given);
    } finally {
      this.#savingSince = null;
    }
  }
}

class Dispatcher {
  readonly #clock: WebhookFixture['clock'];
  readonly #pool: pg.Pool;
  readonly #leases: SubscriptionLeases;
  readonly #outcomes: Outcomes;
  readonly #deliveries: DeliveryRunner;
  #upkeep: Promise<unknown> = Promise.resolve();
  readonly #name: string;
  #isKilled = false;

  constructor({ clock, deps }: WebhookFixture, pool: pg.Pool, sender: Sender, name: string) {
    this.#clock = clock;
    this.#pool = pool;
    this.#name = name;
    this.#outcomes = new Outcomes(clock);
    this.#leases = new SubscriptionLeases({
      ...{ pool, clock, logger: silent, secretKeys: SECRET_KEYS, policy: UNBOUNDED, plans: deps.plans },
      ...{ name, group: 'shared', leaseTtlMs: 600_000, onAcquired() {} },
      onLost: ({ id }) => this.#outcomes.discard(id),
    });
    const metrics = dispatcherMetrics(new Registry(), () => true);
    const destinations = openDestinations({ guard: deps.guard, sender });
    const shared = { pool, clock, logger: silent, sender, destinations };
    this.#deliveries = new DeliveryRunner({ ...shared, outcomes: this.#outcomes, metrics });
  }

  /** @returns the dispatcher's name */
  kill(): string {
    this.#isKilled = true;
    return this.#name;
  }

  take(step: 'acquire' | 'poll' | 'leave' | 'renew' | 'save' | 'send', ring: Ring): void {
    if (this.#isKilled) return;
    if (step === 'send') {
      this.#send(ring);
      return;
    }
    // As in the dispatcher's upkeep, these follow one another.
    this.#upkeep = this.#upkeep.then(async () => {
      if (this.#isKilled) return;
      if (step === 'acquire') await this.#leases.acquire(1);
      else if (step === 'renew') await this.#leases.renew();
      else if (step === 'save') {
        for (const lost of await this.#outcomes.save(this.#pool, this.#leases.all, true)) this.#leases.lose(lost);
      } else await this.#leases.poll(step === 'leave' ? -1 : 1);
    });
  }

  #send(ring: Ring): void {
    if (this.#outcomes.isOverdue()) return;
    for (const one of this.#leases.all.values()) {
      const now = this.#clock.now();
      const work = one.maySend() ? one.next(ring, now) : null;
      if (work !== null) void this.#deliveries.run(one, one.start(work, now));
    }
  }
}

describe('a subscription whose lease moves, however statements and replies interleave,', function () {
  this.timeout(600_000);
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await createWebhookFixture();
  });
  after(() => fixture.close());

  const failing = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 });
  for (const [name, action, isCalm] of [
    ['gets each event once if dispatchers hand it over', calm, true],
    [
      'loses no event, and has no saved attempt twice, if leases expire unnoticed and dispatchers are killed',
      rough,
      false,
    ],
  ] as const) {
    it(name, () =>
      fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(action, { minLength: 10, maxLength: 60 }),
          failing,
          async (scheduler, actions: readonly Action[], cursors) => {
            const { id } = await fixture.create({ url: 'http://127.0.0.1:1/', eventTypes: ['match.*'] });
            const course = new Course(fixture, scheduler, new Set(cursors));
            course.append(4);
            scheduler.scheduleSequence(actions.map((one) => () => course.take(one)));
            try {
              await course.settle();
              await course.finish(id);
              await course.check(id, isCalm);
            } finally {
              await endSubscription(fixture.deps, id);
            }
          },
        ),
        { numRuns: LONG_FORMS ? 3_000 : 100 },
      ),
    );
  }
});
