/** The settings of single sign-on over REST, the domains, and the switch that requires it. */
import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addAccountCommands } from '../../../src/accounts/command.ts';
import { reencryptSecrets } from '../../../src/webhooks/subscriptions/secret-reencryption.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../../support/account-app.ts';
import { BUILT_IN_PLANS } from '../../support/accounts.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { begin, person, proveNow, readRole, setUp, shownProblem, signInAt } from './company.ts';

const PATH = '/v1/account/single-sign-on';
const OWNER = 'olga@acme.com';
const DAY_MS = 86_400_000;

describe('settings of single sign-on', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let provider: IdentityProvider;
  let owner: Visitor;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider?.close());
  beforeEach(async () => {
    accounts = await startAccountApp();
    owner = (await accounts.verified(OWNER)).visitor;
  });
  afterEach(() => accounts.close());

  const settings = () => ({ issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret });
  const patch = (body: object, visitor = owner) => visitor.json('PATCH', PATH, body);
  const verify = (domain: string, visitor = owner) => visitor.json('POST', `${PATH}/verify`, { domain });
  const listErrors = ({ json }: { json: { errors: { parameter: string; code: string }[] } }) =>
    json.errors.map(({ parameter, code }) => `${parameter} ${code}`);
  const signIn = (claims: Record<string, unknown>, visitor = accounts.visitor()) =>
    signInAt(accounts, provider, visitor, claims);
  const withPassword = (email: string, visitor = accounts.visitor('192.0.2.99')) =>
    visitor.post('/account/sign-in', { email, password: PASSWORD });
  const findMemberId = async (email: string) =>
    (await accounts.pool.query<{ id: number }>('SELECT id FROM member WHERE email = $1', [email])).rows[0]!.id;

  it('stores, shows, changes and removes them, and never shows the secret', async () => {
    assert.equal((await owner.json('GET', PATH)).status, 404);
    assert.equal((await owner.json('DELETE', PATH)).status, 404);
    const made = await patch({ ...settings(), domains: ['ACME.com', '@acme.com', 'пример.рф'] });
    assert.equal(made.status, 200, made.text);
    const id = made.json.redirect_uri.match(/^http.*\/account\/sign-in\/company\/callback\/(\d+)$/)[1];
    const { domains, redirect_uri: _, ...rest } = made.json;
    assert.ok(Number(id) > 0);
    assert.deepEqual(rest, {
      issuer: provider.issuer,
      client_id: 'touchline',
      default_role: 'viewer',
      groups_claim: 'groups',
      group_roles: [],
      required: false,
      emergency_owner: null,
    });
    assert.deepEqual(
      domains.map(({ domain }: { domain: string }) => domain),
      ['acme.com', 'xn--e1afmkfd.xn--p1ai'],
    );
    for (const { record, verified_at } of domains) {
      assert.match(record, /^touchline-verification=[0-9a-f]{32}$/);
      assert.equal(verified_at, null);
    }
    const changed = await patch({ default_role: 'developer' });
    assert.equal(changed.json.default_role, 'developer');
    assert.deepEqual(changed.json.domains, domains, 'the rest stays as it is');
    assert.deepEqual((await owner.json('GET', PATH)).json, changed.json);
    const { rows } = await accounts.pool.query('SELECT * FROM single_sign_on');
    const audit = await owner.json('GET', '/v1/account/audit');
    const page = await owner.get('/account/single-sign-on');
    for (const text of [JSON.stringify(rows), made.text, audit.text, page.text, accounts.logged()])
      assert.ok(!text.includes(CLIENT.secret));
    assert.equal((await owner.json('DELETE', PATH)).status, 204);
    assert.equal((await owner.json('GET', PATH)).status, 404);
  });

  it('re-encrypts the secret with a new key, with which people still sign in', async () => {
    await setUp(accounts, owner, provider, ['acme.com']);
    const { secretKeys } = accounts.deps.config;
    const stored = async () =>
      (await accounts.pool.query('SELECT client_secret FROM single_sign_on')).rows[0].client_secret;
    const before = await stored();
    const keys = ['a-new-secret-key-of-the-tests', ...secretKeys];
    assert.deepEqual(await reencryptSecrets(accounts.pool, keys), { count: 1, undecryptable: [] });
    assert.notEqual(await stored(), before);
    Object.assign(accounts.deps.config, { secretKeys: keys });
    assert.equal((await signIn(person('ann', 'ann@acme.com'))).status, 303);
    Object.assign(accounts.deps.config, { secretKeys });
  });

  it('does not send a stored secret to another provider', async () => {
    await patch(settings());
    const other = await startIdentityProvider();
    try {
      assert.deepEqual(listErrors(await patch({ issuer: other.issuer })), ['client_secret required']);
      assert.deepEqual(listErrors(await patch({ client_id: 'x' })), ['client_secret required']);
      assert.deepEqual(other.requests, []);
      assert.equal((await patch({ issuer: other.issuer, client_secret: 'new' })).status, 200);
    } finally {
      await other.close();
    }
  });

  it('refuses what cannot work', async () => {
    assert.deepEqual(listErrors(await patch({ client_id: 'x', client_secret: 'y' })), ['issuer required']);
    const issuer = async (text: string) => listErrors(await patch({ ...settings(), issuer: text }));
    assert.deepEqual(await issuer('https://10.0.0.1'), ['issuer address_refused']);
    assert.deepEqual(await issuer('https://169.254.169.254/'), ['issuer address_refused']);
    assert.deepEqual(await issuer('not a url'), ['issuer address_refused']);
    assert.deepEqual(await issuer(`${provider.issuer}/other`), ['issuer not_conform']);
    assert.deepEqual(await issuer('http://127.0.0.1:9'), ['issuer unreachable']);
    for (const [body, error] of [
      [{ domains: ['gmail.com'] }, 'domains mail_provider'],
      [{ domains: ['Mail.ru'] }, 'domains mail_provider'],
      [{ domains: ['acme'] }, 'domains invalid_domain'],
      [{ domains: ['10.0.0.1'] }, 'domains invalid_domain'],
      [{ domains: ['*.acme.com'] }, 'domains invalid_domain'],
      [{ domains: ['acme.com.'] }, 'domains invalid_domain'],
      [{ domains: Array.from({ length: 21 }, (_, at) => `a${at}.com`) }, 'domains too_big'],
      [{ default_role: 'owner' }, 'default_role invalid_value'],
      [
        { group_roles: Array.from({ length: 51 }, (_, at) => ({ group: `${at}`, role: 'viewer' })) },
        'group_roles too_big',
      ],
      [{ groups_claim: 'a b' }, 'groups_claim invalid_format'],
      [{ client_secret: 'a\nb' }, 'client_secret custom'],
      [{ emergency_owner: 999_999 }, 'emergency_owner not_owner'],
      [{ required: true }, 'emergency_owner required'],
      [{ emergency_owner: Number.MAX_SAFE_INTEGER }, 'emergency_owner not_owner'],
      [{ secret: 'x' }, 'secret unknown_parameter'],
    ] as const) {
      const refused = await patch({ ...settings(), ...body });
      assert.equal(refused.status, 422, refused.text);
      assert.deepEqual(listErrors(refused), [error]);
    }
    assert.equal((await owner.json('GET', PATH)).status, 404, 'nothing was stored');
  });

  it('verifies a domain by its TXT record, which has to be exact', async () => {
    const { json } = await patch({ ...settings(), domains: ['acme.com'] });
    const { record } = json.domains[0];
    assert.deepEqual(listErrors(await verify('other.com')), ['domain unknown_domain']);
    assert.deepEqual(listErrors(await verify('x')), ['domain invalid_domain']);
    assert.equal((await verify('acme.com')).status, 409);
    for (const records of [[], ['touchline-verification='], [`${record}x`], [`x${record}`], [record.toUpperCase()]]) {
      accounts.txt.set('acme.com', records);
      assert.equal((await verify('acme.com')).status, 409, records.join());
    }
    accounts.txt.set('acme.com', Object.assign(new Error('ETIMEOUT'), { code: 'ETIMEOUT' }));
    assert.equal((await verify('acme.com')).status, 503);
    const before = await accounts.visitor().post('/account/sign-in/company', { email: 'ann@acme.com' });
    assert.equal(shownProblem(before), 'No organisation has set up single sign-on for this address.');
    accounts.txt.set('acme.com', ['v=spf1', record]);
    const verified = await verify('acme.com');
    assert.equal(verified.json.domains[0].verified_at, '2026-03-01T12:00:00Z');
    await begin(accounts.visitor(), 'ann@acme.com');
  });

  it('gives a domain to one organisation only, until its record vanishes', async () => {
    await setUp(accounts, owner, provider, ['acme.com']);
    const { visitor: rival } = await accounts.verified('rita@rival.com', '192.0.2.30');
    const { json } = await patch({ ...settings(), domains: ['acme.com'] }, rival);
    const own = accounts.txt.get('acme.com') as string[];
    accounts.txt.set('acme.com', [...own, json.domains[0].record]);
    const refused = await verify('acme.com', rival);
    assert.equal(refused.status, 409);
    assert.equal(refused.json.detail, 'A different organisation has the domain acme.com.');
    accounts.txt.set('acme.com', [json.domains[0].record]);
    assert.equal((await verify('acme.com', rival)).status, 200);
    assert.equal((await owner.json('GET', PATH)).json.domains[0].verified_at, null);
  });

  it('lets one of two organisations that verify a domain at the same moment have it', async () => {
    const { visitor: rival } = await accounts.verified('rita@rival.com', '192.0.2.30');
    const records: string[] = [];
    for (const visitor of [owner, rival])
      records.push((await patch({ ...settings(), domains: ['acme.com'] }, visitor)).json.domains[0].record);
    accounts.txt.set('acme.com', records);
    const both = await Promise.all([verify('acme.com'), verify('acme.com', rival)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  });

  it('reads the record again after a day, and loses a domain without it', async () => {
    await setUp(accounts, owner, provider, ['acme.com']);
    const isKnown = async () =>
      (await accounts.visitor().post('/account/sign-in/company', { email: 'ann@acme.com' })).status === 200;
    const record = accounts.txt.get('acme.com')!;
    accounts.txt.delete('acme.com');
    accounts.clock.advance(DAY_MS - 1_000);
    assert.equal(await isKnown(), true, 'not read yet');
    accounts.txt.set('acme.com', Object.assign(new Error('ESERVFAIL'), { code: 'ESERVFAIL' }));
    accounts.clock.advance(1_000);
    assert.equal(await isKnown(), true, 'the name server says nothing');
    accounts.txt.delete('acme.com');
    accounts.clock.advance(3_599_000);
    assert.equal(await isKnown(), true, 'read again only after an hour');
    accounts.clock.advance(1_000);
    assert.equal(await isKnown(), false);
    const { rows } = await accounts.pool.query(
      "SELECT details FROM audit_entry WHERE action = 'single_sign_on.domain_lost'",
    );
    assert.deepEqual(rows, [{ details: { domain: 'acme.com' } }]);
    accounts.txt.set('acme.com', record);
    assert.equal(await isKnown(), false, 'it has to be verified again');
    assert.equal((await verify('acme.com')).json.code, 'sign_in_required');
    await proveNow(accounts);
    assert.equal((await verify('acme.com')).status, 200);
    assert.equal(await isKnown(), true);
  });

  /** Ends a person's membership in the organisation that was made at sign-up. */
  const leaveOwn = (email: string) =>
    accounts.pool.query('DELETE FROM membership WHERE account_id = (SELECT id FROM account WHERE email = $1)', [email]);

  describe('that require it', () => {
    let ann: Visitor;
    beforeEach(async () => {
      ann = (await accounts.verified('ann@acme.com', '192.0.2.20')).visitor;
      await setUp(accounts, owner, provider, ['acme.com'], { default_role: 'developer' });
      await signIn(person('ann', 'ann@acme.com'));
      await accounts.pool.query("UPDATE member SET totp_secret = 'x' WHERE email = $1", [OWNER]);
      assert.equal((await patch({ required: true, emergency_owner: await findMemberId(OWNER) })).status, 200);
    });

    it('refuse the password for an address in a verified domain, but not elsewhere', async () => {
      const shownAccount = async (visitor: Visitor) => (await visitor.json('GET', '/v1/account')).json.email;
      // Ann owns an organisation of her own, which the password still opens, but not that of her company.
      const { rows } = await accounts.pool.query('SELECT id FROM account WHERE email = $1', [OWNER]);
      await accounts.pool.query('UPDATE member_session SET account_id = $1', [rows[0].id]);
      assert.equal(await shownAccount(ann), 'ann@acme.com');
      const visitor = accounts.visitor();
      await signIn(person('ann', 'ann@acme.com'), visitor);
      assert.equal(await shownAccount(visitor), OWNER);
      await leaveOwn('ann@acme.com');
      assert.equal((await ann.get('/account')).status, 303, 'her session reaches nothing any more');
      const refused = await withPassword('ann@acme.com');
      assert.deepEqual(
        [refused.status, shownProblem(refused)],
        [403, "Your organisation requires you to sign in with your company's account."],
      );
      const wrong = await accounts.visitor().post('/account/sign-in', { email: 'ann@acme.com', password: 'wrong' });
      assert.equal(
        shownProblem(wrong),
        'The email or the password is wrong.',
        'only a person with the password is told',
      );
      assert.equal((await visitor.get('/account')).status, 200, 'the session from the provider stays');
    });

    it('except the emergency owner, who must have a second factor', async () => {
      const signedIn = await withPassword(OWNER);
      assert.equal(signedIn.location, '/account/code?next=%2Faccount');
      await accounts.pool.query('UPDATE member SET totp_secret = NULL WHERE email = $1', [OWNER]);
      assert.equal((await withPassword(OWNER)).status, 403);
      await accounts.pool.query("UPDATE member SET totp_secret = 'x' WHERE email = $1", [OWNER]);
      const viewer = await findMemberId('ann@acme.com');
      assert.deepEqual(listErrors(await patch({ emergency_owner: viewer })), ['emergency_owner not_owner']);
      assert.deepEqual(listErrors(await patch({ emergency_owner: null })), ['emergency_owner required']);
      await accounts.pool.query('UPDATE member SET totp_secret = NULL');
      // Without an open session nobody could ask; the session of the emergency owner has ended, too.
      assert.equal((await patch({ emergency_owner: await findMemberId(OWNER) })).status, 401);
    });

    it('until an operator lifts that, because the provider is down and the emergency owner cannot sign in', async () => {
      await leaveOwn('ann@acme.com');
      assert.equal((await withPassword('ann@acme.com')).status, 403);
      const lift = async () => {
        const program = new Command().exitOverride();
        const lines: string[] = [];
        addAccountCommands(
          program,
          (work) => work(accounts.pool, BUILT_IN_PLANS),
          (line) => lines.push(line),
        );
        await program.parseAsync(['account', 'lift-single-sign-on', OWNER], { from: 'user' });
        return lines.join('\n');
      };
      assert.equal(await lift(), `${OWNER}: single sign-on is no longer required`);
      assert.equal((await withPassword('ann@acme.com')).status, 303);
      const { json } = await owner.json('GET', PATH);
      assert.deepEqual([json.required, json.issuer], [false, provider.issuer], 'the other settings stay');
      await assert.rejects(lift(), /Single sign-on is not required there/);
      await accounts.pool.query('DELETE FROM single_sign_on');
      await assert.rejects(lift(), /Single sign-on is not set up/);
    });

    it('not if the domain is lost', async () => {
      await leaveOwn('ann@acme.com');
      assert.equal((await withPassword('ann@acme.com')).status, 403);
      accounts.txt.delete('acme.com');
      accounts.clock.advance(DAY_MS);
      await accounts.visitor().post('/account/sign-in/company', { email: 'ann@acme.com' });
      assert.equal((await withPassword('ann@acme.com')).status, 303);
    });
  });

  it('are for owners only', async () => {
    await setUp(accounts, owner, provider, ['acme.com'], { default_role: 'admin' });
    const admin = accounts.visitor();
    await signIn(person('ann', 'ann@acme.com'), admin);
    assert.equal(await readRole(accounts, 'ann@acme.com', OWNER), 'admin');
    const asked: [string, string, object?][] = [
      ['GET', PATH],
      ['PATCH', PATH, { required: false }],
      ['DELETE', PATH],
      ['POST', `${PATH}/verify`, { domain: 'acme.com' }],
    ];
    for (const [method, path, body] of asked)
      assert.equal((await admin.json(method, path, body)).json.code, 'role_not_permitted', `${method} ${path}`);
    assert.equal((await admin.get('/account/single-sign-on')).status, 403);
    for (const path of ['', '/verify', '/remove'])
      assert.equal((await admin.post(`/account/single-sign-on${path}`, {})).status, 403, path);
    const { key } = await accounts.signedUp('kim@other.com', '192.0.2.40');
    const byKey = await accounts.visitor().json('GET', PATH, undefined, { 'X-API-Key': key });
    assert.equal(byKey.json.code, 'key_not_permitted');
  });
});
