import assert from 'node:assert/strict';
import { allRoutes } from '../../src/all-roles.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { turnOnSecondFactor } from '../support/operator-session.ts';

/** Permissions whose changes need a recent sign-in. */
const GUARDED = new Set(['own_keys', 'keys', 'members', 'organisation']);
/** Changes of a member's own sign-in that need one. The password form asks for the current password instead. */
const OWN_SIGN_IN = new Set([
  'POST /account/security/passkeys',
  'POST /account/security/passkeys/challenge',
  'POST /account/security/passkeys/{id}',
  'POST /account/security/passkeys/{id}/remove',
  'POST /account/security/email',
  'POST /account/security/second-factor',
  'POST /account/security/second-factor/remove',
  'POST /account/security/recovery-codes',
  'POST /account/security/sessions/{id}/end',
  'POST /account/security/sessions/end-others',
  'POST /account/security/sign-out',
  'DELETE /v1/account/sessions/{id}',
  'PATCH /v1/account/passkeys/{id}',
  'DELETE /v1/account/passkeys/{id}',
]);

describe('a recent sign-in', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  const createOverRest = (visitor: Visitor) => visitor.json('POST', '/v1/account/keys', { name: 'Board' });
  const keyNames = async (visitor: Visitor): Promise<string[]> =>
    (await visitor.json('GET', '/v1/account/keys')).json.keys.map(({ name }: { name: string }) => name);
  const audited = async (email: string): Promise<string[]> => {
    const { rows } = await accounts.pool.query<{ action: string }>(
      'SELECT e.action FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = $1 ORDER BY e.id',
      [email],
    );
    return rows.map(({ action }) => action);
  };

  it('is one within 10 minutes: 9:59 is enough for a new key, and 10:01 is not', async () => {
    const { visitor } = await accounts.verified('minutes@example.com');
    accounts.clock.advance(599_000);
    assert.equal((await createOverRest(visitor)).status, 201);
    accounts.clock.advance(2_000);
    const { status, json } = await createOverRest(visitor);
    assert.deepEqual([status, json.code], [403, 'sign_in_required']);
    assert.match(json.detail, /\/account\/confirm/);
    assert.deepEqual(await keyNames(visitor), ['First key', 'Board'], 'reading needs no recent sign-in');
  });

  it('guards every change of keys, members, single sign-on and own credentials, and nothing that only reads', async () => {
    const changed = new Set<string>();
    for (const route of allRoutes) {
      const { method, path, permission, needsRecentSignIn } = route;
      const name = `${method} ${path}`;
      if (method === 'GET') assert.equal(needsRecentSignIn, undefined, name);
      else if (OWN_SIGN_IN.has(name) || GUARDED.has(permission ?? '')) {
        assert.equal(needsRecentSignIn, true, `${name} has to declare needsRecentSignIn`);
        changed.add(name);
      }
    }
    for (const name of ['POST /v1/account/keys', 'POST /account/security/delete', ...OWN_SIGN_IN])
      assert.ok(changed.has(name), name);
    const { visitor } = await accounts.verified('every@example.com', '192.0.2.20');
    const { json } = await createOverRest(visitor);
    accounts.clock.advance(601_000);
    const path = `/v1/account/keys/${json.id}`;
    const refused = [
      await visitor.json('PATCH', path, { name: 'x' }),
      await visitor.json('POST', `${path}/rotate`, { overlap_seconds: 0 }),
      await visitor.json('DELETE', path),
    ];
    for (const reply of refused) assert.equal(reply.json.code, 'sign_in_required');
    for (const page of ['', '/rotate', '/revoke']) {
      const reply = await visitor.post(`/account/keys/${json.id}${page}`, { name: 'x', overlap: '0' });
      assert.equal(reply.status, 403, page);
      assert.match(reply.text, /Confirm that it is you/);
    }
    const { json: key } = await visitor.json('GET', path);
    assert.deepEqual([key.name, key.state ?? 'active'], ['Board', 'active'], JSON.stringify(key));
  });

  it('is asked for on a page, which then carries on with the form that was sent', async () => {
    const { visitor } = await accounts.verified('form@example.com', '192.0.2.21');
    accounts.clock.advance(601_000);
    const form = { name: '"Board" <b>', kind: 'sk', addresses: '192.0.2.0/24' };
    const asked = await visitor.post('/account/keys', form);
    assert.equal(asked.status, 403);
    assert.match(asked.text, /name="name" value="&quot;Board&quot; &lt;b&gt;"/);
    assert.match(asked.text, /name="addresses" value="192\.0\.2\.0\/24"/);
    assert.match(asked.text, /type="password" autocomplete="current-password" required/);
    assert.doesNotMatch(asked.text, /confirm_code/, 'a member without a second factor has no code');

    const wrong = await visitor.post('/account/keys', { ...form, confirm_password: 'not the password' });
    assert.match(wrong.text, /is not your password/);
    assert.match(wrong.text, /name="addresses" value="192\.0\.2\.0\/24"/);
    assert.doesNotMatch(wrong.text, /not the password/, 'a password is never shown');
    const empty = await visitor.post('/account/keys', { ...form, confirm_password: '' });
    assert.match(empty.text, /Password: is required/);
    assert.deepEqual(await keyNames(visitor), ['First key']);

    const done = await visitor.post('/account/keys', { ...form, confirm_password: PASSWORD });
    assert.match(done.text, /sk_live_\w{38}/);
    assert.deepEqual(await keyNames(visitor), ['First key', '"Board" <b>']);
    assert.ok((await audited('form@example.com')).includes('member.password_confirmed'));
    assert.equal((await createOverRest(visitor)).status, 201, 'the session counts as new for the next 10 minutes');
  });

  it('is also a code, which works once, or a recovery code', async () => {
    const { visitor } = await accounts.verified('code@example.com', '192.0.2.22');
    const code = await turnOnSecondFactor(accounts, visitor);
    accounts.clock.advance(601_000);
    const asked = await visitor.post('/account/keys', { name: 'A' });
    assert.match(asked.text, /name="confirm_password"[\s\S]*name="confirm_code"/);
    const given = code();
    assert.match((await visitor.post('/account/keys', { name: 'A', confirm_code: given })).text, /sk_live_/);
    accounts.clock.advance(601_000);
    const again = await visitor.post('/account/keys', { name: 'B', confirm_code: given });
    assert.match(again.text, /is wrong or has already been used/);
    assert.deepEqual(await keyNames(visitor), ['First key', 'A']);
    assert.deepEqual(
      (await audited('code@example.com')).filter((action) => action.startsWith('member.code')),
      ['member.code_confirmed', 'member.code_failed'],
    );
  });

  it('can be given at /account/confirm, which leads only to pages of this service', async () => {
    const { visitor } = await accounts.verified('confirm@example.com', '192.0.2.23');
    accounts.clock.advance(601_000);
    const page = await visitor.get('/account/confirm?next=%2Faccount%2Fkeys');
    assert.match(page.text, /name="next" value="\/account\/keys"/);
    const wrong = await visitor.post('/account/confirm', { next: '/account/keys', confirm_password: 'wrong' });
    assert.match(wrong.text, /is not your password/);
    const elsewhere = { next: '//evil.example.com', confirm_password: PASSWORD };
    assert.equal((await visitor.post('/account/confirm', elsewhere)).location, '/account');
    assert.equal((await createOverRest(visitor)).status, 201);
    assert.match((await accounts.visitor().get('/account/confirm')).location!, /^\/account\/sign-in/);
  });

  it('limits guesses at the password', async () => {
    const { visitor } = await accounts.verified('guess@example.com', '192.0.2.24');
    accounts.clock.advance(601_000);
    const statuses: number[] = [];
    for (let i = 0; i < 21; i += 1)
      statuses.push((await visitor.post('/account/keys', { name: 'x', confirm_password: `guess ${i}` })).status);
    assert.deepEqual([statuses[19], statuses[20]], [422, 429]);
    const locked = await visitor.post('/account/keys', { name: 'x', confirm_password: PASSWORD });
    assert.equal(locked.status, 429);
    assert.deepEqual(await keyNames(visitor), ['First key']);
  });

  it('counts from the beginning of a session that an earlier release began', async () => {
    const { visitor } = await accounts.verified('earlier@example.com', '192.0.2.25');
    await accounts.pool.query('UPDATE member_session SET proved_at = NULL');
    assert.equal((await createOverRest(visitor)).status, 201);
    accounts.clock.advance(601_000);
    assert.equal((await createOverRest(visitor)).json.code, 'sign_in_required');
  });

  it('is not asked of secret keys, and an open session of another site cannot use it', async () => {
    const { visitor, key } = await accounts.verified('key@example.com', '192.0.2.26');
    accounts.clock.advance(601_000);
    assert.equal((await accounts.app.ask('/v1/account', { key })).status, 200);
    const form = { name: 'x', confirm_password: PASSWORD };
    const forged = await visitor.post('/account/keys', form, { Origin: 'https://evil.example.com' });
    assert.equal(forged.status, 403);
    assert.doesNotMatch(forged.text, /confirm_password/);
  });
});
