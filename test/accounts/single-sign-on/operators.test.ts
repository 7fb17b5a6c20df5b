/** Operators of this service sign in at the provider in the configuration. */
import assert from 'node:assert/strict';
import { setOperator } from '../../../src/accounts/members/operators.ts';
import { type AccountApp, startAccountApp } from '../../support/account-app.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { begin, person, setUp, shownProblem, signInAt } from './company.ts';

const NO_OPERATOR = 'No operator of this service has your address.';

describe('single sign-on of operators', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let provider: IdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
    accounts = await startAccountApp();
    // With the variables, the public address would have to be configured, too, and the tests' one has a free port.
    const settings = { oidcIssuer: provider.issuer, oidcClientId: CLIENT.id, oidcClientSecret: CLIENT.secret };
    Object.assign(accounts.deps.config, settings);
    await accounts.verified('oscar@touchline.test');
    await setOperator(accounts.pool, accounts.clock, 'oscar@touchline.test', true);
  });
  after(async () => {
    await accounts?.close();
    await provider?.close();
  });
  beforeEach(() => accounts.clock.advance(3_600_000));
  const signIn = (claims: Record<string, unknown>, visitor = accounts.visitor(), typed?: string) =>
    signInAt(accounts, provider, visitor, claims, typed);

  it('signs in the operator with the address that the provider has verified', async () => {
    const visitor = accounts.visitor();
    const visit = await signIn(person('oscar', 'Oscar@touchline.test'), visitor, '');
    assert.deepEqual([visit.status, visit.location], [303, '/account']);
    assert.equal((await visitor.get('/account')).status, 200);
    const { rows } = await accounts.pool.query(
      'SELECT subject, provider_account_id FROM member_identity, member_session',
    );
    assert.deepEqual(rows.at(-1), { subject: 'oscar', provider_account_id: null });
  });

  it('makes nobody an operator, and signs in nobody else', async () => {
    await accounts.verified('ann@touchline.test', '192.0.2.20');
    const admins = { groups: ['admins', 'operators'], roles: ['operator'], operator: true };
    for (const claims of [
      person('ann', 'ann@touchline.test', admins),
      person('new', 'new@touchline.test', admins),
      person('oscar-2', 'oscar@other.test'),
    ]) {
      const visit = await signIn(claims);
      assert.deepEqual([visit.status, shownProblem(visit)], [403, NO_OPERATOR]);
    }
    const { rows } = await accounts.pool.query("SELECT FROM member WHERE email = 'new@touchline.test'");
    assert.equal(rows.length, 0, 'and creates nobody');
    const unverified = await signIn(person('oscar', 'oscar@touchline.test', { email_verified: false }));
    assert.equal(shownProblem(unverified), "Your company's identity provider has not verified your address.");
  });

  it('refuses a new person with the address of a former operator, and one who is no operator any more', async () => {
    const visit = await signIn(person('oscar-3', 'oscar@touchline.test'));
    assert.match(shownProblem(visit), /A different person of your company has this address/);
    await accounts.verified('otto@touchline.test', '192.0.2.21');
    await setOperator(accounts.pool, accounts.clock, 'otto@touchline.test', true);
    await setOperator(accounts.pool, accounts.clock, 'oscar@touchline.test', false);
    assert.equal(shownProblem(await signIn(person('oscar', 'oscar@touchline.test'))), NO_OPERATOR);
    await setOperator(accounts.pool, accounts.clock, 'oscar@touchline.test', true);
    assert.equal((await signIn(person('oscar', 'oscar@touchline.test'))).status, 303);
  });

  it('still asks for the second factor, which the operator pages need', async () => {
    await accounts.pool.query("UPDATE member SET totp_secret = 'x' WHERE email = 'oscar@touchline.test'");
    const visitor = accounts.visitor();
    const { location } = await signIn(person('oscar', 'oscar@touchline.test'), visitor);
    assert.equal(location, '/account/code?next=%2Faccount');
    assert.equal((await visitor.get('/operator')).status, 404);
    await accounts.pool.query("UPDATE member SET totp_secret = NULL WHERE email = 'oscar@touchline.test'");
    const without = accounts.visitor();
    await signIn(person('oscar', 'oscar@touchline.test'), without);
    assert.equal((await without.get('/operator')).location, '/account/security?done=operator');
  });

  it("leaves an organisation's domain to the provider of the organisation", async () => {
    const { visitor: owner } = await accounts.verified('olga@acme.com', '192.0.2.30');
    const companys = await startIdentityProvider();
    try {
      await setUp(accounts, owner, companys, ['acme.com']);
      assert.ok((await begin(accounts.visitor(), 'olga@acme.com')).startsWith(companys.issuer));
      assert.ok((await begin(accounts.visitor(), 'x@elsewhere.com')).startsWith(provider.issuer));
    } finally {
      await companys.close();
    }
  });
});
