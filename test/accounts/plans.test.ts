import assert from 'node:assert/strict';
import { BUILT_IN, plansText } from '../../src/accounts/plans/plan-file.ts';
import {
  connectionLimit,
  offeredPlans,
  offerPlans,
  planNamed,
  planNames,
  planOf,
  requireStream,
  webhookPlans,
} from '../../src/accounts/plans/plans.ts';
import { filterKey, passes, within } from '../../src/events/filter.ts';
import { Problem } from '../../src/http/errors.ts';
import type { KeyPrincipal } from '../../src/http/key-cache.ts';

const key = (plan: string, over: Partial<KeyPrincipal> = {}): KeyPrincipal => ({
  kind: 'sk',
  accountId: 3,
  keyId: 8,
  awaitsVerification: false,
  plan,
  addresses: null,
  origins: null,
  ...over,
});

describe('plans', () => {
  it('the plans match the price list', () => {
    const listed = offeredPlans().map(({ name, windows, price }) => [
      name,
      `${price.amount} ${price.currency}`,
      windows.map((window) => `${window.quota} a ${window.name}`).join(', '),
    ]);
    assert.deepEqual(listed, [
      ['free', '0 RUB', '2 a burst, 500 a month'],
      ['trial', '0 RUB', '2 a burst, 1000 a day'],
      ['starter', '4900 RUB', '5 a burst, 50000 a day'],
      ['pro', '19900 RUB', '20 a burst, 500000 a day'],
      ['business', '49900 RUB', '100 a burst, 2000000 a day'],
    ]);
    assert.deepEqual(planNames(), ['free', 'trial', 'starter', 'pro', 'business']);
  });

  it('every plan has five connections and access to everything', () => {
    for (const plan of offeredPlans()) {
      assert.equal(plan.connections, 5);
      assert.equal(plan.access, null);
    }
  });

  it('the plans pro and business have streams and webhooks', () => {
    const having = (channel: 'stream' | 'webhooks') =>
      offeredPlans()
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

  it('an unknown plan is treated as the first plan, which is logged once', () => {
    const logged: object[] = [];
    offerPlans(BUILT_IN, { warn: (line: object) => logged.push(line) });
    for (const name of ['constructor', 'gold', 'gold']) assert.equal(planNamed(name).name, 'free');
    assert.equal(planOf(key('gold')).name, 'free');
    assert.deepEqual(logged, [
      { plan: 'constructor', treated_as: 'free' },
      { plan: 'gold', treated_as: 'free' },
    ]);
  });

  it('the plans of a file replace the built-in ones, for streams and webhooks too', () => {
    after(() => offerPlans(BUILT_IN));
    const plans =
      'default: all\nplans: [{ name: all, title: All, stream: true, webhooks: true, connections: 9 }, { name: none, title: None }]';
    offerPlans(plansText.parse(plans));
    assert.deepEqual(planNames(), ['all', 'none']);
    assert.equal(connectionLimit(key('pro')).slots, 9);
    assert.equal(requireStream(key('pro')).name, 'all');
    assert.throws(() => requireStream(key('none')), /Streams and replay are included in the plan all, not in none/);
    // All plans except none.
    assert.deepEqual(webhookPlans(), ['*', 'none']);
    offerPlans(BUILT_IN);
    assert.deepEqual(webhookPlans(), ['pro', 'business']);
  });

  it('streams are counted per account, and per set of publishable keys', () => {
    assert.deepEqual(connectionLimit(key('pro')), { subject: 'account:3', slots: 5 });
    assert.deepEqual(connectionLimit(key('pro', { keyId: 9 })), { subject: 'account:3', slots: 5 });
    assert.deepEqual(connectionLimit(key('pro', { kind: 'pk' })), { subject: 'publishable:3', slots: 100 });
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
