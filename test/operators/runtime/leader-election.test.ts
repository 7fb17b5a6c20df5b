import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { type Api, KubeError, LEASES } from '../../../operators/runtime/kube-api.ts';
import { type Leader, type Lease, NotLeader, startLeader } from '../../../operators/runtime/leader-election.ts';

const SECOND = 1_000;
/** Longer than the pause between two renewals. */
const A_RENEWAL_MS = 2_500;

type Spec = Lease['spec'];

/** Creates a Lease API. Each change has a new version, and a change based on an old version gets 409. */
function leaseApi() {
  let stored: { spec: Spec; version: number } | null = null;
  let version = 0;
  const asked: string[] = [];
  /** A test sets this function, which is called before each request. */
  let trouble: (verb: string) => Promise<void> = async () => {};
  const error = (status: number) => new KubeError(status, 'Fake', `status ${status}`, 0, []);
  const write = (spec: Spec) => {
    version += 1;
    stored = { spec, version };
  };
  const asLease = (): Lease => ({
    metadata: { name: 'operator', namespace: 'here', uid: '1', resourceVersion: String(stored!.version) },
    spec: { ...stored!.spec },
  });
  const begin = async (verb: string) => {
    asked.push(verb);
    await trouble(verb);
  };
  const api = {
    async get(resource: unknown, namespace: string, name: string) {
      assert.deepEqual([resource, namespace, name], [LEASES, 'here', 'operator']);
      await begin('get');
      if (stored === null) throw error(404);
      return asLease();
    },
    async create(_resource: unknown, _namespace: string, body: Lease) {
      await begin('create');
      if (stored !== null) throw error(409);
      write(body.spec);
      return asLease();
    },
    async replace(_resource: unknown, body: Lease) {
      await begin('replace');
      if (body.metadata.resourceVersion !== String(stored?.version)) throw error(409);
      write(body.spec);
      return asLease();
    },
  };
  return {
    api: api as unknown as Api,
    asked,
    error,
    write,
    spec: () => stored?.spec ?? null,
    trouble(next: typeof trouble) {
      trouble = next;
    },
  };
}

describe('the operator’s leader', () => {
  let lease: ReturnType<typeof leaseApi>;
  let clocks: { wall: number; steady: number };
  let changes: boolean[];
  let warnings: string[];
  const leaders: Leader[] = [];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    lease = leaseApi();
    clocks = { wall: Date.parse('2026-03-01T12:00:00Z'), steady: 5_000 };
    changes = [];
    warnings = [];
  });
  afterEach(async () => {
    lease.trouble(async () => {});
    for (const leader of leaders.splice(0)) await leader.stop();
    mock.timers.reset();
  });

  /** Lets pending requests finish. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 10; i += 1) await turn();
  }
  /** Advances both clocks and all timers. No step is longer than any timer. */
  async function pass(ms: number): Promise<void> {
    const step = 100;
    for (let passed = 0; passed < ms; passed += step) {
      const by = Math.min(step, ms - passed);
      clocks.wall += by;
      clocks.steady += by;
      mock.timers.tick(by);
      await settle();
    }
  }
  async function start(identity = 'me'): Promise<Leader> {
    const logger = pino(
      { level: 'warn' },
      {
        write: (line: string) => {
          warnings.push(JSON.parse(line).reason);
        },
      },
    );
    const leader = startLeader({
      api: lease.api,
      logger,
      namespace: 'here',
      name: 'operator',
      identity,
      onChange: (leading) => changes.push(leading),
      clocks: { wall: () => clocks.wall, steady: () => clocks.steady },
    });
    leaders.push(leader);
    await settle();
    return leader;
  }
  const away = (status = 500) => lease.trouble(() => Promise.reject(lease.error(status)));
  const others = (over: Partial<Spec> = {}): Spec => ({
    holderIdentity: 'another',
    leaseDurationSeconds: 15,
    acquireTime: '2026-03-01T11:00:00.000000Z',
    renewTime: '2026-03-01T11:59:58.000000Z',
    leaseTransitions: 4,
    ...over,
  });

  it('creates the Lease for 15 s if none exists', async () => {
    const leader = await start();
    assert.equal(leader.leading(), true);
    leader.gate();
    assert.deepEqual(changes, [true]);
    assert.deepEqual(lease.spec(), {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      acquireTime: '2026-03-01T12:00:00.000000Z',
      renewTime: '2026-03-01T12:00:00.000000Z',
      leaseTransitions: 0,
    });
  });

  it('renews the Lease about every 2 s, and keeps the time since which it leads', async () => {
    const leader = await start();
    await pass(60 * SECOND);
    assert.equal(leader.leading(), true);
    assert.deepEqual(changes, [true]);
    const renewals = lease.asked.filter((verb) => verb === 'replace').length;
    assert.ok(renewals >= 60 / 2.4 - 1 && renewals <= 60 / 1.6, `${renewals} renewals`);
    const { acquireTime, renewTime, leaseTransitions } = lease.spec()!;
    assert.deepEqual([acquireTime, leaseTransitions], ['2026-03-01T12:00:00.000000Z', 0]);
    assert.ok(renewTime! > '2026-03-01T12:00:57' && renewTime! <= '2026-03-01T12:01:00.000000Z', renewTime);
  });

  it('takes a released Lease at once', async () => {
    lease.write(others({ holderIdentity: '', leaseDurationSeconds: 1 }));
    const leader = await start();
    assert.equal(leader.leading(), true);
    const { holderIdentity, acquireTime, leaseTransitions } = lease.spec()!;
    assert.deepEqual([holderIdentity, acquireTime, leaseTransitions], ['me', '2026-03-01T12:00:00.000000Z', 5]);
  });

  it('waits until a rival’s Lease has not changed for 15 s, by its own clock', async () => {
    lease.write(others({ renewTime: '2020-01-01T00:00:00.000000Z' }));
    const leader = await start();
    await pass(14 * SECOND);
    assert.deepEqual([leader.leading(), lease.spec()!.holderIdentity], [false, 'another']);
    lease.write(others());
    await pass(15 * SECOND);
    assert.deepEqual([leader.leading(), lease.spec()!.holderIdentity], [false, 'another']);
    // The Lease is noticed up to one pause after it was written, and taken up to one pause after it has expired.
    await pass(2 * A_RENEWAL_MS);
    assert.deepEqual([leader.leading(), lease.spec()!.holderIdentity], [true, 'me']);
    assert.equal(lease.spec()!.leaseTransitions, 5);
    assert.deepEqual(changes, [true]);
  });

  it('waits for the duration that the Lease names', async () => {
    lease.write(others({ leaseDurationSeconds: 40 }));
    const leader = await start();
    await pass(39 * SECOND);
    assert.equal(leader.leading(), false);
    await pass(SECOND + A_RENEWAL_MS);
    assert.equal(leader.leading(), true);
  });

  it('stops leading 10 s after it sent the last successful renewal', async () => {
    const leader = await start();
    away();
    clocks.steady += 9_999;
    clocks.wall += 9_999;
    assert.equal(leader.leading(), true);
    leader.gate();
    clocks.steady += 1;
    clocks.wall += 1;
    assert.equal(leader.leading(), false);
    assert.throws(() => leader.gate(), NotLeader);
    await pass(SECOND);
    assert.deepEqual(changes, [true, false]);
    // The Lease still names this holder.
    lease.trouble(async () => {});
    await pass(A_RENEWAL_MS);
    assert.equal(leader.leading(), true);
    assert.deepEqual(changes, [true, false, true]);
    assert.equal(lease.spec()!.leaseTransitions, 0);
  });

  it('measures from when it sent a renewal, not from the reply', async () => {
    let answer: () => void = () => {};
    lease.trouble((verb) =>
      verb === 'create'
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : Promise.resolve(),
    );
    const leader = await start();
    await pass(4 * SECOND);
    away();
    answer();
    await settle();
    assert.equal(leader.leading(), true);
    clocks.steady += 5_999;
    assert.equal(leader.leading(), true);
    clocks.steady += 1;
    assert.equal(leader.leading(), false);
  });

  it('does not lead during a request that outlives the deadline', async () => {
    const leader = await start();
    lease.trouble(() => new Promise(() => {}));
    await pass(9 * SECOND);
    assert.deepEqual([leader.leading(), changes], [true, [true]]);
    await pass(1_500);
    assert.deepEqual([leader.leading(), changes], [false, [true, false]]);
    // Stopping would wait for that request, which never ends.
    leaders.splice(0);
  });

  for (const [what, by] of [
    ['a machine that has slept, whose steady clock stood still', 10 * SECOND],
    ['a wall clock that was set back', -10 * SECOND],
  ] as const)
    it(`ignores ${what}`, async () => {
      const leader = await start();
      away();
      clocks.wall += by;
      assert.equal(leader.leading(), false);
      assert.throws(() => leader.gate(), NotLeader);
    });

  it('stops leading as soon as the Lease names a new holder', async () => {
    const leader = await start();
    lease.write(others());
    await pass(A_RENEWAL_MS);
    assert.equal(leader.leading(), false);
    assert.deepEqual(changes, [true, false]);
    assert.equal(lease.spec()!.holderIdentity, 'another');
  });

  it('does not lead if a rival was faster, and does not report that as an error', async () => {
    lease.write(others({ holderIdentity: '' }));
    lease.trouble(async (verb) => {
      if (verb === 'replace') lease.write(others());
    });
    const leader = await start();
    assert.deepEqual([leader.leading(), changes, warnings], [false, [], []]);
    assert.equal(lease.spec()!.holderIdentity, 'another');
  });

  it('reports why it could not take the Lease', async () => {
    away(503);
    const leader = await start();
    assert.deepEqual([leader.leading(), changes, warnings], [false, [], ['status 503']]);
  });

  it('releases the Lease when it stops, so that the next replica leads at once', async () => {
    const leader = await start();
    await pass(30 * SECOND);
    await leader.stop();
    assert.equal(leader.leading(), false);
    const { holderIdentity, leaseDurationSeconds, leaseTransitions } = lease.spec()!;
    assert.deepEqual([holderIdentity, leaseDurationSeconds, leaseTransitions], ['', 1, 0]);
    const next = await start('the next');
    assert.deepEqual([next.leading(), lease.spec()!.leaseTransitions], [true, 1]);
    // The former leader does not renew any more.
    await pass(10 * SECOND);
    assert.equal(lease.spec()!.holderIdentity, 'the next');
  });

  it('does not release a rival’s Lease when it stops', async () => {
    const standby = await start();
    lease.write(others());
    await standby.stop();
    assert.equal(lease.spec()!.holderIdentity, 'another');
    const before = lease.asked.length;
    lease.write(others({ renewTime: '2026-03-01T12:00:00.000000Z' }));
    const waiting = await start('waiting');
    await waiting.stop();
    assert.deepEqual(lease.asked.slice(before), ['get']);
  });
});
