import assert from 'node:assert/strict';
import { type AccountApp, PASSWORD, startAccountApp, type Visit, type Visitor } from '../../support/account-app.ts';
import { type OperatorSession, startOperator, turnOnSecondFactor } from '../../support/operator-session.ts';

const OPERATOR = 'operator@example.com';

describe("operators' account pages", function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let owner: Visitor;
  let key: string;
  let email: string;
  let path: string;
  let people = 0;
  before(async () => {
    accounts = await startAccountApp();
    operator = await startOperator(accounts, OPERATOR);
  });
  beforeEach(async () => {
    people += 1;
    email = `owner${people}@example.com`;
    ({ visitor: owner, key } = await accounts.verified(email, `10.7.${people}.1`));
    path = `/operator/accounts/${await accountId(email)}`;
  });
  after(() => accounts.close());

  async function accountId(one: string): Promise<number> {
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM account WHERE email = $1', [one]);
    return rows[0]!.id;
  }
  /** Returns an account's newest audit entry. */
  async function lastEntry(of: string) {
    const { rows } = await accounts.pool.query(
      `SELECT e.action, e.actor, e.by_operator, e.address, e.target, e.details FROM audit_entry e JOIN account a ON a.id = e.account_id
       WHERE a.email = $1 ORDER BY e.id DESC LIMIT 1`,
      [of],
    );
    return rows[0];
  }
  async function isAudited(of: string, action: string, details: object = {}) {
    const entry = await lastEntry(of);
    assert.deepEqual(
      [entry.action, entry.actor, entry.by_operator, entry.address],
      [action, OPERATOR, true, '203.0.113.200'],
    );
    assert.deepEqual(entry.details, details);
  }
  const get = (target: string) => operator.visitor.get(target);
  const post = (target: string, form: Record<string, string> = {}) => operator.visitor.post(target, form);
  const isShown = ({ status, text }: Visit, pattern: RegExp, expected = 200) => {
    assert.equal(status, expected, text);
    assert.match(text, pattern);
  };
  const keyState = async () => {
    accounts.clock.advance(5_000);
    const { status, json } = await accounts.app.ask('/v1/account', { key });
    return status === 200 ? 'answered' : json.code;
  };
  const isOpen = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
  const emails = (text: string) => [...text.matchAll(/\/operator\/accounts\/\d+">([^<]+)</g)].map(([, one]) => one);

  it('can be searched by a part of the email address, and list the results in pages', async () => {
    await accounts.pool.query(
      "INSERT INTO account (email, plan, created_at) SELECT 'many' || n || '@paged.example', 'starter', now() FROM generate_series(1, 60) n",
    );
    const first = await get('/operator?email=PAGED');
    assert.equal(emails(first.text).length, 50);
    assert.equal(emails(first.text)[0], 'many60@paged.example', 'the newest first');
    const older = /href="([^"]+)">Older/.exec(first.text)![1]!.replaceAll('&amp;', '&');
    assert.deepEqual(emails((await get(older)).text).slice(-1), ['many1@paged.example']);
    assert.equal(emails((await get(older)).text).length, 10);
    assert.deepEqual(emails((await get('/operator?email=many7@')).text), ['many7@paged.example']);
    assert.equal(emails((await get('/operator?email=%25')).text).length, 0, 'no wildcard');
    assert.equal(emails((await get('/operator?plan=starter&email=')).text).length, 50);
    isShown(await get('/operator?email=nobody'), /There are no such accounts/);
    isShown(await get(`/operator?email=${encodeURIComponent('"><script>alert(1)</script>')}`), /no such accounts/);
    for (const wrong of ['before=x', 'before=-1', `email=${'x'.repeat(300)}`, 'email=%00'])
      assert.equal((await get(`/operator?${wrong}`)).status, 422, wrong);
    await accounts.pool.query("DELETE FROM account WHERE email LIKE '%@paged.example'");
  });

  it("show plan, state, keys and today's requests", async () => {
    const id = await accountId(email);
    await accounts.pool.query(
      `INSERT INTO account_usage VALUES ($1, '2026-03-01', 1, '/v1/events', 200, 1200, 1), ($1, '2026-03-01', 1, '/v1/events', 304, 34, 0),
         ($1, '2026-02-28', 1, '/v1/events', 200, 9999, 1)`,
      [id],
    );
    const { text } = await get(`/operator?email=${email}`);
    assert.match(
      text,
      new RegExp(
        `${email}</a></th>\\s*<td>Trial</td><td>active</td><td class="number">1</td>\\s*<td class="number">1,234</td>`,
      ),
    );
    const page = await get(path);
    isShown(page, /<dt>Requests today<\/dt><dd>1,234<\/dd>/);
    assert.ok(!page.text.includes(key) && page.text.includes(key.slice(-4)));
    assert.equal((await get('/operator/accounts/999999')).status, 404);
    assert.equal((await post('/operator/accounts/999999/suspend')).status, 404);
  });

  it('show an account and a key that resources declare, and refuse to change them with 409', async () => {
    const id = await accountId(email);
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM api_key WHERE account_id = $1', [id]);
    const keyId = rows[0]!.id;
    await accounts.pool.query(
      `INSERT INTO managed_resource (uid, kind, target, namespace, name, installation)
       VALUES ($1 || '-a', 'Account', $1, 'team-a', 'acme', 'sports/one'), ($1 || '-k', 'ApiKey', $2, 'team-a', 'backend', 'sports/one')`,
      [String(id), String(keyId)],
    );
    const page = await get(path);
    isShown(page, /<dt>Managed<\/dt><dd>by the cluster: Account acme in the namespace team-a\./);
    assert.doesNotMatch(page.text, /\/(suspend|delete|plan|revoke)"/);
    for (const [action, form] of [
      ['suspend', {}],
      ['plan', { plan: 'pro' }],
      ['delete', { email }],
    ] as const)
      isShown(await post(`${path}/${action}`, form), /Account acme in the namespace team-a: change it there/, 409);
    isShown(await post(`${path}/keys/${keyId}/revoke`), /ApiKey backend in the namespace team-a/, 409);
    assert.equal(await keyState(), 'answered');
    isShown(await owner.get('/account/keys'), /by the cluster/);
    isShown(await owner.get(`/account/keys/${keyId}`), /ApiKey <code>backend<\/code>/);
    await owner.post('/account/confirm', { confirm_password: PASSWORD });
    for (const action of ['', '/rotate', '/revoke'])
      isShown(
        await owner.post(`/account/keys/${keyId}${action}`, { name: 'x', overlap: '0' }),
        /ApiKey backend in the namespace team-a/,
        409,
      );
    const { json, status } = await owner.json('DELETE', `/v1/account/keys/${keyId}`);
    assert.deepEqual([status, json.code], [409, 'conflict']);
    const listed = (await owner.json('GET', `/v1/account/keys/${keyId}`)).json;
    assert.deepEqual(listed.managed, { namespace: 'team-a', name: 'backend' });
  });

  it('keep the address of an account that a resource declares, when the owner gets a new one', async () => {
    const id = await accountId(email);
    await accounts.pool.query(
      `INSERT INTO managed_resource (uid, kind, target, namespace, name, installation)
       VALUES ($1 || '-a', 'Account', $1, 'team-b', 'acme', 'sports/one')`,
      [String(id)],
    );
    const moved = `moved-${email}`;
    await owner.post('/account/confirm', { confirm_password: PASSWORD });
    await owner.post('/account/security/email', { email: moved });
    await owner.post('/account/address', { token: accounts.tokenFor(moved) });
    isShown(await owner.get('/account/security'), new RegExp(moved));
    const { rows } = await accounts.pool.query('SELECT email FROM account WHERE id = $1', [id]);
    assert.deepEqual(rows, [{ email }]);
  });

  it('change the plan, which takes effect and is recorded with the author in the account’s audit log', async () => {
    assert.equal((await post(`${path}/plan`, { plan: 'pro' })).location, `${path}?done=plan`);
    isShown(await get(`${path}?done=plan`), /The account has another plan[\s\S]*value="pro" selected/);
    await isAudited(email, 'account.plan_changed', { from: 'trial', to: 'pro' });
    for (const plan of ['gold', '', '<script>'])
      isShown(await post(`${path}/plan`, { plan }), /Plan: must be one of/, 422);
    isShown(await owner.get('/account/audit'), /operator@example\.com <span class="note">\(operator\)/);
    const { json } = await owner.json('GET', '/v1/account/audit?limit=1');
    assert.deepEqual([json.entries[0].actor, json.entries[0].by_operator], [OPERATOR, true]);
  });

  it('suspend an account, so that keys are refused and sessions end, and lift the suspension', async () => {
    assert.equal((await post(`${path}/suspend`)).location, `${path}?done=suspended`);
    await isAudited(email, 'account.suspended', { sessions_ended: 1 });
    assert.deepEqual([await keyState(), await isOpen(owner)], ['key_not_permitted', false]);
    isShown(await get(path), /Suspended since[\s\S]*Lift the suspension[\s\S]*Nobody is signed in/);
    assert.equal((await post(`${path}/lift`)).location, `${path}?done=lifted`);
    await isAudited(email, 'account.resumed');
    assert.deepEqual([await keyState(), await isOpen(owner)], ['answered', false]);
  });

  it('end sessions one at a time from either list, or all at once', async () => {
    const more = [accounts.visitor(), accounts.visitor(), accounts.visitor()] as const;
    for (const visitor of more) await visitor.post('/account/sign-in', { email, password: PASSWORD });
    const end = /action="([^"]+\/sessions\/\d+\/end)"/;
    const newest = end.exec((await get(path)).text)![1]!;
    const { visitor: other } = await accounts.signedUp(`other${people}@example.com`, '10.8.0.1');
    const wrong = newest.replace(/accounts\/\d+/, `accounts/${await accountId(`other${people}@example.com`)}`);
    isShown(await post(wrong), /There is no session/, 404);
    assert.equal((await post(newest)).location, `${path}?done=session-ended`);
    const entry = await lastEntry(email);
    assert.deepEqual([entry.action, entry.actor, entry.by_operator], ['member.session_ended', OPERATOR, true]);
    assert.match(entry.target, /^session \d+$/);

    const listed = await get(`/operator/sessions?email=${email}`);
    assert.equal([...listed.text.matchAll(/sessions\/\d+\/end"/g)].length, 3);
    assert.equal((await post(end.exec(listed.text)![1]!)).location, '/operator/sessions?done=ended');
    assert.equal((await post('/operator/sessions/999999/end')).status, 404);
    assert.equal((await post(`${path}/sessions/end`)).location, `${path}?done=sessions-ended`);
    await isAudited(email, 'member.sessions_ended', { sessions: 2 });
    for (const visitor of [owner, ...more]) assert.equal(await isOpen(visitor), false);
    assert.ok(await isOpen(other));
  });

  it('revoke a key only if this account owns it', async () => {
    const revoke = /action="([^"]+\/keys\/\d+\/revoke)"/.exec((await get(path)).text)![1]!;
    const foreign = revoke.replace(/accounts\/\d+/, `accounts/${await accountId(OPERATOR)}`);
    isShown(await post(foreign), /There is no key/, 404);
    assert.equal(await keyState(), 'answered');
    assert.equal((await post(revoke)).location, `${path}?done=revoked`);
    await isAudited(email, 'key.revoked');
    assert.equal(await keyState(), 'key_revoked');
    assert.doesNotMatch((await get(path)).text, /\/revoke"/);
  });

  it('send or show a single-use link to set a password, which may also remove the second factor', async () => {
    const sent = accounts.letters.length;
    assert.equal((await post(`${path}/reset`, { how: 'send' })).location, `${path}?done=sent`);
    assert.deepEqual([accounts.letters.length, accounts.letters.at(-1)!.to], [sent + 1, email]);
    await isAudited(email, 'member.reset_link_created', { second_factor_removed: false });
    assert.ok(await isOpen(owner));
    await turnOnSecondFactor(accounts, owner);
    const shown = await post(`${path}/reset`, { how: 'show', second_factor: 'remove' });
    isShown(shown, /Whoever has this link/);
    const token = /token=([\w-]{43})/.exec(shown.text)![1]!;
    assert.equal(await isOpen(owner), false);
    await isAudited(email, 'member.reset_link_created', { second_factor_removed: true });
    const visitor = accounts.visitor('10.9.0.1');
    const use = { token, password: 'a fresh password of mine' };
    assert.equal((await visitor.post('/account/reset', use)).status, 303);
    const entered = await visitor.post('/account/sign-in', { email, password: 'a fresh password of mine' });
    assert.equal(entered.location, '/account', 'without a code');
    assert.ok(!accounts.logged().includes(token) && !(await get('/operator/audit')).text.includes(token));
  });

  it('list what stays valid after a new password, and can revoke keys with the link', async () => {
    isShown(await get(path), /The account has \d keys?, which a new password does not remove\./);
    const { text } = await post(`${path}/reset`, { how: 'show' });
    assert.match(text, /The account has \d keys?, which a new password does not remove\. [^<]*revokes the keys/);
    assert.equal(await keyState(), 'answered');
    const shown = await post(`${path}/reset`, { how: 'show', keys: 'revoke' });
    assert.doesNotMatch(shown.text, /which a new password does not remove/);
    await isAudited(email, 'member.reset_link_created', { second_factor_removed: false, keys_revoked: true });
    assert.deepEqual([await keyState(), await isOpen(owner)], ['key_revoked', false]);
    const [, token] = /token=([\w-]{43})/.exec(shown.text)!;
    const visitor = accounts.visitor('10.9.0.2');
    const known = await visitor.post('/account/sign-in', { email, password: 'a fresh password of mine' });
    assert.equal(known.status, 401, 'the password that the former occupant knows');
    const use = { token: token!, password: 'a second password of mine' };
    assert.equal((await visitor.post('/account/reset', use)).status, 303);
  });

  it('delete an account once its email address is typed, and the operator’s own log keeps the deletion', async () => {
    for (const typed of ['', 'other@example.com'])
      isShown(await post(`${path}/delete`, { email: typed }), /Email: is not the email of this account/, 422);
    assert.equal(await keyState(), 'answered');
    const id = await accountId(email);
    assert.equal((await post(`${path}/delete`, { email: email.toUpperCase() })).location, '/operator?done=deleted');
    assert.deepEqual([await keyState(), await isOpen(owner)], ['key_invalid', false]);
    await isAudited(OPERATOR, 'account.deleted', { email });
    assert.equal((await lastEntry(OPERATOR)).target, `account ${id}`);
    assert.equal((await get(path)).status, 404);
  });

  it("refuse to suspend or delete an operator's account, even the operator's own, and to send a link to it", async () => {
    const other = await startOperator(accounts, 'colleague@example.com');
    for (const one of [OPERATOR, other.email]) {
      const own = `/operator/accounts/${await accountId(one)}`;
      isShown(await get(own), /This is an operator's account/);
      for (const [action, form] of [
        ['suspend', {}],
        ['lift', {}],
        ['delete', { email: one }],
        ['reset', { how: 'show', second_factor: 'remove' }],
      ] as const)
        isShown(await post(`${own}/${action}`, form), /This is the account of an operator/, 409);
      assert.equal((await post(`/operator/approval/${await accountId(one)}/reject`)).status, 409);
    }
    const leave = await operator.visitor.post('/account/security/delete', { sure: 'yes' });
    isShown(leave, /Remove the role first/, 409);
    assert.equal((await other.visitor.get('/operator')).status, 200);
  });

  it('sign out operators who end the session that they use, or all their sessions', async () => {
    const own = `/operator/accounts/${await accountId(OPERATOR)}`;
    const visitor = await operator.signIn();
    const row = (await visitor.get('/operator/sessions')).text.match(
      /<tr>(?:(?!<\/tr>)[\s\S])*this one[\s\S]*?<\/tr>/,
    )![0];
    const end = /action="([^"]+\/end)"/.exec(row)![1]!;
    assert.equal((await visitor.post(end, {})).location, '/account/sign-in?done=signed-out');
    assert.equal((await visitor.get('/operator')).status, 404);
    assert.equal((await post(`${own}/sessions/end`)).location, '/account/sign-in?done=signed-out');
    assert.equal((await get('/operator')).status, 404);
    operator.visitor = await operator.signIn('203.0.113.200');
  });
});
