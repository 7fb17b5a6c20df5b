/**
 * Runs the operator with many resources, each account in a namespace of its own: they have to be ready within 60 s, and the API server
 * gets at most 20 requests a second while everything is read again. ACCOUNTS=1000 is the size that the bounds are for; RESYNC_MINUTES=20 also measures the requests, which takes
 * as long as that.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_NAMESPACES, path, type Resource } from '../../../operators/runtime/kube-api.ts';
import { KINDS } from '../../../operators/tenancy/kinds.ts';
import { SUBSCRIPTIONS } from '../../../operators/webhook-subscription/crd.ts';
import { needKube, stopSharedKube } from '../../support/kube.ts';
import { type Resource as Json, type KubeApi, kubeApi } from '../../support/kube-api.ts';
import { createOperatorFixture, type OperatorFixture, type Replica } from '../../support/operator.ts';

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 100);
const KEYS = 3 * ACCOUNTS;
const SUBSCRIBED = Math.ceil(0.3 * ACCOUNTS);
const RESYNC_MINUTES = Number(process.env.RESYNC_MINUTES ?? 0);
const READY_MS = 60_000;
const REQUESTS_A_SECOND = 20;
/** The requests are averaged over this time. */
const SAMPLE_MS = 10_000;
const SETTLING_MS = 60_000;
const AT_ONCE = 16;

after(stopSharedKube);

describe('an operator with many resources', function () {
  this.timeout(600_000 + RESYNC_MINUTES * 60_000);
  let fixture: OperatorFixture;
  let api: KubeApi & { close(): void };
  let replica: Replica;
  before(async function () {
    needKube(this);
    fixture = await createOperatorFixture();
    await fixture.grant({ namespaces: ['*'] });
    api = kubeApi(fixture.kube.server);
  });
  after(async () => {
    api?.close();
    await fixture?.close();
  });

  const [account, apiKey] = ['Account', 'ApiKey'].map(
    (kind) => KINDS.find(({ resource }) => resource.kind === kind)!.resource,
  ) as [Resource, Resource];
  const namespace = (i: number) => `load-${i % ACCOUNTS}`;

  /** Runs the work for each number below `count`, several at the same time. */
  async function each(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const run = async () => {
      while (next < count) {
        const i = next;
        next += 1;
        await work(i);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
  }

  const create = (kind: Resource, name: string, place: string, spec: object) =>
    api('POST', path(kind, place), {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { name, namespace: place },
      spec,
    });

  /** Returns how many resources of a kind have a condition that is True. */
  async function countTrue(kind: Resource, condition: string): Promise<number> {
    const { items } = await api('GET', path(kind, ALL_NAMESPACES));
    const isTrue = (one: { type: string; status: string }) => one.type === condition && one.status === 'True';
    const own = items.filter(({ metadata }: Json) => metadata.namespace.startsWith('load-'));
    return own.filter(({ status }: Json) => status?.conditions?.some(isTrue)).length;
  }

  it('has them all ready within 60 s', async () => {
    await each(ACCOUNTS, (i) => api('POST', '/api/v1/namespaces', { metadata: { name: namespace(i) } }));
    await each(ACCOUNTS, (i) => create(account, 'own', namespace(i), { email: `load-${i}@example.com`, plan: 'pro' }));
    await each(KEYS, (i) => create(apiKey, `key-${Math.floor(i / ACCOUNTS)}`, namespace(i), {}));
    await each(SUBSCRIBED, (i) =>
      create(SUBSCRIPTIONS, 'goals', namespace(i), {
        url: `https://93.184.216.34/${i}`,
        account: `load-${i}@example.com`,
      }),
    );
    const begun = performance.now();
    replica = await fixture.start({ OPERATOR_NAMESPACES: '*', SUBSCRIPTIONS_PER_DISPATCHER: '1000' });
    const wanted = ACCOUNTS + KEYS + SUBSCRIBED;
    let ready = 0;
    while (ready < wanted && performance.now() - begun < 3 * READY_MS) {
      await sleep(1_000);
      ready =
        (await countTrue(account, 'Ready')) +
        (await countTrue(apiKey, 'Ready')) +
        (await countTrue(SUBSCRIPTIONS, 'Accepted'));
    }
    const taken = performance.now() - begun;
    console.log(`      ${ready} of ${wanted} resources were ready after ${(taken / 1_000).toFixed(1)} s`);
    assert.equal(ready, wanted, fixture.output().slice(-3_000));
    assert.ok(taken < READY_MS, `${taken} ms`);
  });

  /** Returns how many requests the operator has sent. */
  async function requests(): Promise<number> {
    const text = await replica.metrics();
    const counts = text.matchAll(/^touchline_operator_api_request_seconds_count\{.*\} (\d+)$/gm);
    return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  }

  it('sends at most 20 requests a second while everything is read again', async function () {
    if (RESYNC_MINUTES === 0) return this.skip();
    // The last Events and statuses of the start are written meanwhile.
    await sleep(SETTLING_MS);
    let most = 0;
    let before = await requests();
    for (const end = performance.now() + RESYNC_MINUTES * 60_000; performance.now() < end; ) {
      await sleep(SAMPLE_MS);
      const now = await requests();
      most = Math.max(most, ((now - before) * 1_000) / SAMPLE_MS);
      before = now;
    }
    console.log(`      at most ${most.toFixed(1)} requests a second`);
    assert.ok(most <= REQUESTS_A_SECOND, `${most} requests a second`);
  });
});
