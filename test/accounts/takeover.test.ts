import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { deleteAccount } from '../../src/accounts/accounts.ts';
import { createLink } from '../../src/accounts/credentials/one-time-links.ts';
import { listUnclearEmails } from '../../src/accounts/email-address.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { createAccount } from '../support/accounts.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FRESH = 'a fresh password';

/** Ways in which an attacker could get into a different person's account, or stay in it. */
describe('account takeover', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  const signIn = (visitor: Visitor, email: string, password = PASSWORD) =>
    visitor.post('/account/sign-in', { email, password });
  const sent = (email: string, subject: RegExp) =>
    accounts.letters.filter((letter) => letter.to === email && subject.test(letter.subject));
  const askForReset = async (email: string) => {
    const before = sent(email, /^Set a new password/).length;
    await accounts.visitor().post('/account/reset', { email });
    await until('the mail is sent', () => sent(email, /^Set a new password/).length > before);
    return accounts.tokenFor(email);
  };
  async function turnOnFactor(visitor: Visitor, password = PASSWORD) {
    const page = await visitor.post('/account/security/second-factor', { confirm_password: password });
    const secret = /class="value">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '');
    if (secret === undefined) return { status: page.status, text: page.text };
    const code = new TOTP({ secret }).generate({ timestamp: accounts.clock.now() });
    return visitor.post('/account/security/second-factor/confirm', { code });
  }

  describe('by address spelling', () => {
    it('all spellings of an address share its limits, so 250 guesses get 100 tries', async () => {
      const email = 'admin.istrator@example.com';
      await accounts.signedUp(email);
      // Postgres folds U+0130 to i, and JavaScript to i and a dot. Each spelling once had a separate bucket for attempts.
      const spellings = Array.from({ length: 32 }, (_, bits) =>
        email.replaceAll('i', (letter, at: number) => ((bits >> (at % 5)) & 1 ? '\u0130' : letter)),
      );
      const wide = email.replace('admin', '\uff41\uff44\uff4d\uff49\uff4e');
      let tried = 0;
      for (let i = 0; i < 250; i += 1) {
        const spelling = [...spellings, wide, email.toUpperCase()][i % 34]!;
        const { status } = await signIn(accounts.visitor(`10.1.${i % 250}.1`), spelling, 'a wrong guess');
        if (status === 401 && spelling.normalize('NFKC').toUpperCase() === email.toUpperCase()) tried += 1;
      }
      const { rows } = await accounts.pool.query(
        "SELECT count(*)::int AS count FROM audit_entry WHERE actor = $1 AND action = 'member.sign_in_failed'",
        [email],
      );
      assert.ok(rows[0].count <= 100, `${rows[0].count} guesses reached the account`);
      assert.equal(tried <= 100, true);
      let hits = 0;
      for (let i = 0; i < 150; i += 1) {
        const spelling = [email, email.toUpperCase(), wide][i % 3]!;
        if ((await signIn(accounts.visitor(`10.2.${i}.1`), spelling, 'a wrong guess')).status === 401) hits += 1;
      }
      assert.ok(hits <= 100, `${hits} more`);
    });

    it('an address with a letter that folds differently matches no account and cannot sign up', async () => {
      await accounts.signedUp('fold.i@example.com');
      const dotted = 'fold.\u0130@example.com';
      assert.equal((await signIn(accounts.visitor(), dotted)).status, 401);
      for (const email of [dotted, '\uff46old@example.com', '\ufb01sh@example.com', '\u212aate@example.com'])
        assert.equal(
          (await accounts.visitor().json('POST', '/v1/account', { email, password: PASSWORD })).status,
          422,
          email,
        );
      await assert.rejects(createAccount(accounts.pool, accounts.clock, { email: dotted }), /email address/);
    });

    it('rows from older versions that share an address are listed and not merged', async () => {
      const { rows } = await accounts.pool.query<{ id: number }>(
        "INSERT INTO account (email, created_at) VALUES ('\ufb01x@example.com', now()), ('fix@example.com', now()) RETURNING id",
      );
      const listed = await listUnclearEmails(accounts.pool);
      assert.deepEqual(
        listed.map(({ accountId, email, normal, accounts: count }) => [accountId, email, normal, count]),
        [
          [rows[0]!.id, '\ufb01x@example.com', 'fix@example.com', 2],
          [rows[1]!.id, 'fix@example.com', 'fix@example.com', 2],
        ],
      );
    });
  });

  describe('by a browser’s mark', () => {
    it('a mark ends when the member is deleted, when the password changes, and after 180 days', async () => {
      const email = 'marked@example.com';
      const { visitor } = await accounts.signedUp(email);
      const mark = visitor.cookies.get('touchline_device')!;
      const withMark = (i: number) => {
        const one = accounts.visitor(`10.3.${i}.1`);
        one.cookies.set('touchline_device', mark);
        return one;
      };
      const exhaust = async (from: number) => {
        for (let i = 0; i < 101; i += 1)
          await signIn(accounts.visitor(`10.${from + Math.floor(i / 5)}.0.1`), email, 'a wrong guess');
      };
      await exhaust(20);
      assert.equal((await signIn(withMark(1), email, 'a wrong guess')).status, 401, 'the mark is worth a try');
      await visitor.post('/account/security/password', { current: PASSWORD, password: FRESH });
      assert.equal((await signIn(withMark(2), email, 'a wrong guess')).status, 429, 'after the password was changed');
      assert.equal((await signIn(visitor, email, FRESH)).status, 303, 'its own browser has a new mark');

      await deleteAccount(accounts.pool, email);
      await accounts.signedUp(email, '203.0.113.50');
      accounts.clock.advance(HOUR);
      await exhaust(60);
      assert.equal((await signIn(withMark(3), email, 'a wrong guess')).status, 429, 'the next owner of the address');

      const old = accounts.visitor('10.4.0.1');
      accounts.clock.advance(HOUR);
      await signIn(old, email);
      accounts.clock.advance(180 * DAY + 1_000);
      await exhaust(100);
      assert.equal((await signIn(old, email, 'a wrong guess')).status, 429, 'after 180 days');
    });

    it('collected marks are counted together and allow 60 tries in 15 minutes', async () => {
      const email = 'collector@example.com';
      await accounts.signedUp(email);
      const browsers: Visitor[] = [];
      for (let i = 0; i < 30; i += 1) {
        const one = accounts.visitor(`10.5.${i}.1`);
        assert.equal((await signIn(one, email)).status, 303);
        browsers.push(one);
      }
      let tried = 0;
      for (let i = 0; i < 300; i += 1)
        if ((await signIn(browsers[i % 30]!, email, 'a wrong guess')).status === 401) tried += 1;
      assert.equal(tried, 60);
    });
  });

  describe("by signing up with somebody else's address", () => {
    it('somebody who has not verified the address cannot set up a second factor, and the address’s owner can take the account back', async () => {
      const email = 'victim@example.com';
      const squatter = await accounts.signedUp(email);
      const refused = await turnOnFactor(squatter.visitor);
      assert.equal(refused.status, 403);
      assert.match(refused.text, /Verify your address first/);
      // The owner opens the link without a session. That must not grant anything to the person who created the account.
      const link = accounts.tokenFor(email);
      const owner = accounts.visitor('203.0.113.60');
      assert.equal(
        (await owner.get(`/account/address?token=${link}`)).location,
        '/account/sign-in?next=%2Faccount%2Faddress',
      );
      assert.equal((await owner.post('/account/address', { token: link })).status, 303);
      assert.equal((await accounts.signedUp('else@example.com')).visitor.cookies.size > 0, true);
      const { rows } = await accounts.pool.query('SELECT verified_at FROM member WHERE email = $1', [email]);
      assert.equal(rows[0].verified_at, null);

      const token = await askForReset(email);
      const page = await owner.get(`/account/reset?token=${token}`);
      assert.match(page.text, /name="revoke_keys" value="1" checked/);
      assert.match(page.text, /somebody else may have made the account/);
      await owner.post('/account/reset', { token, password: FRESH, revoke_keys: '1' });
      accounts.clock.advance(5_000);
      assert.equal((await accounts.app.ask('/v1/account', { key: squatter.key })).json.code, 'key_revoked');
      assert.equal((await squatter.visitor.get('/account')).status, 303, 'the session of the squatter has ended');
      assert.equal((await signIn(owner, email, FRESH)).location, '/account');
      assert.equal(sent(email, /^A new password has been set/).length, 1);
    });

    it('a reset by mail removes a second factor that is older than the verification, and keeps a newer one', async () => {
      // An earlier version allowed a second factor before the address was verified.
      const early = await accounts.verified('early@example.com');
      assert.equal((await turnOnFactor(early.visitor)).status, 200);
      await accounts.pool.query("UPDATE member SET verified_at = NULL WHERE email = 'early@example.com'");
      const late = await accounts.verified('late@example.com');
      assert.equal((await turnOnFactor(late.visitor)).status, 200);
      for (const [email, location] of [
        ['early@example.com', '/account'],
        ['late@example.com', '/account/code?next=%2Faccount'],
      ] as const) {
        const owner = accounts.visitor();
        await owner.post('/account/reset', { token: await askForReset(email), password: FRESH });
        assert.equal((await signIn(owner, email, FRESH)).location, location);
      }
      assert.equal((await accounts.app.ask('/v1/account', { key: late.key })).status, 200, 'keys stay unless asked');
    });

    it('a link from an operator does not verify the address, and keeps the second factor', async () => {
      const email = 'byhand@example.com';
      const { visitor } = await accounts.verified(email);
      await turnOnFactor(visitor);
      await accounts.pool.query('UPDATE member SET verified_at = NULL WHERE email = $1', [email]);
      const { rows } = await accounts.pool.query('SELECT id FROM account WHERE email = $1', [email]);
      const link = { accountId: rows[0].id, email: null, plan: null };
      const token = await createLink(accounts.pool, accounts.clock, 'reset', link);
      const owner = accounts.visitor();
      await owner.post('/account/reset', { token, password: FRESH });
      assert.equal((await signIn(owner, email, FRESH)).location, '/account/code?next=%2Faccount');
    });

    it('a verification link works once, within a day, and for one account only', async () => {
      const one = await accounts.signedUp('one@example.com');
      const other = await accounts.signedUp('other@example.com');
      const token = accounts.tokenFor('one@example.com');
      assert.equal((await other.visitor.post('/account/address', { token })).status, 422);
      assert.match((await one.visitor.get(`/account/address?token=${token}`)).text, /Is one@example.com yours/);
      assert.equal((await one.visitor.post('/account/address', { token })).location, '/account?done=verified');
      assert.equal((await one.visitor.post('/account/address', { token })).status, 422);
      assert.match((await other.visitor.get('/account')).text, /Verify your address/);
      accounts.clock.advance(DAY + 1);
      const late = accounts.tokenFor('other@example.com');
      assert.equal((await other.visitor.post('/account/address', { token: late })).status, 422);
      await other.visitor.post('/account/address/link', {});
      const again = accounts.tokenFor('other@example.com');
      assert.equal((await other.visitor.post('/account/address', { token: again })).location, '/account?done=verified');
      assert.doesNotMatch((await other.visitor.get('/account')).text, /Verify your address/);
      for (const bad of ['', 'x', 'A'.repeat(43), '\u0000'])
        assert.ok((await one.visitor.post('/account/address', { token: bad })).status < 500);
    });

    it('an account with an unverified address has 100 requests a day, and 1,000 after verification', async () => {
      const { visitor, key } = await accounts.signedUp('tenth@example.com');
      const day = async () => {
        const { json } = await accounts.app.ask<{
          email_verified: boolean;
          plan: { windows: { name: string; quota: number }[] };
        }>('/v1/account', { key });
        return [json.email_verified, json.plan.windows.find(({ name }) => name === 'day')!.quota];
      };
      assert.deepEqual(await day(), [false, 100]);
      await visitor.post('/account/address', { token: accounts.tokenFor('tenth@example.com') });
      accounts.clock.advance(5_000);
      assert.deepEqual(await day(), [true, 1_000]);
    });

    it('one network can create 30 accounts a day without mail, by REST and the form together, and invited people can still sign up', async () => {
      const silent = await startAccountApp({}, false);
      try {
        const visitor = silent.visitor('198.51.100.9');
        const create = (i: number) => {
          const body = { email: `farm${i}@example.com`, password: PASSWORD };
          return i % 2 === 0 ? visitor.json('POST', '/v1/account', body) : visitor.post('/account/sign-up', body);
        };
        const statuses: number[] = [];
        for (let i = 0; i < 32; i += 1) statuses.push((await create(i)).status);
        assert.deepEqual(
          statuses.map((status) => status < 300),
          [...Array<boolean>(30).fill(true), false, false],
        );
        const parallel = silent.visitor('198.51.100.10');
        const both = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            parallel.json('POST', '/v1/account', { email: `p${i}@example.com`, password: PASSWORD }),
          ),
        );
        silent.clock.advance(HOUR);
        const more = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            parallel.json('POST', '/v1/account', { email: `q${i}@example.com`, password: PASSWORD }),
          ),
        );
        const made = [...both, ...more].filter(({ status }) => status === 201).length;
        assert.equal(made, 30);
        const invitation = await createLink(silent.pool, silent.clock, 'invitation', {
          accountId: null,
          email: null,
          plan: null,
        });
        const guest = { email: 'guest@example.com', password: PASSWORD, invitation };
        assert.equal((await parallel.json('POST', '/v1/account', guest)).status, 201);
        const { json } = await silent.visitor().json('GET', '/v1/account', undefined, {
          'X-API-Key': (await silent.signedUp('free@example.com', '198.51.100.11')).key,
        });
        assert.equal(json.email_verified, true, 'nobody could verify it');
        silent.clock.advance(DAY);
        assert.equal((await create(40)).status < 300, true);
      } finally {
        await silent.close();
      }
    });
  });

  describe('by an open session', () => {
    it('changing the address needs a recent sign-in and a mailed link, and notifies the former address', async () => {
      const { visitor, key } = await accounts.verified('moving@example.com');
      const change = (email: string, confirm_password = PASSWORD) =>
        visitor.post('/account/security/email', { email, confirm_password });
      accounts.clock.advance(10 * MINUTE + 1_000);
      assert.equal((await visitor.post('/account/security/email', { email: 'moved@example.com' })).status, 403);
      assert.equal((await change('moved@example.com', 'not the password')).status, 422);
      assert.deepEqual(sent('moving@example.com', /^Another address/), []);
      assert.equal((await change('no address')).status, 422);
      assert.equal((await change('MOVING@example.com')).status, 422);
      const before = await askForReset('moving@example.com');
      assert.equal((await change('Moved@example.com')).location, '/account/security?done=asked');
      assert.equal(sent('moving@example.com', /^Another address/).length, 1);
      assert.equal((await signIn(accounts.visitor(), 'moved@example.com')).status, 401, 'not yet');
      const token = accounts.tokenFor('moved@example.com');
      assert.match(
        (await visitor.get(`/account/address?token=${token}`)).text,
        /moves from moving@example.com to moved@example.com/,
      );
      await visitor.post('/account/address', { token });
      assert.equal((await signIn(accounts.visitor(), 'moved@example.com')).location, '/account');
      assert.equal((await signIn(accounts.visitor('203.0.113.71'), 'moving@example.com')).status, 401);
      assert.equal(sent('moving@example.com', /^Your account has another address/).length, 1);
      assert.equal((await accounts.app.ask<{ email: string }>('/v1/account', { key })).json.email, 'moved@example.com');
      const late = await accounts.visitor().post('/account/reset', { token: before, password: FRESH });
      assert.equal(late.status, 422, 'a link to the former address is void');
    });

    it('an address that another account has taken meanwhile is refused, and only the person who reads the mail learns why', async () => {
      const { visitor } = await accounts.verified('from@example.com');
      await accounts.signedUp('occupied@example.com');
      const asked = await visitor.post('/account/security/email', { email: 'occupied@example.com' });
      assert.equal(asked.location, '/account/security?done=asked');
      const token = /token=(\S+)/.exec(sent('occupied@example.com', /^Verify/).at(-1)!.text)![1]!;
      const refused = await visitor.post('/account/address', { token });
      assert.equal(refused.status, 409);
      assert.match((await visitor.get('/account/security')).text, /from@example.com/);
    });

    it('changing the second factor or the password sends a mail and ends the other sessions', async () => {
      const email = 'told@example.com';
      const { visitor } = await accounts.verified(email);
      const other = accounts.visitor();
      await signIn(other, email);
      accounts.clock.advance(10 * MINUTE + 1_000);
      assert.equal((await turnOnFactor(visitor, 'not the password')).status, 422);
      await turnOnFactor(visitor);
      assert.equal((await other.get('/account')).status, 303);
      await visitor.post('/account/security/password', { current: PASSWORD, password: FRESH });
      for (const subject of [/^The second factor is on/, /^Your password has been changed/]) {
        const [letter] = sent(email, subject);
        assert.match(letter!.text, /from the address 192\.0\.2\.7/, String(subject));
        assert.match(letter!.text, /http:\/\/touchline\.test\/account\/reset/);
      }
    });
  });

  it('mailed links contain the configured address, whatever Host header a request has', async () => {
    await accounts.signedUp('host@example.com');
    const { port } = new URL(accounts.app.url);
    await accounts.visitor().post(
      '/account/reset',
      { email: 'host@example.com' },
      {
        'X-Forwarded-Host': 'localhost:1',
        Origin: 'http://localhost:1',
      },
    );
    await until('the mail is sent', () => sent('host@example.com', /^Set a new password/).length === 1);
    const { text } = sent('host@example.com', /^Set a new password/)[0]!;
    assert.ok(text.includes('http://touchline.test/account/reset?token='), text);
    assert.ok(!text.includes('localhost') && !text.includes(port));
  });
});
