import assert from 'node:assert/strict';
import type pg from 'pg';
import { retryDelivery, skipDelivery } from '../../src/webhooks/delivery/delivery-retry.ts';
import { changeSubscription, replaySubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('the order and the pace of webhooks', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let db: pg.Pool;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
    db = fixture.db.pool;
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const matchOf = (id: string) => Number(id.split('_')[1]);
  /** Ids of the events that the receiver has accepted, in order. */
  let accepted: string[];
  /** Makes the receiver refuse the events for which `refuses` returns true. */
  const refuse = (refuses: (id: string) => boolean, status = 500, headers: Record<string, string> = {}) => {
    receiver.answer = ({ id, type }, response) => {
      const isRefused = type.startsWith('match.') && refuses(id);
      if (!isRefused && type.startsWith('match.')) accepted.push(id);
      response.writeHead(isRefused ? status : 200, isRefused ? headers : {}).end();
    };
  };
  beforeEach(() => {
    accepted = [];
    refuse(() => false);
  });
  const of = (match: number) => accepted.filter((id) => matchOf(id) === match);
  const goals = (match: number, count: number) => fixture.publish(...Array.from({ length: count }, () => ({ match })));
  const held = async () => (await db.query('SELECT match_id, cursor FROM webhook_held_match ORDER BY 1')).rows;
  const have = (count: number) => until(`${count} are accepted`, () => accepted.length >= count, PATIENCE);
  const blocking = async () =>
    (await db.query("SELECT id FROM webhook_delivery WHERE state = 'pending' ORDER BY id")).rows.map(({ id }) => id);
  /** Resolves when the position has passed all events. */
  const examined = (id: number) => until('all are examined', async () => (await fixture.read(id)).lag === 0, PATIENCE);

  describe('with the ordering "match"', () => {
    it('an event that fails holds back its match alone, until it is delivered, and then the rest comes in order', async () => {
      refuse((id) => id === 'evt_1_2');
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      await fixture.dispatch();
      await goals(1, 5);
      await goals(2, 5);
      await have(6);
      await examined(id);
      assert.deepEqual([of(1), of(2).length], [['evt_1_1'], 5]);
      const one = await fixture.read(id);
      assert.deepEqual([one.held, one.pending, one.lag, one.state], [1, 1, 0, 'active']);
      assert.equal((await held())[0].match_id, 1);
      // It costs one retry of one delivery, however many events wait.
      assert.equal(receiver.events().filter((got) => matchOf(got.id) === 1).length, 2);
      refuse(() => false);
      fixture.clock.advance(6 * SECOND);
      await have(10);
      assert.deepEqual(of(1), ['evt_1_1', 'evt_1_2', 'evt_1_3', 'evt_1_4', 'evt_1_5']);
      await until('the match is released', async () => (await held()).length === 0, PATIENCE);
      assert.equal(receiver.events().filter(({ attempt }) => attempt > 1).length, 1, 'waiting costs no retry');
    });

    it('the next event follows at once when a delivery is skipped, and after its last retry', async () => {
      refuse((id) => id === 'evt_1_1' || id === 'evt_2_1');
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      await fixture.dispatch();
      await goals(1, 2);
      await goals(2, 2);
      await until('both wait', async () => (await blocking()).length === 2, PATIENCE);
      await skipDelivery(db, fixture.clock, id, `dlv_${id}_1_1`);
      await have(1);
      assert.deepEqual(accepted, ['evt_1_2']);
      for (let retry = 1; retry <= 6; retry += 1) {
        fixture.clock.advance(3 * HOUR);
        const attempts = () => receiver.events().filter((got) => got.id === 'evt_2_1').length;
        await until(`retry ${retry}`, () => attempts() === retry + 1, PATIENCE);
        await until('it is saved', async () => (await blocking()).length === (retry === 6 ? 0 : 1), PATIENCE);
      }
      // After so many failures in a row, a new event is sent a minute after the last attempt.
      fixture.clock.advance(MINUTE);
      await have(2);
      assert.deepEqual(accepted, ['evt_1_2', 'evt_2_2']);
      await assert.rejects(skipDelivery(db, fixture.clock, id, `dlv_${id}_1_1`), /does not wait for a retry/);
      await assert.rejects(skipDelivery(db, fixture.clock, id, `dlv_${id}_9_9`), /There is no delivery/);
    });

    it('is kept while dispatchers change, events wait in the log, and the subscription is paused', async () => {
      refuse((id) => id.endsWith('_3'));
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      for (let round = 0; round < 3; round += 1) {
        const dispatcher = await fixture.dispatch({ ringEvents: 20 });
        for (const match of [1, 2, 3, 4]) await goals(match, 20);
        await dispatcher.settled();
        if (round === 2) await until('every match is held', async () => (await held()).length === 4, PATIENCE);
        await dispatcher.stop();
      }
      assert.deepEqual(
        (await held()).map(({ match_id }) => match_id),
        [1, 2, 3, 4],
      );
      await changeSubscription(fixture.deps, id, { paused: true });
      refuse(() => false);
      fixture.clock.advance(6 * SECOND);
      await fixture.dispatch({ ringEvents: 20 });
      await changeSubscription(fixture.deps, id, { paused: false });
      await until('all have come', () => new Set(accepted).size === 240, PATIENCE);
      for (const match of [1, 2, 3, 4]) {
        assert.deepEqual(
          [...new Set(of(match))],
          Array.from({ length: 60 }, (_, i) => `evt_${match}_${i + 1}`),
        );
      }
    });

    it('can be given up while matches are held, and a filter can change: what waits is sent by the new settings', async () => {
      refuse((id) => id === 'evt_1_1');
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      await fixture.dispatch();
      await goals(1, 2);
      await fixture.publish({ match: 1, type: 'match.card' });
      await until('they wait', async () => (await held()).length === 1, PATIENCE);
      await changeSubscription(fixture.deps, id, { eventTypes: ['match.goal'], ordering: 'none' });
      await have(1);
      assert.deepEqual(accepted, ['evt_1_2']);
      await until('the match is released', async () => (await held()).length === 0, PATIENCE);
      assert.equal((await fixture.read(id)).pending, 1, 'the failed event still waits for its retry');
    });

    it('a replay sends the events from its cursor on again, also the held ones of a match', async () => {
      refuse((id) => id === 'evt_1_2');
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      const from = (await fixture.read(id)).position;
      await fixture.dispatch();
      await goals(1, 4);
      await until('they wait', async () => (await held()).length === 1, PATIENCE);
      refuse(() => false);
      await replaySubscription(fixture.deps, id, from);
      await retryDelivery(db, fixture.clock, id, `dlv_${id}_1_2`);
      await until('all have come', () => new Set(accepted).size === 4, PATIENCE);
      assert.deepEqual(accepted.filter((one) => one !== 'evt_1_2').slice(-3), ['evt_1_1', 'evt_1_3', 'evt_1_4']);
    });
  });

  describe('with limits', () => {
    it('at most max_per_second requests start within any second, and max_in_flight wait for a reply', async () => {
      let open = 0;
      let most = 0;
      const begun: number[] = [];
      receiver.answer = (_request, response) => {
        open += 1;
        most = Math.max(most, open);
        begun.push(fixture.clock.now());
        setTimeout(() => {
          open -= 1;
          response.end();
        }, 20);
      };
      const { id } = await fixture.create({ url: receiver.url, maxPerSecond: 10, maxInFlight: 3 });
      const dispatcher = await fixture.dispatch();
      await goals(1, 25);
      for (const expected of [10, 20, 25]) {
        await until(`${expected} have come`, () => begun.length === expected, PATIENCE);
        await dispatcher.settled();
        assert.equal(begun.length, expected, 'the clock stands still');
        fixture.clock.advance(SECOND);
      }
      assert.equal(most, 3);
      await changeSubscription(fixture.deps, id, { maxPerSecond: null, maxInFlight: null });
      await until('it is applied', async () => (await fixture.read(id)).maxPerSecond === null, PATIENCE);
      await goals(1, 50);
      await until('all have come without the clock', () => begun.length === 75, PATIENCE);
      assert.ok(most > 3, String(most));
    });

    it('a 429 with Retry-After stops the whole subscription until then, and costs no retry', async () => {
      refuse(() => true, 429, { 'Retry-After': '120' });
      const { id } = await fixture.create({ url: receiver.url });
      const dispatcher = await fixture.dispatch();
      await goals(1, 1);
      await until('the rest is saved', async () => (await fixture.read(id)).restsUntil !== null, PATIENCE);
      const one = await fixture.read(id);
      assert.deepEqual(
        [one.state, one.failures, one.pending, one.restsUntil!.getTime() - fixture.clock.now()],
        ['active', 0, 1, 120 * SECOND],
      );
      const sent = await goals(2, 40);
      await until('they are in the log', async () => (await fixture.read(id)).lag === 40, PATIENCE);
      fixture.clock.advance(120 * SECOND - 1);
      await dispatcher.settled();
      assert.equal(receiver.events().length, 1, 'no event is sent while the receiver rests');
      // Afterwards the receiver is asked by one request at a time.
      fixture.clock.advance(1);
      await until('it is asked again', () => receiver.events().length === 2, PATIENCE);
      await dispatcher.settled();
      assert.deepEqual([receiver.events().length, receiver.events().at(-1)!.attempt], [2, 1]);
      refuse(() => false);
      fixture.clock.advance(120 * SECOND);
      await have(41);
      assert.equal(new Set(accepted).size, 41);
      assert.ok(receiver.events().every(({ attempt }) => attempt === 1));
      assert.equal(sent.length, 40);
      await until('the end of the rest is saved', async () => (await fixture.read(id)).restsUntil === null, PATIENCE);
    });

    it('a receiver that answers 429 for an hour gets every event afterwards, and a longer or a missing time is bounded', async () => {
      refuse(() => true, 429, { 'Retry-After': '1000000000' });
      const { id } = await fixture.create({ url: receiver.url, ordering: 'match' });
      const dispatcher = await fixture.dispatch();
      await goals(1, 3);
      await until('the rest is saved', async () => (await fixture.read(id)).restsUntil !== null, PATIENCE);
      assert.equal((await fixture.read(id)).restsUntil!.getTime() - fixture.clock.now(), HOUR, 'at most an hour');
      for (let turn = 0; turn < 8; turn += 1) {
        fixture.clock.advance(HOUR);
        await until(`it is asked ${turn + 2} times`, () => receiver.events().length === turn + 2, PATIENCE);
        await dispatcher.settled();
      }
      assert.equal((await fixture.read(id)).state, 'active');
      refuse(() => false);
      fixture.clock.advance(HOUR);
      await have(3);
      assert.deepEqual(accepted, ['evt_1_1', 'evt_1_2', 'evt_1_3']);
      // Without the header, the reply is a failure like any other.
      refuse(() => true, 429);
      await goals(1, 1);
      await until('it is a failure', async () => (await fixture.read(id)).failures === 1, PATIENCE);
      assert.equal((await fixture.read(id)).restsUntil, null);
    });

    it('a receiver that answers nothing but 429 is disabled after 72 h like any other', async () => {
      refuse(() => true, 429, { 'Retry-After': '3600' });
      const { id } = await fixture.create({ url: receiver.url });
      await fixture.dispatch();
      await goals(1, 1);
      await until('it is asked', () => receiver.events().length === 1, PATIENCE);
      await until('it is saved', async () => (await fixture.read(id)).restsUntil !== null, PATIENCE);
      fixture.clock.advance(72 * HOUR);
      await until('it is disabled', async () => (await fixture.read(id)).state === 'disabled', PATIENCE);
      assert.equal((await fixture.read(id)).disabledReason, 'no_success');
    });
  });
});
