/** Answers of hostile, broken and slow identity providers, and of strangers in their place. */
import assert from 'node:assert/strict';
import { Providers } from '../../../src/accounts/single-sign-on/provider.ts';
import { createGuard } from '../../../src/outbound/address-guard.ts';
import { type AccountApp, startAccountApp, type Visit, type Visitor } from '../../support/account-app.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { begin, comeBack, person, setUp, shownProblem, signInAt } from './company.ts';

const INVALID = "The answer of your company's identity provider is not valid. Begin again.";
const STALE = 'This sign-in has expired, was finished already, or began in a different browser. Begin again.';
const NO_ANSWER = "Your company's identity provider does not answer. Try again later.";
const NOT_CONFORM = "Your company's identity provider does not answer as OpenID Connect requires.";
const REFUSED_ADDRESS = "Your company's identity provider has an address that this service may not reach.";

describe('bad answers of identity providers', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let provider: IdentityProvider;
  let owner: Visitor;
  before(async () => {
    accounts = await startAccountApp();
    owner = (await accounts.verified('olga@acme.com')).visitor;
  });
  after(() => accounts?.close());
  beforeEach(async () => {
    accounts.clock.advance(3_600_000);
    provider = await startIdentityProvider();
    await setUp(accounts, owner, provider, ['acme.com']);
  });
  afterEach(() => provider.close());

  const ann = person('ann', 'ann@acme.com');

  async function refused(visit: Visit, visitor: Visitor, problem: string): Promise<void> {
    assert.deepEqual([visit.status, shownProblem(visit)], [403, problem]);
    assert.ok(!visitor.cookies.has('touchline_member'), 'nobody is signed in');
  }
  /** Signs in, and expects a problem. */
  async function expectRefusal(problem: string, claims = ann, typed = 'ann@acme.com'): Promise<void> {
    const visitor = accounts.visitor();
    await refused(await signInAt(accounts, provider, visitor, claims, typed), visitor, problem);
  }
  const signsIn = async () => assert.equal((await signInAt(accounts, provider, accounts.visitor(), ann)).status, 303);

  it('accepts new keys at once, and refuses the former ones', async () => {
    await signsIn();
    provider.rotate();
    await signsIn();
    provider.forge();
    await expectRefusal(INVALID);
  });

  const now = () => Math.floor(Date.now() / 1_000);
  const LIES: [string, (one: IdentityProvider) => void][] = [
    ['of another issuer', (one) => Object.assign(one.token, { iss: 'https://other.example.com' })],
    ['for another client', (one) => Object.assign(one.token, { aud: 'another-client' })],
    ['for several clients, made for another', (one) => Object.assign(one.token, { aud: ['touchline', 'x'], azp: 'x' })],
    ['that has expired', (one) => Object.assign(one.token, { exp: now() - 60 })],
    ['that is not valid yet', (one) => Object.assign(one.token, { nbf: now() + 600 })],
    ['with another nonce', (one) => Object.assign(one.token, { nonce: 'another' })],
    ['without a nonce', (one) => Object.assign(one.token, { nonce: undefined })],
    ['without a subject', (one) => Object.assign(one.token, { sub: undefined })],
    ['with an empty subject', (one) => Object.assign(one.token, { sub: '' })],
    ['with a subject of 256 characters', (one) => Object.assign(one.token, { sub: 'x'.repeat(256) })],
    ['with alg none', (one) => Object.assign(one.header, { alg: 'none' })],
    ['with alg none and no key', (one) => Object.assign(one.header, { alg: 'none', kid: undefined })],
    ['signed with the client secret', (one) => Object.assign(one.header, { alg: 'HS256' })],
    ['signed with an algorithm that discovery does not list', (one) => Object.assign(one.header, { alg: 'PS256' })],
    ['signed with an unknown key', (one) => Object.assign(one.header, { kid: 'unknown' })],
    ['signed with a forged key', (one) => one.forge()],
  ];
  for (const [what, lie] of LIES)
    it(`refuses a token ${what}`, async () => {
      lie(provider);
      await expectRefusal(INVALID);
    });

  it('refuses an address that the provider has not verified', async () => {
    for (const email_verified of [false, undefined, 'true', 1])
      await expectRefusal("Your company's identity provider has not verified your address.", {
        ...ann,
        email_verified,
      });
    for (const email of [undefined, 7, '', 'ann', 'ann@', 'ann@acme.com, eve@evil.com', 'ann@acme.com\n'])
      await expectRefusal("Your company's identity provider does not say what your address is.", { ...ann, email });
  });

  it('refuses an address outside of the verified domains, also of a person who is known', async () => {
    const outside = 'Your address does not belong to a verified domain of this organisation.';
    for (const email of ['ann@other.com', 'ann@sub.acme.com', 'ann@acme.com.evil.com', 'olga@xn--acme-9ta.com'])
      await expectRefusal(outside, person('outside', email));
    await signsIn();
    await expectRefusal(outside, person('ann', 'ann@other.com'));
  });

  it("refuses addresses of another organisation's domain, and signs nobody in there", async () => {
    const { visitor: rival } = await accounts.verified('rita@rival.com', '192.0.2.30');
    const { visitor: known } = await accounts.verified('kim@rival.com', '192.0.2.31');
    const rivals = await startIdentityProvider();
    try {
      await setUp(accounts, rival, rivals, ['rival.com']);
      const kim = person('kim', 'kim@rival.com');
      await expectRefusal('Your address does not belong to a verified domain of this organisation.', kim);
      // A code of one organisation's provider at the address of another one.
      const visitor = accounts.visitor();
      const answer = new URL(provider.authorize(await begin(visitor, 'ann@acme.com'), ann));
      const other = new URL(rivals.authorize(await begin(accounts.visitor(), 'kim@rival.com'), kim));
      answer.pathname = other.pathname;
      await refused(await comeBack(accounts, visitor, answer.href), visitor, STALE);
      assert.equal((await known.get('/account')).status, 200);
    } finally {
      await rivals.close();
    }
  });

  it('refuses the state of another browser, without ending its sign-in', async () => {
    const [one, other] = [accounts.visitor(), accounts.visitor()];
    const answer = provider.authorize(await begin(one, 'ann@acme.com'), ann);
    await refused(await comeBack(accounts, other, answer), other, STALE);
    await begin(other, 'ann@acme.com');
    await refused(await comeBack(accounts, other, answer), other, STALE);
    const changed = new URL(answer);
    changed.searchParams.set('state', 'x');
    await refused(await comeBack(accounts, one, changed.href), one, STALE);
    changed.searchParams.delete('state');
    await refused(await comeBack(accounts, one, changed.href), one, STALE);
    assert.equal((await comeBack(accounts, one, answer)).status, 303);
  });

  it('refuses an answer that comes twice, and one that comes after 10 minutes', async () => {
    const visitor = accounts.visitor();
    const address = await begin(visitor, 'ann@acme.com');
    const cookie = visitor.cookies.get('touchline_company')!;
    const answer = provider.authorize(address, ann);
    assert.equal((await comeBack(accounts, visitor, answer)).status, 303);
    assert.ok(!visitor.cookies.has('touchline_company'), 'the cookie is removed');
    const thief = accounts.visitor();
    thief.cookies.set('touchline_company', cookie);
    await refused(await comeBack(accounts, thief, answer), thief, STALE);

    const late = accounts.visitor();
    const lateAnswer = provider.authorize(await begin(late, 'ann@acme.com'), ann);
    accounts.clock.advance(600_000);
    await refused(await comeBack(accounts, late, lateAnswer), late, STALE);
    const inTime = accounts.visitor();
    const timely = provider.authorize(await begin(inTime, 'ann@acme.com'), ann);
    accounts.clock.advance(599_000);
    assert.equal((await comeBack(accounts, inTime, timely)).status, 303);
  });

  it('refuses a code that was used, or belongs to a different sign-in', async () => {
    const [one, other] = [accounts.visitor(), accounts.visitor()];
    const first = new URL(provider.authorize(await begin(one, 'ann@acme.com'), ann));
    const second = new URL(provider.authorize(await begin(other, 'ann@acme.com'), person('eve', 'eve@acme.com')));
    // A stranger's code in the browser of a victim (PKCE), and an unknown one.
    first.searchParams.set('code', second.searchParams.get('code')!);
    await refused(await comeBack(accounts, one, first.href), one, INVALID);
    second.searchParams.set('code', 'unknown');
    await refused(await comeBack(accounts, other, second.href), other, INVALID);
  });

  it('refuses answers with an error, without a code, and with the wrong issuer', async () => {
    for (const [change, problem] of [
      [
        { error: 'access_denied', error_description: 'secret words' },
        "Your company's identity provider has refused the sign-in.",
      ],
      [{ code: undefined }, INVALID],
      [{ iss: 'https://other.example.com' }, INVALID],
    ] as const) {
      const visitor = accounts.visitor();
      const answer = new URL(provider.authorize(await begin(visitor, 'ann@acme.com'), ann));
      for (const [name, value] of Object.entries(change))
        if (value === undefined) answer.searchParams.delete(name);
        else answer.searchParams.set(name, value);
      const visit = await comeBack(accounts, visitor, answer.href);
      await refused(visit, visitor, problem);
      assert.ok(!visit.text.includes('secret words'));
    }
    assert.ok(!accounts.logged().includes('secret words'));
  });

  it('shows that a provider is down, too slow, redirects or sends too much', async () => {
    const WELL_KNOWN = '/.well-known/openid-configuration';
    const begins = async () => {
      const visit = await accounts.visitor().post('/account/sign-in/company', { email: 'ann@acme.com' });
      return [visit.status, shownProblem(visit)];
    };
    provider.instead.set(WELL_KNOWN, (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end());
    assert.deepEqual(await begins(), [403, NO_ANSWER]);
    provider.instead.set(WELL_KNOWN, (response) => response.writeHead(500).end());
    assert.deepEqual(await begins(), [403, NOT_CONFORM]);
    provider.instead.set(WELL_KNOWN, (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{'),
    );
    assert.deepEqual(await begins(), [403, NOT_CONFORM]);
    provider.instead.set(WELL_KNOWN, () => {});
    const begun = Date.now();
    assert.deepEqual(await begins(), [403, NO_ANSWER]);
    assert.ok(Date.now() - begun < 7_000, 'after 5 seconds');
    provider.instead.delete(WELL_KNOWN);
    provider.instead.set('/keys', (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(`{"keys":[${'{},'.repeat(3_500_000)}{}]}`);
    });
    await expectRefusal(NO_ANSWER);
    provider.instead.set('/keys', (response) => response.destroy());
    await expectRefusal(NO_ANSWER);
    provider.instead.delete('/keys');
    provider.instead.set('/token', (response) => response.writeHead(307, { Location: '/elsewhere' }).end());
    await expectRefusal(NO_ANSWER);
    assert.ok(!provider.requests.includes('/elsewhere'));
    await provider.close();
    assert.deepEqual(await begins(), [403, NO_ANSWER]);
  });

  it('refuses discovery that names private addresses or another issuer', async () => {
    const begins = async (discovery: Record<string, unknown>) => {
      provider.discovery = discovery;
      const visit = await accounts.visitor().post('/account/sign-in/company', { email: 'ann@acme.com' });
      return shownProblem(visit);
    };
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])
      for (const address of [
        'https://169.254.169.254/latest',
        'https://10.0.0.1/keys',
        'https://localhost/keys',
        'https://[::1]/',
      ])
        assert.equal(await begins({ [name]: address }), REFUSED_ADDRESS, `${name} ${address}`);
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'relative', '', 7])
      assert.notEqual(await begins({ authorization_endpoint: address }), '', String(address));
    assert.equal(await begins({ issuer: 'https://other.example.com' }), NOT_CONFORM);
    assert.equal(await begins({ jwks_uri: undefined }), NOT_CONFORM);
    assert.equal(await begins({}), '');
    const guard = createGuard({ allow: [provider.issuer] });
    const settings = { issuer: provider.issuer, clientId: 'x', clientSecret: 'y', groupsClaim: 'groups' };
    const check = () => new Providers(guard).check(settings);
    await check();
    provider.discovery = { jwks_uri: 'http://login.example.com/keys' };
    await assert.rejects(check(), { code: 'address_refused' });
  });

  it('says why in the log of the organisation, without codes and secrets', async () => {
    provider.token = { nonce: 'another' };
    await expectRefusal(INVALID);
    const { json } = await owner.json('GET', '/v1/account/audit');
    assert.equal(json.entries[0].action, 'single_sign_on.failed');
    assert.deepEqual(json.entries[0].details, { reason: INVALID });
    assert.ok(!accounts.logged().includes('the-client-secret-of-the-tests'));
    assert.match(accounts.logged(), /code=\*\*\*&state=\*\*\*/);
    assert.doesNotMatch(accounts.logged(), /[?&](code|state)=\w/);
  });

  it('limits how many sign-ins begin in a network', async () => {
    const begun: number[] = [];
    for (let count = 0; count < 61; count += 1)
      begun.push(
        (await accounts.visitor('198.51.100.9').post('/account/sign-in/company', { email: 'x@none.com' })).status,
      );
    assert.deepEqual(new Set(begun.slice(0, 60)), new Set([403]));
    assert.equal(begun[60], 429);
  });
});
