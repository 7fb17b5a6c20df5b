import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encryptSecret } from '../../src/accounts/stored-secret.ts';
import { createRing, type Ring } from '../../src/events/ring.ts';
import type { AttemptResult } from '../../src/webhooks/destinations/attempt.ts';
import { readClocks } from '../../src/webhooks/dispatcher/lease-clock.ts';
import { LeaseTerm } from '../../src/webhooks/dispatcher/lease-term.ts';
import { LeasedSubscription } from '../../src/webhooks/dispatcher/leased-subscription.ts';
import type { StartedWork, Work } from '../../src/webhooks/dispatcher/work.ts';
import { generateSecret } from '../../src/webhooks/subscriptions/secret.ts';
import type { SubscriptionRow } from '../../src/webhooks/subscriptions/subscription-row.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { record } from '../support/events.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const KEYS = ['a-secret-key-of-the-tests'];
const ROW: SubscriptionRow = {
  id: 7,
  generation: 1,
  version: 1,
  plan: 'pro',
  url: 'https://example.com/',
  event_types: [],
  sports: [],
  leagues: [],
  match_ids: [],
  participant_ids: [],
  conditions: [],
  headers: [],
  secret_headers: null,
  destination: null,
  destination_secret: null,
  ordering: 'none',
  max_per_second: null,
  max_in_flight: null,
  delay: 0,
  secret: encryptSecret(generateSecret(), KEYS),
  previous_secret: null,
  rotated_at: null,
  position: 0,
  ahead: null,
  gap: null,
  last_sent_at: NOW,
  last_success_at: null,
  last_failure_at: null,
  last_failure: null,
  failing_since: null,
  failures: 0,
  rests_until: null,
  fault: null,
  unconfirmed_since: null,
  challenges: 0,
  challenged_at: null,
  notified: null,
  notified_at: null,
};
const DELIVERED: AttemptResult = {
  status: 200,
  failure: null,
  cause: null,
  reply: null,
  durationMs: 1,
  retryAfter: null,
};
const FAILED: AttemptResult = {
  status: 500,
  failure: 'status 500',
  cause: 'server_error',
  reply: null,
  durationMs: 1,
  retryAfter: null,
};

describe('a leased subscription', () => {
  const lease = (over: Partial<SubscriptionRow> = {}, leasedAt = readClocks()) =>
    new LeasedSubscription(
      { ...ROW, ...over },
      { lease: new LeaseTerm(leasedAt, 30_000), secretKeys: KEYS, plans: BUILT_IN_PLANS, now: NOW },
    );
  const records = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => record(from + i));
  const pending = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `dlv_7_9_${i}`,
      attempts: 1,
      next_attempt_at: NOW + 5_000,
      since: NOW,
    }));
  const cursorOf = (work: Work | null) => (work?.kind === 'event' ? work.record.cursor : null);
  const deliveryOf = (cursor: number) => `dlv_7_1_${cursor}`;
  /**
   * Starts to send all events.
   * @returns the started deliveries by cursor
   */
  const startAll = (one: LeasedSubscription, ring: Ring, now = NOW) => {
    const started = new Map<number, StartedWork>();
    for (let work = one.next(ring, now); work !== null; work = one.next(ring, now))
      started.set(cursorOf(work)!, one.start(work, now));
    return started;
  };
  const cursors = (one: LeasedSubscription, ring: Ring) => [...startAll(one, ring).keys()];

  describe('with a delay', () => {
    const at = (cursor: number, ageMs: number) => record(cursor, { appendedAt: NOW - ageMs });

    it('sends an event when it is old enough, and not a millisecond before', () => {
      const ring = createRing(0);
      ring.append([at(1, 60_000), at(2, 59_999), at(3, 10_000)]);
      const one = lease({ delay: 60 });
      assert.deepEqual(cursors(one, ring), [1]);
      assert.equal(one.events.waitsUntil, NOW + 1);
      assert.deepEqual([...startAll(one, ring, NOW + 1).keys()], [2]);
      assert.equal(one.events.waitsUntil, NOW + 50_000);
      assert.deepEqual([...startAll(one, ring, NOW + 50_000).keys()], [3]);
      assert.equal(one.events.waitsUntil, Number.POSITIVE_INFINITY);
    });

    it('holds later events behind one that is not due, in the ring and in a page from the log', () => {
      const ring = createRing(0);
      ring.append([at(1, 0), at(2, 90_000)]);
      assert.deepEqual(cursors(lease({ delay: 60 }), ring), []);
      const one = lease({ delay: 60 });
      one.events.examine([at(1, 70_000), at(2, 0), at(3, 90_000)]);
      assert.deepEqual(cursors(one, createRing(3)), [1]);
      assert.deepEqual([...startAll(one, createRing(3), NOW + 60_000).keys()], [2, 3]);
    });

    it('uses the time that other machines see', () => {
      const ring = createRing(0);
      ring.append([at(1, 60_000)]);
      const one = lease({ delay: 60 });
      assert.equal(one.next(ring, NOW + 120_000, NOW - 1), null);
      assert.equal(cursorOf(one.next(ring, NOW - 120_000, NOW)), 1);
    });

    it('releases waiting events if the delay becomes shorter, and holds them if it becomes longer', () => {
      const ring = createRing(0);
      ring.append([at(1, 30_000), at(2, 20_000), at(3, 10_000)]);
      const one = lease({ delay: 60 });
      const configure = (delay: number) =>
        one.configure({ ...ROW, delay }, { secretKeys: KEYS, plans: BUILT_IN_PLANS, now: NOW });
      assert.deepEqual(cursors(one, ring), []);
      configure(30);
      assert.deepEqual(cursors(one, ring), [1]);
      configure(600);
      assert.deepEqual(cursors(one, ring), []);
      configure(0);
      assert.deepEqual(cursors(one, ring), [2, 3]);
    });

    it('pings and retries without it, and does not count as waiting or lagging', () => {
      const ring = createRing(0);
      const envelope = `{"id":"evt_1_1","data":{"occurred_at":"${new Date(NOW).toISOString()}"}}`;
      ring.append([at(1, 60_000), record(2, { appendedAt: NOW, envelope })]);
      const one = lease({ delay: 60, last_sent_at: NOW - 15 * 60_000 });
      one.loadPending(pending(1));
      one.finish(startAll(one, ring).get(1)!, deliveryOf(1), 1, DELIVERED, NOW);
      assert.deepEqual([one.events.lag(2), one.events.position(), one.events.waitingSince(ring, NOW)], [0, 1, null]);
      assert.equal(one.progress().last_due, 1);
      assert.equal(one.next(ring, NOW + 5_000)?.kind, 'retry');
      assert.equal(one.next(ring, NOW + 59_999)?.kind, 'retry');
      const ping = lease({ delay: 600, last_sent_at: NOW - 15 * 60_000 });
      assert.deepEqual(ping.next(ring, NOW), { kind: 'ping' });
      const late = lease({ delay: 60, position: 1 });
      assert.equal(cursorOf(late.next(ring, NOW + 90_000)), 2);
      assert.equal(late.events.waitingSince(ring, NOW + 90_000), NOW + 60_000);
      assert.equal(lease({ delay: 0 }).events.lag(2), 2);
    });

    it('saves that more events are due, even if the position stays', () => {
      const ring = createRing(0);
      ring.append([at(1, 60_000), at(2, 30_000)]);
      const one = lease({ delay: 60 });
      startAll(one, ring);
      one.events.progressSaved(one.progress());
      assert.equal(one.hasProgress(true), false);
      one.next(ring, NOW + 30_000);
      assert.equal(one.hasProgress(true), true);
      assert.equal(one.events.lag(9), 2);
    });

    it('refuses a stored delay that no owner can set', () => {
      for (const delay of [-1, 601, 1_000_000_000]) assert.throws(() => lease({ delay }), /delay is out of range/);
    });
  });

  it('sends an event once even if it was read from the log before it came into the ring', () => {
    const ring = createRing(5);
    const one = lease({ position: 3 });
    assert.ok(one.wantsLog(ring, NOW));
    one.events.examine(records(4, 9));
    assert.deepEqual(cursors(one, ring), [4, 5, 6, 7, 8, 9]);
    ring.append(records(6, 12));
    assert.deepEqual(cursors(one, ring), [10, 11, 12]);
  });

  it('reads the log again if the ring has dropped the next event', () => {
    const ring = createRing(0, 4);
    const one = lease();
    ring.append(records(1, 2));
    assert.deepEqual(cursors(one, ring), [1, 2]);
    ring.append(records(3, 9));
    assert.equal(one.next(ring, NOW), null);
    assert.ok(one.wantsLog(ring, NOW));
    assert.equal(one.events.startRead(), 2);
    assert.ok(!one.wantsLog(ring, NOW), 'one read at a time');
    one.events.examine(records(3, 6));
    one.events.endRead();
    assert.deepEqual(cursors(one, ring), [3, 4, 5, 6, 7, 8, 9]);
  });

  it('skips a hole in the log if no event is stored before the ring’s first event', () => {
    const ring = createRing(8);
    const one = lease({ position: 3 });
    assert.ok(one.wantsLog(ring, NOW));
    one.events.examine([], 8);
    ring.append(records(9, 10));
    assert.deepEqual(cursors(one, ring), [9, 10]);
  });

  it('has its position before the first event in flight, or at the last examined event if none is in flight', () => {
    const ring = createRing(0);
    const one = lease({ sports: ['tennis'] });
    ring.append([record(1), record(2, { sport: 'tennis' }), record(3), record(4, { sport: 'tennis' }), record(5)]);
    const started = startAll(one, ring);
    assert.deepEqual([...started.keys()], [2, 4]);
    assert.equal(one.events.position(), 1);
    one.finish(started.get(4)!, deliveryOf(4), 1, DELIVERED, NOW);
    assert.equal(one.events.position(), 1);
    one.finish(started.get(2)!, deliveryOf(2), 1, DELIVERED, NOW);
    assert.equal(one.events.position(), 5);
  });

  it('tells the next lease holder which events after the position are finished, so they are not sent again unless the position was set back', () => {
    const ring = createRing(0);
    ring.append(records(1, 6));
    const one = lease();
    const started = startAll(one, ring);
    for (const cursor of [1, 3, 4, 6]) one.finish(started.get(cursor)!, deliveryOf(cursor), 1, DELIVERED, NOW);
    const { position, ahead } = one.progress();
    assert.deepEqual([position, ahead], [1, { position: 1, reach: 6, unfinished: [2, 5] }]);
    ring.append(records(7, 8));
    assert.deepEqual(cursors(lease({ position, ahead }), ring), [2, 5, 7, 8]);
    assert.deepEqual(cursors(lease({ position: 0, ahead }), ring), [1, 2, 3, 4, 5, 6, 7, 8]);
    for (const cursor of [2, 5]) one.finish(started.get(cursor)!, deliveryOf(cursor), 1, DELIVERED, NOW);
    assert.deepEqual([one.progress().position, one.progress().ahead], [6, null]);
  });

  it('never sends a saved event again and omits no event, in whatever order it finishes events, saves, and loses the lease', () => {
    const last = 60;
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('start' as const) },
      { weight: 5, arbitrary: fc.nat(40) },
      { weight: 2, arbitrary: fc.constant('save' as const) },
      { weight: 1, arbitrary: fc.constant('crash' as const) },
    );
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 30, maxLength: 250 }),
        fc.integer({ min: 0, max: last }),
        (steps, origin) => {
          const ring = createRing(origin);
          ring.append(records(origin + 1, last));
          let one = lease();
          let saved = one.progress();
          let started = new Map<number, StartedWork>();
          let finished = new Set<number>();
          let savedAsFinished = new Set<number>();
          const start = () => {
            if (one.wantsLog(ring, NOW)) {
              const after = one.events.startRead();
              one.events.examine(records(after + 1, Math.min(last, after + 7)));
              one.events.endRead();
            }
            const work = one.next(ring, NOW);
            const cursor = cursorOf(work);
            if (cursor === null) return false;
            assert.ok(!savedAsFinished.has(cursor), `${cursor} is sent again`);
            started.set(cursor, one.start(work!, NOW));
            return true;
          };
          const finish = (cursor: number) => {
            one.finish(started.get(cursor)!, deliveryOf(cursor), 1, DELIVERED, NOW);
            started.delete(cursor);
            finished.add(cursor);
          };
          for (const what of steps) {
            if (what === 'start') start();
            else if (what === 'save') {
              saved = JSON.parse(JSON.stringify(one.progress()));
              savedAsFinished = new Set(finished);
            } else if (what === 'crash') {
              one = lease({ position: saved.position, ahead: saved.ahead });
              started = new Map();
              finished = new Set(savedAsFinished);
            } else {
              const cursor = [...started.keys()][what % Math.max(1, started.size)];
              if (cursor !== undefined) finish(cursor);
            }
          }
          while (start() || started.size > 0) for (const cursor of [...started.keys()]) finish(cursor);
          assert.equal(finished.size, last);
          assert.deepEqual([one.progress().position, one.progress().ahead], [last, null]);
        },
      ),
    );
  });

  it('does not send an event as new while its delivery waits for a retry', () => {
    const ring = createRing(0);
    const one = lease();
    ring.append(records(1, 3));
    one.loadPending([{ id: deliveryOf(2), attempts: 1, next_attempt_at: NOW + 5_000, since: NOW }]);
    assert.deepEqual(cursors(one, ring), [1, 3]);
    assert.deepEqual(one.next(ring, NOW + 5_000), { kind: 'retry', id: deliveryOf(2), attempts: 1, since: NOW });
  });

  it('sends no new event while 1,000 deliveries wait for a retry', () => {
    const ring = createRing(0);
    ring.append(records(1, 3));
    const full = lease();
    full.loadPending(pending(1_000));
    assert.equal(full.next(ring, NOW), null);
    const almost = lease();
    almost.loadPending(pending(999));
    assert.equal(cursorOf(almost.next(ring, NOW)), 1);
  });

  it('sends one new event a minute while it is failing, with one attempt in flight', () => {
    const ring = createRing(0);
    ring.append(records(1, 3));
    const one = lease({ failures: 5 });
    assert.equal(one.next(ring, NOW + 59_999), null);
    const work = one.next(ring, NOW + 60_000)!;
    assert.equal(cursorOf(work), 1);
    one.start(work, NOW + 60_000);
    assert.equal(one.next(ring, NOW + 120_000), null);
    assert.equal(cursorOf(lease({ failures: 4 }).next(ring, NOW)), 1);
  });

  it('has at most 32 attempts in flight', () => {
    const ring = createRing(0);
    ring.append(records(1, 40));
    const one = lease();
    const started = startAll(one, ring);
    assert.deepEqual([started.size, one.inFlight], [32, 32]);
    one.finish(started.get(1)!, deliveryOf(1), 1, DELIVERED, NOW);
    assert.equal(cursorOf(one.next(ring, NOW)), 33);
  });

  it('sends a ping 15 minutes after the last attempt, unless an attempt is in flight', () => {
    const ring = createRing(0);
    const one = lease();
    assert.equal(one.next(ring, NOW + 15 * 60_000 - 1), null);
    const ping = one.next(ring, NOW + 15 * 60_000)!;
    assert.deepEqual(ping, { kind: 'ping' });
    const started = one.start(ping, NOW + 15 * 60_000);
    assert.equal(one.next(ring, NOW + 60 * 60_000), null);
    one.finish(started, 'dlv_7_0_1', 1, FAILED, NOW + 15 * 60_000);
    assert.deepEqual([one.inFlight, one.pending], [0, 0], 'a ping has no retries');
    assert.equal(one.next(ring, NOW + 30 * 60_000 - 1), null);
    assert.deepEqual(one.next(ring, NOW + 30 * 60_000), { kind: 'ping' });
  });

  it('stores a failed event, which waits for a retry and no longer blocks the position', () => {
    const ring = createRing(0);
    ring.append(records(1, 1));
    const one = lease();
    const [[, started]] = [...startAll(one, ring)] as [[number, StartedWork]];
    const { state, nextAttemptAt, isStored } = one.finish(started, deliveryOf(1), 1, FAILED, NOW)!;
    assert.deepEqual([state, isStored, one.pending, one.events.position()], ['pending', true, 1, 1]);
    assert.ok(nextAttemptAt! >= NOW + 4_000 && nextAttemptAt! <= NOW + 6_000);
    assert.equal(one.next(ring, nextAttemptAt! - 1), null);
    const retry = one.start(one.next(ring, nextAttemptAt!)!, nextAttemptAt!);
    assert.deepEqual(one.finish(retry, deliveryOf(1), 2, DELIVERED, nextAttemptAt!), {
      state: 'delivered',
      attempts: 2,
      nextAttemptAt: null,
      isStored: true,
    });
    assert.equal(one.pending, 0);
  });

  it('lets a canceled retry wait again and keeps the last attempt’s time', () => {
    const ring = createRing(0);
    const one = lease();
    one.loadPending([{ id: deliveryOf(2), attempts: 3, next_attempt_at: NOW, since: NOW }]);
    const started = one.start(one.next(ring, NOW)!, NOW + 1);
    assert.deepEqual([one.inFlight, one.pending], [1, 0]);
    one.cancel(started, NOW + 1_000);
    assert.deepEqual([one.inFlight, one.pending, one.progress().last_sent_at], [0, 1, NOW]);
    assert.equal(one.next(ring, NOW + 999), null);
    assert.deepEqual(one.next(ring, NOW + 1_000), { kind: 'retry', id: deliveryOf(2), attempts: 3, since: NOW });
  });

  it('sends a ping or challenge that could not be prepared when it is due again, not at once', () => {
    const ring = createRing(0);
    const quiet = NOW + 15 * 60_000;
    for (const [one, kind] of [
      [lease(), 'ping'],
      [lease({ unconfirmed_since: NOW }), 'challenge'],
    ] as const) {
      one.cancel(one.start(one.next(ring, quiet)!, quiet), quiet + 1_000);
      assert.equal(one.next(ring, quiet), null, kind);
      assert.equal(one.next(ring, quiet + 999), null, kind);
      assert.deepEqual(one.next(ring, quiet + 1_000), { kind });
    }
  });

  it('discards an outcome that arrives after the lease was lost', () => {
    const ring = createRing(0);
    ring.append(records(1, 1));
    const one = lease();
    const [[, started]] = [...startAll(one, ring)] as [[number, StartedWork]];
    one.lease.lose();
    assert.equal(one.finish(started, deliveryOf(1), 1, FAILED, NOW), null);
    assert.deepEqual([one.inFlight, one.pending, one.hasProgress(true)], [0, 0, false]);
  });

  it('starts no attempt when the lease has 10 s or less left, by either clock', () => {
    const ago = (monotonic: number, wall: number) => {
      const now = readClocks();
      return lease({}, { monotonic: now.monotonic - monotonic, wall: now.wall - wall });
    };
    assert.equal(ago(19_000, 19_000).maySend(), true);
    assert.equal(ago(20_000, 0).maySend(), false);
    assert.equal(ago(0, 20_000).maySend(), false);
    const one = ago(20_000, 20_000);
    one.lease.renewed(readClocks());
    assert.equal(one.maySend(), true);
    one.setLeaving(true);
    assert.equal(one.maySend(), false);
  });

  it('saves progress again if it could not be saved', () => {
    const ring = createRing(0);
    ring.append(records(1, 1));
    const one = lease();
    assert.equal(one.hasProgress(true), false);
    const [[, started]] = [...startAll(one, ring)] as [[number, StartedWork]];
    one.finish(started, deliveryOf(1), 1, DELIVERED, NOW);
    assert.equal(one.hasProgress(false), true);
    const saving = one.progress();
    assert.equal(one.hasProgress(false), false);
    one.progressNotSaved(saving);
    assert.equal(one.hasProgress(false), true);
    one.progress();
    one.events.progressSaved(saving);
    assert.equal(one.hasProgress(true), false);
  });

  it('records since when the receiver has delayed events, because of a full window, failures, a handshake, or the rate', () => {
    const ring = createRing(0);
    const one = lease();
    ring.append(records(1, 40));
    assert.equal(cursors(one, ring).length, 32);
    assert.equal(one.wasHeldSince(NOW), true, 'the window is full');
    assert.equal(one.wasHeldSince(NOW + 1), false);
    one.next(ring, NOW + 5);
    assert.equal(one.wasHeldSince(NOW + 5), true);
    one.hold(NOW + 9);
    assert.equal(one.wasHeldSince(NOW + 9), true, 'its rate');

    const idle = lease();
    assert.equal(idle.next(createRing(0), NOW), null);
    assert.equal(idle.wasHeldSince(1), false, 'there is nothing to send');
    const failing = lease({ failures: 5 });
    assert.equal(failing.wasHeldSince(NOW), true, 'it was failing before');
    const unconfirmed = lease({ unconfirmed_since: NOW - 1_000, challenged_at: NOW });
    unconfirmed.next(ring, NOW);
    assert.equal(unconfirmed.wasHeldSince(NOW), true, 'its URL is not confirmed');
  });
});
