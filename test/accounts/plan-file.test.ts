import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { planVariables } from '../../src/accounts/config.ts';
import { BUILT_IN, type Plans, plansText } from '../../src/accounts/plans/plan-file.ts';
import { ConfigError, readVariables } from '../../src/config/variable.ts';

const EXAMPLES = new URL('../../docs/plans/', import.meta.url);
const example = (name: string) => plansText.parse(readFileSync(new URL(name, EXAMPLES), 'utf8'));
const windows = ({ list }: Plans) =>
  Object.fromEntries(list.map((plan) => [plan.name, plan.windows.map((window) => `${window.quota}/${window.name}`)]));

function faults(text: string): string[] {
  try {
    readVariables({ PLANS: text }, planVariables, () => []);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  return [];
}
const withPlan = (fields: string) =>
  faults(`default: pro\nplans: [{ name: pro, title: Pro${fields && `, ${fields}`} }]`);

describe('the plans file', () => {
  it('has a committed example with the built-in plans', () => {
    assert.deepEqual(example('default.yaml'), BUILT_IN);
  });

  it('is valid in both example forms from the specification', () => {
    assert.deepEqual(windows(example('per-second.yaml')), {
      free: ['500/month'],
      starter: ['5/burst'],
      pro: ['20/burst'],
      business: ['100/burst'],
    });
    assert.deepEqual(windows(example('per-day.yaml')), {
      trial: ['1000/day'],
      starter: ['50000/day'],
      pro: ['500000/day'],
      business: ['2000000/day'],
    });
  });

  it('gives publishable keys the plan’s windows, counted separately, and each address a share, unless the file sets these itself', () => {
    const [pro] = plansText.parse(
      'default: pro\nplans: [{ name: pro, title: Pro, windows: { burst: 5, day: 1001 } }]',
    ).list;
    assert.deepEqual(pro!.publishableWindows, pro!.windows);
    assert.deepEqual(pro!.publishablePerAddress, [
      { name: 'burst', quota: 3 },
      { name: 'day', quota: 101 },
    ]);
    const [other] = plansText.parse(
      'default: pro\nplans: [{ name: pro, title: Pro, windows: { day: 9 }, publishable_windows: { month: 500 }, publishable_per_address: {} }]',
    ).list;
    assert.deepEqual(other!.windows, [{ name: 'day', quota: 9 }]);
    assert.deepEqual(other!.publishableWindows, [{ name: 'month', quota: 500 }]);
    assert.deepEqual(other!.publishablePerAddress, []);
  });

  it('may be JSON, and PLANS_FILE sets its path', () => {
    const json = JSON.stringify({ default: 'one', plans: [{ name: 'one', title: 'One', windows: { month: 10 } }] });
    assert.deepEqual(windows(plansText.parse(json)), { one: ['10/month'] });
    const { plans } = readVariables(
      { PLANS_FILE: new URL('per-day.yaml', EXAMPLES).pathname },
      planVariables,
      () => [],
    );
    assert.equal(plans.default, 'trial');
  });

  it('is optional, and without it the built-in plans are offered', () => {
    assert.deepEqual(readVariables({}, planVariables, () => []).plans, BUILT_IN);
  });

  it('causes an error that names the plan and the field if a value is wrong', () => {
    assert.deepEqual(withPlan(''), []);
    for (const [fields, path, message] of [
      ['windows: { day: 0 }', 'windows.day', />=1|whole number/],
      ['windows: { day: 1.5 }', 'windows.day', /whole number/],
      ['windows: { day: "5" }', 'windows.day', /whole number/],
      ['windows: { burst: .inf }', 'windows.burst', /whole number/],
      ['windows: { hour: 5 }', 'windows', /hour/],
      ['publishable_windows: { day: 0 }', 'publishable_windows.day', />=1|whole number/],
      ['publishable_per_address: { second: 5 }', 'publishable_per_address', /second/],
      ['conections: 5', '', /conections/],
      ['price: { amount: -1, currency: RUB }', 'price.amount', />=0/],
      ['price: { amount: 1.999, currency: RUB }', 'price.amount', /two decimals/],
      ['price: { amount: 1, currency: rub }', 'price.currency', /ISO 4217/],
      ['price: 5', 'price', /expected object/],
      ['connections: -1', 'connections', />=0/],
      ['stream: yes', 'stream', /expected boolean/],
      ['access: { sports: [quidditch] }', 'access.sports.0', /must be a sport: football/],
      ['access: { sports: [], tournaments: [] }', 'access', /all, or|neither a sport/],
      ['access: some', 'access', /must be all, or/],
      ['access: { tournaments: [-1] }', 'access.tournaments.0', />=1/],
    ] as const) {
      const [fault, ...others] = withPlan(fields);
      assert.deepEqual(others, [], fields);
      assert.ok(fault?.startsWith(`PLANS.plans.pro${path && `.${path}`}: `), `${fields}: ${fault}`);
      assert.match(fault!, message, fields);
    }
  });

  it('is refused if it contradicts itself, is not YAML or is empty', () => {
    for (const [text, message] of [
      [
        'default: gold\nplans: [{ name: pro, title: Pro }]',
        /^PLANS.default: must be the name of one of the plans: pro$/,
      ],
      [
        'default: a\nplans: [{ name: a, title: A }, { name: a, title: B }]',
        /^PLANS.plans.a.name: is the name of several/,
      ],
      ['default: A b\nplans: [{ name: A b, title: A }]', /^PLANS.plans.A b.name: must be a lower-case letter/],
      ['default: a\nplans: []', /^PLANS.plans: has no plan/],
      ['default: a\nplans: [{ name: a, title: "  " }]', /^PLANS.plans.a.title: /],
      ['default: a\nplans: [{ name: a, title: "A\\r\\nB" }]', /^PLANS.plans.a.title: must not contain control/],
      ['plans: [{ title: A }]', /^PLANS.default: /],
      ['default: a\nplans: {', /^PLANS: not YAML: /],
      ['default: a\ndefault: b\nplans: [{ name: a, title: A }]', /^PLANS: not YAML: .*unique/],
      ['[]', /^PLANS: .*expected object/],
      ['5', /^PLANS: .*expected object/],
    ] as const) {
      assert.match(faults(text)[0] ?? 'none', message, text);
    }
    assert.match(faults('plans: [{ title: A }]').join('\n'), /PLANS.plans.0.name: /);
  });
});
