/** Tests the resources of tenancy: from an empty cluster to a key that works, and everything that can go wrong with them. */
import assert from 'node:assert/strict';
import { changePlan, deleteAccount, listAccounts, suspendAccount } from '../../../src/accounts/accounts.ts';
import { OPERATOR } from '../../../src/accounts/audit.ts';
import { findKey } from '../../../src/accounts/keys/key-store.ts';
import { listKeys, revokeKeyByHand } from '../../../src/accounts/keys/manage-keys.ts';
import { createFeedToken, findFeedToken, listFeedTokens, revokeFeedToken } from '../../../src/feed/feed-tokens.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { BUILT_IN_PLANS, createAccount, createKey } from '../../support/accounts.ts';
import { argoCdHealth } from '../../support/argocd-health.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import {
  ACCOUNT,
  createOperatorFixture,
  type OperatorFixture,
  type Replica,
  SECRET_KEY,
} from '../../support/operator.ts';
import { start } from '../../support/process.ts';
import { until } from '../../support/until.ts';

after(stopSharedKube);

const PATIENCE_MS = 60_000;
const TENANT = 'tenant-a';
const OTHER = 'tenant-b';
const EMPTY = 'tenant-empty';

describe('the resources of tenancy', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    const namespaces = [fixture.namespace, TENANT, OTHER, EMPTY];
    await fixture.grant({ namespaces });
    await fixture.start({ OPERATOR_NAMESPACES: namespaces.join() });
  });
  after(() => fixture?.close());

  const manifest = (kind: string, name: string, spec: object, namespace: string, metadata: object = {}) => ({
    apiVersion: 'touchline.dev/v1beta1',
    kind,
    metadata: { name, namespace, ...metadata },
    spec,
  });
  const apply = (kind: string, name: string, spec: object, namespace = fixture.namespace, metadata: object = {}) =>
    fixture.kubectl(
      ['-n', namespace, 'apply', '-f', '-'],
      JSON.stringify(manifest(kind, name, spec, namespace, metadata)),
    );
  const remove = (kind: string, name: string, namespace = fixture.namespace, options: string[] = []) =>
    fixture.kubectl(['-n', namespace, 'delete', kind, name, ...options]);
  const pool = () => fixture.db.pool;
  const keysOf = (email: string) => listKeys(pool(), { email });

  /** Resolves when Ready has this status or reason for the newest spec. A resource is never healthy on the way to a fault. */
  async function ready(what: string, wanted: string, namespace = fixture.namespace): Promise<Resource> {
    let last: Resource;
    const holds = async () => {
      last = await fixture.get(what, namespace);
      const one = last.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
      return (
        last.status?.observedGeneration === last.metadata.generation && [one?.status, one?.reason].includes(wanted)
      );
    };
    await until(`${what} is ${wanted}`, holds, PATIENCE_MS).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last?.status)}`);
    });
    return last!;
  }

  const text = async (name: string, key = 'key', namespace = fixture.namespace) =>
    Buffer.from((await fixture.get(`secret ${name}`, namespace)).data[key], 'base64').toString();
  const reasons = async (name: string, namespace = fixture.namespace): Promise<string[]> =>
    (await fixture.get('event', namespace)).items
      .filter((event: Resource) => event.involvedObject.name === name)
      .map((event: Resource) => event.reason);

  it('go from an account to a key in a Secret that works', async () => {
    // The key comes first, as kubectl orders files by name.
    await apply('ApiKey', 'backend', { scopes: ['read', 'stream'] });
    await ready('ApiKey backend', 'NoAccount');
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro' });
    const account = await ready('Account acme', 'True');
    const key = await ready('ApiKey backend', 'True');
    const secret = await text('backend-api-key');
    const found = await findKey(pool(), secret);
    assert.equal(found!.accountId, account.status.account);
    assert.equal(found!.plan, 'pro');
    assert.deepEqual(found!.scopes, ['read', 'stream']);
    assert.equal(found!.keyId, key.status.keyId);
    assert.ok(secret.startsWith(key.status.prefix));
    const [listed] = await listKeys(pool(), { id: found!.keyId });
    assert.deepEqual(listed!.managed, { namespace: fixture.namespace, name: 'backend' });
    assert.deepEqual((await reasons('acme')).includes('Created'), true);
    assert.equal(argoCdHealth(await fixture.get('ApiKey backend')).status, 'Healthy');
  });

  it('apply changes of a spec, and do nothing for a spec that is the same', async () => {
    const before = await text('backend-api-key');
    await apply('ApiKey', 'backend', { scopes: ['read'], addresses: ['10.0.0.0/8'] });
    await ready('ApiKey backend', 'True');
    const found = await findKey(pool(), before);
    assert.deepEqual([found!.scopes, found!.addresses], [['read'], ['10.0.0.0/8']]);
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'business' });
    await ready('Account acme', 'True');
    assert.equal((await listAccounts(pool(), systemClock, 'acme@example.com'))[0]!.plan, 'business');
    assert.equal(await text('backend-api-key'), before);
    assert.equal((await keysOf('acme@example.com')).length, 1);
  });

  it('refuse changes elsewhere with 409', async () => {
    const [account] = await listAccounts(pool(), systemClock, 'acme@example.com');
    const deps = { pool: pool(), clock: systemClock, plans: BUILT_IN_PLANS };
    const message = /declared in the cluster by the (Account acme|ApiKey backend) in the namespace operator-/;
    const conflict = (error: { code?: string; message: string }) =>
      error.code === 'conflict' && message.test(error.message);
    await assert.rejects(changePlan(deps, 'acme@example.com', 'trial'), conflict);
    await assert.rejects(createKey(pool(), systemClock, { email: 'acme@example.com', plan: 'trial' }), conflict);
    assert.equal((await listAccounts(pool(), systemClock, 'acme@example.com'))[0]!.plan, 'business');
    await assert.rejects(suspendAccount(pool(), systemClock, account!.id, true), conflict);
    await assert.rejects(deleteAccount(pool(), account!.id), conflict);
    const [key] = await keysOf('acme@example.com');
    await assert.rejects(revokeKeyByHand(pool(), systemClock, key!.id, OPERATOR), conflict);
    const secret = await text('backend-api-key');
    await assert.rejects(revokeKeyByHand(pool(), systemClock, secret, OPERATOR), conflict);
  });

  it('rotate a key with an overlap, when it is old enough and when the revision changes', async () => {
    await apply('ApiKey', 'rotated', { rotation: { everyDays: 30, overlapHours: 2 } });
    const { status } = await ready('ApiKey rotated', 'True');
    assert.equal(Date.parse(status.rotatesAt) - Date.parse(status.rotatedAt), 30 * 86_400_000);
    const first = await text('rotated-api-key');
    await pool().query("UPDATE api_key SET created_at = created_at - interval '31 days' WHERE id = $1", [status.keyId]);
    await apply('ApiKey', 'rotated', { rotation: { everyDays: 29, overlapHours: 2 } });
    await until('the key is another one', async () => (await text('rotated-api-key')) !== first, PATIENCE_MS);
    const second = await text('rotated-api-key');
    const [old, next] = await Promise.all([findKey(pool(), first), findKey(pool(), second)]);
    assert.equal(next!.expiresAt, null);
    assert.ok(Math.abs(old!.expiresAt! - Date.now() - 2 * 3_600_000) < 120_000, 'the old key is valid for two hours');
    await apply('ApiKey', 'rotated', { rotation: { everyDays: 29, overlapHours: 0, revision: 1 } });
    await until('the key is another one', async () => (await text('rotated-api-key')) !== second, PATIENCE_MS);
    assert.notEqual((await findKey(pool(), second))!.revokedAt, null);
    await ready('ApiKey rotated', 'True');
    assert.ok((await reasons('rotated')).includes('KeyRotated'));
  });

  it('make a new key if the Secret was deleted or changed by hand, or if the key was revoked', async () => {
    await apply('ApiKey', 'restored', {});
    await ready('ApiKey restored', 'True');
    const first = await text('restored-api-key');
    await remove('secret', 'restored-api-key');
    await apply('ApiKey', 'restored', { scopes: ['read'] });
    await until(
      'there is a new key',
      async () => (await text('restored-api-key').catch(() => first)) !== first,
      PATIENCE_MS,
    );
    const second = await text('restored-api-key');
    assert.equal((await findKey(pool(), first))!.revokedAt, null);
    await pool().query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [(await findKey(pool(), second))!.keyId]);
    await apply('ApiKey', 'restored', {});
    await until('there is a third key', async () => (await text('restored-api-key')) !== second, PATIENCE_MS);
    const third = await text('restored-api-key');
    const changed = JSON.stringify({ data: { key: Buffer.from('something else').toString('base64') } });
    await fixture.kubectl(['patch', 'secret', 'restored-api-key', '--type=merge', '-p', changed]);
    await apply('ApiKey', 'restored', { scopes: ['read'] });
    await until('there is a fourth key', async () => (await findKey(pool(), await text('restored-api-key'))) !== null);
    assert.notEqual(await text('restored-api-key'), third);
  });

  it('never change a Secret that is not labelled, or that belongs to something else', async () => {
    await fixture.kubectl(['create', 'secret', 'generic', 'precious', '--from-literal=key=treasure']);
    await apply('ApiKey', 'greedy', { secretRef: { name: 'precious' } });
    await ready('ApiKey greedy', 'SecretNotLabelled');
    assert.equal(await text('precious'), 'treasure');
    await apply('ApiKey', 'greedy', { secretRef: { name: 'backend-api-key' } });
    await ready('ApiKey greedy', 'SecretTaken');
    await apply('FeedToken', 'greedy', { provider: 'opta', secretRef: { name: 'backend-api-key', key: 'key' } });
    await ready('FeedToken greedy', 'SecretTaken');
    // With the label, but with a value that is no key of this service.
    await fixture.kubectl(['label', 'secret', 'precious', 'app.kubernetes.io/managed-by=touchline-operator']);
    await apply('ApiKey', 'greedy', { secretRef: { name: 'precious' } });
    await ready('ApiKey greedy', 'SecretTaken');
    assert.equal(await text('precious'), 'treasure');
    const before = (await keysOf('acme@example.com')).length;
    assert.equal(argoCdHealth(await fixture.get('ApiKey greedy')).status, 'Degraded');
    await remove('ApiKey', 'greedy');
    await remove('FeedToken', 'greedy');
    assert.equal((await keysOf('acme@example.com')).length, before);
  });

  it('adopt an account and a key that exist', async () => {
    const made = await createKey(pool(), systemClock, { email: 'Adopted@example.com', plan: 'pro', name: 'by hand' });
    await apply('Account', 'adopted', { email: 'adopted@example.com' }, TENANT);
    const account = await ready('Account adopted', 'True', TENANT);
    assert.equal(account.status.account, made.accountId);
    // No plan is named, so that the account keeps the one that it has.
    assert.equal(account.status.plan, 'pro');
    const label = { labels: { 'app.kubernetes.io/managed-by': 'touchline-operator' } };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'old', ...label },
      stringData: { key: made.key },
    };
    await fixture.kubectl(['-n', TENANT, 'apply', '-f', '-'], JSON.stringify(secret));
    await apply('ApiKey', 'taken-over', { secretRef: { name: 'old' } }, TENANT);
    const key = await ready('ApiKey taken-over', 'True', TENANT);
    assert.equal(key.status.keyId, made.keyId);
    assert.equal(await text('old', 'key', TENANT), made.key);
    assert.equal((await listKeys(pool(), { id: made.keyId }))[0]!.name, 'taken-over');
    assert.ok((await reasons('taken-over', TENANT)).includes('Adopted'));
    // A key of a different account is not adopted.
    const foreign = await createKey(pool(), systemClock, { email: ACCOUNT });
    const stolen = { ...secret, metadata: { name: 'stolen', ...label }, stringData: { key: foreign.key } };
    await fixture.kubectl(['-n', TENANT, 'apply', '-f', '-'], JSON.stringify(stolen));
    await apply('ApiKey', 'thief', { secretRef: { name: 'stolen' } }, TENANT);
    await ready('ApiKey thief', 'KeyNotAdopted', TENANT);
    await remove('ApiKey', 'thief', TENANT);
  });

  it('refuse a second account in a namespace, and an account that a different resource has', async () => {
    await apply('Account', 'second', { email: 'second@example.com' }, TENANT);
    const { status } = await ready('Account second', 'Conflict', TENANT);
    assert.match(status.conditions[0].message, /A different Account already declares the account of the namespace/);
    assert.equal(status.conditions[1].status, 'True');
    assert.equal((await listAccounts(pool(), systemClock, 'second@example.com')).length, 0);
    await apply('Account', 'copy', { email: 'ACME@example.com' }, OTHER);
    assert.match(
      (await ready('Account copy', 'Conflict', OTHER)).status.conditions[0].message,
      /declared in the cluster/,
    );
    await remove('Account', 'second', TENANT);
    await remove('Account', 'copy', OTHER);
  });

  it('degrade within 10 s, and are never healthy, if the plan or the sport is unknown', async () => {
    await apply('Account', 'planless', { email: 'planless@example.com', plan: 'unheard-of' }, OTHER);
    await ready('Account planless', 'UnknownPlan', OTHER);
    assert.equal(argoCdHealth(await fixture.get('Account planless', OTHER)).status, 'Degraded');
    assert.equal((await listAccounts(pool(), systemClock, 'planless@example.com')).length, 0);
    await remove('Account', 'planless', OTHER);
    const begun = performance.now();
    await apply('FeedToken', 'chess', { provider: 'opta', sports: ['chess'] });
    const seen = new Set<string>();
    await until('it is degraded', async () => {
      const { status } = argoCdHealth(await fixture.get('FeedToken chess'));
      seen.add(status);
      return status === 'Degraded';
    });
    assert.ok(performance.now() - begun < 10_000);
    assert.ok(!seen.has('Healthy'), [...seen].join());
    await remove('FeedToken', 'chess');
  });

  it('suspend an account and lift the suspension, and leave a paused resource alone', async () => {
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro', suspended: true });
    await ready('Account acme', 'True');
    assert.notEqual((await listAccounts(pool(), systemClock, 'acme@example.com'))[0]!.suspended_at, null);
    await apply('ApiKey', 'late', {});
    await ready('ApiKey late', 'AccountSuspended');
    const paused = { annotations: { 'touchline.dev/pause-reconciliation': 'true' } };
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro' }, fixture.namespace, paused);
    const resource = await ready('Account acme', 'ReconciliationPaused');
    assert.equal(argoCdHealth(resource).status, 'Suspended');
    assert.notEqual((await listAccounts(pool(), systemClock, 'acme@example.com'))[0]!.suspended_at, null);
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro' });
    await ready('Account acme', 'True');
    assert.equal((await listAccounts(pool(), systemClock, 'acme@example.com'))[0]!.suspended_at, null);
    await ready('ApiKey late', 'True');
    await remove('ApiKey', 'late');
  });

  it('let subscriptions act for the account of their namespace alone', async () => {
    await fixture.apply('foreign', { account: ACCOUNT }, TENANT);
    const condition = async () => (await fixture.get('whs foreign', TENANT)).status?.conditions?.[0]?.reason;
    await until('it is refused', async () => (await condition()) === 'WrongAccount', PATIENCE_MS);
    await fixture.kubectl(['-n', TENANT, 'delete', 'whs', 'foreign']);
    await fixture.apply('own', { account: 'adopted@example.com' }, TENANT);
    const own = async () => (await fixture.get('whs own', TENANT)).status?.conditions?.[0]?.reason;
    await until('it is accepted', async () => (await own()) === 'Accepted', PATIENCE_MS);
    await fixture.kubectl(['-n', TENANT, 'delete', 'whs', 'own']);
    await apply('ApiKey', 'lost', {}, EMPTY);
    const { status } = await ready('ApiKey lost', 'NoAccount', EMPTY);
    assert.match(status.conditions[0].message, /The namespace tenant-empty has no Account/);
    await remove('ApiKey', 'lost', EMPTY);
  });

  it('offer a plan while it is declared, and keep it while accounts are on it', async () => {
    const bronze = { title: 'Bronze', price: { amount: 12.5, currency: 'EUR' }, windows: { day: 1000 }, stream: true };
    await apply('Account', 'buyer', { email: 'buyer@example.com', plan: 'bronze' }, OTHER);
    await ready('Account buyer', 'UnknownPlan', OTHER);
    await apply('Plan', 'bronze', { ...bronze, deletionPolicy: 'Delete' });
    await ready('Plan bronze', 'True');
    // The account has waited for the plan.
    await ready('Account buyer', 'True', OTHER);
    await apply('ApiKey', 'buyer', {}, OTHER);
    await ready('ApiKey buyer', 'True', OTHER);
    const key = await findKey(pool(), await text('buyer-api-key', 'key', OTHER));
    assert.equal(key!.plan, 'bronze');
    const { rows } = await pool().query("SELECT definition FROM declared_plan WHERE name = 'bronze'");
    assert.deepEqual(rows, [{ definition: { name: 'bronze', webhooks: false, ...bronze } }]);
    await apply('Plan', 'bronze', { ...bronze, connections: 9, deletionPolicy: 'Delete' });
    await ready('Plan bronze', 'True');
    await remove('Plan', 'bronze', fixture.namespace, ['--wait=false']);
    const { status } = await ready('Plan bronze', 'Conflict');
    assert.match(status.conditions[0].message, /1 account is on the plan/);
    assert.equal(argoCdHealth(await fixture.get('Plan bronze')).status, 'Degraded');
    await apply('Account', 'buyer', { email: 'buyer@example.com', plan: 'trial' }, OTHER);
    await ready('Account buyer', 'True', OTHER);
    await until(
      'the plan is gone',
      async () => (await fixture.get('Plan bronze').catch(() => null)) === null,
      PATIENCE_MS,
    );
    assert.equal((await pool().query('SELECT FROM declared_plan')).rowCount, 0);
    await apply('Plan', 'pro', { title: 'Not the one of the file' });
    const refused = await ready('Plan pro', 'ConfiguredPlan');
    assert.match(refused.status.conditions[0].message, /names in PLANS_FILE cannot be resources/);
    await remove('Plan', 'pro');
    assert.equal((await pool().query("SELECT FROM managed_resource WHERE kind = 'Plan'")).rowCount, 0);
    await apply('Plan', 'BAD'.toLowerCase(), { title: 'Nothing', access: {} });
    await ready('Plan bad', 'Invalid');
    await remove('Plan', 'bad');
    await apply('Plan', 'kept', { title: 'Kept' });
    await ready('Plan kept', 'True');
    await apply('Plan', 'kept', { title: 'Kept' }, TENANT);
    await ready('Plan kept', 'Conflict', TENANT);
    await remove('Plan', 'kept', TENANT);
    await remove('Plan', 'kept');
    assert.equal((await pool().query('SELECT FROM declared_plan')).rowCount, 1);
    await remove('ApiKey', 'buyer', OTHER);
    await remove('Account', 'buyer', OTHER);
  });

  it('declare a source once its terms are accepted, and withdraw it', async () => {
    await apply('Source', 'nhl', { provider: 'nhl' });
    const { status } = await ready('Source nhl', 'Invalid');
    assert.match(status.conditions[0].message, /accept/);
    await apply('Source', 'nhl', {
      provider: 'nhl',
      acceptTerms: true,
      dailyRequests: 50,
      deletionPolicy: 'Delete',
    });
    await ready('Source nhl', 'True');
    const declared = () => pool().query('SELECT definition FROM declared_source');
    assert.deepEqual((await declared()).rows, [
      { definition: { provider: 'nhl', scopes: [], accept_terms: true, daily_requests: 50 } },
    ]);
    await apply('Source', 'again', { provider: 'nhl', acceptTerms: true });
    await ready('Source again', 'Conflict');
    await remove('Source', 'again');
    await assert.rejects(apply('Source', 'nhl', { provider: 'mlb' }), /is immutable/);
    await apply('Source', 'unknown', { provider: 'teletext' });
    await ready('Source unknown', 'Invalid');
    await remove('Source', 'unknown');
    await remove('Source', 'nhl');
    assert.equal((await declared()).rowCount, 0);
  });

  it('write a feed token, replace it with the revision, and refuse a change of the provider', async () => {
    await apply('FeedToken', 'opta', { provider: 'opta', sports: ['football'] });
    const { status } = await ready('FeedToken opta', 'True');
    const first = await text('opta-feed-token', 'token');
    assert.equal((await findFeedToken(pool(), first))!.id, status.tokenId);
    await assert.rejects(apply('FeedToken', 'opta', { provider: 'other', sports: ['football'] }), /are immutable/);
    const deps = { pool: pool(), clock: systemClock, secretKeys: [SECRET_KEY] };
    await assert.rejects(
      revokeFeedToken(deps, status.tokenId, OPERATOR),
      /declared in the cluster by the FeedToken opta/,
    );
    await apply('FeedToken', 'opta', { provider: 'opta', sports: ['football'], revision: 1 });
    await until('there is a new token', async () => (await text('opta-feed-token', 'token')) !== first, PATIENCE_MS);
    assert.equal((await findFeedToken(pool(), first))!.isRevoked, true);
    const second = await text('opta-feed-token', 'token');
    await createFeedToken(deps, { provider: 'opta', sports: null, signs: false }, OPERATOR);
    await remove('secret', 'opta-feed-token');
    await apply('FeedToken', 'opta', { provider: 'opta', sports: ['football'], revision: 2 });
    await until('it is restored', async () => (await text('opta-feed-token', 'token').catch(() => second)) !== second);
    assert.equal((await listFeedTokens(pool(), 'opta')).filter(({ revoked_at }) => revoked_at === null).length, 2);
    await apply('FeedToken', 'third', { provider: 'opta' });
    assert.match((await ready('FeedToken third', 'Conflict')).status.conditions[0].message, /has 2 usable tokens/);
    await remove('FeedToken', 'third');
  });

  it('survive a resource that is changed all the time', async () => {
    for (let revision = 1; revision <= 8; revision += 1)
      await apply('ApiKey', 'restless', { addresses: [`10.0.0.${revision}`] });
    await ready('ApiKey restless', 'True');
    const key = await findKey(pool(), await text('restless-api-key'));
    assert.deepEqual(key!.addresses, ['10.0.0.8']);
    assert.equal((await keysOf('acme@example.com')).filter(({ name }) => name === 'restless').length, 1);
  });

  it('keep what they declare when they are deleted, unless the policy says otherwise', async () => {
    const kept = await text('backend-api-key');
    await remove('ApiKey', 'backend');
    await until('the key is free', async () =>
      (await keysOf('acme@example.com')).every(({ managed, name }) => name !== 'backend' || managed === null),
    );
    assert.equal((await findKey(pool(), kept))!.revokedAt, null);
    assert.equal(await text('backend-api-key'), kept);
    // A resource with the same name takes the key over again.
    await apply('ApiKey', 'backend', { deletionPolicy: 'Delete' });
    await ready('ApiKey backend', 'True');
    assert.equal(await text('backend-api-key'), kept);
    await remove('ApiKey', 'backend');
    assert.notEqual((await findKey(pool(), kept))!.revokedAt, null);
    await assert.rejects(fixture.get('secret backend-api-key'), /not found/);
    // A change of the policy removes the finalizer.
    await apply('FeedToken', 'opta', { provider: 'opta', sports: ['football'], revision: 2, deletionPolicy: 'Delete' });
    await until(
      'it has a finalizer',
      async () => (await fixture.get('FeedToken opta')).metadata.finalizers?.length === 1,
    );
    await apply('FeedToken', 'opta', { provider: 'opta', sports: ['football'], revision: 2 });
    await until('it has none', async () => (await fixture.get('FeedToken opta')).metadata.finalizers === undefined);
    const token = await text('opta-feed-token', 'token');
    await remove('FeedToken', 'opta');
    await until('the token is free', async () =>
      (await listFeedTokens(pool(), 'opta')).every(({ managed }) => managed === null),
    );
    assert.equal((await findFeedToken(pool(), token))!.isRevoked, false);
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro', deletionPolicy: 'Delete' });
    await ready('Account acme', 'True');
    await remove('Account', 'acme');
    assert.equal((await listAccounts(pool(), systemClock, 'acme@example.com')).length, 0);
    await remove('Account', 'adopted', TENANT);
    await until(
      'the account is free',
      async () => (await listAccounts(pool(), systemClock, 'adopted@example.com'))[0]!.managed === null,
    );
  });

  it('approve an account that waits for it, unless it is to be suspended', async () => {
    for (const suspended of [false, true]) {
      const email = `waits-${suspended}@example.com`;
      const id = await createAccount(pool(), systemClock, { email });
      await pool().query('UPDATE account SET awaits_approval = true, suspended_at = now() WHERE id = $1', [id]);
      await apply('Account', 'waits', { email, suspended }, EMPTY);
      await ready('Account waits', 'True', EMPTY);
      const [account] = await listAccounts(pool(), systemClock, email);
      assert.deepEqual([account!.awaits_approval, account!.suspended_at !== null], [false, suspended]);
      await remove('Account', 'waits', EMPTY);
    }
  });

  it('do not delete the account of an operator of the service', async () => {
    const id = await createAccount(pool(), systemClock, { email: 'boss@example.com' });
    await pool().query(
      "INSERT INTO member (account_id, email, created_at, operator_since) VALUES ($1, 'boss@example.com', now(), now())",
      [id],
    );
    await apply('Account', 'boss', { email: 'boss@example.com', deletionPolicy: 'Delete' }, OTHER);
    await ready('Account boss', 'True', OTHER);
    await remove('Account', 'boss', OTHER, ['--wait=false']);
    await ready('Account boss', 'Conflict', OTHER);
    assert.equal((await listAccounts(pool(), systemClock, 'boss@example.com')).length, 1);
    await apply('Account', 'boss', { email: 'boss@example.com' }, OTHER);
    await until(
      'it is gone',
      async () => (await fixture.get('Account boss', OTHER).catch(() => null)) === null,
      PATIENCE_MS,
    );
  });

  it('are refused by the API server if they make no sense', async () => {
    const refused: [string, object, RegExp][] = [
      ['Account', {}, /spec.email: Required/],
      ['Account', { email: 'a@example.com', deletionPolicy: 'Orphan' }, /Unsupported value/],
      ['Account', { email: 'a@example.com', colour: 'red' }, /unknown field/],
      ['ApiKey', { rotation: { everyDays: 0 } }, /greater than or equal to 1/],
      ['ApiKey', { rotation: { overlapHours: 721 } }, /less than or equal to 720/],
      ['ApiKey', { scopes: ['everything'] }, /Unsupported value/],
      ['ApiKey', { scopes: ['read', 'read'] }, /Duplicate value/],
      ['ApiKey', { secretRef: { name: '../x' } }, /should match/],
      ['FeedToken', {}, /spec.provider: Required/],
    ];
    for (const [kind, spec, message] of refused) await assert.rejects(apply(kind, 'refused', spec, OTHER), message);
    await assert.rejects(apply('ApiKey', 'n'.repeat(64), {}, OTHER), /at most 63 characters/);
  });
});

describe('the example of a tenant', function () {
  this.timeout(120_000);
  let fixture: OperatorFixture;
  let replica: Replica;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    await fixture.grant({ namespaces: ['*'], tenancy: { requireAccounts: true } });
    replica = await fixture.start({ OPERATOR_NAMESPACES: '*', OPERATOR_REQUIRE_ACCOUNTS: '1' });
  });
  after(() => fixture?.close());

  const folder = new URL('../../../k8s/examples', import.meta.url).pathname;
  const kubectl = (...args: string[]) => fixture.kube.kubectl(args);

  it('leads from an empty cluster to a key that works, by applying one directory', async () => {
    await kubectl('apply', '-f', `${folder}/tenancy`);
    await kubectl('-n', 'acme', 'wait', '--for=condition=Ready', '--timeout=60s', 'apikey/backend');
    const encoded = await kubectl('-n', 'acme', 'get', 'secret', 'backend-api-key', '-o', 'jsonpath={.data.key}');
    const key = await findKey(fixture.db.pool, Buffer.from(encoded, 'base64').toString());
    assert.deepEqual([key!.plan, key!.scopes, key!.revokedAt], ['pro', ['read', 'stream'], null]);
    // A machine without a name server cannot resolve the receiver's name, but the account is right.
    const reason = async () => (await fixture.get('whs goals', 'acme')).status?.conditions?.[0]?.reason;
    await until('it is accepted', async () => ['Accepted', 'NotResolved'].includes(await reason()), PATIENCE_MS);
    // A second time changes nothing.
    assert.doesNotMatch(await kubectl('apply', '-f', `${folder}/tenancy`), /created|configured/);
    assert.equal((await listKeys(fixture.db.pool, { email: 'platform@acme.example' })).length, 1);
  });

  it('lets the platform team declare plans, sources and feed tokens', async () => {
    await fixture.kubectl(['apply', '-f', `${folder}/platform.yaml`]);
    for (const what of ['plan/bronze', 'source/openligadb', 'feedtoken/scouts'])
      await fixture.kubectl(['wait', '--for=condition=Ready', '--timeout=60s', what]);
  });

  it('gives a tenant exactly the documented rights', async () => {
    const may = async (verb: string, resource: string, namespace: string, ...options: string[]) =>
      (
        await kubectl(
          ...[
            'auth',
            'can-i',
            verb,
            resource,
            '-n',
            namespace,
            '--as',
            'jane',
            '--as-group',
            'acme-developers',
            ...options,
          ],
        ).catch((error: Error) => error.message)
      ).includes('yes');
    const write = ['create', 'update', 'patch', 'delete'];
    for (const kind of ['apikeys', 'webhooksubscriptions'])
      for (const verb of ['get', 'list', 'watch', ...write]) {
        assert.equal(await may(verb, `${kind}.touchline.dev`, 'acme'), true, `${verb} ${kind}`);
        assert.equal(await may(verb, `${kind}.touchline.dev`, 'default'), false, `${verb} ${kind} elsewhere`);
      }
    assert.equal(await may('get', 'accounts.touchline.dev', 'acme'), true);
    for (const kind of ['accounts', 'plans', 'sources', 'feedtokens'])
      for (const verb of write)
        assert.equal(await may(verb, `${kind}.touchline.dev`, 'acme'), false, `${verb} ${kind}`);
    assert.equal(await may('patch', 'apikeys.touchline.dev', 'acme', '--subresource=status'), false);
  });

  it('refuses subscriptions in a namespace without an account, if the installation requires one', async () => {
    await fixture.apply('nobodys');
    await fixture.condition('nobodys', 'Accepted=NoAccount');
  });

  it('lets the resources in all namespaces go before an uninstall', async () => {
    await replica.process.interrupt();
    const { code, out, err } = await start(['withdraw'], {
      env: { KUBECONFIG: await fixture.kubeconfig(fixture.kube.server), OPERATOR_NAMESPACES: '*' },
    }).finished;
    assert.equal(code, 0, err);
    assert.match(out, /^acme: 3 resources are no longer served$/m);
    const { status } = await fixture.get('ApiKey backend', 'acme');
    assert.deepEqual([status.reason, status.installation], ['NotServed', undefined]);
    await assert.rejects(fixture.get('lease webhooksubscriptions.touchline.dev', 'acme'), /not found/);
  });
});
