import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { openLivenessLock } from '../../src/db/liveness-lock.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../src/webhooks/destinations/attempt.ts';
import { LEASE_TTL_MS } from '../../src/webhooks/dispatcher/lease-queries.ts';
import { MIN_LEASE_MS } from '../../src/webhooks/dispatcher/lease-term.ts';
import { start, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { ALLOW, createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 30_000;

describe('webhook subscription leases', function () {
  this.timeout(120_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const ids = () => receiver.events().map(({ id }) => id);
  const goals = (count: number) => fixture.publish(...Array.from({ length: count }, () => ({})));
  const holderOf = async (id: number) => (await fixture.read(id)).holder;
  /** Makes the lease expire. */
  const expire = () => fixture.db.pool.query("UPDATE webhook_subscription SET lease_expires_at = '-infinity'");

  it('last long enough for an attempt that starts with little time left', () => {
    assert.deepEqual([LEASE_TTL_MS, MIN_LEASE_MS], [18_000, 10_000]);
    assert.ok(ATTEMPT_TIMEOUT_MS < MIN_LEASE_MS);
  });

  it('are divided among a group’s dispatchers, and taken over when one stops', async () => {
    const made = [];
    for (let i = 0; i < 12; i += 1) made.push(await fixture.create({ url: receiver.url }));
    const one = await fixture.dispatch();
    await until('the first has all', () => one.held() === 12, PATIENCE);
    const two = await fixture.dispatch();
    await until('they are shared out', () => one.held() <= 7 && two.held() >= 5, PATIENCE);
    assert.equal(one.held() + two.held(), 12);
    await goals(5);
    await until('each subscription has its five', () => ids().length === 60, PATIENCE);
    await one.stop();
    await until('the second has all', () => two.held() === 12, PATIENCE);
    await goals(1);
    await until('each has its sixth', () => ids().length === 72, PATIENCE);
    assert.equal(await holderOf(made[0]!.id), two.name);
  });

  it('are taken only by dispatchers in the same group', async () => {
    const shared = await fixture.create({ url: `${receiver.url}/shared` });
    const own = await fixture.create({ url: `${receiver.url}/own`, dispatcherGroup: 'apps-goals' });
    const everyone = await fixture.dispatch();
    await goals(1);
    await until('the shared one has its event', () => receiver.events().length === 1, PATIENCE);
    const dedicated = await fixture.dispatch({ group: 'apps-goals' });
    await until('its own has it too', () => receiver.events().length === 2, PATIENCE);
    assert.deepEqual(
      receiver.events().map(({ path }) => path),
      ['/hook/shared', '/hook/own'],
    );
    assert.deepEqual([await holderOf(shared.id), await holderOf(own.id)], [everyone.name, dedicated.name]);
  });

  it('allow no new attempt if they have 10 s or less left', async () => {
    await fixture.create({ url: receiver.url });
    const dispatcher = await fixture.dispatch({ leaseTtlMs: MIN_LEASE_MS });
    await goals(3);
    await until('it holds the subscription', () => dispatcher.held() === 1, PATIENCE);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(receiver.received.length, 0);
    await dispatcher.stop();
    await fixture.dispatch();
    await until('another sends them', () => ids().length === 3, PATIENCE);
  });

  it('stop a dispatcher from sending while they cannot be renewed, and cause no repeated delivery after they are renewed again', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    await fixture.dispatch({ leaseTtlMs: MIN_LEASE_MS + 2_000 });
    const sent = await goals(1);
    await until('it is sent', () => ids().length === 1, PATIENCE);
    await until('it is saved', async () => (await fixture.read(id)).lag === 0, PATIENCE);
    // Blocks everybody who writes the row, so that no lease can be renewed and no outcome saved.
    const blocker = new pg.Client({ connectionString: fixture.db.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM webhook_subscription FOR UPDATE');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const before = ids().length;
    sent.push(...(await goals(20)));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(ids().length, before, 'without a lease nothing is begun');
    await blocker.query('ROLLBACK');
    await blocker.end();
    await until('all are sent', () => ids().length === sent.length, PATIENCE);
    assert.deepEqual(ids().sort(), [...sent].sort());
  });

  it('that are lost cause late outcomes to be discarded', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const waiting: ServerResponse[] = [];
    receiver.answer = (_request, response) => waiting.push(response);
    const one = await fixture.dispatch();
    await goals(2);
    await until('two are under way', () => waiting.length === 2, PATIENCE);
    receiver.answer = (_request, response) => response.end();
    await expire();
    const two = await fixture.dispatch();
    await until('the second has sent them', async () => (await fixture.read(id)).lag === 0, PATIENCE);
    for (const response of waiting) response.writeHead(500).end();
    await until('the first has lost it', () => one.held() === 0, PATIENCE);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const now = await fixture.read(id);
    assert.deepEqual([now.failures, now.pending, now.lag, now.holder], [0, 0, 0, two.name]);
    assert.deepEqual(
      (await fixture.attempts(id)).map(({ status }) => status),
      [200, 200],
    );
    assert.equal(new Set(ids()).size, 2);
  });

  it('move at once from a killed process, while a living process keeps its leases', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const folder = temporaryFolder();
    const env = {
      DATABASE_URL: fixture.db.url,
      SECRET_KEY: SECRET_KEYS[0]!,
      WEBHOOK_ALLOW: ALLOW.join(','),
      DATA_DIR: folder.path,
    };
    const killed = start(['serve', '--role', 'dispatcher'], { env });
    await killed.until(/health and metrics/);
    await until('it holds the subscription', async () => (await holderOf(id)) !== null, PATIENCE);
    const first = await holderOf(id);
    const session = await openLivenessLock(fixture.db.url, { warn: () => {} });
    await until('the other judges', () => session.judges(), PATIENCE);
    const other = await fixture.dispatch({ livenessLock: session });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await holderOf(id), first);
    killed.child.kill('SIGKILL');
    const begun = performance.now();
    await goals(1);
    await until('the other has sent it', () => ids().length === 1, PATIENCE);
    const seconds = (performance.now() - begun) / 1_000;
    assert.ok(seconds < 5, `${seconds} s, with a lease of ${LEASE_TTL_MS / 1_000} s`);
    assert.equal(await holderOf(id), other.name);
    await session.close();
    folder.remove();
  });

  it('move to another process if the first is paused, and the first then sends no event and its late results are discarded', async () => {
    const { id } = await fixture.create({ url: receiver.url });
    const folder = temporaryFolder();
    const waiting: ServerResponse[] = [];
    // By the process's clock, the subscription has been quiet long enough.
    receiver.answer = ({ type }, response) => (type === 'webhook.ping' ? response.end() : waiting.push(response));
    const env = {
      DATABASE_URL: fixture.db.url,
      SECRET_KEY: SECRET_KEYS[0]!,
      WEBHOOK_ALLOW: ALLOW.join(','),
      DATA_DIR: folder.path,
    };
    const process = start(['serve', '--role', 'dispatcher'], { env });
    const [, admin] = await process.until(/health and metrics: (http:[^)\s]+)/);
    await until('it holds the subscription', async () => (await holderOf(id)) !== null, PATIENCE);
    const sent = await goals(3);
    await until('they are under way', () => waiting.length === 3, PATIENCE);
    process.child.kill('SIGSTOP');
    receiver.answer = (_request, response) => response.end();
    for (const response of waiting) response.writeHead(500).end();
    // Waits until the paused process would have too little time left by its clocks. The rest of the time is subtracted in the row.
    await new Promise((resolve) => setTimeout(resolve, LEASE_TTL_MS - MIN_LEASE_MS + 500));
    await expire();
    const other = await fixture.dispatch();
    sent.push(...(await goals(10)));
    await until('the other has sent them', async () => (await fixture.read(id)).lag === 0, PATIENCE);
    const count = receiver.received.length;
    process.child.kill('SIGCONT');
    await until(
      'it has noticed',
      async () => {
        const text = await (await fetch(`${admin}/metrics`)).text();
        return /^touchline_webhook_leases_lost_total 1$/m.test(text);
      },
      PATIENCE,
    );
    sent.push(...(await goals(1)));
    await until('the next comes from the other', () => receiver.received.length === count + 1, PATIENCE);
    const now = await fixture.read(id);
    assert.deepEqual([now.failures, now.pending, now.holder], [0, 0, other.name]);
    assert.deepEqual([...new Set(ids())].sort(), [...sent].sort());
    const { code } = await process.interrupt();
    assert.equal(code, 0);
    folder.remove();
  });
});
