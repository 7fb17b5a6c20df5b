/** Tests the resources of tenancy: from an empty cluster to a key that works, and everything that can go wrong with them. */
import assert from 'node:assert/strict';
import { findKey } from '../../../src/accounts/keys/key-store.ts';
import { listKeys } from '../../../src/accounts/keys/manage-keys.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { createOperatorFixture, type OperatorFixture } from '../../support/operator.ts';
import { until } from '../../support/until.ts';

after(stopSharedKube);

const PATIENCE_MS = 60_000;

describe('the resources of tenancy', function () {
  this.timeout(180_000);
  let fixture: OperatorFixture;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    await fixture.start();
  });
  after(() => fixture?.close());

  const apply = (kind: string, name: string, spec: object, namespace = fixture.namespace) =>
    fixture.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'touchline.dev/v1beta1', kind, metadata: { name, namespace }, spec }),
    );

  /** Resolves when Ready has this status or reason for the newest spec. */
  async function ready(what: string, wanted: string): Promise<Resource> {
    let last: Resource;
    const holds = async () => {
      last = await fixture.get(what);
      const one = last.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
      return (
        last.status?.observedGeneration === last.metadata.generation && [one?.status, one?.reason].includes(wanted)
      );
    };
    await until(`${what} is ${wanted}`, holds, PATIENCE_MS).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last?.status)}${fixture.output().slice(-3000)}`);
    });
    return last!;
  }

  const secretText = async (name: string, key = 'key') =>
    Buffer.from((await fixture.get(`secret ${name}`)).data[key], 'base64').toString();

  it('go from an account to a key in a Secret that works', async () => {
    // The key comes first, as kubectl orders files by name.
    await apply('ApiKey', 'backend', { scopes: ['read', 'stream'] });
    await ready('ApiKey backend', 'NoAccount');
    await apply('Account', 'acme', { email: 'acme@example.com', plan: 'pro' });
    const account = await ready('Account acme', 'True');
    const key = await ready('ApiKey backend', 'True');
    const text = await secretText('backend-api-key');
    const found = await findKey(fixture.db.pool, text);
    assert.equal(found!.accountId, account.status.account);
    assert.equal(found!.plan, 'pro');
    assert.deepEqual(found!.scopes, ['read', 'stream']);
    assert.equal(found!.keyId, key.status.keyId);
    assert.ok(text.startsWith(key.status.prefix));
    const [listed] = await listKeys(fixture.db.pool, { id: found!.keyId });
    assert.deepEqual(listed!.managed, { namespace: fixture.namespace, name: 'backend' });
  });
});
