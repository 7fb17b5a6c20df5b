/** Signing in at the identity provider of an organisation: who gets in, as whom, and with which role. */
import assert from 'node:assert/strict';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../../support/account-app.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { turnOnSecondFactor } from '../../support/operator-session.ts';
import { begin, comeBack, person, proveNow, readRole, setUp, shownProblem, signInAt } from './company.ts';

const OWNER = 'olga@acme.com';

describe('single sign-on', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let provider: IdentityProvider;
  let owner: Visitor;
  before(async () => {
    accounts = await startAccountApp();
    provider = await startIdentityProvider();
    owner = (await accounts.verified(OWNER)).visitor;
    await setUp(accounts, owner, provider, ['acme.com']);
  });
  after(async () => {
    await accounts?.close();
    await provider?.close();
  });
  beforeEach(async () => {
    accounts.clock.advance(3_600_000);
    await proveNow(accounts);
  });
  const signIn = (claims: Record<string, unknown>, visitor = accounts.visitor()) =>
    signInAt(accounts, provider, visitor, claims);

  it('creates the person at the first sign-in, without a password, with the default role', async () => {
    const ann = accounts.visitor();
    const { status, location } = await signIn(person('ann', 'Ann@ACME.com'), ann);
    assert.deepEqual([status, location], [303, '/account']);
    assert.equal((await ann.get('/account')).status, 200);
    assert.equal(await readRole(accounts, 'ann@acme.com', OWNER), 'viewer');
    const { rows } = await accounts.pool.query(
      "SELECT password, account_id, verified_at IS NOT NULL AS verified FROM member WHERE email = 'ann@acme.com'",
    );
    assert.deepEqual(rows, [{ password: null, account_id: null, verified: true }]);
    assert.equal((await ann.json('GET', '/v1/account')).json.email, OWNER);
    // Later sign-ins are of the same person.
    await signIn(person('ann', 'ann@acme.com'));
    const { rows: people } = await accounts.pool.query("SELECT FROM member WHERE email LIKE 'ann@%'");
    assert.equal(people.length, 1);
  });

  it('asks with PKCE, state, nonce and the typed address, and no secret leaves in the address', async () => {
    const address = new URL(await begin(accounts.visitor(), 'ann@acme.com'));
    const asked = address.searchParams;
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('response_type'), 'code');
    assert.equal(asked.get('login_hint'), 'ann@acme.com');
    assert.match(asked.get('scope')!, /^openid /);
    for (const name of ['state', 'nonce', 'code_challenge']) assert.match(asked.get(name)!, /^[\w-]{43}$/, name);
    assert.equal(new Set(['state', 'nonce', 'code_challenge'].map((name) => asked.get(name))).size, 3);
    assert.ok(!address.href.includes('secret'));
  });

  it('keeps the person whose address changes at the provider', async () => {
    await signIn(person('eve', 'eve@acme.com'));
    const visitor = accounts.visitor();
    assert.equal((await signIn(person('eve', 'eve.adams@acme.com'), visitor)).status, 303);
    const { rows } = await accounts.pool.query("SELECT email FROM member WHERE email LIKE 'eve%'");
    assert.deepEqual(rows, [{ email: 'eve@acme.com' }]);
  });

  it('refuses a new person with the address of a former one', async () => {
    await signIn(person('bob', 'bob@acme.com'));
    const refused = await signIn(person('bob-2', 'bob@acme.com'));
    assert.equal(refused.status, 403);
    assert.match(shownProblem(refused), /A different person of your company has this address/);
  });

  it('links a person who has verified the address, and keeps the password', async () => {
    await accounts.verified('carl@acme.com', '192.0.2.20');
    const visitor = accounts.visitor();
    assert.equal((await signIn(person('carl', 'carl@acme.com'), visitor)).status, 303);
    assert.equal(await readRole(accounts, 'carl@acme.com', OWNER), 'viewer');
    assert.equal(await readRole(accounts, 'carl@acme.com', 'carl@acme.com'), 'owner');
    const withPassword = await accounts
      .visitor()
      .post('/account/sign-in', { email: 'carl@acme.com', password: PASSWORD });
    assert.equal(withPassword.status, 303);
    assert.ok(
      accounts.letters.some(({ to, subject }) => to === 'carl@acme.com' && subject === 'Your company can sign you in'),
    );
  });

  it('takes an unverified account from whoever signed up with the address in advance', async () => {
    const { visitor: stranger, key } = await accounts.signedUp('dora@acme.com', '192.0.2.66');
    await signIn(person('dora', 'dora@acme.com'));
    assert.equal((await stranger.get('/account')).status, 303, 'the session has ended');
    const withPassword = await stranger.post('/account/sign-in', { email: 'dora@acme.com', password: PASSWORD });
    assert.equal(withPassword.status, 401);
    assert.equal((await accounts.visitor().json('GET', '/v1/account', undefined, { 'X-API-Key': key })).status, 401);
  });

  it('keeps a person of the organisation who has not verified the address', async () => {
    await accounts.pool.query("UPDATE member SET verified_at = NULL WHERE email = 'olga@acme.com'");
    assert.equal((await signIn(person('olga', OWNER))).status, 303);
    assert.equal((await owner.get('/account')).status, 200);
    assert.equal(await readRole(accounts, OWNER, OWNER), 'owner');
  });

  it('lets the role follow the groups at each sign-in, but never to or from owner', async () => {
    const group_roles = [
      { group: 'it', role: 'admin' },
      { group: 'dev', role: 'developer' },
      { group: 'owners', role: 'admin' },
    ];
    const changed = await owner.json('PATCH', '/v1/account/single-sign-on', { group_roles, default_role: 'billing' });
    assert.equal(changed.status, 200);
    const role = async (groups: unknown) => {
      assert.equal((await signIn(person('fay', 'fay@acme.com', { groups }))).status, 303);
      return readRole(accounts, 'fay@acme.com', OWNER);
    };
    assert.equal(await role(['dev']), 'developer');
    assert.equal(await role(['dev', 'it']), 'admin', 'the role that permits most');
    assert.equal(await role('dev'), 'developer', 'one group may be a text');
    assert.equal(await role(['other', 7, null]), 'billing');
    assert.equal(await role(undefined), 'billing', 'without the claim');
    await signIn(person('olga', OWNER, { groups: ['dev'] }));
    assert.equal(await readRole(accounts, OWNER, OWNER), 'owner');
    const refused = await owner.json('PATCH', '/v1/account/single-sign-on', {
      group_roles: [{ group: 'x', role: 'owner' }],
    });
    assert.equal(refused.status, 422);
    await owner.json('PATCH', '/v1/account/single-sign-on', { group_roles: [], default_role: 'viewer' });
    await accounts.pool.query(
      "UPDATE membership SET role = 'developer' WHERE member_id = (SELECT id FROM member WHERE email = 'fay@acme.com')",
    );
    assert.equal(await role(['it']), 'developer', 'without roles of groups, the organisation decides');
  });

  it('reads another claim for groups, and user info if the token has no address', async () => {
    await owner.json('PATCH', '/v1/account/single-sign-on', {
      groups_claim: 'https://acme.com/roles',
      group_roles: [{ group: 'it', role: 'admin' }],
    });
    provider.userinfo = { email: 'gus@acme.com', email_verified: true, 'https://acme.com/roles': ['it'] };
    const visitor = accounts.visitor();
    const answer = provider.authorize(await begin(visitor, 'gus@acme.com'), { sub: 'gus' });
    assert.equal((await comeBack(accounts, visitor, answer)).status, 303);
    assert.equal(await readRole(accounts, 'gus@acme.com', OWNER), 'admin');
    provider.userinfo = {};
    await owner.json('PATCH', '/v1/account/single-sign-on', { groups_claim: 'groups', group_roles: [] });
  });

  it('asks for the second factor that a person has set up here', async () => {
    await accounts.pool.query("UPDATE member SET totp_secret = 'x' WHERE email = 'carl@acme.com'");
    const visitor = accounts.visitor();
    const { location } = await signIn(person('carl', 'carl@acme.com'), visitor);
    assert.equal(location, '/account/code?next=%2Faccount');
    assert.equal((await visitor.get('/account')).status, 303, 'not signed in yet');
    await accounts.pool.query("UPDATE member SET totp_secret = NULL WHERE email = 'carl@acme.com'");
  });

  it('counts as recent only if the provider says when the person proved who signs in', async () => {
    await owner.json('PATCH', '/v1/account/single-sign-on', { default_role: 'admin' });
    const asked = async (claims: Record<string, unknown>, again = '') => {
      const visitor = accounts.visitor();
      const visit = await visitor.post('/account/sign-in/company', { email: 'una@acme.com', again });
      const address = /^0; url=(.+)$/.exec(visit.headers.get('refresh')!)![1]!;
      const una = person('una', 'una@acme.com', claims);
      const { status } = await comeBack(accounts, visitor, provider.authorize(address, una));
      const { max_age, prompt } = Object.fromEntries(new URL(address).searchParams);
      if (status !== 303) return { status, max_age, prompt };
      const { json } = await visitor.json('POST', '/v1/account/keys', { name: 'x' });
      return { status, code: json.code, max_age, prompt };
    };
    const now = Math.floor(Date.now() / 1_000);
    const stale = { status: 303, code: 'sign_in_required', max_age: undefined, prompt: undefined };
    assert.deepEqual(await asked({}), stale);
    assert.deepEqual(await asked({ auth_time: accounts.clock.now() / 1_000 - 601 }), stale);
    assert.equal((await asked({ auth_time: accounts.clock.now() / 1_000 - 590 })).code, undefined);
    const again = { max_age: '600', prompt: 'login' };
    assert.deepEqual(await asked({ auth_time: now }, '1'), { status: 303, code: undefined, ...again });
    for (const auth_time of [undefined, now - 700])
      assert.deepEqual(await asked({ auth_time }, '1'), { status: 403, ...again });
    await owner.json('PATCH', '/v1/account/single-sign-on', { default_role: 'viewer' });
  });

  it('is enough, without a password, to change the address and the second factor', async () => {
    const visitor = accounts.visitor();
    const address = await begin(visitor, 'paul@acme.com');
    const auth_time = accounts.clock.now() / 1_000;
    await comeBack(accounts, visitor, provider.authorize(address, person('paul', 'paul@acme.com', { auth_time })));
    const security = await visitor.get('/account/security');
    assert.match(security.text, /You have no password: you sign in with the account of your company/);
    assert.doesNotMatch(security.text, /type="password"/);
    const code = await turnOnSecondFactor(accounts, visitor);
    const codes = await visitor.post('/account/security/recovery-codes', {});
    assert.equal([...codes.text.matchAll(/<li><code>[0-9A-Z-]{29}</g)].length, 10);
    const moved = await visitor.post('/account/security/email', { email: 'paul@new.acme.com' });
    assert.equal(moved.location, '/account/security?done=asked');
    accounts.clock.advance(601_000);
    const late = await visitor.post('/account/security/second-factor/remove', { code: code() });
    assert.equal(late.status, 403);
    assert.match(late.text, /action="\/account\/sign-in\/company"/, 'the provider can be asked again');
    assert.equal((await visitor.post('/account/confirm', { confirm_code: code() })).status, 303);
    assert.equal((await visitor.post('/account/security/second-factor/remove', { code: code() })).status, 303);
  });

  it('returns only to pages of this service', async () => {
    for (const [next, expected] of [
      ['/account/keys', '/account/keys'],
      ['https://evil.example', '/account'],
      ['//evil.example', '/account'],
      ['/\\evil.example', '/account'],
      ['/account/../../evil', '/account'],
    ] as const) {
      const visitor = accounts.visitor();
      const answer = provider.authorize(await begin(visitor, 'ann@acme.com', next), person('ann', 'ann@acme.com'));
      assert.equal((await comeBack(accounts, visitor, answer)).location, expected, next);
    }
  });

  it('writes who joined, who was linked and who signed in to the audit log', async () => {
    const { json } = await owner.json('GET', '/v1/account/audit?limit=500');
    const actions = new Set(json.entries.map(({ action }: { action: string }) => action));
    for (const action of [
      'single_sign_on.changed',
      'single_sign_on.domain_verified',
      'member.joined',
      'member.identity_linked',
      'member.signed_in',
      'single_sign_on.failed',
    ])
      assert.ok(actions.has(action), action);
  });
});
