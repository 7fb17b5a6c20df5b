import assert from 'node:assert/strict';
import { StatusTriggers } from '../../../operators/webhook-subscription/status-triggers.ts';
import { BUILT_IN_PLANS } from '../../support/accounts.ts';
import { createWebhookFixture, resourceOf, type WebhookFixture } from '../../support/webhook-fixture.ts';

describe('the triggers for a new status', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await createWebhookFixture();
  });
  after(() => fixture.close());

  it('fire if a resource’s row changes in a way that the status shows, but not with each delivery', async () => {
    const { pool } = fixture.db;
    for (const name of ['goals', 'cards']) {
      await fixture.create({ url: 'http://127.0.0.1:9/', managedBy: resourceOf('apps', name) });
    }
    const triggers = new StatusTriggers(BUILT_IN_PLANS);
    await triggers.poll(pool);
    assert.deepEqual(await triggers.poll(pool), []);
    for (const [set, isNews] of [
      ['last_success_at = now()', true],
      ["last_success_at = now() + interval '1 hour', position = position + 7", false],
      ['failures = 1', true],
      ['failures = 2', false],
      ['failures = 5', true],
      ['failures = 0', true],
      [`gap = '{"at":"2026-03-01T12:00:00Z","from":3,"to":9}'`, true],
      [`gap = '{"at":"2026-03-01T13:00:00Z","from":12,"to":19}'`, true],
      ["fault = 'url cannot be parsed', fault_at = now()", true],
      [
        "fault = NULL, gap = '[]', created_at = 'infinity', sports = '{{a},{b}}', position = -9223372036854775808",
        true,
      ],
      ["disabled_at = now(), disabled_reason = 'gone'", true],
    ] as const) {
      await pool.query(`UPDATE webhook_subscription SET ${set} WHERE managed_name = 'goals'`);
      assert.deepEqual(await triggers.poll(pool), isNews ? ['WebhookSubscription apps/goals'] : [], set);
    }
  });
});
