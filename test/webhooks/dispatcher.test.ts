import assert from 'node:assert/strict';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { attemptsOf } from '../../src/webhooks/deliveries.ts';
import { until } from '../support/until.ts';
import { type WebhookGround, webhookGround } from '../support/webhook-ground.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('A dispatcher of webhooks', function () {
  this.timeout(60_000);
  let ground: WebhookGround;
  let receiver: Receiver;

  beforeEach(async () => {
    ground = await webhookGround();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await ground.close();
    await receiver.close();
  });

  const ids = () => receiver.events().map(({ id }) => id);
  const has = (count: number) => until(`${count} events have come`, () => ids().length >= count, PATIENCE);
  const goals = (count: number) => ground.publish(...Array.from({ length: count }, () => ({})));

  it('delivers an event, signed, as the bytes of the stream', async () => {
    const { id, secret } = await ground.create({ url: receiver.url });
    await ground.dispatch();
    const [event] = await goals(1);
    await has(1);
    const [got] = receiver.received;
    assert.equal(got!.id, event);
    const { rows } = await ground.db.pool.query('SELECT envelope FROM event_log');
    assert.equal(got!.body, rows[0].envelope);
    assert.equal(got!.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(got!.headers['user-agent']), /^Touchline-Webhooks\/\d+\.\d+\.\d+$/);
    assert.equal(got!.headers['x-service-attempt'], '1');
    assert.equal(got!.headers['x-service-delivery-id'], `dlv_${id}_1_1`);
    assert.equal(Number(got!.headers['x-service-timestamp']), ground.clock.now() / 1_000);
    assert.equal(verifyWebhook(got!.headers, got!.body, secret, { now: ground.clock.now() }).id, event);
    await until('it is saved', async () => (await ground.read(id)).lag === 0);
    const one = await ground.read(id);
    assert.deepEqual([one.state, one.failures, one.lastSuccessAt?.getTime()], ['active', 0, ground.clock.now()]);
    const [logged] = await attemptsOf(ground.db.pool, id, 10);
    assert.deepEqual([logged!.eventId, logged!.status, logged!.failure, logged!.attempt], [event, 200, null, 1]);
  });

  it('delivers each event once, in a burst and one by one, to those whose filter lets it through', async () => {
    const other = await startReceiver();
    await ground.create({ url: receiver.url });
    await ground.create({ url: other.url, sports: ['tennis'] });
    await ground.create({ url: other.url, leagues: [9], eventTypes: ['match.card'] });
    await ground.dispatch();
    const sent = await goals(500);
    for (let i = 0; i < 5; i += 1) {
      sent.push(...(await goals(1)));
      await has(sent.length);
    }
    sent.push(...(await ground.publish({ sport: 'tennis' }, { tournament: 9 }, { tournament: 9, type: 'match.card' })));
    await has(sent.length);
    assert.deepEqual(ids().sort(), [...sent].sort());
    await until('the other has its two', () => other.events().length === 2, PATIENCE);
    assert.deepEqual(
      other
        .events()
        .map(({ id }) => id)
        .sort(),
      [sent.at(-3), sent.at(-1)].sort(),
    );
    await other.close();
  });

  it('goes on where the last one stopped, from before what is in memory too', async () => {
    const { id } = await ground.create({ url: receiver.url });
    const first = await ground.dispatch();
    const sent = await goals(10);
    await has(10);
    await first.stop();
    assert.equal((await ground.read(id)).holder, null);
    sent.push(...(await goals(700)));
    await until('they are in the log', async () => (await ground.read(id)).lag === 700);
    await ground.dispatch({ ringEvents: 50 });
    await has(710);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });
});
