import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createAddressLimits } from '../../src/http/address-rate-limit.ts';
import { Problem } from '../../src/http/errors.ts';

const LIMIT = { requests: 4, seconds: 60 };

describe('limits by address', () => {
  let now = 0;
  const limits = () => {
    const { take } = createAddressLimits(() => now);
    return (address: string, what = 'page') => {
      try {
        take(what, address, LIMIT);
        return 'taken';
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'rate_limited');
        return Number(error.options.headers!['Retry-After']);
      }
    };
  };
  beforeEach(() => {
    now = 1_000_000;
  });

  it('a bucket has `burst` tokens and refills evenly over the window', () => {
    const take = limits();
    assert.deepEqual(
      Array.from({ length: 5 }, () => take('192.0.2.1')),
      ['taken', 'taken', 'taken', 'taken', 15],
    );
    now += 14_000;
    assert.equal(take('192.0.2.1'), 1);
    now += 1_000;
    assert.deepEqual([take('192.0.2.1'), take('192.0.2.1')], ['taken', 15]);
    now += 3_600_000;
    assert.deepEqual(Array.from({ length: 5 }, () => take('192.0.2.1')).at(-1), 15, 'not more than the window has');
  });

  it('each address and each page have a bucket of their own, and an IPv6 network counts as one address', () => {
    const take = limits();
    for (let count = 0; count < 4; count += 1) take('2001:db8:1:2::1');
    assert.equal(take('2001:db8:1:2:ffff::9'), 15);
    assert.equal(take('2001:db8:1:3::1'), 'taken');
    assert.equal(take('2001:db8:1:2::1', 'other page'), 'taken');
    for (let count = 0; count < 4; count += 1) take('198.51.100.7');
    assert.equal(take('::ffff:198.51.100.7'), 15, 'the same address');
    assert.equal(take('198.51.100.8'), 'taken');
    for (const unknown of ['', 'nonsense', '', 'x']) take(unknown);
    assert.equal(take('not an address'), 15, 'what is no address is one');
  });

  it('all addresses together have one additional limit', () => {
    const { takeInTotal } = createAddressLimits(() => now);
    for (let count = 0; count < 4; count += 1) takeInTotal('page', LIMIT);
    assert.throws(() => takeInTotal('page', LIMIT), /At most 4 requests in 60 s from all clients together/);
    takeInTotal('other page', LIMIT);
    now += 15_000;
    takeInTotal('page', LIMIT);
  });

  it('a clock that is set back neither removes nor adds tokens', () => {
    const take = limits();
    for (let count = 0; count < 4; count += 1) take('192.0.2.1');
    now -= 60_000;
    assert.equal(take('192.0.2.1'), 15);
    now += 15_000;
    assert.equal(take('192.0.2.2'), 'taken');
  });

  it('no window lets through more than twice the limit, in whatever order requests come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 200 }), (pauses) => {
        const take = limits();
        const taken: number[] = [];
        for (const pause of pauses) {
          now += pause;
          if (take('192.0.2.1') === 'taken') taken.push(now);
        }
        for (const start of taken)
          assert.ok(taken.filter((time) => time >= start && time < start + 60_000).length <= 2 * LIMIT.requests);
      }),
    );
  });
});
