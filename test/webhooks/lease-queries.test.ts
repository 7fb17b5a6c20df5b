import assert from 'node:assert/strict';
import * as leases from '../../src/webhooks/dispatcher/lease-queries.ts';
import { type Batch, save } from '../../src/webhooks/dispatcher/saved-positions.ts';
import { SHARED } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const WEBHOOK_PLANS = BUILT_IN_PLANS.webhookPlans();
const TTL_MS = 30_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('subscription leases in the database', () => {
  let fixture: WebhookFixture;
  let id: number;
  beforeEach(async () => {
    fixture = await createWebhookFixture();
    ({ id } = await fixture.create({ url: 'http://127.0.0.1:9/' }));
  });
  afterEach(() => fixture.close());

  const claim = async (holder: string) =>
    (
      await leases.acquire(fixture.db.pool, WEBHOOK_PLANS, { name: holder, group: SHARED, limit: 10, ttlMs: TTL_MS })
    )[0];
  const expire = () => fixture.db.pool.query("UPDATE webhook_subscription SET lease_expires_at = '-infinity'");
  const stored = async () =>
    (await fixture.db.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows[0];
  /** Returns a dispatcher's lease that a different dispatcher has taken over. */
  async function formerLease(): Promise<leases.Lease> {
    const former = (await claim('former'))!;
    await expire();
    assert.ok(await claim('current'));
    return former;
  }

  it('are not taken by a second dispatcher before they expire', async () => {
    const [first, second] = [await claim('one'), await claim('two')];
    assert.deepEqual([first?.id, second], [id, undefined]);
    assert.equal((await stored()).holder, 'one');
  });

  it('are ignored, and so are heartbeats, if they end later than a newly taken lease would', async () => {
    const { pool } = fixture.db;
    const heartbeat = { group: SHARED, session: null, load: 0 };
    for (const time of ['infinity', '2100-01-01']) {
      assert.ok(await claim('one'));
      assert.equal(await leases.countUnleased(pool, WEBHOOK_PLANS), 0);
      await pool.query('UPDATE webhook_subscription SET lease_expires_at = $1', [time]);
      assert.equal(await leases.countUnleased(pool, WEBHOOK_PLANS), 1);
      assert.equal((await claim('two'))?.id, id);
      await expire();
      await pool.query('INSERT INTO webhook_dispatcher VALUES ($1, $2, $3)', [`until ${time}`, SHARED, time]);
    }
    await fixture.create({ url: 'http://127.0.0.1:9/' });
    assert.equal(await leases.announce(pool, WEBHOOK_PLANS, { ...heartbeat, name: 'one' }, TTL_MS), 2);
    assert.equal(await leases.announce(pool, WEBHOOK_PLANS, { ...heartbeat, name: 'two' }, TTL_MS), 1);
  });

  it('are not extended by a former holder, whose renewal is refused', async () => {
    const former = await formerLease();
    const before = await stored();
    assert.deepEqual(await leases.renew(fixture.db.pool, [former], 10 * TTL_MS), new Set());
    assert.deepEqual(await stored(), before);
    const current = { id, generation: before.generation };
    assert.deepEqual(await leases.renew(fixture.db.pool, [current], 10 * TTL_MS), new Set([id]));
    assert.ok((await stored()).lease_expires_at > before.lease_expires_at);
  });

  it('are not changed when a former holder releases them', async () => {
    const former = await formerLease();
    const before = await stored();
    await leases.release(fixture.db.pool, [former]);
    assert.deepEqual(await stored(), before);
  });

  it('protect the row, so that a former holder’s position, deliveries and attempts are discarded', async () => {
    const former = await formerLease();
    const before = await stored();
    const row = { subscription_id: id, event_id: 'evt_1_1', event_type: 'match.goal', next_attempt_at: NOW, at: NOW };
    const batch = (lease: leases.Lease): Batch => ({
      progress: [
        {
          id,
          generation: lease.generation,
          position: 7,
          last_due: null,
          ahead: null,
          gap: null,
          notices: [],
          held: [{ match_id: 1, cursor: 5 }],
          rests_until: NOW,
          last_sent_at: NOW,
          last_success_at: null,
          last_failure_at: NOW,
          last_failure: 'status 500',
          failing_since: NOW,
          failures: 1,
          disabled_reason: null,
        },
      ],
      deliveries: [{ ...row, id: `dlv_${id}_1_1`, envelope: '{}', traceparent: null, state: 'pending', attempts: 1 }],
      challenges: [],
      attempts: [
        {
          ...row,
          delivery_id: `dlv_${id}_1_1`,
          attempt: 1,
          duration_ms: 5,
          status: 500,
          failure: 'status 500',
          cause: 'server_error',
          reply: null,
          cursor: 7,
          body: null,
          single: false,
        },
      ],
    });
    const counts = async () =>
      (
        await fixture.db.pool.query(
          'SELECT (SELECT count(*) FROM webhook_delivery) AS deliveries, (SELECT count(*) FROM webhook_attempt) AS attempts',
        )
      ).rows[0];
    assert.deepEqual(await save(fixture.db.pool, batch(former)), new Set());
    assert.deepEqual(await stored(), before);
    assert.deepEqual(await counts(), { deliveries: 0, attempts: 0 });
    assert.deepEqual(await save(fixture.db.pool, batch({ id, generation: before.generation })), new Set([id]));
    assert.deepEqual(await counts(), { deliveries: 1, attempts: 1 });
    const { position, failures, failing_since } = await stored();
    assert.deepEqual([position, failures, failing_since.getTime()], [7, 1, NOW]);
  });
});
