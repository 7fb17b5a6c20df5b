import assert from 'node:assert/strict';
import { declarePlan } from '../../src/accounts/plans/declared-plans.ts';
import { BUILT_IN } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { until } from '../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('a webhook of an account on a declared plan', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  before(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  after(async () => {
    await fixture.close();
    await receiver.close();
  });

  const sports = () =>
    receiver.received.flatMap(({ body }) => {
      const { type, data } = JSON.parse(body);
      return type === 'match.goal' ? [data.match.sport as string] : [];
    });

  it('gets only events that the plan includes, also after its definition has changed', async () => {
    const { pool } = fixture.db;
    const { clock } = fixture;
    const plans = new OfferedPlans(BUILT_IN);
    const declare = async (sport: string, webhooks = true) => {
      const access = { sports: [sport] };
      const price = { amount: 1, currency: 'EUR' };
      await declarePlan(
        { pool, clock, configured: BUILT_IN },
        { name: 'gold', title: 'Gold', price, webhooks, access },
      );
      await plans.refresh(pool);
    };
    await declare('football');
    const { id } = await fixture.create({ url: receiver.url });
    await pool.query("UPDATE account SET plan = 'gold'");
    await fixture.dispatch({ plans });
    await fixture.publish({ sport: 'tennis' }, { sport: 'football' });
    await until('the goal has come', () => sports().length > 0, PATIENCE);
    assert.deepEqual(sports(), ['football']);

    await declare('tennis');
    await until(
      'the dispatcher uses the new definition',
      async () => {
        await fixture.publish({ sport: 'tennis' });
        return sports().includes('tennis');
      },
      PATIENCE,
    );
    const before = sports().length;
    await fixture.publish({ sport: 'football' }, { sport: 'tennis' });
    await until('the goal has come', () => sports().length > before, PATIENCE);
    assert.ok(!sports().slice(1).includes('football'));

    await declare('tennis', false);
    await until('it is released', async () => (await fixture.read(id)).holder === null, PATIENCE);
  });
});
