import assert from 'node:assert/strict';
import { pruneDeliveries } from '../../src/webhooks/delivery-log.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const DAY = 24 * 3_600_000;

describe('The delivery log of a subscription', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await createWebhookFixture();
  });
  after(() => fixture.close());

  it('attempts are stored for 7 days, failed deliveries for 30, and deliveries that wait for a retry for as long as they wait', async () => {
    const { pool } = fixture.db;
    const { id } = await fixture.create({ url: 'http://127.0.0.1:9/' });
    const before = (ms: number) => new Date(fixture.clock.now() - ms);
    const attempt = (name: string, at: Date) =>
      pool.query(
        `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms)
         VALUES ($1, $2, 'evt_1_1', 'match.goal', 1, $3, 5)`,
        [id, name, at],
      );
    const delivery = (name: string, state: string, at: Date) =>
      pool.query(
        `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
         VALUES ($1, $2, 'evt_1_1', 'match.goal', '{}', $3::text, 1, CASE WHEN $3 = 'pending' THEN $4::timestamptz END, $4, $4)`,
        [name, id, state, at],
      );
    await attempt('stored', before(7 * DAY));
    await attempt('old', before(7 * DAY + 1));
    for (const state of ['failed', 'delivered', 'pending']) {
      await delivery(`stored ${state}`, state, before(30 * DAY));
      await delivery(`old ${state}`, state, before(30 * DAY + 1));
    }
    await pruneDeliveries(pool, fixture.clock);
    const attempts = await pool.query('SELECT delivery_id FROM webhook_attempt');
    assert.deepEqual(
      attempts.rows.map(({ delivery_id }) => delivery_id),
      ['stored'],
    );
    const deliveries = await pool.query('SELECT id FROM webhook_delivery ORDER BY id');
    assert.deepEqual(
      deliveries.rows.map((row) => row.id),
      ['old pending', 'stored delivered', 'stored failed', 'stored pending'],
    );
  });
});
