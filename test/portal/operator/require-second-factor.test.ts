import assert from 'node:assert/strict';
import { deleteAccount, suspendAccount } from '../../../src/accounts/accounts.ts';
import { setOperator } from '../../../src/accounts/members/operators.ts';
import { operatorPages } from '../../../src/portal/operator/routes.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../../support/account-app.ts';
import { type OperatorSession, startOperator, turnOnSecondFactor } from '../../support/operator-session.ts';

const HOUR = 3_600_000;
/** Returns every page's path, with an id that exists. */
const targets = (id: number) =>
  operatorPages.map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, String(id)) }));

describe("access to operators' pages", function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let id: number;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    await accounts.signedUp('target@example.com', '192.0.2.50');
    id = await accountId('target@example.com');
  });
  after(() => accounts.close());

  async function accountId(email: string): Promise<number> {
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM account WHERE email = $1', [email]);
    return rows[0]!.id;
  }
  const visitAll = async (visitor: Visitor, headers: Record<string, string> = {}) => {
    const statuses = new Map<string, number>();
    for (const { method, path } of targets(id)) {
      const visit = await (method === 'GET' ? visitor.get(path, headers) : visitor.post(path, {}, headers));
      statuses.set(`${method} ${path}`, visit.status);
      assert.ok(!visit.text.includes('target@example.com'), path);
    }
    return [...new Set(statuses.values())];
  };

  it('is refused with 404 for strangers, members and keys, and for forms from other sites', async () => {
    const { visitor: member, key } = await accounts.verified('member@example.com', '192.0.2.51');
    assert.ok(operatorPages.length > 15);
    assert.deepEqual(await visitAll(accounts.visitor()), [404]);
    assert.deepEqual(await visitAll(accounts.visitor(), { 'X-API-Key': key }), [404]);
    assert.deepEqual(await visitAll(member), [404]);
    await turnOnSecondFactor(accounts, member);
    assert.deepEqual(await visitAll(member), [404], 'with a second factor');
    for (const Origin of ['https://evil.example.com', 'null']) {
      assert.deepEqual(await visitAll(member, { Origin }), [404]);
      for (const { method, path } of targets(id))
        if (method === 'POST')
          assert.equal((await operator.visitor.post(path, {}, { Origin })).status, 403, `${path} ${Origin}`);
    }
    assert.doesNotMatch((await member.get('/account')).text, /operator/);
    assert.match((await operator.visitor.get('/account')).text, /href="\/operator"/);
  });

  it('leads an operator without a second factor only to the page that sets it up', async () => {
    const { visitor } = await accounts.verified('bare@example.com', '192.0.2.52');
    await setOperator(accounts.pool, accounts.clock, 'bare@example.com', true);
    assert.deepEqual(await visitAll(visitor), [303]);
    for (const { method, path } of targets(id)) {
      const { location } = await (method === 'GET'
        ? visitor.get(path)
        : visitor.post(path, { confirm_code: '000000' }));
      assert.equal(location, '/account/security?done=operator', path);
    }
    assert.match((await visitor.get('/account/security?done=operator')).text, /need a second factor/);
    await turnOnSecondFactor(accounts, visitor);
    assert.equal((await visitor.get('/operator')).status, 200, 'the code that turned it on counts');
  });

  it('requires a code from a session that has not entered one yet', async () => {
    const { visitor: first } = await accounts.verified('two@example.com', '192.0.2.53');
    await setOperator(accounts.pool, accounts.clock, 'two@example.com', true);
    const code = await turnOnSecondFactor(accounts, first);
    const second = accounts.visitor('192.0.2.54');
    await second.post('/account/sign-in', { email: 'two@example.com', password: PASSWORD });
    await second.post('/account/code', { code: code() });
    // A session that an earlier version has created, without a second factor code.
    await accounts.pool.query("UPDATE member_session SET confirmed_at = NULL WHERE address = '192.0.2.54'");
    assert.equal((await second.get('/operator/audit')).location, '/operator/code?next=%2Foperator%2Faudit');
    assert.match((await second.get('/operator/code?next=%2Foperator%2Faudit')).text, /value="\/operator\/audit"/);
    const wrong = await second.post('/operator/code', { confirm_code: '000000', next: '/operator/audit' });
    assert.equal(wrong.status, 422);
    assert.equal((await second.get('/operator')).status, 303);
    const right = await second.post('/operator/code', { confirm_code: code(), next: '/operator/audit' });
    assert.equal(right.location, '/operator/audit');
    assert.equal((await second.get('/operator/audit')).status, 200);
  });

  it('requires a code again after 12 hours, and a form that waits for the code keeps its input', async () => {
    const visitor = await operator.signIn();
    accounts.clock.advance(12 * HOUR - 1_000);
    assert.equal((await visitor.get('/operator')).status, 200);
    accounts.clock.advance(1_000);
    assert.equal((await visitor.get('/operator')).location, '/operator/code?next=%2Foperator');
    const path = `/operator/accounts/${id}/plan`;
    const asked = await visitor.post(path, { plan: 'pro', note: '"><script>alert(1)</script>' });
    assert.equal(asked.status, 403);
    assert.match(asked.text, new RegExp(`action="${path}"[\\s\\S]*name="plan" value="pro"`));
    assert.ok(!asked.text.includes('<script>alert'));
    const readPlan = async () =>
      (await accounts.pool.query('SELECT plan FROM account WHERE id = $1', [id])).rows[0].plan as string;
    const wrong = await visitor.post(path, { plan: 'pro', confirm_code: '000000' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /name="plan" value="pro"/);
    assert.equal(await readPlan(), 'trial');
    const code = operator.code();
    const done = await visitor.post(path, { plan: 'pro', confirm_code: code });
    assert.equal(done.location, `/operator/accounts/${id}?done=plan`);
    assert.equal(await readPlan(), 'pro');
    assert.equal((await visitor.get('/operator')).status, 200);
    accounts.clock.advance(12 * HOUR);
    const again = await visitor.post(path, { plan: 'trial', confirm_code: code });
    assert.equal(again.status, 422, 'a code that was used');
  });

  it("does not allow codes to be guessed, and redirects only to operators' pages", async () => {
    const { visitor: prey } = await accounts.verified('prey@example.com', '192.0.2.55');
    await setOperator(accounts.pool, accounts.clock, 'prey@example.com', true);
    const code = await turnOnSecondFactor(accounts, prey);
    accounts.clock.advance(13 * HOUR);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1)
      statuses.push((await prey.post('/operator/code', { confirm_code: `00000${i}`, next: '/operator' })).status);
    assert.equal(statuses.filter((status) => status === 422).length, 6);
    assert.deepEqual(statuses.slice(-2), [429, 429]);
    accounts.clock.advance(HOUR);
    for (const next of ['https://evil.example.com', '//evil.example.com', '/operator/../account', '/account']) {
      const form = await prey.get(`/operator/code?next=${encodeURIComponent(next)}`);
      assert.match(form.text, /name="next" value="\/operator"/, next);
    }
    const entered = await prey.post('/operator/code', { confirm_code: code(), next: '//evil.example.com' });
    assert.equal(entered.location, '/operator');
    const { rows } = await accounts.pool.query(
      "SELECT e.action FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = 'prey@example.com' AND action LIKE 'member.code%'",
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      [...Array<string>(6).fill('member.code_failed'), 'member.code_confirmed'],
    );
  });

  it('ends with the next request if the role is revoked or the account is suspended or deleted', async () => {
    const left = await startOperator(accounts, 'left@example.com');
    assert.equal((await left.visitor.get('/operator')).status, 200);
    assert.ok((await setOperator(accounts.pool, accounts.clock, 'left@example.com', false)) > 0);
    assert.deepEqual(await visitAll(left.visitor), [404]);
    assert.equal((await left.visitor.get('/account')).status, 200, 'the account is as before');

    await setOperator(accounts.pool, accounts.clock, 'LEFT@example.com', true);
    assert.equal((await left.visitor.get('/operator')).status, 200);
    await suspendAccount(accounts.pool, accounts.clock, 'left@example.com', true);
    assert.deepEqual(await visitAll(left.visitor), [404]);
    await suspendAccount(accounts.pool, accounts.clock, 'left@example.com', false);
    assert.deepEqual(await visitAll(left.visitor), [404], 'the session has ended');

    const gone = await startOperator(accounts, 'gone@example.com');
    await deleteAccount(accounts.pool, 'gone@example.com');
    assert.deepEqual(await visitAll(gone.visitor), [404]);
  });

  it('ends for a session that had entered a code if the second factor is turned off', async () => {
    const weak = await startOperator(accounts, 'weak@example.com');
    await accounts.pool.query("UPDATE member SET totp_secret = NULL WHERE email = 'weak@example.com'");
    assert.equal((await weak.visitor.get('/operator')).location, '/account/security?done=operator');
  });

  it('is recorded in the account’s audit log, once for each grant, with the number of operators that remain', async () => {
    await accounts.signedUp('granted@example.com', '192.0.2.56');
    await accounts.pool.query('UPDATE member SET operator_since = NULL');
    const set = (email: string, isOperator: boolean) => setOperator(accounts.pool, accounts.clock, email, isOperator);
    assert.deepEqual([await set('granted@example.com', true), await set('granted@example.com', true)], [1, 1]);
    assert.equal(await set('granted@example.com', false), 0, 'the last one');
    const { rows } = await accounts.pool.query(
      "SELECT e.action, e.actor, e.by_operator FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = 'granted@example.com' AND action LIKE 'member.operator%' ORDER BY e.id",
    );
    assert.deepEqual(rows, [
      { action: 'member.operator_granted', actor: 'operator', by_operator: true },
      { action: 'member.operator_revoked', actor: 'operator', by_operator: true },
    ]);
    await assert.rejects(set('nobody@example.com', true), /there is no account nobody@example\.com/);
    await accounts.pool.query("INSERT INTO account (email, created_at) VALUES ('empty@example.com', now())");
    await assert.rejects(set('empty@example.com', true), /nobody can sign in as empty@example\.com yet/);
  });
});
