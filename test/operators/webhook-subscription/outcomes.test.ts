import assert from 'node:assert/strict';
import { openOutcomes } from '../../../operators/webhook-subscription/outcomes.ts';
import { type WebhookGround, webhookGround } from '../../support/webhook-ground.ts';

describe('outcomes of subscription resources', () => {
  let ground: WebhookGround;
  before(async () => {
    ground = await webhookGround();
  });
  after(() => ground.close());

  it('are looked at again when a status would tell something new, not for each delivery', async () => {
    const { pool } = ground.db;
    for (const name of ['goals', 'cards']) {
      await ground.create({ url: 'http://127.0.0.1:9/', managedBy: { namespace: 'apps', name, uid: name } });
    }
    const outcomes = openOutcomes();
    await outcomes.changed(pool);
    assert.deepEqual(await outcomes.changed(pool), []);
    for (const [set, isNews] of [
      ['last_success_at = now()', true],
      ["last_success_at = now() + interval '1 hour', position = position + 7", false],
      ['failures = 1', true],
      ['failures = 2', false],
      ['failures = 5', true],
      ['failures = 0', true],
      [`gap = '{"at":"2026-03-01T12:00:00Z","from":3,"to":9}'`, true],
      [`gap = '{"at":"2026-03-01T13:00:00Z","from":12,"to":19}'`, true],
      ["disabled_at = now(), disabled_reason = 'gone'", true],
    ] as const) {
      await pool.query(`UPDATE webhook_subscription SET ${set} WHERE managed_name = 'goals'`);
      assert.deepEqual(await outcomes.changed(pool), isNews ? ['apps/goals'] : [], set);
    }
  });
});
