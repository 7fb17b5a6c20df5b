import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encryptSecret } from '../../src/accounts/stored-secret.ts';
import type { LogRecord } from '../../src/events/event-log.ts';
import { createRing } from '../../src/events/ring.ts';
import { deriveDeliveryId } from '../../src/webhooks/delivery/signature.ts';
import type { AttemptResult } from '../../src/webhooks/destinations/attempt.ts';
import { readClocks } from '../../src/webhooks/dispatcher/lease-clock.ts';
import type { PendingRow } from '../../src/webhooks/dispatcher/lease-queries.ts';
import { LeaseTerm } from '../../src/webhooks/dispatcher/lease-term.ts';
import { LeasedSubscription } from '../../src/webhooks/dispatcher/leased-subscription.ts';
import type { StartedWork } from '../../src/webhooks/dispatcher/work.ts';
import { generateSecret } from '../../src/webhooks/subscriptions/secret.ts';
import type { Ahead, SubscriptionRow } from '../../src/webhooks/subscriptions/subscription-row.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { record } from '../support/events.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const KEYS = ['a-secret-key-of-the-tests'];
const SECRET = encryptSecret(generateSecret(), KEYS);
const MATCHES = 3;
const PAGE = 5;
/** Newest events that the ring of the tests has, so that older ones have to be read from the log. */
const RING = 8;
const SUBSCRIPTION = 7;
const EMPTY = { failure: null, cause: null, reply: null, durationMs: 1, retryAfter: null };
const DELIVERED: AttemptResult = { ...EMPTY, status: 200 };
const FAILED: AttemptResult = { ...EMPTY, status: 500, failure: 'status 500', cause: 'server_error' };
const BUSY: AttemptResult = { ...FAILED, status: 429, failure: 'status 429', retryAfter: '20' };

type Action =
  | { kind: 'publish'; match: number }
  | { kind: 'start' }
  | { kind: 'finish'; place: number; outcome: 'delivered' | 'failed' | 'busy' }
  | { kind: 'beginRead' }
  | { kind: 'endRead' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'delay'; seconds: number }
  | { kind: 'save' }
  | { kind: 'crash' | 'skip' | 'rewind' | 'reorder'; place: number; by: number }
  | { kind: 'retry' };

/** @param interruptions the kinds of steps that may send an event again */
const action = (
  interruptions: readonly ('crash' | 'skip' | 'rewind' | 'reorder')[],
  delays: readonly number[] = [],
): fc.Arbitrary<Action> =>
  fc.oneof(
    ...delays.map((seconds) => ({
      weight: 1,
      arbitrary: fc.constant({ kind: 'delay' as const, seconds }),
    })),
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('publish' as const), match: fc.integer({ min: 1, max: MATCHES }) }),
    },
    { weight: 10, arbitrary: fc.constant({ kind: 'start' as const }) },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant('finish' as const),
        place: fc.nat(31),
        outcome: fc.constantFrom('delivered' as const, 'delivered' as const, 'failed' as const, 'busy' as const),
      }),
    },
    { weight: 4, arbitrary: fc.constantFrom({ kind: 'beginRead' as const }, { kind: 'endRead' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 10, 60, 3_600) }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'save' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'retry' as const }) },
    ...interruptions.map((kind) => ({
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant(kind), place: fc.nat(5), by: fc.nat(10) }),
    })),
  );

/** A subscription with a dispatcher, a log and stored rows, which makes one step after the other. */
class Course {
  readonly log: LogRecord[] = [];
  readonly ring = createRing(0, RING);
  readonly #sequences = new Map<number, number>();
  readonly #inFlight: { started: StartedWork; id: string; attempt: number }[] = [];
  /** The stored rows. */
  #stored = { position: 0, ahead: null as Ahead | null, rests_until: null as number | null };
  readonly #held = new Map<number, number>();
  readonly #pending = new Map<string, PendingRow>();
  /** Failed deliveries that are not stored yet. */
  #unsaved = new Map<string, PendingRow | null>();
  /** Events that were read from the log and are not examined yet. */
  #page: LogRecord[] | null = null;
  #now = NOW;
  ordering: SubscriptionRow['ordering'];
  #one: LeasedSubscription;
  /** Ids of the deliveries that succeeded, in order. */
  readonly delivered: string[] = [];
  /** Ids of the deliveries that were given up. */
  readonly givenUp = new Set<string>();
  /** Ids of the deliveries that were retried by hand. */
  readonly retried = new Set<string>();

  /** The delay, in seconds. */
  #delay = 0;

  constructor(ordering: SubscriptionRow['ordering']) {
    this.ordering = ordering;
    this.#one = this.#lease();
  }

  #row(): SubscriptionRow {
    return {
      ...{ id: SUBSCRIPTION, generation: 1, version: 1, plan: 'pro', url: 'https://example.com/' },
      ...{ event_types: [], sports: [], leagues: [], match_ids: [], participant_ids: [], conditions: [] },
      ...{ headers: [], secret_headers: null, destination: null, destination_secret: null },
      ...{ ordering: this.ordering, max_per_second: null, max_in_flight: null, delay: this.#delay },
      ...{ secret: SECRET, previous_secret: null, rotated_at: null, gap: null },
      ...{ last_sent_at: this.#now, last_success_at: null, last_failure_at: null, last_failure: null },
      ...{
        failing_since: null,
        failures: 0,
        fault: null,
        unconfirmed_since: null,
        challenges: 0,
        challenged_at: null,
        notified: null,
        notified_at: null,
      },
      ...this.#stored,
    };
  }

  #lease(): LeasedSubscription {
    const row = this.#row();
    const held = [...this.#held].map(([match_id, cursor]) => ({ match_id, cursor }));
    const context = { secretKeys: KEYS, plans: BUILT_IN_PLANS, now: this.#now };
    const one = new LeasedSubscription(row, { lease: new LeaseTerm(readClocks(), 3_600_000), held, ...context });
    one.loadPending([...this.#pending.values()]);
    return one;
  }

  take(step: Action): void {
    switch (step.kind) {
      case 'publish':
        this.publish(step.match);
        break;
      case 'start':
        this.start();
        break;
      case 'finish':
        this.finish(step.place, { delivered: DELIVERED, failed: FAILED, busy: BUSY }[step.outcome]);
        break;
      case 'beginRead':
        this.beginRead();
        break;
      case 'endRead':
        this.endRead();
        break;
      case 'wait':
        this.#now += step.seconds * 1_000;
        break;
      case 'delay':
        this.#delay = step.seconds;
        this.#one.configure(this.#row(), { secretKeys: KEYS, plans: BUILT_IN_PLANS, now: this.#now });
        break;
      case 'save':
        this.save();
        break;
      case 'crash':
        this.restart();
        break;
      case 'rewind':
        this.#stored = { ...this.#stored, position: Math.max(0, this.#stored.position - step.by), ahead: null };
        this.restart();
        break;
      case 'reorder':
        this.ordering = this.ordering === 'match' ? 'none' : 'match';
        this.restart();
        break;
      case 'skip':
        this.skip(step.place);
        break;
      case 'retry':
        this.retryByHand();
        break;
    }
  }

  publish(match: number): void {
    const sequence = (this.#sequences.get(match) ?? 0) + 1;
    this.#sequences.set(match, sequence);
    const cursor = this.log.length + 1;
    const added = record(cursor, {
      matchId: match,
      envelope: `{"id":"evt_${match}_${sequence}"}`,
      appendedAt: this.#now,
    });
    this.log.push(added);
    this.ring.append([added]);
  }

  /** @returns whether an attempt was started */
  start(): boolean {
    const work = this.#one.next(this.ring, this.#now);
    if (work === null || work.kind === 'challenge') return false;
    if (work.kind === 'ping') {
      this.#one.finish(this.#one.start(work, this.#now), 'dlv_7_0_1', 1, DELIVERED, this.#now);
      return true;
    }
    if (work.kind === 'event')
      assert.ok(work.record.appendedAt + this.#delay * 1_000 <= this.#now, `event ${work.record.cursor} is early`);
    const id = work.kind === 'retry' ? work.id : this.#idOf(work.record);
    const [, , match] = id.split('_');
    if (this.ordering === 'match') {
      const others = this.#inFlight.filter((other) => other.id.split('_')[2] === match);
      assert.deepEqual(others, [], `two events of match ${match} are in flight`);
    }
    const attempt = work.kind === 'retry' ? work.attempts + 1 : 1;
    this.#inFlight.push({ started: this.#one.start(work, this.#now), id, attempt });
    return true;
  }

  #idOf({ envelope }: LogRecord): string {
    return deriveDeliveryId(SUBSCRIPTION, JSON.parse(envelope).id);
  }

  finish(place: number, outcome: AttemptResult): void {
    const [one] = this.#inFlight.splice(place % Math.max(1, this.#inFlight.length), 1);
    if (one === undefined) return;
    const { state, attempts, nextAttemptAt, isStored } = this.#one.finish(
      one.started,
      one.id,
      one.attempt,
      outcome,
      this.#now,
    )!;
    if (state === 'delivered') this.delivered.push(one.id);
    if (state === 'failed') this.givenUp.add(one.id);
    const row = { id: one.id, attempts, next_attempt_at: nextAttemptAt!, since: this.#now };
    if (isStored) this.#unsaved.set(one.id, state === 'pending' ? row : null);
  }

  beginRead(): void {
    if (this.#page !== null || !this.#one.wantsLog(this.ring, this.#now)) return;
    const after = this.#one.events.startRead();
    this.#page = this.log.filter(({ cursor }) => cursor > after).slice(0, PAGE);
  }

  endRead(): void {
    if (this.#page === null) return;
    this.#one.events.examine(this.#page, this.ring.cursorBefore(this.ring.start()));
    this.#one.events.endRead();
    this.#page = null;
  }

  save(): void {
    if (!this.#one.hasProgress(true)) return;
    const saved = this.#one.progress();
    this.#stored = { position: saved.position, ahead: saved.ahead, rests_until: saved.rests_until };
    for (const { match_id, cursor } of saved.held) {
      if (cursor === null) this.#held.delete(match_id);
      else this.#held.set(match_id, cursor);
    }
    for (const [id, row] of this.#unsaved) {
      if (row === null) this.#pending.delete(id);
      else this.#pending.set(id, row);
    }
    this.#unsaved = new Map();
    this.#one.events.progressSaved(saved);
  }

  /** The process ends, and a new one leases the subscription as it was saved. What was in flight is lost. */
  restart(): void {
    this.#inFlight.length = 0;
    this.#page = null;
    this.#unsaved = new Map();
    this.#one = this.#lease();
  }

  skip(place: number): void {
    this.save();
    const id = [...this.#pending.keys()][place];
    if (id === undefined) return;
    this.#pending.delete(id);
    this.givenUp.add(id);
    this.restart();
  }

  /** Makes a delivery that was given up due again. */
  retryByHand(): void {
    const [id] = this.givenUp;
    if (id === undefined) return;
    this.save();
    const row = { id, attempts: 7, next_attempt_at: this.#now, since: this.#now };
    this.#pending.set(id, row);
    this.#one.loadPending([row]);
    this.givenUp.delete(id);
    this.retried.add(id);
  }

  /** Delivers everything that is left. */
  settle(): void {
    for (let turn = 0; turn < 10_000; turn += 1) {
      if (this.start()) {
        this.finish(0, DELIVERED);
        continue;
      }
      this.save();
      if (this.#inFlight.length > 0) this.finish(0, DELIVERED);
      else if (this.#page !== null) this.endRead();
      else if (this.#one.wantsLog(this.ring, this.#now)) this.beginRead();
      else if (this.#one.pending === 0 && this.#one.events.position() === this.log.length && this.#held.size === 0)
        break;
      else this.#now += 60_000;
    }
    this.save();
    assert.equal(this.#one.pending, 0);
    assert.equal(this.#one.events.position(), this.log.length);
    assert.deepEqual([...this.#held], [], 'no match is held when everything has been delivered');
  }
}

const partsOf = (id: string) => id.split('_').slice(2).map(Number) as [match: number, sequence: number];

/** Every event was delivered or given up, and each match's events were first delivered in order. */
function assertDelivered({ log, delivered, givenUp, retried }: Course, isOrdered: boolean): void {
  const first = [...new Set(delivered)];
  const all = log.map(({ envelope }) => deriveDeliveryId(SUBSCRIPTION, JSON.parse(envelope).id));
  assert.deepEqual(
    all.filter((id) => !first.includes(id) && !givenUp.has(id)),
    [],
    'lost',
  );
  if (!isOrdered) return;
  for (let match = 1; match <= MATCHES; match += 1) {
    const inTurn = first.filter((id) => !retried.has(id)).map(partsOf);
    const sequences = inTurn.filter(([of]) => of === match).map(([, sequence]) => sequence);
    assert.deepEqual(
      sequences,
      [...sequences].sort((a, b) => a - b),
      `match ${match}`,
    );
  }
}

describe('the order of each match’s events', () => {
  const runs = { numRuns: LONG_FORMS ? 30_000 : 3_000, ...(!LONG_FORMS && { seed: 7 }) };
  const courses = (
    interruptions: Parameters<typeof action>[0],
    check: (course: Course) => void,
    { ordering = 'match' as SubscriptionRow['ordering'], delays = [] as readonly number[] } = {},
  ) =>
    fc.assert(
      fc.property(fc.array(action(interruptions, delays), { minLength: 20, maxLength: 200 }), (steps) => {
        const course = new Course(ordering);
        for (const step of steps) course.take(step);
        course.settle();
        check(course);
      }),
      runs,
    );

  it('is kept over failures and requests to wait, and no event is lost or delivered twice', function () {
    this.timeout(600_000);
    courses([], (course) => {
      assertDelivered(course, true);
      assert.deepEqual(course.delivered, [...new Set(course.delivered)]);
    });
  });

  it('is kept over crashes and skipped deliveries, and no event is lost', function () {
    this.timeout(600_000);
    courses(['crash', 'skip'], (course) => assertDelivered(course, true));
  });

  it('may change, and the position may move back, while matches are held, and no event is lost', function () {
    this.timeout(600_000);
    courses(['crash', 'skip', 'rewind', 'reorder'], (course) => assertDelivered(course, false));
  });

  it('is kept with a delay that changes, and no event is lost or sent early', function () {
    this.timeout(600_000);
    const delays = [0, 5, 60, 600];
    courses([], (course) => assertDelivered(course, true), { delays });
    courses(['crash', 'skip'], (course) => assertDelivered(course, true), { delays });
    courses(['crash', 'rewind'], (course) => assertDelivered(course, false), { ordering: 'none', delays });
  });

  const publish = (match: number): Action => ({ kind: 'publish', match });
  const START: Action = { kind: 'start' };
  const finish = (outcome: 'delivered' | 'failed', place = 0): Action => ({ kind: 'finish', place, outcome });
  const wait = (seconds: number): Action => ({ kind: 'wait', seconds });
  const take = (course: Course, ...steps: Action[]) => {
    for (const step of steps) course.take(step);
  };

  it('holds for the stored deliveries of a subscription that had no order, earliest event first', () => {
    const course = new Course('none');
    take(course, publish(1), publish(1), START, START, finish('failed', 1), finish('failed'), { kind: 'save' });
    take(course, { kind: 'reorder', place: 0, by: 0 }, wait(60), START);
    assert.equal(course.start(), false, 'the second delivery waits for the first');
    course.settle();
    assert.deepEqual(course.delivered, ['dlv_7_1_1', 'dlv_7_1_2']);
  });

  it('holds for a match that is released while older events of another match are read from the log', () => {
    const course = new Course('match');
    take(course, publish(2), publish(1), publish(2), publish(1), publish(2), START, START);
    take(course, finish('failed'), finish('failed'), START);
    for (let i = 0; i < 12; i += 1) take(course, publish(3), START, finish('delivered'));
    take(course, wait(10), START, START, finish('delivered', 1), START, { kind: 'beginRead' });
    take(course, finish('delivered'), { kind: 'endRead' });
    course.settle();
    assertDelivered(course, true);
  });

  it('holds for an event that was in flight, behind a delivery that is retried by hand, when the process ended', () => {
    const course = new Course('match');
    take(course, publish(1), START, finish('failed'), { kind: 'skip', place: 0, by: 0 }, publish(1), START);
    take(course, { kind: 'retry' }, publish(1), START, { kind: 'save' }, { kind: 'crash', place: 0, by: 0 });
    course.settle();
    assertDelivered(course, true);
  });
});
