import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { deleteAccount, suspendAccount } from '../../src/accounts/accounts.ts';
import { OPERATOR } from '../../src/accounts/audit.ts';
import {
  CREDENTIALS,
  type CredentialName,
  endCredentials,
  OCCASIONS,
  type Occasion,
} from '../../src/accounts/credentials/credentials.ts';
import { readDevice } from '../../src/accounts/credentials/device-mark.ts';
import { addIdentity, findIdentity } from '../../src/accounts/credentials/identities.ts';
import { tokenHash } from '../../src/accounts/credentials/member-tokens.ts';
import { createLink, readLink } from '../../src/accounts/credentials/one-time-links.ts';
import {
  addOptions,
  checkCreated,
  checkUsed,
  passkeySite,
  useOptions,
} from '../../src/accounts/credentials/passkey-answers.ts';
import { insertPasskey, recordUse } from '../../src/accounts/credentials/passkeys.ts';
import { beginSecondFactor, confirmSecondFactor, takeCode } from '../../src/accounts/credentials/second-factor.ts';
import { findKey } from '../../src/accounts/keys/key-store.ts';
import { readAddressLink } from '../../src/accounts/members/address-link.ts';
import { inviteMember, readMemberInvitation } from '../../src/accounts/members/member-invitations.ts';
import { readMember } from '../../src/accounts/members/members.ts';
import { resetPassword } from '../../src/accounts/members/password-reset.ts';
import { createResetLink } from '../../src/accounts/members/reset-link.ts';
import { endSessionsOfAccount } from '../../src/accounts/members/session-end.ts';
import { signIn } from '../../src/accounts/members/sign-in.ts';
import { beginAttempt } from '../../src/accounts/single-sign-on/attempts.ts';
import { readProvider } from '../../src/accounts/single-sign-on/settings.ts';
import { transaction } from '../../src/db/postgres.ts';
import { createFeedToken, findFeedToken } from '../../src/feed/feed-tokens.ts';
import { createSubscription, subscriptionState, subscriptions } from '../../src/webhooks/subscriptions/subscription.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { BUILT_IN_PLANS, createInvitation } from '../support/accounts.ts';
import { Authenticator, type PublicKeyOptions } from '../support/authenticator.ts';
import { storeSingleSignOn } from '../support/single-sign-on.ts';
import { DEFAULT_POLICY } from '../support/webhook-policy.ts';

const FRESH = 'a fresh password';
const STEP_MS = 30_000;
/** How long a process may still accept a revoked key from its cache. */
const KEY_CACHE_MS = 5_000;

interface Occupied {
  email: string;
  accountId: number;
  memberId: number;
  /** The browser that the owner uses. */
  owner: Visitor;
}

/** Returns whether a credential that was created earlier still grants access. */
type Opens = () => Promise<boolean>;

/** Columns with secrets that grant no access, or that are not given to anybody. */
const NO_CREDENTIALS = new Set([
  'member.password', // chosen by the member
]);

describe('account credentials', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  const signedIn = async (email: string, password = PASSWORD) => {
    const visitor = accounts.visitor('203.0.113.80');
    await visitor.post('/account/sign-in', { email, password });
    return visitor;
  };
  const isIn = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;

  /**
   * For each kind of credential, creates one as a former user of the account would. The test fails if a kind in the
   * list has no entry here.
   */
  const FACTORIES: Record<CredentialName, (account: Occupied) => Promise<Opens>> = {
    async session({ email }) {
      const visitor = await signedIn(email);
      assert.ok(await isIn(visitor));
      return () => isIn(visitor);
    },
    async 'mark of a browser'({ email, memberId }) {
      const visitor = await signedIn(email);
      const { config, pool, clock } = accounts.deps;
      const cookie = `touchline_device=${visitor.cookies.get('touchline_device')}`;
      return async () => {
        const member = await readMember(pool, memberId);
        const isRefused = member === null || member.isSuspended;
        return !isRefused && readDevice(config.secretKeys, cookie, member, clock.now(), false) !== null;
      };
    },
    passkey: (account) => passkey(account, 'after_password'),
    'passkey alone': (account) => passkey(account, 'alone'),
    'second factor': ({ email, memberId }) => factor(email, memberId, 'app'),
    'recovery code': ({ email, memberId }) => factor(email, memberId, 'recovery'),
    async 'identity at a provider'({ memberId }) {
      const { pool, clock } = accounts.deps;
      const identity = { issuer: 'https://login.example.com', subject: String(memberId) };
      await addIdentity(pool, clock, identity, memberId);
      return async () =>
        (await findIdentity(pool, identity)) !== null && (await readMember(pool, memberId))?.isSuspended === false;
    },
    async 'sign-in that has begun at a provider'({ accountId }) {
      const { pool, clock, config } = accounts.deps;
      await storeSingleSignOn(accounts.deps, accountId, 'touchline', `a${accountId}.example.com`);
      const token = await beginAttempt(pool, clock, { accountId, next: '/account', again: false });
      const attempts = 'SELECT FROM sign_in_attempt WHERE hash = $1';
      return async () =>
        (await pool.query(attempts, [tokenHash(token)])).rowCount === 1 &&
        (await readProvider(pool, accountId, config.secretKeys)) !== null;
    },
    async 'client secret of single sign-on'({ accountId }) {
      const { pool, config } = accounts.deps;
      return async () => (await readProvider(pool, accountId, config.secretKeys))?.clientSecret === 'client secret';
    },
    async 'password link'({ accountId, memberId, email }) {
      const link = { memberId, accountId, email, plan: null };
      const token = await createLink(accounts.pool, accounts.clock, 'reset', link);
      return async () => /New password/.test((await accounts.visitor().get(`/account/reset?token=${token}`)).text);
    },
    async 'address link'({ accountId, memberId }) {
      const link = { memberId, accountId, email: 'thief@example.com', plan: null };
      const token = await createLink(accounts.pool, accounts.clock, 'address', link);
      return async () => (await readAddressLink(accounts.pool, accounts.clock, token, memberId)) !== null;
    },
    async 'invitation of an operator'({ accountId }) {
      const wanted = { email: null, plan: null, createdBy: accountId };
      const { token } = await createInvitation(accounts.pool, accounts.clock, wanted);
      return async () => (await readLink(accounts.pool, accounts.clock, 'invitation', token)) !== null;
    },
    async 'invitation to an organisation'({ email, accountId, memberId }) {
      const acting = { memberId, accountId, email, sessionHash: Buffer.alloc(32), address: '203.0.113.80' };
      const deps = { ...accounts.deps, mail: { ...accounts.deps.mail, isConfigured: false } };
      const wanted = { email: `friend-of-${email}`, role: 'admin', lang: 'en' } as const;
      const { token } = await inviteMember(deps, acting, wanted);
      return async () => (await readMemberInvitation(accounts.pool, accounts.clock, token)) !== null;
    },
    async 'address of a calendar'({ email }) {
      const { text } = await (await signedIn(email)).post('/account/calendar/address', {});
      const [, token] = /mine\.ics\?token=([\w-]+)/.exec(text)!;
      return async () => (await accounts.visitor().get(`/calendar/mine.ics?token=${token}`)).status === 200;
    },
    async 'browser with notifications'({ email, memberId }) {
      const browser = createECDH('prime256v1').generateKeys('base64url');
      const address = { endpoint: `https://fcm.googleapis.com/fcm/send/${email}`, p256dh: browser };
      const sent = { ...address, auth: randomBytes(16).toString('base64url') };
      const { status } = await (await signedIn(email)).post('/account/notifications/browsers', sent);
      assert.equal(status, 200);
      const read = 'SELECT FROM push_browser WHERE member_id = $1';
      return async () => (await accounts.pool.query(read, [memberId])).rowCount === 1;
    },
    'secret key': ({ email }) => key(email, 'sk'),
    'publishable key': ({ email }) => key(email, 'pk'),
    async webhook({ email }) {
      const { pool, clock, guard, config } = accounts.deps;
      const { secretKeys } = config;
      const deps = { pool, clock, guard, secretKeys, policy: DEFAULT_POLICY, plans: BUILT_IN_PLANS };
      const { id } = await createSubscription(deps, { account: email, url: 'http://127.0.0.1:9/' });
      return async () => {
        const [one] = await subscriptions(pool, { id });
        return one !== undefined && subscriptionState(one, BUILT_IN_PLANS) === 'active';
      };
    },
    async 'feed token'() {
      const deps = { pool: accounts.pool, clock: accounts.clock, secretKeys: accounts.deps.config.secretKeys };
      const provider = `p${Math.random().toString(36).slice(2, 10)}`;
      const { token } = await createFeedToken(deps, { provider, sports: null, signs: false }, OPERATOR);
      return async () => (await findFeedToken(accounts.pool, token))?.isRevoked === false;
    },
  };

  async function key(email: string, kind: 'sk' | 'pk'): Promise<Opens> {
    const { json } = await (await signedIn(email)).json('POST', '/v1/account/keys', { name: 'x', kind });
    assert.match(json.key, /^[sp]k_live_/);
    return async () => {
      const found = await findKey(accounts.pool, json.key);
      return found !== null && found.revokedAt === null && !found.suspended;
    };
  }

  /** The account's second factor, which all factories share. */
  const factors = new Map<number, Promise<{ secret: string; codes: string[] }>>();
  async function factor(email: string, memberId: number, wanted: 'app' | 'recovery'): Promise<Opens> {
    const made =
      factors.get(memberId) ??
      transaction(accounts.pool, async (db) => {
        const { secret } = await beginSecondFactor(db, accounts.deps, { memberId, email });
        const code = new TOTP({ secret }).generate({ timestamp: accounts.clock.now() });
        return { secret, codes: await confirmSecondFactor(db, accounts.deps, memberId, code) };
      });
    factors.set(memberId, made);
    const { secret, codes } = await made;
    return async () => {
      accounts.clock.advance(STEP_MS);
      const app = () => new TOTP({ secret }).generate({ timestamp: accounts.clock.now() });
      const member = await readMember(accounts.pool, memberId);
      const code = wanted === 'app' ? app() : codes.pop()!;
      const isRefused = member === null || member.isSuspended;
      return !isRefused && (await takeCode(accounts.pool, accounts.deps, memberId, code)) === wanted;
    };
  }

  async function passkey({ memberId, email }: Occupied, use: 'alone' | 'after_password'): Promise<Opens> {
    const { pool, clock, deps } = accounts;
    const site = passkeySite(accounts.app.url);
    const device = new Authenticator(site.origin);
    const holder = randomBytes(32);
    const options = await addOptions(deps, site, { memberId, email }, holder);
    const made = await checkCreated(deps, site, holder, device.create(options as PublicKeyOptions));
    await insertPasskey(pool, clock, memberId, { ...made, name: use });
    return async () => {
      const member = await readMember(pool, memberId);
      if (member === null || member.isSuspended) return false;
      const asked = (await useOptions(deps, site, memberId, holder)) as PublicKeyOptions;
      const used = await checkUsed(deps, site, { holder, memberId }, device.get(asked)).catch(() => null);
      if (used === null) return false;
      return (await recordUse(pool, clock, { id: used.passkey.id, counter: used.counter, use })) === 'used';
    };
  }

  let number = 0;
  /** Creates an account with one credential of each kind, all in the hands of a former user. */
  async function occupied(): Promise<Occupied & { opens: ReadonlyMap<CredentialName, Opens> }> {
    number += 1;
    const email = `occupied${number}@example.com`;
    const { visitor: owner } = await accounts.verified(email, `203.0.${number}.1`);
    await accounts.pool.query("UPDATE account SET plan = 'pro' WHERE email = $1", [email]);
    const member = (await readMember(accounts.pool, email))!;
    const account = { email, accountId: member.accountId, memberId: member.id, owner };
    const opens = new Map<CredentialName, Opens>();
    // Factors come last, since after they are turned on every sign-in asks for them.
    const kinds = CREDENTIALS.toSorted((a, b) => Number(isFactor(a.name)) - Number(isFactor(b.name)));
    for (const { name } of kinds) opens.set(name, await FACTORIES[name](account));
    for (const [name, isOpen] of opens) assert.equal(await isOpen(), true, `${name} opens what it is for`);
    return { ...account, opens };
  }
  const isFactor = (name: CredentialName) => /factor|code|passkey/.test(name);

  const reset = async ({ accountId, email }: Occupied, revokesKeys: boolean) => {
    const token = await createLink(accounts.pool, accounts.clock, 'reset', { accountId, email, plan: null });
    await resetPassword(accounts.deps, { token, password: FRESH, revokesKeys }, '203.0.113.90');
  };
  const at303 = async (visit: Promise<{ status: number; text: string }>) => {
    const { status, text } = await visit;
    assert.equal(status, 303, text);
  };
  /** For each occasion, what a member or an operator may do that causes it. */
  const ACTIONS: Record<Occasion, Record<string, (account: Occupied) => Promise<unknown>>> = {
    signed_out: {
      'the member signs out everywhere': ({ owner }) => at303(owner.post('/account/security/sign-out', {})),
      'the member ends all other sessions': ({ owner }) =>
        at303(owner.post('/account/security/sessions/end-others', {})),
      'an operator ends all sessions': ({ accountId }) => endSessionsOfAccount(accounts.deps, accountId, OPERATOR),
    },
    moved: {
      async 'the account moves to another address'({ owner, email }) {
        const moved = `moved.${email}`;
        await at303(owner.post('/account/security/email', { email: moved }));
        await at303(owner.post('/account/address', { token: accounts.tokenFor(moved) }));
      },
    },
    factor_changed: {
      // A real change would also replace the second factor, which this test watches.
      'the second factor is turned on or off': ({ accountId, memberId }) =>
        endCredentials(accounts.pool, accounts.clock, 'factor_changed', { accountId, memberId, actor: OPERATOR }),
    },
    new_password: {
      'the member changes the password': ({ owner }) =>
        at303(owner.post('/account/security/password', { current: PASSWORD, password: FRESH })),
    },
    reset: { 'a password is set by a link': (account) => reset(account, false) },
    reset_with_keys: {
      'a password is set by a link, with all keys': (account) => reset(account, true),
      'an operator makes a link, with all keys': ({ email }) =>
        createResetLink(accounts.pool, accounts.clock, email, { secondFactor: false, keys: true }, OPERATOR),
    },
    factor_lost: {
      'an operator makes a link, with the second factor': ({ email }) =>
        createResetLink(accounts.pool, accounts.clock, email, { secondFactor: true, keys: false }, OPERATOR),
    },
    suspended: {
      'an operator suspends the account': ({ email }) =>
        suspendAccount(accounts.pool, accounts.clock, email, true, OPERATOR),
    },
    removed: { 'the account is deleted': ({ accountId }) => deleteAccount(accounts.pool, accountId) },
  };

  for (const occasion of Object.keys(OCCASIONS) as Occasion[])
    for (const [what, act] of Object.entries(ACTIONS[occasion]))
      it(`when ${what}, the credentials listed for that case stop working, and the rest still work`, async () => {
        const { opens, ...account } = await occupied();
        await act(account);
        accounts.clock.advance(KEY_CACHE_MS);
        const outcomes = CREDENTIALS.map(
          (kind: { name: CredentialName; outcome: Partial<Record<Occasion, string>> }) => ({
            name: kind.name,
            outcome: kind.outcome[occasion],
          }),
        );
        for (const { name, outcome } of outcomes)
          assert.equal(await opens.get(name)!(), outcome === undefined, `${name}: ${outcome ?? 'stays'}`);
        if (occasion !== 'suspended') return;
        await suspendAccount(accounts.pool, accounts.clock, account.email, false, OPERATOR);
        accounts.clock.advance(KEY_CACHE_MS);
        for (const { name, outcome } of outcomes)
          assert.equal(
            await opens.get(name)!(),
            outcome !== 'ends',
            `${name}: ${outcome ?? 'stays'}, after the suspension`,
          );
      });

  it('only keys, webhooks, the second factor and single sign-on outlive a new password, and no credential outlives the account', () => {
    const staying = (occasion: Occasion) =>
      CREDENTIALS.filter((kind: { outcome: Partial<Record<Occasion, string>> }) => kind.outcome[occasion] === undefined)
        .map(({ name }) => name)
        .filter((name) => name !== 'feed token');
    const factors = ['passkey', 'second factor', 'recovery code'];
    const forServers = ['secret key', 'publishable key', 'webhook'];
    const invitation = 'invitation of an operator';
    const provider = [
      'identity at a provider',
      'sign-in that has begun at a provider',
      'client secret of single sign-on',
    ];
    const invitations = [invitation, 'invitation to an organisation'];
    assert.deepEqual(staying('signed_out'), [
      'mark of a browser',
      'passkey',
      'passkey alone',
      ...factors.slice(1),
      ...provider,
      ...invitations,
      ...forServers,
    ]);
    assert.deepEqual(staying('new_password'), [...factors, ...provider, invitation, ...forServers]);
    assert.deepEqual(staying('reset'), [...factors, ...provider, ...forServers]);
    assert.deepEqual(staying('reset_with_keys'), factors);
    assert.deepEqual(staying('factor_lost'), [...provider, ...forServers]);
    assert.deepEqual(staying('suspended'), []);
    assert.deepEqual(staying('removed'), []);
  });

  it('every stored secret belongs to a kind in the credential list', async () => {
    const { rows } = await accounts.pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND (column_name ~ '(^|_)(secret|token|password)$' OR column_name ~ 'totp_(secret|pending)' OR (column_name = 'hash' AND data_type = 'bytea'))`,
    );
    const listed = new Set<string>(CREDENTIALS.flatMap(({ stored }) => stored));
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !listed.has(name) && !NO_CREDENTIALS.has(name)),
      [],
    );
    const found = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      [...listed].filter((name) => !found.has(name)),
      [],
    );
  });

  it('a sign-in with the former password during a reset gives no access', async () => {
    const email = 'race@example.com';
    await accounts.verified(email, '203.0.113.101');
    const member = (await readMember(accounts.pool, email))!;
    const { passwords } = accounts.deps;
    const slow = Object.assign(Object.create(passwords), {
      async verify(...given: Parameters<typeof passwords.verify>) {
        const isRight = await passwords.verify(...given);
        await reset({ email, accountId: member.accountId, memberId: member.id, owner: accounts.visitor() }, false);
        return isRight;
      },
    });
    const input = { email, password: PASSWORD, cookies: undefined, secure: false, before: null };
    await assert.rejects(
      signIn({ ...accounts.deps, passwords: slow }, input, { address: '203.0.113.102', agent: 'x' }),
      /email or the password is wrong/,
    );
    const { rows } = await accounts.pool.query('SELECT FROM member_session WHERE member_id = $1', [member.id]);
    assert.equal(rows.length, 0);
  });
});
