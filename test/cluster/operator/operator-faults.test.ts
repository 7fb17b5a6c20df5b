/**
 * Tests two replicas of the operator during failures. Only one leads, the other one does not write, and no change is
 * lost.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSubscriptions } from '../../../src/webhooks/subscriptions/subscription-queries.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import { ACCOUNT, createOperatorFixture, type OperatorFixture, type Replica } from '../../support/operator.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 60_000;
/** Seconds until a Lease that is not renewed expires. */
const LEASE_SECONDS = 15;

after(stopSharedKube);

describe('two replicas of the operator', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  let replicas: Replica[];
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    replicas = await Promise.all([fixture.start(), fixture.start()]);
  });
  after(() => fixture?.close());

  const otherThan = (one: Replica) => replicas.filter((replica) => replica !== one);
  const rowOf = async (name: string) =>
    (await findSubscriptions(fixture.db.pool, { managed: true })).find(({ managedBy }) => managedBy!.name === name);
  const followed = async (name: string) => {
    await fixture.apply(name);
    await fixture.condition(name, 'Accepted=True');
    assert.ok(await rowOf(name));
  };
  /** Returns the requests that change something, except those for the Lease. */
  const writes = ({ proxy }: Replica, since = 0) =>
    proxy.asked.filter(({ method, path, at }) => method !== 'GET' && !path.includes('/leases') && at >= since);

  it('are both ready, and only the leader writes', async () => {
    const leader = await fixture.leader(replicas);
    await followed('first');
    const [standby] = otherThan(leader);
    assert.equal(await standby!.leading(), false);
    assert.equal(await standby!.ready(), true);
    assert.ok(writes(leader).length > 0);
    assert.deepEqual(writes(standby!), []);
  });

  it('continue when the leader is paused, and that leader writes nothing when it wakes', async () => {
    const paused = await fixture.leader(replicas);
    // The kill comes while there is work in progress.
    await Promise.all(Array.from({ length: 8 }, (_, i) => fixture.apply(`paused-${i}`)));
    paused.process.child.kill('SIGSTOP');
    const leader = await fixture.leader(otherThan(paused));
    for (let i = 0; i < 8; i++) await fixture.condition(`paused-${i}`, 'Accepted=True');
    await fixture.apply('paused-0', { sports: ['tennis'] });
    await fixture.condition('paused-0', 'Accepted=True');
    const woken = performance.now();
    paused.process.child.kill('SIGCONT');
    await until(
      'it sees that it leads no more',
      async () => (await paused.metrics()).includes('touchline_operator_leading 0'),
      PATIENCE_MS,
    );
    await followed('after-pause');
    await sleep(3_000);
    assert.deepEqual(writes(paused, woken), []);
    assert.equal(await leader.leading(), true);
    assert.deepEqual((await rowOf('paused-0'))!.sports, ['tennis']);
    const rows = await findSubscriptions(fixture.db.pool, { managed: true, ended: true });
    assert.equal(new Set(rows.map(({ managedBy }) => managedBy!.uid)).size, rows.length);
  });

  it('continue when the leader loses the API server, and that leader stops by itself', async () => {
    const cut = await fixture.leader(replicas);
    cut.proxy.fault(() => ({ status: 500 }));
    await fixture.leader(otherThan(cut));
    assert.equal(await cut.leading(), false);
    await followed('cut-off');
    cut.proxy.fault(() => null);
    const back = performance.now();
    await sleep(3_000);
    assert.deepEqual(writes(cut, back), []);
    assert.equal(cut.process.child.exitCode, null);
  });

  it('lose no change if the API server answers every third request with 429 or 500', async () => {
    // Random but reproducible choices.
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (const { proxy } of replicas) {
      proxy.fault((_, path) => {
        // No faults for the Lease, since losing it is tested above.
        if (path.includes('/leases')) return null;
        const drawn = random();
        if (drawn < 0.15) return { status: 429, headers: { 'Retry-After': '1' } };
        return drawn < 0.3 ? { status: 500 } : null;
      });
    }
    await Promise.all(Array.from({ length: 10 }, (_, i) => fixture.apply(`faulty-${i}`)));
    for (let i = 0; i < 10; i++) await fixture.condition(`faulty-${i}`, 'Accepted=True', 120_000);
    for (const { proxy } of replicas) proxy.fault(() => null);
    const rows = await findSubscriptions(fixture.db.pool, { managed: true });
    assert.equal(rows.filter(({ managedBy }) => managedBy!.name.startsWith('faulty-')).length, 10);
  });

  it('continue after an API server restart', async () => {
    await fixture.kube.apiServer.kill();
    await sleep(2_000);
    await fixture.kube.apiServer.start();
    await until(
      'it takes resources',
      () =>
        fixture.apply('restarted').then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    await fixture.condition('restarted', 'Accepted=True');
    assert.deepEqual(
      replicas.map(({ process }) => process.child.exitCode),
      [null, null],
    );
  });

  it('continue when the leader is killed, once its lease has expired and not earlier', async () => {
    const killed = await fixture.leader(replicas);
    await followed('before-kill');
    const row = await rowOf('before-kill');
    // The kill comes while there is work in progress.
    await Promise.all(Array.from({ length: 8 }, (_, i) => fixture.apply(`killed-${i}`)));
    killed.process.child.kill('SIGKILL');
    const begun = performance.now();
    await fixture.kubectl(['delete', 'whs', 'killed-0', '--wait=false']);
    await fixture.apply('before-kill', { sports: ['tennis'] });
    const [standby] = otherThan(killed);
    await fixture.leader([standby!]);
    const taken = performance.now() - begun;
    // The last renewal was up to 2.4 s before the kill, and the second replica polls at the same interval.
    const [soonest, latest] = [LEASE_SECONDS - 5, LEASE_SECONDS + 10];
    assert.ok(taken > soonest * 1_000 && taken < latest * 1_000, `${taken} ms`);
    for (let i = 1; i < 8; i++) await fixture.condition(`killed-${i}`, 'Accepted=True');
    await fixture.condition('before-kill', 'Accepted=True');
    const changed = (await rowOf('before-kill'))!;
    assert.deepEqual([changed.id, changed.sports], [row!.id, ['tennis']]);
    await until('what went meanwhile has ended', async () => (await rowOf('killed-0')) === undefined, PATIENCE_MS);
    await followed('after-kill');
    assert.equal(standby!.process.child.exitCode, null);
    replicas = [standby!, await fixture.start()];
  });

  it('change the leader at once when the present leader is stopped properly', async () => {
    const leader = await fixture.leader(replicas);
    leader.process.child.kill('SIGTERM');
    const { code } = await leader.process.finished;
    assert.equal(code, 0);
    const begun = performance.now();
    const next = await fixture.leader(otherThan(leader));
    // If the lease had not been released, it would have to expire first.
    const taken = performance.now() - begun;
    assert.ok(taken < LEASE_SECONDS * 1_000, `${taken} ms`);
    replicas = [next];
    await followed('handed-over');
  });

  it('catch up with changes that were made while neither replica ran', async () => {
    for (const name of ['edited', 'deleted', 'kept']) await followed(name);
    const kept = await rowOf('kept');
    for (const { process } of replicas) process.child.kill('SIGKILL');
    await fixture.apply('edited', { eventTypes: ['match.goal'] });
    await fixture.apply('new');
    await fixture.kubectl(['delete', 'whs', 'deleted', '--wait=false']);
    await fixture.kubectl(['delete', 'deployment', 'touchline-dispatcher']);
    await fixture.kubectl(['delete', 'secret', 'kept-webhook']);
    replicas = [await fixture.start()];
    await fixture.condition('new', 'Accepted=True');
    await fixture.condition('edited', 'Accepted=True');
    assert.deepEqual((await rowOf('edited'))!.eventTypes, ['match.goal']);
    const names = async () =>
      (await findSubscriptions(fixture.db.pool, { managed: true })).map(({ managedBy }) => managedBy!.name);
    await until('its row has ended', async () => !(await names()).includes('deleted'), PATIENCE_MS);
    await until(
      'children are back',
      () =>
        Promise.all([fixture.get('deployment touchline-dispatcher'), fixture.get('secret kept-webhook')]).then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    assert.deepEqual(await rowOf('kept'), kept);
  });

  it('also serve a second namespace, and continue when it is deleted', async () => {
    const other = `${fixture.namespace}-other`;
    await fixture.grant({ namespaces: [fixture.namespace, other] });
    for (const { process } of replicas) process.child.kill('SIGTERM');
    replicas = [await fixture.start({ OPERATOR_NAMESPACES: `${fixture.namespace},${other}` })];
    for (let i = 0; i < 5; i++)
      await fixture.apply(`guest-${i}`, { isolation: i === 0 ? 'Dedicated' : 'Shared' }, other);
    const guests = async () =>
      (await findSubscriptions(fixture.db.pool, { managed: true })).filter(
        ({ managedBy }) => managedBy!.namespace === other,
      );
    await until('they have rows', async () => (await guests()).length === 5, PATIENCE_MS);
    assert.equal((await guests())[0]!.account, ACCOUNT);
    const deployments = async () => (await fixture.get('deployment')).items.length;
    // Dispatchers need the stores' secrets, which exist only in the operator's namespace.
    await until('there is a dispatcher of its own', async () => (await deployments()) === 2, PATIENCE_MS);
    await fixture.kubectl(['delete', 'namespace', other, '--timeout=90s']);
    await until('their rows have ended', async () => (await guests()).length === 0, PATIENCE_MS);
    await until('its dispatcher is gone', async () => (await deployments()) === 1, PATIENCE_MS);
    await followed('host');
  });
});
