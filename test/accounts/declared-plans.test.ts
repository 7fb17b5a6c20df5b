import assert from 'node:assert/strict';
import { Command } from 'commander';
import { changePlan, createAccount } from '../../src/accounts/accounts.ts';
import { addAccountCommands } from '../../src/accounts/command.ts';
import { declarePlan, readDeclaredPlans, withdrawPlan } from '../../src/accounts/plans/declared-plans.ts';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import type { Queryable } from '../../src/db/postgres.ts';
import { Problem } from '../../src/http/errors.ts';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { startAccountApp } from '../support/account-app.ts';
import { createInvitation, createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const CONFIGURED = plansText.parse(
  'default: basic\nplans: [{ name: basic, title: Basic }, { name: pro, title: Pro, price: { amount: 10, currency: EUR } }]',
);
const GOLD = {
  name: 'gold',
  title: 'Gold',
  price: { amount: 25, currency: 'EUR' },
  windows: { burst: 3, day: 100 },
  stream: true,
};
const isProblem = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && text.test(error.message);

describe('declared plans', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  afterEach(() => db.pool.query('DELETE FROM api_key; DELETE FROM account; DELETE FROM declared_plan'));

  const declare = (definition: unknown, configured = CONFIGURED) =>
    declarePlan({ pool: db.pool, clock, configured }, definition);
  const withdraw = (name: string, configured = CONFIGURED) => withdrawPlan({ pool: db.pool, configured }, name);
  async function offered(warnings: object[] = [], configured = CONFIGURED): Promise<OfferedPlans> {
    const plans = new OfferedPlans(configured, { warn: (line: object) => warnings.push(line) });
    await plans.refresh(db.pool);
    return plans;
  }
  const store = (name: string, definition: object) =>
    db.pool.query('INSERT INTO declared_plan (name, definition, changed_at) VALUES ($1, $2, now())', [
      name,
      JSON.stringify(definition),
    ]);

  it('are offered after the configured ones, by price and name, and stay the same objects until they change', async () => {
    const plans = await offered();
    assert.deepEqual(plans.names, ['basic', 'pro']);
    for (const [name, amount] of [
      ['zinc', 5],
      ['gold', 25],
      ['air', 5],
    ] as const)
      assert.equal(await declare({ ...GOLD, name, price: { amount, currency: 'EUR' } }), true);
    await plans.refresh(db.pool);
    assert.deepEqual(plans.names, ['basic', 'pro', 'air', 'zinc', 'gold']);
    assert.deepEqual(
      plans.names.map((name) => plans.isDeclared(name)),
      [false, false, true, true, true],
    );
    const before = [...plans.list];
    await plans.refresh(db.pool);
    assert.equal(await declare({ ...GOLD, name: 'air', price: { amount: 5, currency: 'EUR' } }), false);
    assert.equal(await declare({ ...GOLD, windows: { burst: 4 } }), true);
    await plans.refresh(db.pool);
    assert.deepEqual(
      plans.list.map((plan, index) => plan === before[index]),
      [true, true, true, true, false],
    );
    assert.deepEqual(plans.named('gold').windows, [{ name: 'burst', quota: 4 }]);
    await withdraw('air');
    await plans.refresh(db.pool);
    assert.deepEqual(plans.names, ['basic', 'pro', 'zinc', 'gold']);
    assert.equal(await withdraw('air'), false);
  });

  it('cannot have a name in PLANS_FILE, or a wrong definition', async () => {
    await assert.rejects(
      declare({ ...GOLD, name: 'pro' }),
      isProblem('invalid_parameter', /names in PLANS_FILE cannot be resources/),
    );
    const wrong: [unknown, RegExp][] = [
      [null, /plan: /],
      ['gold', /plan: /],
      [[GOLD], /plan: /],
      [{ ...GOLD, name: 'Gold' }, /name: must be a lower-case letter/],
      [{ ...GOLD, name: '__proto__' }, /name: must be a lower-case letter/],
      [{ ...GOLD, name: `a${'b'.repeat(40)}` }, /name: /],
      [{ ...GOLD, title: 'Go\u0000ld' }, /title: must not contain control characters/],
      [{ ...GOLD, title: 'Go\u001b[31mld' }, /title: must not contain control characters/],
      [{ ...GOLD, title: ' ' }, /title: /],
      [{ ...GOLD, title: 'x'.repeat(1_000_000) }, /title: /],
      [{ ...GOLD, price: { amount: -1, currency: 'EUR' } }, /price\.amount: /],
      [{ ...GOLD, price: { amount: 1, currency: 'eur' } }, /price\.currency: /],
      [{ ...GOLD, windows: { day: 1e300 } }, /windows\.day: /],
      [{ ...GOLD, windows: { day: 2 ** 53 } }, /windows\.day: /],
      [{ ...GOLD, windows: { day: 0 } }, /windows\.day: /],
      [{ ...GOLD, windows: { burst: 1_000_001 } }, /windows\.burst: /],
      [{ ...GOLD, windows: { week: 7 } }, /windows: /],
      [{ ...GOLD, connections: -1 }, /connections: /],
      [{ ...GOLD, access: { sports: ['chess'] } }, /access\.sports\.0: must be a sport/],
      [{ ...GOLD, access: {} }, /names neither a sport nor a tournament/],
      [{ ...GOLD, operator: true }, /operator/],
    ];
    for (const [definition, text] of wrong)
      await assert.rejects(declare(definition), isProblem('invalid_parameter', text), JSON.stringify(definition));
    assert.deepEqual(await readDeclaredPlans(db.pool), []);
  });

  it('are at most 100 with the configured ones, also if many are declared at the same time', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 120 }, (_, index) => declare({ name: `plan-${index}`, title: 'Many' })),
    );
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.equal(refused.length, 22);
    for (const reason of refused) assert.ok(isProblem('conflict', /There are already 100 plans/)(reason));
    const [first] = await readDeclaredPlans(db.pool);
    assert.equal(await declare({ name: first!.name, title: 'Another title' }), true);
  });

  it('are written once if the same definition is declared twice at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const burst = round + 1;
      const results = await Promise.all([1, 2, 3].map(() => declare({ ...GOLD, windows: { burst } })));
      assert.deepEqual(results.filter(Boolean), [true]);
    }
    await Promise.all([1, 2].map((connections) => declare({ ...GOLD, connections })));
    const [{ plan } = { plan: null }] = await readDeclaredPlans(db.pool);
    assert.ok([1, 2].includes(plan?.connections ?? 0));
  });

  it('cannot be withdrawn while accounts are on them', async () => {
    await declare(GOLD);
    const plans = await offered();
    for (const email of ['a@example.com', 'b@example.com'])
      await createAccount({ pool: db.pool, clock, plans }, { email, plan: 'gold' });
    await assert.rejects(withdraw('gold'), isProblem('conflict', /^2 accounts are on the plan$/));
    await changePlan({ pool: db.pool, clock, plans }, 'a@example.com', 'basic');
    await assert.rejects(withdraw('gold'), isProblem('conflict', /^1 account is on the plan$/));
    await changePlan({ pool: db.pool, clock, plans }, 'b@example.com', 'basic');
    assert.equal(await withdraw('gold'), true);
    // The plans in memory still have it, but the database decides.
    assert.ok(plans.has('gold'));
    const input = { email: 'c@example.com', plan: 'gold' };
    await assert.rejects(
      changePlan({ pool: db.pool, clock, plans }, 'a@example.com', 'gold'),
      isProblem('invalid_parameter', /must be one of/),
    );
    await assert.rejects(createAccount({ pool: db.pool, clock, plans }, input), isProblem('invalid_parameter', /./));
    await assert.rejects(createKey(db.pool, clock, input, plans), isProblem('invalid_parameter', /./));
    assert.equal((await db.pool.query("SELECT FROM account WHERE email = 'c@example.com'")).rowCount, 0);
  });

  it('get no account when they are withdrawn at the same moment', async () => {
    const plans = await offered();
    await createAccount({ pool: db.pool, clock, plans }, { email: 'a@example.com' });
    for (let round = 0; round < 20; round += 1) {
      await declare(GOLD);
      const email = `new-${round}@example.com`;
      const work = [
        () => withdraw('gold'),
        () => changePlan({ pool: db.pool, clock, plans }, 'a@example.com', 'gold'),
        () => createAccount({ pool: db.pool, clock, plans }, { email, plan: 'gold' }),
        () => createKey(db.pool, clock, { email: `key-${round}@example.com`, plan: 'gold' }, plans),
      ];
      if (round % 2 === 1) work.reverse();
      await Promise.allSettled(work.map((one) => one()));
      const { rows } = await db.pool.query(
        "SELECT EXISTS (SELECT FROM declared_plan) AS declared, count(*)::int AS accounts FROM account WHERE plan = 'gold'",
      );
      assert.equal(rows[0].declared, rows[0].accounts > 0, JSON.stringify(rows[0]));
      await db.pool.query("UPDATE account SET plan = 'basic'; DELETE FROM declared_plan");
    }
  });

  it('are left out with one warning if this version cannot read them, or if PLANS_FILE has the name', async () => {
    await store('gold', GOLD);
    await store('newer', { name: 'newer', title: 'Newer', burst_credit: 3 });
    await store('odd', 'text' as never);
    await store('pro', { ...GOLD, name: 'pro', title: 'Shadow' });
    const warnings: object[] = [];
    const plans = await offered(warnings);
    await declare({ ...GOLD, title: 'Golden' });
    await plans.refresh(db.pool);
    assert.deepEqual(warnings, [{ plan: 'newer' }, { plan: 'odd' }, { plan: 'pro' }]);
    assert.deepEqual(plans.names, ['basic', 'pro', 'gold']);
    assert.equal(plans.named('pro').title, 'Pro');
    await assert.rejects(
      createAccount({ pool: db.pool, clock, plans }, { email: 'a@example.com', plan: 'newer' }),
      isProblem('invalid_parameter', /must be one of basic, pro, gold/),
    );
    // Accounts on the configured plan do not keep the declared one.
    await createAccount({ pool: db.pool, clock, plans }, { email: 'a@example.com', plan: 'pro' });
    assert.equal(await withdraw('pro'), true);
    assert.equal(await withdraw('newer'), true);
  });

  it('stay as they were last read while the database cannot be read, and follow it afterwards', async () => {
    await declare(GOLD);
    const plans = await offered();
    let isAway = true;
    let failures = 0;
    const query = (text: string) => {
      if (!isAway) return db.pool.query(text);
      failures += 1;
      return Promise.reject(new Error('away'));
    };
    const silent = { error: () => {}, info: () => {} };
    const following = plans.follow({ query } as Queryable, silent, 1);
    try {
      await until('reads have failed', () => failures > 3);
      await withdraw('gold');
      assert.deepEqual(plans.names, ['basic', 'pro', 'gold']);
      isAway = false;
      await until('the plan is gone', () => !plans.has('gold'));
    } finally {
      await following.stop();
    }
  });

  it('are read at once if an account is on a plan that this process does not know', async () => {
    const plans = await offered();
    let reads = 0;
    const query = async (text: string) => {
      const result = await db.pool.query(text);
      reads += 1;
      return result;
    };
    const following = plans.follow({ query } as Queryable, { error: () => {}, info: () => {} }, 600_000);
    try {
      await until('it has read once', () => reads === 1);
      await declare(GOLD);
      assert.equal(plans.named('gold').name, 'basic');
      await until('the plan is known', () => plans.named('gold').name === 'gold');
      for (let request = 0; request < 100; request += 1) assert.equal(plans.named('silver').name, 'basic');
      await until('it has read again', () => reads === 3);
    } finally {
      await following.stop();
    }
    assert.equal(reads, 3);
  });

  it('can be given to accounts by command, and are listed', async () => {
    await declare(GOLD);
    const plans = await offered();
    const lines: string[] = [];
    const run = async (...args: string[]) => {
      const program = new Command().exitOverride().configureOutput({ writeErr: (text) => lines.push(text) });
      addAccountCommands(
        program,
        (work) => work(db.pool, plans),
        (line) => lines.push(line),
      );
      await program.parseAsync(args, { from: 'user' });
    };
    await run('account', 'create', 'a@example.com');
    await run('account', 'plan', 'a@example.com', 'gold');
    await run('plan', 'list');
    assert.deepEqual(lines.slice(1), [
      'a@example.com: basic -> gold',
      'basic* Basic, free, configured',
      'pro Pro, €10, configured',
      'gold Gold, €25, declared',
    ]);
    await assert.rejects(run('account', 'plan', 'a@example.com', 'silver'), /Allowed choices are basic, pro, gold\./);
    await assert.rejects(run('account', 'invite', '--plan', 'silver'), /Allowed choices/);
    await assert.rejects(run('key', 'create', '--account', 'b@example.com', '--plan', 'silver'), /Allowed choices/);
  });

  it('are replaced by the default plan if they are withdrawn before an invited person signs up', async () => {
    const accounts = await startAccountApp();
    try {
      const { pool } = accounts;
      const invited = async (email: string) => {
        const { token } = await createInvitation(pool, accounts.clock, { email, plan: 'gold' });
        return () =>
          accounts
            .visitor()
            .json('POST', '/v1/account', { email, password: 'a long enough phrase', invitation: token });
      };
      await declarePlan({ pool, clock, configured: CONFIGURED }, GOLD);
      const [early, late] = [await invited('early@example.com'), await invited('late@example.com')];
      assert.equal((await early()).status, 201);
      const withdrawing = () => withdrawPlan({ pool, configured: CONFIGURED }, 'gold');
      await assert.rejects(withdrawing(), isProblem('conflict', /^1 account is on the plan$/));
      await pool.query("UPDATE account SET plan = 'free'");
      await withdrawing();
      assert.equal((await late()).status, 201);
      const { rows } = await pool.query(
        "SELECT email, plan FROM account WHERE email <> 'tests@example.com' ORDER BY id",
      );
      assert.deepEqual(rows, [
        { email: 'early@example.com', plan: 'free' },
        { email: 'late@example.com', plan: 'trial' },
      ]);
    } finally {
      await accounts.close();
    }
  });
});
