import assert from 'node:assert/strict';
import { BUILT_IN, plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { filterKey, passes, within } from '../../src/events/filter.ts';
import { Problem } from '../../src/http/errors.ts';
import type { KeyPrincipal } from '../../src/http/key-cache.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';

const key = (plan: string, over: Partial<KeyPrincipal> = {}): KeyPrincipal => ({
  kind: 'sk',
  accountId: 3,
  keyId: 8,
  awaitsVerification: false,
  plan,
  addresses: null,
  origins: null,
  scopes: null,
  permissions: null,
  ...over,
});

describe('plans', () => {
  it('match the price list', () => {
    const listed = BUILT_IN_PLANS.list.map(({ name, windows, price }) => [
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
    assert.deepEqual(BUILT_IN_PLANS.names, ['free', 'trial', 'starter', 'pro', 'business']);
  });

  it('all have five connections and access to everything', () => {
    for (const plan of BUILT_IN_PLANS.list) {
      assert.equal(plan.connections, 5);
      assert.equal(plan.access, null);
    }
  });

  it('include streams and webhooks if they are pro or business', () => {
    const having = (channel: 'stream' | 'webhooks') =>
      BUILT_IN_PLANS.list.filter((plan) => plan[channel]).map(({ name }) => name);
    assert.deepEqual(
      [having('stream'), having('webhooks')],
      [
        ['pro', 'business'],
        ['pro', 'business'],
      ],
    );
    for (const name of ['pro', 'business']) assert.equal(BUILT_IN_PLANS.requireStream(key(name)).name, name);
    for (const name of ['free', 'trial', 'starter', 'gold', '__proto__']) {
      assert.throws(
        () => BUILT_IN_PLANS.requireStream(key(name)),
        (error) => error instanceof Problem && error.code === 'plan_required' && error.status === 402,
      );
    }
  });

  it('are treated as the first plan if they are unknown, and this is logged once', () => {
    const logged: object[] = [];
    const plans = new OfferedPlans(BUILT_IN, { warn: (line: object) => logged.push(line) });
    for (const name of ['constructor', 'gold', 'gold']) assert.equal(plans.named(name).name, 'free');
    assert.equal(plans.of(key('gold')).name, 'free');
    assert.deepEqual(logged, [
      { plan: 'constructor', treated_as: 'free' },
      { plan: 'gold', treated_as: 'free' },
    ]);
  });

  it('from a file replace the built-in plans, also for streams and webhooks', () => {
    const text =
      'default: all\nplans: [{ name: all, title: All, stream: true, webhooks: true, connections: 9 }, { name: none, title: None }]';
    const plans = new OfferedPlans(plansText.parse(text));
    assert.deepEqual(plans.names, ['all', 'none']);
    assert.equal(plans.connectionLimit(key('pro')).slots, 9);
    assert.equal(plans.requireStream(key('pro')).name, 'all');
    assert.throws(
      () => plans.requireStream(key('none')),
      /Streams and replay are included in the plan all, not in none/,
    );
    // All plans except the plan `none`.
    assert.deepEqual(plans.webhookPlans(), ['*', 'none']);
    assert.deepEqual(BUILT_IN_PLANS.webhookPlans(), ['pro', 'business']);
  });

  it('count streams for each account, and separately for the account’s publishable keys', () => {
    assert.deepEqual(BUILT_IN_PLANS.connectionLimit(key('pro')), { subject: 'account:3', slots: 5 });
    assert.deepEqual(BUILT_IN_PLANS.connectionLimit(key('pro', { keyId: 9 })), { subject: 'account:3', slots: 5 });
    assert.deepEqual(BUILT_IN_PLANS.connectionLimit(key('pro', { kind: 'pk' })), {
      subject: 'publishable:3',
      slots: 100,
    });
  });

  it('narrow a filter to what they allow', () => {
    const event = (sport: string, tournamentId: number) => ({
      sport,
      tournamentId,
      type: 'match.goal',
      envelope: '{}',
    });
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
