import assert from 'node:assert/strict';
import { type AdmitPost, createPostLimits } from '../../src/agents/post-limits.ts';
import type { Principal } from '../../src/http/auth.ts';
import { Problem } from '../../src/http/errors.ts';

const key = (kind: 'sk' | 'pk', accountId: number): Principal => ({
  kind,
  accountId,
  keyId: 1,
  plan: 'trial',
  awaitsVerification: false,
  origins: null,
  addresses: null,
  scopes: null,
  permissions: null,
});
const refuseToWait = async () => false;

describe('limits on POSTs to /mcp', () => {
  let now = 0;
  let admit: AdmitPost;
  beforeEach(() => {
    now = Date.parse('2026-03-01T12:00:00Z');
    admit = createPostLimits(() => now);
  });

  /** Sends `count` POSTs, and returns those that are admitted. */
  function admitted(count: number, principal: Principal, from: string) {
    return Array.from({ length: count }).flatMap(() => {
      try {
        return [admit(principal, from)];
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'rate_limited');
        assert.equal(error.options.headers?.['Retry-After'], '1');
        return [];
      }
    });
  }

  it('allow an account’s secret keys 20 POSTs in progress together, from any addresses, and allow one address 60', () => {
    const first = admitted(15, key('sk', 1), '192.0.2.1');
    assert.equal(first.length, 15);
    assert.equal(admitted(15, key('sk', 1), '192.0.2.2').length, 5);
    for (const account of [2, 3]) assert.equal(admitted(30, key('sk', account), '192.0.2.1').length, 20);
    assert.equal(admitted(30, key('sk', 4), '192.0.2.1').length, 5);
    assert.equal(admitted(1, key('sk', 4), '192.0.2.9').length, 1);
    for (const post of first) post.leave();
    assert.equal(admitted(30, key('sk', 1), '192.0.2.1').length, 15);
  });

  it('allow an account’s publishable keys 20 POSTs in progress from one address, and 60 from all addresses together', () => {
    for (const [from, most] of [
      ['192.0.2.1', 20],
      ['2001:db8:0:1::1', 20],
      ['2001:db8:0:1:ffff::1', 0],
      ['192.0.2.3', 20],
      ['192.0.2.4', 0],
    ] as const)
      assert.equal(admitted(30, key('pk', 1), from).length, most, from);
    assert.equal(admitted(30, key('sk', 1), '192.0.2.4').length, 20);
  });

  it('allow 1,200 POSTs a minute, and a tool list counts as ten', async () => {
    const post = admit(key('sk', 1), '192.0.2.1');
    for (let n = 0; n < 1_190; n += 1) await post.begin(refuseToWait);
    await post.list(refuseToWait);
    await assert.rejects(post.begin(refuseToWait), /1200 POSTs in 60 s/);
    // Waits if the test allows it.
    const wait = async (ms: number) => {
      now += ms;
      return true;
    };
    await post.list(wait);
    assert.equal(now, Date.parse('2026-03-01T12:00:01Z'));
    await assert.doesNotReject(admit(key('sk', 2), '192.0.2.1').begin(refuseToWait));
  });
});
