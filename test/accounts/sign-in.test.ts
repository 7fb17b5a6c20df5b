import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { suspendAccount } from '../../src/accounts/accounts.ts';
import { OPERATOR } from '../../src/accounts/audit.ts';
import { createLink } from '../../src/accounts/credentials/one-time-links.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SESSION = 'touchline_member';

describe('members', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp();
  });
  after(() => accounts.close());

  const actions = async (email: string) => {
    const { rows } = await accounts.pool.query<{ action: string; actor: string; address: string | null }>(
      'SELECT e.action, e.actor, e.address FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = $1 ORDER BY e.id',
      [email],
    );
    return rows;
  };
  const signIn = (visitor: Visitor, email: string, password = PASSWORD, more: Record<string, string> = {}) =>
    visitor.post('/account/sign-in', { email, password, ...more });

  describe('sign-up', () => {
    it('gives a session, and a key that works at once on the trial plan', async () => {
      const { visitor, key } = await accounts.signedUp('new@example.com');
      const shown = await accounts.app.ask<{ email: string; plan: { name: string }; keys: number }>('/v1/account', {
        key,
      });
      assert.equal(shown.status, 200);
      assert.deepEqual([shown.json.email, shown.json.plan.name, shown.json.keys], ['new@example.com', 'trial', 1]);
      assert.match((await visitor.get('/account')).text, /Overview/);
      assert.deepEqual(
        (await actions('new@example.com')).map(({ action, actor, address }) => [action, actor, address]),
        [
          ['account.created', 'new@example.com', '192.0.2.7'],
          ['key.created', 'new@example.com', '192.0.2.7'],
        ],
      );
    });

    it('works over REST too, and ignores undocumented fields', async () => {
      const body = { email: 'rest@example.com', password: PASSWORD };
      const visitor = accounts.visitor('192.0.2.8');
      const { status, json } = await visitor.json('POST', '/v1/account', body);
      assert.equal(status, 201);
      assert.match(json.key.key, /^sk_live_\w{38}$/);
      assert.equal(json.account.plan.name, 'trial');
      assert.equal(visitor.cookies.size, 0);
      for (const more of [{ plan: 'business' }, { id: 1 }, { created_at: '2020-01-01T00:00:00Z' }, { keys: 9 }]) {
        const refused = await visitor.json('POST', '/v1/account', {
          email: 'mass@example.com',
          password: PASSWORD,
          ...more,
        });
        assert.equal(refused.status, 422, JSON.stringify(more));
      }
      const { rows } = await accounts.pool.query("SELECT FROM account WHERE email = 'mass@example.com'");
      assert.equal(rows.length, 0);
    });

    it('refuses weak passwords and bad addresses, and creates no account', async () => {
      const visitor = accounts.visitor('192.0.2.9');
      for (const [email, password] of [
        ['a@example.com', 'short'],
        ['a@example.com', 'x'.repeat(201)],
        ['a@example.com', 'aaaaaaaaaaaa'],
        ['longaddress@example.com', 'longaddress@example.com'],
        ['a@example.com\r\nBcc: b@example.com', PASSWORD],
        ['not an address', PASSWORD],
        ['', PASSWORD],
      ]) {
        const shown = await visitor.post('/account/sign-up', { email: email!, password: password! });
        assert.equal(shown.status, 422, email);
        assert.match(shown.text, /role="alert"/);
        if (password !== email) assert.ok(!shown.text.includes(`value="${password}"`), 'the password is shown');
      }
      const { rows } = await accounts.pool.query(
        "SELECT FROM account WHERE email IN ('a@example.com', 'longaddress@example.com')",
      );
      assert.equal(rows.length, 0);
    });

    it("takes over no account, not even an operator's, and only one of two concurrent attempts succeeds", async () => {
      await accounts.pool.query("INSERT INTO account (email, created_at) VALUES ('held@example.com', now())");
      const visitor = accounts.visitor('192.0.2.10');
      assert.equal(
        (await visitor.json('POST', '/v1/account', { email: 'HELD@example.com', password: PASSWORD })).status,
        409,
      );
      const both = await Promise.all(
        [1, 2].map(() => visitor.json('POST', '/v1/account', { email: 'twin@example.com', password: PASSWORD })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    });

    it('can be closed, or limited to invitations that each work once and only for the invited address', async () => {
      const invited = await startAccountApp({ SIGNUP: 'invite' });
      const closed = await startAccountApp({ SIGNUP: 'off' });
      try {
        const visitor = invited.visitor();
        const body = { email: 'guest@example.com', password: PASSWORD };
        assert.equal((await visitor.json('POST', '/v1/account', body)).status, 422);
        const token = await createLink(invited.pool, invited.clock, 'invitation', {
          accountId: null,
          email: 'guest@example.com',
          plan: 'pro',
        });
        const other = { ...body, email: 'other@example.com', invitation: token };
        assert.equal((await visitor.json('POST', '/v1/account', other)).status, 422);
        const page = await visitor.get(`/account/sign-up?invitation=${token}`);
        assert.ok(page.text.includes(`value="${token}"`));
        const made = await visitor.json('POST', '/v1/account', { ...body, invitation: token });
        assert.deepEqual([made.status, made.json.account.plan.name], [201, 'pro']);
        const again = { ...body, email: 'guest2@example.com', invitation: token };
        assert.equal((await visitor.json('POST', '/v1/account', again)).status, 422, 'used twice');
        const late = await createLink(invited.pool, invited.clock, 'invitation', {
          accountId: null,
          email: null,
          plan: null,
        });
        invited.clock.advance(7 * DAY + 1);
        const expired = { ...body, email: 'late@example.com', invitation: late };
        assert.equal((await visitor.json('POST', '/v1/account', expired)).status, 422);
        assert.ok(!invited.logged().includes(token), 'the token is in the log');

        assert.equal((await closed.visitor().json('POST', '/v1/account', body)).status, 404);
        assert.match((await closed.visitor().get('/account/sign-up')).text, /Nobody can sign up here/);
      } finally {
        await invited.close();
        await closed.close();
      }
    });

    it('does not let one network create unlimited accounts by REST and the form together', async () => {
      const visitor = accounts.visitor('198.51.100.1');
      const statuses = [];
      for (let i = 0; i < 61; i += 1) {
        const bad = { email: 'bad', password: PASSWORD };
        const asked = i % 2 === 0 ? visitor.json('POST', '/v1/account', bad) : visitor.post('/account/sign-up', bad);
        statuses.push((await asked).status);
      }
      assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([422]));
      assert.equal(statuses[60], 429);
      const elsewhere = await accounts
        .visitor('198.51.100.2')
        .json('POST', '/v1/account', { email: 'bad', password: PASSWORD });
      assert.equal(elsewhere.status, 422);
    });
  });

  describe('sign-in', () => {
    it('opens the account pages with a new session each time, and signing out ends that session', async () => {
      await accounts.signedUp('ann@example.com');
      const visitor = accounts.visitor();
      assert.equal((await visitor.get('/account/keys')).location, '/account/sign-in?next=%2Faccount%2Fkeys');
      const fixed = 'A'.repeat(43);
      visitor.cookies.set(SESSION, fixed);
      const entered = await signIn(visitor, 'ANN@example.com', PASSWORD, { next: '/account/keys' });
      assert.deepEqual([entered.status, entered.location], [303, '/account/keys']);
      const first = visitor.cookies.get(SESSION)!;
      assert.notEqual(first, fixed, 'a session that was fixed before');
      const [line] = entered.headers.getSetCookie();
      assert.match(line!, /; HttpOnly; SameSite=Lax$/);
      assert.equal((await visitor.get('/account/keys')).status, 200);

      await signIn(visitor, 'ann@example.com');
      assert.notEqual(visitor.cookies.get(SESSION), first);
      const old = accounts.visitor();
      old.cookies.set(SESSION, first);
      assert.equal((await old.get('/account')).status, 303, 'the session before has ended');

      const left = visitor.cookies.get(SESSION)!;
      assert.equal((await visitor.post('/account/sign-out', {})).location, '/account/sign-in?done=signed-out');
      old.cookies.set(SESSION, left);
      assert.equal((await old.get('/account')).status, 303);
    });

    it('over https every cookie is bound to this host', async () => {
      const secure = await startAccountApp({ BASE_URL: 'https://touchline.example.com' });
      try {
        const origin = { Origin: 'https://touchline.example.com' };
        const visitor = secure.visitor();
        await visitor.post('/account/sign-up', { email: 'tls@example.com', password: PASSWORD }, origin);
        assert.ok(visitor.cookies.has('__Host-touchline_member'));
        const entered = await visitor.post(
          '/account/sign-in',
          { email: 'tls@example.com', password: PASSWORD },
          origin,
        );
        const set = entered.headers.getSetCookie();
        assert.deepEqual(
          set.map((cookie) => cookie.split('=')[0]),
          ['__Host-touchline_member', '__Host-touchline_device'],
        );
        for (const cookie of set)
          assert.match(cookie, /^__Host-\w+=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
        const planted = secure.visitor();
        planted.cookies.set(SESSION, visitor.cookies.get('__Host-touchline_member')!);
        assert.equal((await planted.get('/account')).status, 303, 'a cookie that a neighbour may have set');
      } finally {
        await secure.close();
      }
    });

    it('redirects only to account pages', async () => {
      await accounts.signedUp('open@example.com');
      for (const next of [
        'https://evil.example.com',
        '//evil.example.com',
        '/\\evil.example.com',
        '/account/../evil',
        '/account//evil.example.com',
        '/account@evil.example.com',
        '/account/keys\r\nSet-Cookie: a=b',
        'javascript:alert(1)',
        '/docs',
      ]) {
        const entered = await signIn(accounts.visitor(), 'open@example.com', PASSWORD, { next });
        assert.equal(entered.location, '/account', next);
        const form = await accounts.visitor().get(`/account/sign-in?next=${encodeURIComponent(next)}`);
        assert.match(form.text, /name="next" value="\/account"/, next);
      }
    });

    it('gives the same reply for a wrong password and an unknown address, after nearly the same time', async () => {
      await accounts.signedUp('known@example.com');
      const tell = async (email: string, address: string) => {
        const { status, text } = await signIn(accounts.visitor(address), email, 'a wrong password');
        return [status, text.replaceAll(email, 'EMAIL')];
      };
      assert.deepEqual(
        await tell('known@example.com', '203.0.113.1'),
        await tell('unknown@example.com', '203.0.113.2'),
      );
      // Both cases hash a password, so an address without an account takes as long as a wrong password.
      const asker = { network: '203.0.113.1', isKnown: false };
      assert.equal(await accounts.deps.passwords.verify(null, 'the password of nobody', asker), false);
      const link = (email: string) => accounts.visitor('203.0.113.3').post('/account/reset', { email });
      const [known, unknown] = [await link('known@example.com'), await link('unknown@example.com')];
      assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
    });

    it('sessions end after 14 idle days, after 90 days in any case, and when the member signs out everywhere', async () => {
      await accounts.signedUp('idle@example.com');
      const [first, second] = [accounts.visitor(), accounts.visitor()];
      await signIn(first, 'idle@example.com');
      await signIn(second, 'idle@example.com');
      accounts.clock.advance(13 * DAY);
      assert.equal((await first.get('/account')).status, 200);
      accounts.clock.advance(2 * DAY);
      assert.equal((await first.get('/account')).status, 200, 'was used');
      assert.equal((await second.get('/account')).status, 303, 'was idle');
      await signIn(second, 'idle@example.com');
      const gone = await second.post('/account/security/sign-out', {});
      assert.equal(gone.location, '/account/sign-in?done=signed-out-everywhere');
      assert.equal((await first.get('/account')).status, 303);
      await signIn(first, 'idle@example.com');
      for (let day = 0; day < 91; day += 13) {
        await first.get('/account');
        accounts.clock.advance(13 * DAY);
      }
      assert.equal((await first.get('/account')).status, 303, 'after 91 days');
    });

    it('is refused everywhere for a suspended account, and works again once the suspension is lifted', async () => {
      const { visitor, key } = await accounts.signedUp('bad@example.com');
      await suspendAccount(accounts.pool, accounts.clock, 'bad@example.com', true);
      accounts.clock.advance(5_000);
      assert.equal((await accounts.app.ask('/v1/account', { key })).json.code, 'key_not_permitted');
      assert.equal((await visitor.get('/account')).status, 303);
      const refused = await signIn(accounts.visitor(), 'bad@example.com');
      assert.match(refused.text, /suspended/);
      await suspendAccount(accounts.pool, accounts.clock, 'bad@example.com', false);
      accounts.clock.advance(5_000);
      assert.equal((await accounts.app.ask('/v1/account', { key })).status, 200);
    });
  });

  describe('request forgery', () => {
    it('another site’s form changes no data, whether or not the member is signed in', async () => {
      const { visitor } = await accounts.signedUp('victim@example.com');
      for (const Origin of ['https://evil.example.com', 'null', `${accounts.app.url}.evil.example.com`]) {
        for (const [path, form] of [
          ['/account/keys', { name: 'forged' }],
          ['/account/sign-out', {}],
          ['/account/security/password', { current: PASSWORD, password: 'another password' }],
          ['/account/security/second-factor', {}],
          ['/account/sign-in', { email: 'attacker@example.com', password: PASSWORD }],
          ['/account/sign-up', { email: 'forged@example.com', password: PASSWORD }],
        ] as const) {
          const { status, text } = await visitor.post(path, form as Record<string, string>, { Origin });
          assert.equal(status, 403, `${path} ${Origin}`);
          assert.match(text, /<h1>/);
        }
        for (const [method, path] of [
          ['POST', '/v1/account/keys'],
          ['DELETE', '/v1/account/keys/1'],
          ['PATCH', '/v1/account/keys/1'],
        ] as const) {
          const { status, json } = await visitor.json(
            method,
            path,
            method === 'DELETE' ? undefined : { name: 'forged' },
            { Origin },
          );
          assert.deepEqual([status, json.code], [403, 'csrf_failed'], path);
        }
      }
      assert.equal((await visitor.json('GET', '/v1/account/keys')).json.keys.length, 1);
      assert.equal((await visitor.get('/account')).status, 200);
    });

    it('a body that is not a form, or is too large, is refused', async () => {
      const visitor = accounts.visitor();
      const refused = await visitor.post('/account/sign-in', {}, { 'Content-Type': 'text/plain' });
      assert.equal(refused.status, 415);
      assert.equal((await visitor.post('/account/sign-in', { email: 'x'.repeat(70_000) })).status, 413);
    });
  });

  describe('password guessing', () => {
    it('a network that guesses passwords is stopped, while the account’s owner can sign in from elsewhere', async () => {
      await accounts.signedUp('prey@example.com');
      const attacker = accounts.visitor('203.0.113.10');
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1)
        statuses.push((await signIn(attacker, 'prey@example.com', `guess ${i} of many`)).status);
      assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
      const stopped = await signIn(attacker, 'prey@example.com');
      assert.equal(stopped.status, 429, 'also with the right password');
      assert.ok(Number(stopped.headers.get('retry-after')) > 0);
      assert.equal((await signIn(accounts.visitor('203.0.113.11'), 'prey@example.com')).status, 303);
      accounts.clock.advance(15 * MINUTE);
      assert.equal((await signIn(attacker, 'prey@example.com')).status, 303);
      await until(
        'the failures are written',
        async () =>
          (await actions('prey@example.com')).filter(({ action }) => action === 'member.sign_in_failed').length === 10,
      );
    });

    it('many networks that guess passwords are stopped, but a known browser and a mailed link still get in', async () => {
      const email = 'hunted@example.com';
      const { visitor: own } = await accounts.signedUp(email, '203.0.113.20');
      await own.post('/account/sign-out', {});
      const from = (i: number) => accounts.visitor(`10.${Math.floor(i / 5)}.0.1`);
      let refused = 0;
      for (let i = 0; i < 110; i += 1) if ((await signIn(from(i), email, 'a wrong guess')).status === 429) refused += 1;
      assert.equal(refused, 10);
      assert.equal((await signIn(accounts.visitor('10.99.0.1'), email)).status, 429);
      assert.equal((await signIn(own, email)).status, 303, 'its own browser');
      await accounts.visitor('10.99.0.2').post('/account/reset', { email });
      await until('the mail is sent', () =>
        accounts.letters.some(({ to, subject }) => to === email && subject === 'Set a new password for Touchline'),
      );
      const token = accounts.tokenFor(email);
      const elsewhere = accounts.visitor('10.99.0.3');
      await elsewhere.post('/account/reset', { token, password: 'a fresh password' });
      assert.equal((await signIn(elsewhere, email, 'a fresh password')).status, 303);
    });

    it('one password tried on many accounts from 1,000 networks in one IPv6 site gets 180 tries a minute', async () => {
      const spray = async (i: number) => {
        const network = `2001:db8:77:${i.toString(16)}::1`;
        const { status } = await signIn(accounts.visitor(network), `sprayed${i}@example.com`, 'Summer 2026 in Rome');
        return status;
      };
      const seen: number[] = [];
      for (let i = 0; i < 1_000; i += 20)
        seen.push(...(await Promise.all(Array.from({ length: 20 }, (_, k) => spray(i + k)))));
      assert.equal(seen.filter((status) => status === 401).length, 180);
      assert.equal(seen.filter((status) => status === 429).length, 820);
      assert.equal((await signIn(accounts.visitor('2001:db8:78::1'), 'sprayed@example.com', 'a guess')).status, 401);
      accounts.clock.advance(MINUTE);
      assert.equal(await spray(1_001), 401);
    });

    it('a flood of more than 10,000 tries a minute from one address blocks that address only', async () => {
      await accounts.signedUp('calm@example.com', '203.0.113.30');
      const flood = (async () => {
        const seen = new Map<number, number>();
        for (let round = 0; round < 20; round += 1) {
          const replies = await Promise.all(
            Array.from({ length: 100 }, (_, i) =>
              signIn(accounts.visitor('198.51.100.77'), `flood${round * 100 + i}@example.com`, 'some guess at it'),
            ),
          );
          for (const { status } of replies) seen.set(status, (seen.get(status) ?? 0) + 1);
        }
        return seen;
      })();
      let entered = 0;
      for (let i = 0; i < 20; i += 1)
        if ((await signIn(accounts.visitor(`203.0.113.${40 + i}`), 'calm@example.com')).status === 303) entered += 1;
      assert.equal(entered, 20);
      const seen = await flood;
      // Status 503 means that one network had more than 20 requests in the queue.
      const { 401: hashed, 429: limited, 503: full = 0 } = Object.fromEntries(seen);
      assert.deepEqual([hashed, limited! + full], [60, 1_940]);
    });
  });

  describe('password changes', () => {
    it('changing a password needs the current one, and ends the member’s other sessions', async () => {
      const { visitor } = await accounts.signedUp('change@example.com');
      const other = accounts.visitor();
      await signIn(other, 'change@example.com');
      const change = (current: string, password: string) =>
        visitor.post('/account/security/password', { current, password });
      assert.equal((await change('not the password', 'a fresh password')).status, 422);
      assert.equal((await change(PASSWORD, 'short')).status, 422);
      assert.equal((await change(PASSWORD, 'a fresh password')).location, '/account/security?done=password');
      assert.equal((await visitor.get('/account')).status, 200);
      assert.equal((await other.get('/account')).status, 303);
      assert.equal((await signIn(accounts.visitor(), 'change@example.com')).status, 401);
      assert.equal((await signIn(accounts.visitor(), 'change@example.com', 'a fresh password')).status, 303);
    });

    it('a mailed link sets a password once, within an hour, and ends all sessions', async () => {
      const email = 'forgot@example.com';
      const { visitor: before } = await accounts.signedUp(email);
      const ask = async () => {
        const sent = accounts.letters.length;
        await accounts.visitor().post('/account/reset', { email });
        await until('the mail is sent', () => accounts.letters.length > sent);
        return new URL(/http\S+/.exec(accounts.letters.at(-1)!.text)![0]).searchParams.get('token')!;
      };
      const [first, second] = [await ask(), await ask()];
      const visitor = accounts.visitor();
      const use = (token: string, password = 'a fresh password') => visitor.post('/account/reset', { token, password });
      assert.equal((await use(first)).status, 422, 'a newer link ends the one before');
      assert.match((await visitor.get(`/account/reset?token=${second}`)).text, /New password/);
      assert.equal((await use(second, 'short')).status, 422);
      assert.equal((await use(second)).status, 303, 'a weak password has not used it up');
      assert.equal((await use(second)).status, 422, 'used twice');
      assert.match((await visitor.get(`/account/reset?token=${second}`)).text, /was used/);
      assert.equal((await before.get('/account')).status, 303);
      const third = await ask();
      accounts.clock.advance(60 * MINUTE + 1);
      assert.equal((await use(third)).status, 422);
      assert.ok(![first, second, third].some((token) => accounts.logged().includes(token)), 'a token is in the log');
      assert.ok(
        !(await accounts.pool.query('SELECT e::text FROM audit_entry e')).rows.some(({ e }) => e.includes(second)),
      );
    });

    it('an account that an operator creates gets its first member through a link that sets a password', async () => {
      const { rows } = await accounts.pool.query<{ id: number }>(
        "INSERT INTO account (email, plan, created_at) VALUES ('ops@example.com', 'pro', now()) RETURNING id",
      );
      const token = await createLink(accounts.pool, accounts.clock, 'reset', {
        accountId: rows[0]!.id,
        email: null,
        plan: null,
      });
      const visitor = accounts.visitor();
      await visitor.post('/account/reset', { token, password: PASSWORD });
      assert.equal((await signIn(visitor, 'ops@example.com')).status, 303);
      assert.match((await visitor.get('/account')).text, /Pro/);
      assert.equal(OPERATOR.name, 'operator');
    });

    it('signs in from several browsers at the same time', async () => {
      await accounts.signedUp('crowd@example.com');
      for (let round = 0; round < 3; round += 1) {
        const replies = await Promise.all(
          Array.from({ length: 4 }, (_, i) => signIn(accounts.visitor(`10.60.${round}.${i}`), 'crowd@example.com')),
        );
        assert.deepEqual(
          replies.map(({ status }) => status),
          [303, 303, 303, 303],
        );
      }
    });

    it('a member can delete the account after a recent sign-in', async () => {
      const { visitor, key } = await accounts.signedUp('leaving@example.com');
      const leave = (confirm_password: string) =>
        visitor.post('/account/security/delete', { sure: 'yes', confirm_password });
      accounts.clock.advance(10 * MINUTE + 1_000);
      assert.equal((await visitor.post('/account/security/delete', {})).status, 403);
      assert.equal((await leave('not the password')).status, 422);
      const unsure = { confirm_password: PASSWORD };
      assert.equal(
        (await visitor.post('/account/security/delete', unsure)).status,
        422,
        'the question has to be answered',
      );
      assert.equal((await leave(PASSWORD)).location, '/account/sign-in?done=deleted');
      accounts.clock.advance(5_000);
      assert.equal((await accounts.app.ask('/v1/account', { key })).json.code, 'key_invalid');
      assert.equal((await signIn(accounts.visitor(), 'leaving@example.com')).status, 401);
    });

    it('a browser’s name is escaped', async () => {
      await accounts.signedUp('agent@example.com');
      const visitor = accounts.visitor();
      const form = { email: 'agent@example.com', password: PASSWORD };
      await visitor.post('/account/sign-in', form, { 'User-Agent': '<script>alert(1)</script>' });
      const { text } = await visitor.get('/account/security');
      assert.ok(text.includes('&lt;script&gt;alert(1)') && !text.includes('<script>alert'));
    });

    it('one address gets at most three mails an hour', async () => {
      const email = 'spam@example.com';
      await accounts.signedUp(email);
      for (let i = 0; i < 6; i += 1) await accounts.visitor(`10.50.0.${i}`).post('/account/reset', { email });
      await until(
        'they are sent',
        () => accounts.letters.filter(({ to, subject }) => to === email && /new password/.test(subject)).length === 3,
      );
    });
  });

  describe('the second factor', () => {
    const app = (secret: string) => {
      const totp = new TOTP({ secret });
      return (offsetMs = 0) => totp.generate({ timestamp: accounts.clock.now() + offsetMs });
    };
    async function withFactor(email: string) {
      const { visitor } = await accounts.verified(email);
      accounts.clock.advance(10 * MINUTE + 1_000);
      assert.equal((await visitor.post('/account/security/second-factor', {})).status, 403, 'without a recent sign-in');
      const page = await visitor.post('/account/security/second-factor', { confirm_password: PASSWORD });
      const secret = /class="value">([A-Z2-7 ]+)</.exec(page.text)![1]!.replaceAll(' ', '');
      const code = app(secret);
      const wrong = await visitor.post('/account/security/second-factor/confirm', { code: '000000' });
      assert.equal(wrong.status, 422);
      assert.ok(wrong.text.replaceAll(' ', '').includes(secret), 'the app has this secret already');
      const done = await visitor.post('/account/security/second-factor/confirm', { code: code() });
      assert.equal(done.status, 200, done.text);
      const recovery = [...done.text.matchAll(/<li><code>([0-9A-Z-]{29})</g)].map(([, one]) => one!);
      assert.equal(recovery.length, 10);
      return { visitor, code, recovery, secret };
    }
    const remove = (visitor: Visitor, confirm_password: string, code: string) =>
      visitor.post('/account/security/second-factor/remove', { confirm_password, code });
    const enter = async (email: string) => {
      const visitor = accounts.visitor();
      assert.equal((await signIn(visitor, email)).location, '/account/code?next=%2Faccount');
      return visitor;
    };

    it('no page opens after the password alone, and a code works once and opens the pages with a new session', async () => {
      const { code } = await withFactor('two@example.com');
      accounts.clock.advance(30_000);
      const visitor = await enter('two@example.com');
      const half = visitor.cookies.get(SESSION)!;
      assert.equal((await visitor.get('/account')).status, 303);
      assert.equal((await visitor.json('GET', '/v1/account/keys')).status, 401);
      const typed = code();
      assert.equal((await visitor.post('/account/code', { code: typed })).location, '/account');
      assert.notEqual(visitor.cookies.get(SESSION), half);
      assert.equal((await visitor.get('/account')).status, 200);
      const again = await enter('two@example.com');
      assert.equal((await again.post('/account/code', { code: typed })).status, 401, 'a code that was used');
    });

    it('clocks may differ by one step of 30 s, and no more', async () => {
      const { code } = await withFactor('skew@example.com');
      for (const [offset, status] of [
        [-60_000, 401],
        [60_000, 401],
        [-30_000, 303],
        [30_000, 303],
      ] as const) {
        accounts.clock.advance(5 * MINUTE);
        const visitor = await enter('skew@example.com');
        assert.equal((await visitor.post('/account/code', { code: code(offset) })).status, status, String(offset));
      }
    });

    it('a recovery code works once, however it is typed, and new codes invalidate the old ones', async () => {
      const { recovery } = await withFactor('lost@example.com');
      const use = async (code: string) =>
        (await (await enter('lost@example.com')).post('/account/code', { code })).status;
      assert.equal(await use(recovery[0]!.toLowerCase().replaceAll('-', ' ')), 303);
      assert.equal(await use(recovery[0]!), 401);
      const visitor = await enter('lost@example.com');
      await visitor.post('/account/code', { code: recovery[1]! });
      accounts.clock.advance(10 * MINUTE + 1_000);
      assert.equal(
        (await visitor.post('/account/security/recovery-codes', { confirm_password: 'not it at all' })).status,
        422,
      );
      const fresh = await visitor.post('/account/security/recovery-codes', { confirm_password: PASSWORD });
      assert.equal(fresh.status, 200);
      assert.equal(await use(recovery[2]!), 401);
      const stored = await accounts.pool.query('SELECT * FROM recovery_code');
      assert.ok(!JSON.stringify(stored.rows).includes(recovery[3]!));
    });

    it('cannot be guessed by trying codes, and the code page expires after ten minutes', async () => {
      const { code } = await withFactor('guess@example.com');
      accounts.clock.advance(MINUTE);
      const visitor = await enter('guess@example.com');
      const statuses: number[] = [];
      for (let i = 0; i < 8; i += 1) statuses.push((await visitor.post('/account/code', { code: `00000${i}` })).status);
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429], 'with the one while it was turned on');
      accounts.clock.advance(10 * MINUTE + 1);
      assert.equal((await visitor.post('/account/code', { code: code() })).location, '/account/sign-in');
    });

    it('accepts recovery codes even after many wrong codes, and a recovery code ends all sessions except the new one', async () => {
      const { recovery } = await withFactor('locked@example.com');
      accounts.clock.advance(MINUTE);
      const thief = await enter('locked@example.com');
      for (let i = 0; i < 8; i += 1) await thief.post('/account/code', { code: `00000${i}` });
      assert.equal((await thief.post('/account/code', { code: '123456' })).status, 429);
      const owner = await enter('locked@example.com');
      assert.equal((await owner.post('/account/code', { code: recovery[0]! })).status, 303);
      for (let i = 0; i < 25; i += 1) await thief.post('/account/code', { code: `ABCD-EFGH-${i}` });
      assert.equal((await thief.post('/account/code', { code: 'ABCD' })).status, 429, 'their network alone');
      const elsewhere = accounts.visitor('203.0.113.99');
      await signIn(elsewhere, 'locked@example.com');
      assert.equal((await elsewhere.post('/account/code', { code: recovery[1]! })).status, 303);
    });

    it('can be turned off only with a code, after a recent sign-in, and its secret is stored encrypted', async () => {
      const { visitor, secret, code } = await withFactor('off@example.com');
      const { rows } = await accounts.pool.query("SELECT totp_secret FROM member WHERE email = 'off@example.com'");
      assert.match(rows[0].totp_secret, /^v1\./);
      assert.ok(!rows[0].totp_secret.includes(secret));
      accounts.clock.advance(MINUTE);
      const other = await enter('off@example.com');
      await other.post('/account/code', { code: code() });
      accounts.clock.advance(10 * MINUTE + 1_000);
      for (const [password, typed] of [
        ['something else', code()],
        [PASSWORD, ''],
        [PASSWORD, '000000'],
      ] as const)
        assert.equal((await remove(visitor, password, typed)).status, 422, `${password} ${typed}`);
      assert.match((await visitor.get('/account/security')).text, /On: signing in takes/);
      assert.equal((await remove(visitor, PASSWORD, code())).status, 303);
      assert.equal((await other.get('/account')).status, 303, 'the other session has ended');
      assert.equal((await signIn(accounts.visitor(), 'off@example.com')).location, '/account');
      assert.ok(!accounts.logged().includes(secret));
    });
  });
});
