import assert from 'node:assert/strict';
import { approveAccount, listAccounts, suspendAccount } from '../../../src/accounts/accounts.ts';
import { createLink } from '../../../src/accounts/credentials/one-time-links.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visit } from '../../support/account-app.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

const PATH = '/operator/approval';

describe('account approval', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  before(async () => {
    accounts = await startAccountApp({ SIGNUP: 'approve' });
    // The first operator can be approved only on the command line.
    const visitor = accounts.visitor();
    await visitor.post('/account/sign-up', { email: 'operator@example.com', password: PASSWORD });
    await approveAccount(accounts.pool, accounts.clock, 'operator@example.com');
    const verified = accounts.verified;
    accounts.verified = async () => {
      await visitor.post('/account/sign-in', { email: 'operator@example.com', password: PASSWORD });
      await accounts.pool.query('UPDATE member SET verified_at = now()');
      return { visitor, key: '' };
    };
    operator = await startOperator(accounts, 'operator@example.com');
    accounts.verified = verified;
  });
  after(() => accounts.close());

  const isShown = ({ status, text }: Visit, pattern: RegExp, expected = 200) => {
    assert.equal(status, expected, text);
    assert.match(text, pattern);
  };
  const post = (target: string, form: Record<string, string> = {}) => operator.visitor.post(target, form);
  const findAccount = async (email: string) => (await listAccounts(accounts.pool, accounts.clock, email))[0];
  const askWith = async (key: string) => {
    accounts.clock.advance(5_000);
    const { status, json } = await accounts.app.ask('/v1/account', { key });
    return status === 200 ? 200 : `${json.code} ${json.detail}`;
  };
  async function signUp(email: string, more: Record<string, string> = {}) {
    const visitor = accounts.visitor();
    const shown = await visitor.post('/account/sign-up', { email, password: PASSWORD, ...more });
    assert.equal(shown.status, 200, shown.text);
    return { visitor, text: shown.text, key: /sk_live_\w{38}/.exec(shown.text)![0] };
  }
  const audited = async (email: string) => {
    const { rows } = await accounts.pool.query(
      `SELECT e.action, e.actor, e.by_operator, e.details, e.target FROM audit_entry e JOIN account a ON a.id = e.account_id
       WHERE a.email = $1 ORDER BY e.id DESC LIMIT 1`,
      [email],
    );
    return rows[0];
  };

  it('keeps a new account waiting, so its key is refused and the member cannot sign in until approval', async () => {
    const { visitor, text, key } = await signUp('waits@example.com');
    assert.match(text, /Your account waits for approval/);
    assert.equal(visitor.cookies.size, 0);
    assert.match((await visitor.get('/account/sign-up')).text, /as soon as an operator of this service has approved/);
    const refused = 'key_not_permitted The account waits for approval by an operator of this service.';
    assert.equal(await askWith(key), refused);
    const signIn = () => visitor.post('/account/sign-in', { email: 'waits@example.com', password: PASSWORD });
    isShown(await signIn(), /The account waits for approval/, 403);
    assert.equal((await visitor.get('/account')).status, 303);
    const letters = accounts.letters.length;
    await visitor.post('/account/reset', { email: 'waits@example.com' });

    const { id } = (await findAccount('waits@example.com'))!;
    isShown(await operator.visitor.get(PATH), /Approve waits@example\.com/);
    isShown(await operator.visitor.get(`/operator/accounts/${id}`), /waits for approval[\s\S]*>Approve</);
    await assert.rejects(
      suspendAccount(accounts.pool, accounts.clock, 'waits@example.com', false),
      /waits for approval/,
    );
    assert.equal((await post(`/operator/accounts/${id}/lift`)).status, 409, 'lifting a suspension is no approval');
    assert.equal(await askWith(key), refused);
    assert.equal((await post(`${PATH}/${id}/approve`)).location, `${PATH}?done=approved`);
    assert.equal(await askWith(key), 200);
    assert.equal((await signIn()).status, 303);
    assert.deepEqual(
      await audited('waits@example.com').then(() => accounts.letters.slice(letters).map(({ subject }) => subject)),
      ['Your account for Touchline is approved'],
    );
    isShown(await post(`${PATH}/${id}/approve`), /does not wait for approval/, 409);
    isShown(await post(`${PATH}/${id}/reject`), /does not wait for approval/, 409);
    assert.equal(await askWith(key), 200, 'nobody is rejected afterwards');
    const { rows } = await accounts.pool.query(
      "SELECT e.actor, e.by_operator FROM audit_entry e WHERE account_id = $1 AND action = 'account.approved'",
      [id],
    );
    assert.deepEqual(rows, [{ actor: 'operator@example.com', by_operator: true }]);
  });

  it('is mentioned in the REST reply as still missing', async () => {
    const { status, json } = await accounts
      .visitor()
      .json('POST', '/v1/account', { email: 'rest@example.com', password: PASSWORD });
    assert.deepEqual([status, json.account.awaits_approval], [201, true]);
    assert.match((await askWith(json.key.key)) as string, /^key_not_permitted/);
  });

  it('deletes a rejected account, and the operator’s own log records the deletion', async () => {
    const { key } = await signUp('rejected@example.com');
    const { id } = (await findAccount('rejected@example.com'))!;
    assert.equal((await post(`${PATH}/${id}/reject`)).location, `${PATH}?done=rejected`);
    assert.match((await askWith(key)) as string, /^key_invalid/);
    assert.deepEqual(await audited('operator@example.com'), {
      action: 'account.rejected',
      actor: 'operator@example.com',
      by_operator: true,
      details: { email: 'rejected@example.com' },
      target: `account ${id}`,
    });
    assert.equal((await post(`${PATH}/${id}/reject`)).status, 404);
    assert.equal((await post(`${PATH}/999999/approve`)).status, 404);
  });

  it('is not needed for an invitation, which can be created, listed and revoked', async () => {
    const letters = accounts.letters.length;
    const made = await post(`${PATH}/invitations`, { email: 'guest@example.com', plan: 'pro', once: 'first' });
    isShown(made, /Invitation created[\s\S]*It is on its way to guest@example\.com/);
    const token = /invitation=([\w-]{43})/.exec(made.text)![1]!;
    assert.deepEqual([accounts.letters.length, accounts.letters.at(-1)!.to], [letters + 1, 'guest@example.com']);
    const again = await post(`${PATH}/invitations`, { email: 'guest@example.com', plan: 'pro', once: 'first' });
    isShown(again, /was created before/);
    const entry = await audited('operator@example.com');
    assert.deepEqual(
      [entry.action, entry.by_operator, entry.details],
      ['invitation.created', true, { email: 'guest@example.com', plan: 'pro' }],
    );
    const page = await operator.visitor.get(PATH);
    isShown(page, /guest@example\.com<\/th>\s*<td>Pro<\/td>/);
    assert.ok(!page.text.includes(token));
    const { key } = await signUp('guest@example.com', { invitation: token });
    assert.equal(await askWith(key), 200);
    assert.equal((await findAccount('guest@example.com'))!.plan, 'pro');
    assert.doesNotMatch((await operator.visitor.get(PATH)).text, /guest@example\.com/, 'used');

    const open = /invitation=([\w-]{43})/.exec((await post(`${PATH}/invitations`)).text)![1]!;
    const listed = await operator.visitor.get(PATH);
    isShown(listed, /anybody<\/th>\s*<td>that of new accounts/);
    const revoke = /action="([^"]+\/revoke)"/.exec(listed.text)![1]!;
    assert.equal((await post(revoke)).location, `${PATH}?done=revoked`);
    assert.equal((await audited('operator@example.com')).action, 'invitation.revoked');
    const late = await accounts
      .visitor()
      .post('/account/sign-up', { email: 'late@example.com', password: PASSWORD, invitation: open });
    isShown(late, /Invitation: is unknown, expired or used/, 422);
    isShown(await post(revoke), /There is no open invitation/, 404);
    isShown(await operator.visitor.get(PATH), /No invitation is open/);
  });

  it('lists invitations, including those from the command line and from a version without ids, but no password links', async () => {
    const link = { accountId: null, email: 'cli@example.com', plan: null };
    await createLink(accounts.pool, accounts.clock, 'invitation', link);
    const { id } = (await findAccount('operator@example.com'))!;
    await createLink(accounts.pool, accounts.clock, 'reset', { accountId: id, email: null, plan: null });
    await accounts.pool.query('UPDATE account_link SET id = NULL');
    const { text } = await operator.visitor.get(PATH);
    const paths = [...text.matchAll(/action="([^"]+\/revoke)"/g)].map(([, path]) => path!);
    assert.equal(paths.length, 1);
    assert.equal((await post(paths[0]!)).status, 303);
    assert.equal((await accounts.pool.query("SELECT FROM account_link WHERE purpose = 'reset'")).rows.length, 1);
  });

  it('shows errors above the form, and a form with errors creates no invitation', async () => {
    isShown(await post(`${PATH}/invitations`, { email: 'no address' }), /Email: [\s\S]*value="no address"/, 422);
    isShown(await post(`${PATH}/invitations`, { email: 'a@example.com', plan: 'gold' }), /Plan: must be one of/, 422);
    isShown(await operator.visitor.get(PATH), /No invitation is open/);
  });
});
