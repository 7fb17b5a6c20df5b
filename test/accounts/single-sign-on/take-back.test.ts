/** An owner takes an organisation back from an intruder, who has set up single sign-on at a provider of their own. */
import assert from 'node:assert/strict';
import { createResetLink } from '../../../src/accounts/members/reset-link.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../../support/account-app.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { turnOnSecondFactor } from '../../support/operator-session.ts';
import { until } from '../../support/until.ts';
import { person, proveNow, setUp, signInAt } from './company.ts';

const FRESH = 'a fresh password of the owner';

describe('an organisation that is taken back', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let provider: IdentityProvider;
  before(async () => {
    accounts = await startAccountApp();
    provider = await startIdentityProvider();
  });
  after(async () => {
    await accounts?.close();
    await provider?.close();
  });
  beforeEach(async () => {
    accounts.clock.advance(3_600_000);
    await proveNow(accounts);
  });

  const signIn = (visitor: Visitor, claims: ReturnType<typeof person>) => signInAt(accounts, provider, visitor, claims);
  const isIn = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
  const lettersTo = (email: string) => accounts.letters.filter(({ to }) => to === email).map(({ subject }) => subject);
  async function audited(email: string) {
    const { rows } = await accounts.pool.query(
      `SELECT e.actor, e.details FROM audit_entry e JOIN account a ON a.id = e.account_id
       WHERE a.email = $1 AND e.action = 'single_sign_on.removed'`,
      [email],
    );
    return rows;
  }

  /** An organisation that requires single sign-on, with a colleague and the owner linked to the provider. */
  async function occupied(domain: string) {
    const email = `owner@${domain}`;
    const { visitor: owner } = await accounts.verified(email, `198.51.100.${domain.length}`);
    await turnOnSecondFactor(accounts, owner);
    const { members } = (await owner.json('GET', '/v1/account/members')).json;
    await setUp(accounts, owner, provider, [domain], { emergency_owner: members[0].id, required: true });
    const [intruder, colleague] = [accounts.visitor(), accounts.visitor()];
    for (const [visitor, name] of [
      [intruder, 'owner'],
      [colleague, 'colleague'],
    ] as const)
      await signIn(visitor, person(`${name} of ${domain}`, `${name}@${domain}`));
    assert.ok(await isIn(colleague));
    return { email, owner, colleague };
  }

  /** Sets a new password by a mailed link. @returns the page with the form */
  async function reset(email: string, form: Record<string, string>): Promise<string> {
    const before = lettersTo(email).length;
    const visitor = accounts.visitor();
    await visitor.post('/account/reset', { email });
    await until('the link is mailed', () => lettersTo(email).length > before);
    const token = accounts.tokenFor(email);
    const { text } = await visitor.get(`/account/reset?token=${token}`);
    assert.equal((await visitor.post('/account/reset', { token, password: FRESH, ...form })).status, 303);
    return text;
  }

  const stored = async (email: string) => {
    const { rows } = await accounts.pool.query(
      `SELECT o.required, (SELECT count(*)::int FROM single_sign_on_domain d WHERE d.account_id = a.id) AS domains,
         (SELECT count(*)::int FROM member_identity i JOIN membership b USING (member_id) WHERE b.account_id = a.id) AS identities
       FROM account a LEFT JOIN single_sign_on o ON o.account_id = a.id WHERE a.email = $1`,
      [email],
    );
    return rows[0];
  };

  it('keeps single sign-on if only the password is new', async () => {
    const { email, colleague } = await occupied('kept.example.com');
    const page = await reset(email, {});
    assert.match(page, /Also revoke the API key and remove single sign-on of the account/);
    assert.deepEqual(await stored(email), { required: true, domains: 1, identities: 2 });
    assert.ok(await isIn(colleague));
    assert.deepEqual(await audited(email), []);
    assert.ok(!lettersTo(email).includes('Single sign-on was removed'));
  });

  it('loses single sign-on together with all keys: its sessions, domains and links end, and a mail and an entry say so', async () => {
    const domain = 'taken.example.com';
    const { email, colleague } = await occupied(domain);
    await reset(email, { revoke_keys: '1' });
    assert.deepEqual(await stored(email), { required: null, domains: 0, identities: 0 });
    assert.equal(await isIn(colleague), false);
    const refused = await accounts.visitor().post('/account/sign-in/company', { email });
    assert.match(refused.text, /No organisation has set up single sign-on for this address/);
    const details = { issuer: provider.issuer, client_id: 'touchline', domains: [domain] };
    assert.deepEqual(await audited(email), [{ actor: email, details }]);
    assert.equal(lettersTo(email).filter((subject) => subject === 'Single sign-on was removed').length, 1);
  });

  it('does not let an organisation of the intruder sign in as its people', async () => {
    const { email } = await occupied('own.example.com');
    await reset(email, { revoke_keys: '1' });
    const { visitor: eve } = await accounts.verified('eve@evil.example.net', '198.51.100.200');
    await setUp(accounts, eve, provider, ['evil.example.net']);
    const visitor = accounts.visitor();
    await signIn(visitor, person('owner of own.example.com', 'eve@evil.example.net'));
    const { rows } = await accounts.pool.query<{ email: string }>(
      'SELECT m.email FROM member_identity i JOIN member m ON m.id = i.member_id WHERE i.subject = $1',
      ['owner of own.example.com'],
    );
    assert.deepEqual(rows, [{ email: 'eve@evil.example.net' }]);
  });

  it('loses it as well if an operator makes the link, and members sign in with passwords', async () => {
    const { email, colleague } = await occupied('operated.example.com');
    const scope = { secondFactor: true, keys: true };
    const actor = { name: 'operator', address: null };
    const { token, leftovers } = await createResetLink(accounts.pool, accounts.clock, email, scope, actor);
    assert.equal(leftovers.hasSingleSignOn, false);
    assert.equal(await isIn(colleague), false);
    const owner = accounts.visitor();
    assert.equal((await owner.post('/account/reset', { token, password: FRESH })).status, 303);
    assert.equal((await owner.post('/account/sign-in', { email, password: PASSWORD })).status, 401);
    assert.equal((await owner.post('/account/sign-in', { email, password: FRESH })).status, 303);
    assert.ok(await isIn(owner));
  });
});
