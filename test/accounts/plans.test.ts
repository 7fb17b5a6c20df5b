import assert from 'node:assert/strict';
import { connectionLimit, PLANS, planNamed, planOf, requireStream } from '../../src/accounts/plans.ts';
import { filterKey, passes, within } from '../../src/events/filter.ts';
import type { Principal } from '../../src/http/auth.ts';
import { Problem } from '../../src/http/errors.ts';
import type { KeyPrincipal } from '../../src/http/key-cache.ts';

const key = (plan: string, over: Partial<KeyPrincipal> = {}): KeyPrincipal => ({
  kind: 'sk',
  accountId: 3,
  keyId: 8,
  plan,
  addresses: null,
  origins: null,
  ...over,
});
const visitor: Principal = { kind: 'session', sessionId: 'abc' };

describe('plans', () => {
  it('the plans are those of the price list', () => {
    const listed = Object.values(PLANS).map(({ name, windows, price }) => [
      name,
      price,
      windows.map((window) => `${window.quota} a ${window.name}`).join(', '),
    ]);
    assert.deepEqual(listed, [
      ['free', 0, '2 a burst, 500 a month'],
      ['trial', 0, '2 a burst, 1000 a day'],
      ['starter', 4_900, '5 a burst, 50000 a day'],
      ['pro', 19_900, '20 a burst, 500000 a day'],
      ['business', 49_900, '100 a burst, 2000000 a day'],
    ]);
    assert.deepEqual(Object.keys(PLANS), ['free', 'trial', 'starter', 'pro', 'business']);
  });

  it('every plan has five connections and access to everything', () => {
    for (const plan of Object.values(PLANS)) {
      assert.equal(plan.connections, 5);
      assert.equal(plan.access, null);
    }
  });

  it('the plans pro and business have streams and webhooks', () => {
    const having = (channel: 'stream' | 'webhooks') =>
      Object.values(PLANS)
        .filter((plan) => plan[channel])
        .map(({ name }) => name);
    assert.deepEqual(
      [having('stream'), having('webhooks')],
      [
        ['pro', 'business'],
        ['pro', 'business'],
      ],
    );
    for (const name of ['pro', 'business']) assert.equal(requireStream(key(name)).name, name);
    for (const name of ['free', 'trial', 'starter', 'gold', '__proto__']) {
      assert.throws(
        () => requireStream(key(name)),
        (error) => error instanceof Problem && error.code === 'plan_required' && error.status === 402,
      );
    }
  });

  it('an unknown plan is treated as free', () => {
    assert.equal(planNamed('constructor'), PLANS.free);
    assert.equal(planOf(key('gold')), PLANS.free);
  });

  it('our own pages may stream', () => {
    assert.equal(requireStream(visitor).connections, 5);
    assert.equal(planOf(visitor).webhooks, false);
  });

  it('streams are counted by account, by its publishable keys, and by session', () => {
    assert.deepEqual(connectionLimit(key('pro')), { subject: 'account:3', slots: 5 });
    assert.deepEqual(connectionLimit(key('pro', { keyId: 9 })), { subject: 'account:3', slots: 5 });
    assert.deepEqual(connectionLimit(key('pro', { kind: 'pk' })), { subject: 'publishable:3', slots: 100 });
    assert.deepEqual(connectionLimit(visitor), { subject: 'session:abc', slots: 5 });
  });

  it('a filter is narrowed to the access of the plan', () => {
    const event = (sport: string, tournamentId: number) => ({ sport, tournamentId, type: 'match.goal' });
    const filter = { sports: [], leagues: [1, 2], types: [] };
    assert.equal(within(filter, null), filter);
    const narrowed = within(filter, { sports: ['football'], tournaments: [2] });
    assert.ok(passes(narrowed, event('football', 1)));
    assert.ok(passes(narrowed, event('tennis', 2)));
    assert.ok(!passes(narrowed, event('tennis', 1)));
    assert.ok(!passes(narrowed, event('football', 3)));
    assert.ok(!passes(within(filter, { sports: [], tournaments: [] }), event('football', 1)));
    const keys = [filter, narrowed, within(filter, { sports: ['football'], tournaments: [] })].map(filterKey);
    assert.equal(new Set(keys).size, 3);
  });
});
