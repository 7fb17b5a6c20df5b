import assert from 'node:assert/strict';
import type { Principal } from '../../src/http/auth.ts';
import { Problem } from '../../src/http/errors.ts';
import { createFreeWindows, type FreeWindows } from '../../src/http/uncharged-limits.ts';

const KIB = 1_024;
const account = { path: '/v1/account/audit', access: 'account' } as const;
const page = { path: '/account/keys/{id}', access: 'visitor' } as const;

const key = (kind: 'sk' | 'pk', accountId: number): Principal => ({
  kind,
  accountId,
  keyId: 1,
  plan: 'pro',
  awaitsVerification: false,
  origins: null,
  addresses: null,
  scopes: null,
  permissions: null,
});
const member = (accountId: number): Principal => ({
  kind: 'member',
  role: 'owner',
  permissions: new Set(),
  accountId,
  memberId: 1,
  email: 'ann@example.com',
  plan: 'pro',
  awaitsVerification: false,
  isOperator: false,
  hasSecondFactor: false,
  language: null,
  confirmedAt: null,
  provedAt: 0,
  sessionHash: Buffer.alloc(32),
});

describe('request windows outside the plans', () => {
  let now = 0;
  let windows: FreeWindows;
  beforeEach(() => {
    now = Date.parse('2026-03-01T12:00:00Z');
    windows = createFreeWindows(() => now);
  });

  /** Returns how many of `times` requests are admitted, and the longest wait in seconds for the rest. */
  function enter(times: number, route: Parameters<FreeWindows['enter']>[0], principal: Principal | null, from = '::1') {
    let entered = 0;
    let wait = 0;
    for (let n = 0; n < times; n += 1)
      try {
        windows.enter(route, principal, () => from);
        entered += 1;
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'rate_limited');
        wait = Number(error.options.headers?.['Retry-After']);
      }
    return [entered, wait];
  }
  /** Returns how many of `times` 304 replies are free. */
  const free = (times: number, principal: Principal, bytes: number, from = '192.0.2.7') =>
    Array.from({ length: times }, () => windows.isUnchangedFree(principal, bytes, () => from)).filter(Boolean).length;

  it('allow an account 600 requests a minute by its members, in the API and on the pages together, and 600 with its keys', () => {
    assert.deepEqual(enter(300, account, member(3)), [300, 0]);
    assert.deepEqual(enter(350, page, member(3)), [300, 1]);
    assert.deepEqual(enter(700, account, key('sk', 3)), [600, 1]);
    assert.deepEqual(enter(1, account, key('sk', 4)), [1, 0]);
    now += 60_000;
    assert.deepEqual(enter(700, account, key('sk', 3)), [600, 1]);
  });

  it('allow 300 requests a minute from an address, or an IPv6 /64, that has not signed in', () => {
    assert.deepEqual(enter(400, page, null, '192.0.2.7'), [300, 1]);
    assert.deepEqual(enter(400, page, null, '192.0.2.8'), [300, 1]);
    assert.deepEqual(enter(200, page, null, '2001:db8:0:1::1'), [200, 0]);
    assert.deepEqual(enter(200, page, null, '2001:db8:0:1:ffff::1'), [100, 1]);
    assert.deepEqual(enter(1, { path: '/v1/account', access: 'public' }, null, '192.0.2.7'), [0, 1]);
  });

  it('do not count requests charged to a plan, or requests that do not concern accounts', () => {
    const data = { path: '/v1/events', access: 'key' } as const;
    for (const principal of [key('sk', 3), key('pk', 3)]) assert.deepEqual(enter(1_000, data, principal), [1_000, 0]);
    assert.deepEqual(enter(1_000, { path: '/v1/accounting', access: 'public' }, null), [1_000, 0]);
  });

  it('allow 3,000 replies with 304 a minute, or fewer with large bodies, because each 64 KiB counts as one reply', () => {
    assert.equal(free(4_000, key('sk', 3), 100), 3_000);
    assert.equal(free(100, key('sk', 4), 64 * KIB * 100), 30);
    assert.equal(free(4_000, key('sk', 5), 64 * KIB), 3_000);
    assert.equal(free(4_000, key('sk', 6), 64 * KIB + 1), 1_500);
    // A body that is larger than the whole window is never free, even with status 304.
    assert.equal(free(1, key('sk', 7), 64 * KIB * 3_001), 0);
    now += 30_000;
    assert.equal(free(4_000, key('sk', 3), 100), 1_500);
  });

  it('keep a visitor with a publishable key from using up anybody else’s free replies', () => {
    assert.equal(free(4_000, key('pk', 3), 100, '192.0.2.7'), 3_000);
    assert.equal(free(10, key('pk', 3), 100, '192.0.2.8'), 10);
    assert.equal(free(10, key('sk', 3), 100, '192.0.2.7'), 10);
  });
});
