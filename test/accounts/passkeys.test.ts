import assert from 'node:assert/strict';
import { suspendAccount } from '../../src/accounts/accounts.ts';
import { setOperator } from '../../src/accounts/members/operators.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visit, type Visitor } from '../support/account-app.ts';
import { Authenticator, type Lies, type PublicKeyOptions } from '../support/authenticator.ts';
import { turnOnSecondFactor } from '../support/operator-session.ts';

const ORIGIN = 'https://sports.example.org';
const HOST = 'sports.example.org';
const FROM_HERE = { Origin: ORIGIN };
const MINUTE = 60_000;
const PASSKEYS = '/account/security/passkeys';

describe('passkeys', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  before(async () => {
    accounts = await startAccountApp({ BASE_URL: `${ORIGIN}/sports` });
  });
  after(() => accounts.close());

  let network = 0;
  const visitor = () => {
    network += 1;
    return accounts.visitor(`10.${network >> 8}.${network & 255}.1`);
  };
  const post = (one: Visitor, path: string, form: Parameters<Visitor['post']>[1] = {}) =>
    one.post(path, form, FROM_HERE);
  const location = ({ headers }: Visit) => headers.get('location')?.replace(`${ORIGIN}/sports`, '') ?? null;
  const isIn = async (one: Visitor) => (await one.get('/account')).status === 200;

  async function verified(email: string): Promise<Visitor> {
    const one = visitor();
    const { status, text } = await post(one, '/account/sign-up', { email, password: PASSWORD });
    assert.equal(status, 200, text);
    await post(one, '/account/address', { token: accounts.tokenFor(email) });
    return one;
  }
  async function challenge(one: Visitor, path: string): Promise<PublicKeyOptions> {
    const { status, text } = await post(one, path);
    assert.equal(status, 200, text);
    return JSON.parse(text).publicKey;
  }
  async function add(one: Visitor, device: Authenticator, name = 'Laptop', lies: Lies = {}): Promise<Visit> {
    const options = await challenge(one, `${PASSKEYS}/challenge`);
    return post(one, PASSKEYS, { name, passkey: device.create(options, lies) });
  }
  /** A member with one passkey. */
  async function withPasskey(email: string, counts = true) {
    const owner = await verified(email);
    const device = new Authenticator(ORIGIN, counts);
    const { status, text } = await add(owner, device);
    assert.equal(status, 200, text);
    const codes = [...text.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code]) => code!);
    return { owner, device, codes };
  }
  /** Signs in without the password, in a new browser. */
  async function signIn(
    device: Authenticator,
    lies: Lies = {},
    one = visitor(),
  ): Promise<{ one: Visitor; reply: Visit }> {
    const options = await challenge(one, '/account/passkey/challenge');
    return {
      one,
      reply: await post(one, '/account/passkey', { passkey: device.get(options, lies), next: '/account/keys' }),
    };
  }
  async function refused(device: Authenticator, lies: Lies, said: RegExp) {
    const { one, reply } = await signIn(device, lies);
    assert.equal(reply.status, 401, JSON.stringify(lies));
    assert.match(reply.text, said);
    assert.equal(await isIn(one), false);
  }
  const passwordGiven = async (email: string, password = PASSWORD) => {
    const one = visitor();
    return { one, reply: await post(one, '/account/sign-in', { email, password }) };
  };
  const audited = async (email: string) => {
    const { rows } = await accounts.pool.query(
      'SELECT e.action, e.target, e.details, e.actor FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = $1 ORDER BY e.id',
      [email],
    );
    return rows;
  };
  const lettersTo = (email: string) => accounts.letters.filter(({ to }) => to === email).map(({ subject }) => subject);

  it('are asked for with user verification, for this host, and without the address of the member', async () => {
    const owner = await verified('options@example.com');
    const options = await challenge(owner, `${PASSKEYS}/challenge`);
    assert.equal(options.rp?.id, HOST);
    assert.deepEqual(
      [
        options.authenticatorSelection?.residentKey,
        options.authenticatorSelection?.userVerification,
        options.attestation,
      ],
      ['required', 'required', 'none'],
    );
    assert.equal(Buffer.from(options.user!.id, 'base64url').length, 32);
    assert.equal(options.timeout, 300_000);
    const again = await challenge(owner, `${PASSKEYS}/challenge`);
    assert.equal(again.user!.id, options.user!.id);
    assert.notEqual(again.challenge, options.challenge);
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 32, '256 bits');
    const signingIn = await challenge(visitor(), '/account/passkey/challenge');
    assert.deepEqual([signingIn.rpId, signingIn.userVerification], [HOST, 'required']);
    assert.equal(signingIn.allowCredentials, undefined, 'nobody learns who has passkeys');
  });

  it('sign a member in without the password, with a new session', async () => {
    const { owner, device, codes } = await withPasskey('alone@example.com');
    assert.equal(codes.length, 10, 'the first passkey comes with recovery codes');
    assert.ok(await isIn(owner), 'the session that added it stays');
    const { one, reply } = await signIn(device);
    assert.deepEqual([reply.status, location(reply)], [303, '/account/keys']);
    assert.ok(await isIn(one));
    assert.match((await one.get('/account/security')).text, /Laptop[\s\S]*1 of 20\./);
    const entries = await audited('alone@example.com');
    const added = entries.find(({ action }) => action === 'member.passkey_added');
    assert.match(added.target, /^passkey \d+$/);
    assert.deepEqual(added.details, { name: 'Laptop' });
    assert.deepEqual(entries.at(-1).details, { passkey: 'Laptop' });
    assert.equal(entries.at(-1).action, 'member.signed_in');
    assert.ok(lettersTo('alone@example.com').includes('A passkey was added'));
  });

  it('end the former session of the browser, and redirect only to pages of this service', async () => {
    const { device } = await withPasskey('fixed@example.com');
    const { one } = await signIn(device);
    const token = one.cookies.get('__Host-touchline_member')!;
    const options = await challenge(one, '/account/passkey/challenge');
    const reply = await post(one, '/account/passkey', {
      passkey: device.get(options),
      next: 'https://evil.example.com',
    });
    assert.equal(location(reply), '/account');
    assert.notEqual(one.cookies.get('__Host-touchline_member'), token);
    const before = accounts.visitor();
    before.cookies.set('__Host-touchline_member', token);
    assert.equal(await isIn(before), false);
  });

  it('take the place of a code after the password, beside recovery codes', async () => {
    const email = 'second@example.com';
    const { device, codes } = await withPasskey(email);
    const { one, reply } = await passwordGiven(email);
    assert.equal(location(reply), '/account/code?next=%2Faccount', 'the password alone is not enough');
    assert.equal(await isIn(one), false);
    const form = await one.get('/account/code?next=%2Faccount%2Fkeys');
    assert.match(form.text, /data-passkey="\/sports\/account\/code\/challenge"/);
    assert.match(form.text, /One of your recovery codes/);
    const options = await challenge(one, '/account/code/challenge');
    assert.deepEqual(
      options.allowCredentials?.map(({ id }) => id),
      [device.credentials[0]!.id.toString('base64url')],
    );
    const done = await post(one, '/account/code', {
      passkey: device.get(options, { userHandle: null }),
      next: '/account/keys',
    });
    assert.deepEqual([done.status, location(done)], [303, '/account/keys']);
    assert.ok(await isIn(one));

    const { one: other } = await passwordGiven(email);
    assert.equal((await post(other, '/account/code', { code: codes[0]! })).status, 303);
    assert.ok(await isIn(other));
  });

  it('of another member do not take the place of a code', async () => {
    const { device: thief } = await withPasskey('thief@example.com');
    await withPasskey('victim@example.com');
    const { one } = await passwordGiven('victim@example.com');
    const options = await challenge(one, '/account/code/challenge');
    const reply = await post(one, '/account/code', { passkey: thief.get(options) });
    assert.equal(reply.status, 401);
    assert.match(reply.text, /not known here/);
    assert.equal(await isIn(one), false);
    assert.equal(
      (await post(visitor(), '/account/code/challenge')).status,
      401,
      'without the password there is no challenge',
    );
  });

  it('are refused from another origin, of another site, without verification, and with a wrong signature', async () => {
    const { device } = await withPasskey('lies@example.com');
    await refused(device, { origin: 'https://evil.example.com' }, /on a page of another site/);
    await refused(device, { origin: 'https://sports.example.org:8443' }, /on a page of another site/);
    await refused(device, { origin: 'http://sports.example.org' }, /on a page of another site/);
    await refused(device, { crossOrigin: true }, /on a page of another site/);
    await refused(device, { rpId: 'example.org' }, /for another site/);
    await refused(device, { isVerified: false }, /did not check that it is you/);
    await refused(device, { isPresent: false }, /did not check that it is you/);
    await refused(device, { hasWrongKey: true }, /signature of the passkey is wrong/);
    await refused(device, { type: 'webauthn.create' }, /cannot be read/);
    await refused(device, { userHandle: 'AAAA' }, /not known here/);
    await refused(device, { userHandle: null }, /not known here/);
    assert.equal((await signIn(device)).reply.status, 303);
    const reasons = (await audited('lies@example.com'))
      .filter(({ action }) => action === 'member.passkey_refused')
      .map(({ details }) => details.reason);
    assert.deepEqual(reasons, ['other_site', 'not_verified', 'not_verified', 'wrong', 'unknown', 'unknown']);
  });

  it('answer a challenge once, within 5 minutes, in the browser that asked for it', async () => {
    const { device } = await withPasskey('replay@example.com');
    const one = visitor();
    const options = await challenge(one, '/account/passkey/challenge');
    const answer = device.get(options);
    const elsewhere = visitor();
    assert.match((await post(elsewhere, '/account/passkey', { passkey: answer })).text, /from another browser/);
    await challenge(elsewhere, '/account/passkey/challenge');
    assert.match((await post(elsewhere, '/account/passkey', { passkey: answer })).text, /from another browser/);
    assert.equal((await post(one, '/account/passkey', { passkey: answer })).status, 303);
    assert.match((await post(one, '/account/passkey', { passkey: answer })).text, /too late, or twice/);

    const late = visitor();
    const inTime = await challenge(late, '/account/passkey/challenge');
    accounts.clock.advance(299_000);
    assert.equal((await post(late, '/account/passkey', { passkey: device.get(inTime) })).status, 303);
    const tooLate = await challenge(late, '/account/passkey/challenge');
    accounts.clock.advance(301_000);
    assert.match((await post(late, '/account/passkey', { passkey: device.get(tooLate) })).text, /too late, or twice/);

    const wrong = visitor();
    const burnt = await challenge(wrong, '/account/passkey/challenge');
    await post(wrong, '/account/passkey', { passkey: device.get(burnt, { hasWrongKey: true }) });
    const second = await post(wrong, '/account/passkey', { passkey: device.get(burnt) });
    assert.match(second.text, /too late, or twice/, 'a wrong answer uses the challenge up');
    await refused(device, { challenge: 'AAAA' }, /too late, or twice/);
    const { rows } = await accounts.pool.query('SELECT FROM passkey_challenge WHERE expires_at < $1', [
      new Date(accounts.clock.now()),
    ]);
    assert.equal(rows.length, 0, 'expired challenges are deleted');
  });

  it('answer a challenge for the purpose for which it was made', async () => {
    const { owner, device } = await withPasskey('purpose@example.com');
    const toAdd = await challenge(owner, `${PASSKEYS}/challenge`);
    const confirmed = await post(owner, '/account/confirm', {
      confirm_passkey: device.get({ challenge: toAdd.challenge, rpId: HOST }),
    });
    assert.match(confirmed.text, /too late, or twice/);
    const signingIn = await challenge(owner, '/account/passkey/challenge');
    const elsewhere = await post(owner, '/account/confirm', { confirm_passkey: device.get(signingIn) });
    assert.match(elsewhere.text, /too late, or twice/, 'a challenge of the browser is not one of the session');
  });

  it('are refused once removed, and unknown ones and broken answers with them', async () => {
    const { owner, device, codes } = await withPasskey('removed@example.com');
    const { rows } = await accounts.pool.query(
      "SELECT id FROM passkey WHERE member_id = (SELECT id FROM member WHERE email = 'removed@example.com')",
    );
    const stranger = await verified('stranger@example.com');
    assert.equal((await post(stranger, `${PASSKEYS}/${rows[0].id}/remove`)).status, 404);
    const { one: other } = await signIn(device);
    assert.equal(
      location(await post(owner, `${PASSKEYS}/${rows[0].id}/remove`)),
      '/account/security?done=passkey-removed',
    );
    assert.deepEqual([await isIn(owner), await isIn(other)], [true, false], 'removing it ends all other sessions');
    await refused(device, {}, /not known here, or has been removed/);
    assert.equal(location((await passwordGiven('removed@example.com')).reply), '/account', 'no second factor is left');
    const { rows: left } = await accounts.pool.query(
      "SELECT FROM recovery_code c JOIN member m ON m.id = c.member_id WHERE m.email = 'removed@example.com'",
    );
    assert.deepEqual([left.length, codes.length], [0, 10]);
    assert.ok(lettersTo('removed@example.com').includes('A passkey was removed'));
    assert.equal(
      (await audited('removed@example.com')).filter(({ action }) => action === 'member.passkey_removed').length,
      1,
    );

    const unknown = new Authenticator(ORIGIN);
    unknown.create({ challenge: 'x', rp: { id: HOST }, user: { id: 'AAAA', name: 'x' } });
    await refused(unknown, {}, /not known here/);
    const broken = [
      '',
      'null',
      '[]',
      '{}',
      '{"id":1}',
      'x'.repeat(60_000),
      '{"id":"é","rawId":"é","type":"public-key","response":{}}',
    ];
    for (const passkey of broken) {
      const one = visitor();
      await challenge(one, '/account/passkey/challenge');
      const reply = await post(one, '/account/passkey', { passkey });
      assert.equal(reply.status, 401, passkey.slice(0, 40));
      assert.match(reply.text, /cannot be read/);
    }
  });

  it('keep the counter of signatures: one that does not grow is refused and audited', async () => {
    const { device } = await withPasskey('counter@example.com');
    assert.equal((await signIn(device, { counter: 10 })).reply.status, 303);
    await refused(device, { counter: 9 }, /as if there were a copy/);
    await refused(device, { counter: 10 }, /as if there were a copy/);
    await refused(device, { counter: 0 }, /as if there were a copy/);
    assert.equal((await signIn(device, { counter: 11 })).reply.status, 303);
    const refusals = (await audited('counter@example.com')).filter(({ action }) => action === 'member.passkey_refused');
    assert.deepEqual(
      refusals.map(({ details }) => details),
      Array.from({ length: 3 }, () => ({ name: 'Laptop', reason: 'copied' })),
    );

    const { device: plain } = await withPasskey('synced@example.com', false);
    for (let i = 0; i < 2; i += 1)
      assert.equal((await signIn(plain)).reply.status, 303, 'some authenticators always send 0');
  });

  it('with the same counter twice at once sign in only once', async () => {
    const { device } = await withPasskey('race@example.com');
    for (const counter of [50, 51, 52, 53]) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => signIn(device, { counter })));
      assert.deepEqual(replies.map(({ reply }) => reply.status).sort(), [303, 401, 401, 401]);
    }
  });

  it('do not open a suspended account, or one that awaits approval', async () => {
    const { device } = await withPasskey('suspended@example.com');
    await suspendAccount(accounts.pool, accounts.clock, 'suspended@example.com', true);
    const { one, reply } = await signIn(device);
    assert.deepEqual([reply.status, await isIn(one)], [403, false]);
    assert.match(reply.text, /The account is suspended/);
    await suspendAccount(accounts.pool, accounts.clock, 'suspended@example.com', false);
    assert.equal((await signIn(device)).reply.status, 303);
    await accounts.pool.query(
      "UPDATE account SET awaits_approval = true, suspended_at = now() WHERE email = 'suspended@example.com'",
    );
    const waiting = await signIn(device);
    assert.equal(waiting.reply.status, 403);
    assert.match(waiting.reply.text, /waits for approval/);
  });

  it('need the new password once after the password was changed', async () => {
    const email = 'changed@example.com';
    const { owner, device } = await withPasskey(email);
    const fresh = 'a fresh and long password';
    const changed = await post(owner, '/account/security/password', { current: PASSWORD, password: fresh });
    assert.equal(changed.status, 303, changed.text);
    await refused(device, {}, /A new password was set/);
    const { one } = await passwordGiven(email, fresh);
    const options = await challenge(one, '/account/code/challenge');
    assert.equal((await post(one, '/account/code', { passkey: device.get(options) })).status, 303);
    assert.equal((await signIn(device)).reply.status, 303);
  });

  it('confirm a change in an open session, which carries on with its form', async () => {
    const email = 'confirm@example.com';
    const { device } = await withPasskey(email);
    const { one } = await signIn(device);
    accounts.clock.advance(601_000);
    const asked = await post(one, '/account/keys', { name: 'Board' });
    assert.equal(asked.status, 403);
    assert.match(asked.text, /data-passkey="\/sports\/account\/confirm\/challenge"[\s\S]*data-field="confirm_passkey"/);
    const { device: thief } = await withPasskey('confirm-thief@example.com');
    const forThief = await challenge(one, '/account/confirm/challenge');
    const stolen = await post(one, '/account/keys', { name: 'Board', confirm_passkey: thief.get(forThief) });
    assert.match(stolen.text, /not known here[\s\S]*name="name" value="Board"/);
    const options = await challenge(one, '/account/confirm/challenge');
    const done = await post(one, '/account/keys', { name: 'Board', confirm_passkey: device.get(options) });
    assert.match(done.text, /sk_live_\w{38}/);
    assert.ok((await audited(email)).some(({ action }) => action === 'member.passkey_confirmed'));
  });

  it('are added and removed only after a recent sign-in, and the name is not lost', async () => {
    const { owner, device } = await withPasskey('recent@example.com');
    accounts.clock.advance(601_000);
    const early = await post(owner, `${PASSKEYS}/challenge`);
    assert.deepEqual([early.status, JSON.parse(early.text).code], [403, 'sign_in_required']);
    const asked = await post(owner, PASSKEYS, { name: 'Phone', passkey: '' });
    assert.match(asked.text, /Confirm that it is you[\s\S]*name="name" value="Phone"/);
    const ready = await post(owner, PASSKEYS, { name: 'Phone', passkey: '', confirm_password: PASSWORD });
    assert.match(ready.text, /Confirmed\.[\s\S]*name="name"[^>]*value="Phone"/);
    assert.equal(
      location(await add(owner, new Authenticator(ORIGIN), 'Phone')),
      '/account/security?done=passkey-added',
    );
    accounts.clock.advance(601_000);
    const { rows } = await accounts.pool.query("SELECT id FROM passkey WHERE name = 'Phone'");
    assert.equal((await post(owner, `${PASSKEYS}/${rows[0].id}/remove`)).status, 403);
    assert.equal((await signIn(device)).reply.status, 303);
  });

  it('are renamed by a member, on the page and over REST, with an audit entry and without ending sessions', async () => {
    const email = 'renamed@example.com';
    const { owner, device } = await withPasskey(email);
    const { one: elsewhere } = await signIn(device);
    const list = async (one: Visitor) =>
      (await one.json('GET', '/v1/account/passkeys', undefined, FROM_HERE)).json.passkeys;
    const change = (one: Visitor, id: number, name: string) =>
      one.json('PATCH', `/v1/account/passkeys/${id}`, { name }, FROM_HERE);
    const [listed] = await list(owner);
    const { id } = listed;
    assert.deepEqual(listed, { ...listed, name: 'Laptop', host: HOST });
    assert.ok(listed.last_used_at >= listed.created_at);

    assert.equal(
      location(await post(owner, `${PASSKEYS}/${id}`, { name: 'Work' })),
      '/account/security?done=passkey-renamed',
    );
    assert.match((await owner.get('/account/security')).text, /<strong>Work<\/strong>/);
    const { status, json } = await change(owner, id, 'Home <b>');
    assert.deepEqual([status, json], [200, { ...listed, name: 'Home <b>' }]);
    assert.match((await owner.get('/account/security')).text, /<strong>Home &lt;b&gt;<\/strong>/);
    assert.equal((await change(owner, id, 'Home <b>')).status, 200, 'the same name again');
    for (const name of ['', 'x'.repeat(101), 'a\u202eb']) {
      assert.equal((await change(owner, id, name)).status, 422, name);
      assert.equal((await post(owner, `${PASSKEYS}/${id}`, { name })).status, 422, name);
    }
    const entries = (await audited(email)).filter(({ action }) => action === 'member.passkey_renamed');
    assert.deepEqual(
      entries.map(({ target, details, actor }) => ({ target, details, actor })),
      [
        { target: `passkey ${id}`, details: { from: 'Laptop', to: 'Work' }, actor: email },
        { target: `passkey ${id}`, details: { from: 'Work', to: 'Home <b>' }, actor: email },
      ],
    );
    assert.ok(await isIn(elsewhere));
    const other = await verified('renaming@example.com');
    assert.equal((await change(other, id, 'Mine')).status, 404);
    assert.equal((await post(other, `${PASSKEYS}/${id}`, { name: 'Mine' })).status, 404);
    assert.deepEqual(await list(other), []);
    assert.deepEqual(
      (await list(owner)).map(({ name }: { name: string }) => name),
      ['Home <b>'],
    );
  });

  it('are removed over REST by the member alone, which ends the other sessions', async () => {
    const { owner, device } = await withPasskey('rest@example.com');
    const { one: elsewhere } = await signIn(device);
    const { json } = await owner.json('GET', '/v1/account/passkeys', undefined, FROM_HERE);
    const path = `/v1/account/passkeys/${json.passkeys[0].id}`;
    const other = await verified('removing@example.com');
    assert.equal((await other.json('DELETE', path, undefined, FROM_HERE)).status, 404);
    assert.equal((await owner.json('DELETE', path, undefined, FROM_HERE)).status, 204);
    assert.equal((await owner.json('DELETE', path, undefined, FROM_HERE)).status, 404);
    assert.deepEqual([await isIn(owner), await isIn(elsewhere)], [true, false]);
    assert.equal((await signIn(device)).reply.status, 401);
    assert.ok(lettersTo('rest@example.com').includes('A passkey was removed'));
  });

  it('that the browser makes are checked: origin, site, verification, statement, name, and whether they are new', async () => {
    const owner = await verified('making@example.com');
    const device = new Authenticator(ORIGIN);
    const cases: [Lies, RegExp][] = [
      [{ origin: 'https://evil.example.com' }, /on a page of another site/],
      [{ rpId: 'evil.example.com' }, /for another site/],
      [{ isVerified: false }, /did not check that it is you/],
      [{ challenge: 'AAAA' }, /too late, or twice/],
      [{ type: 'webauthn.get' }, /cannot be read/],
      [{ attestation: { fmt: 'fido-u2f', attStmt: new Map() } }, /cannot be used here/],
      [{ attestation: { fmt: 'packed', attStmt: new Map([['x5c', [Buffer.from('x')]]]) } }, /cannot be used here/],
      [{ attestation: { fmt: 'packed', attStmt: new Map() } }, /signature of the passkey is wrong/],
    ];
    for (const [lies, said] of cases) {
      const { status, text } = await add(owner, device, 'x', lies);
      assert.equal(status, 401, JSON.stringify(lies));
      assert.match(text, said);
      assert.match(text, /name="name"[^>]*value="x"/, 'the name is not lost');
    }
    for (const name of ['x'.repeat(101), 'a\u202eb', 'a\u0007b'])
      assert.equal((await add(owner, device, name)).status, 422, name);
    const options = await challenge(owner, `${PASSKEYS}/challenge`);
    const answer = device.create(options);
    assert.equal((await post(owner, PASSKEYS, { name: '<b>"', passkey: answer })).status, 200);
    assert.match((await owner.get('/account/security')).text, /&lt;b&gt;&quot;/);
    assert.match((await post(owner, PASSKEYS, { name: 'y', passkey: answer })).text, /too late, or twice/);
    const { rows } = await accounts.pool.query(
      "SELECT count(*)::int AS n FROM passkey k JOIN member m ON m.id = k.member_id WHERE m.email = 'making@example.com'",
    );
    assert.equal(rows[0].n, 1);
  });

  it('are at most 20, each in one account only, and get a name from the browser if none is typed', async () => {
    const owner = await verified('many@example.com');
    const device = new Authenticator(ORIGIN);
    for (let i = 0; i < 20; i += 1) assert.ok((await add(owner, device, i === 0 ? '' : `Key ${i}`)).status < 400);
    const full = await add(owner, device, 'one more');
    assert.equal(full.status, 409);
    assert.match(full.text, /You have 20 passkeys, which is the maximum/);
    assert.match((await owner.get('/account/security')).text, /20 of 20\.[\s\S]*Remove one first/);
    const options = await challenge(owner, `${PASSKEYS}/challenge`);
    assert.equal(options.excludeCredentials?.length, 20);
    const { rows } = await accounts.pool.query<{ name: string }>('SELECT name FROM passkey ORDER BY id DESC LIMIT 20');
    assert.ok(rows.at(-1)!.name.length > 0);

    const other = await verified('same@example.com');
    const foreign = await challenge(other, `${PASSKEYS}/challenge`);
    const answer = device.create(foreign);
    const id = device.credentials.at(-1)!.id.toString('base64url');
    await accounts.pool.query("UPDATE passkey SET credential = $1 WHERE name = 'Key 5'", [id]);
    const taken = await post(other, PASSKEYS, { name: 'mine', passkey: answer });
    assert.deepEqual([taken.status, /has been added already/.test(taken.text)], [409, true]);
  });

  it('of another host are listed with it, and are not offered', async () => {
    const { owner } = await withPasskey('moved@example.com');
    await accounts.pool.query(
      "UPDATE passkey SET rp_id = 'old.example.org' WHERE member_id = (SELECT id FROM member WHERE email = 'moved@example.com')",
    );
    assert.match((await owner.get('/account/security')).text, /for old\.example\.org only/);
    const { one } = await passwordGiven('moved@example.com');
    assert.equal((await challenge(one, '/account/code/challenge')).allowCredentials, undefined);
    const options = await challenge(owner, `${PASSKEYS}/challenge`);
    assert.deepEqual(options.excludeCredentials, [], 'the same device may make one for the new host');
  });

  it('are not for members whose address is not verified', async () => {
    const one = visitor();
    await post(one, '/account/sign-up', { email: 'unverified@example.com', password: PASSWORD });
    const reply = await add(one, new Authenticator(ORIGIN));
    assert.equal(reply.status, 403);
    assert.match(reply.text, /Verify your address first/);
  });

  it('stay beside codes from an app, and keep the recovery codes when the app is turned off', async () => {
    const { owner, device } = await withPasskey('both@example.com');
    const fromHere: Visitor = { ...owner, post: (path, form) => post(owner, path, form) };
    const code = await turnOnSecondFactor(accounts, fromHere);
    const { one } = await passwordGiven('both@example.com');
    assert.match((await one.get('/account/code')).text, /The six digits that your app shows/);
    assert.equal((await post(one, '/account/code', { code: code() })).status, 303);
    const off = await post(one, '/account/security/second-factor/remove', { code: code() });
    assert.equal(off.status, 303, off.text);
    const { rows } = await accounts.pool.query(
      "SELECT FROM recovery_code c JOIN member m ON m.id = c.member_id WHERE m.email = 'both@example.com'",
    );
    assert.equal(rows.length, 10);
    assert.equal(location((await passwordGiven('both@example.com')).reply), '/account/code?next=%2Faccount');
    assert.equal((await signIn(device)).reply.status, 303);
  });

  it('are the second factor of operators, who confirm with them every 12 hours', async () => {
    const email = 'operator@example.com';
    const owner = await verified(email);
    await setOperator(accounts.pool, accounts.clock, email, true);
    assert.equal(location(await owner.get('/operator')), '/account/security?done=operator');
    const device = new Authenticator(ORIGIN);
    await add(owner, device);
    assert.equal((await owner.get('/operator')).status, 200, 'making it counts');
    const { one } = await signIn(device);
    assert.equal((await one.get('/operator')).status, 200);
    accounts.clock.advance(12 * 60 * MINUTE);
    assert.equal(location(await one.get('/operator')), '/operator/code?next=%2Foperator');
    assert.doesNotMatch((await one.get('/operator/code')).text, /confirm_password/);
    const withPassword = await post(one, '/operator/code', { confirm_password: PASSWORD, next: '/operator/audit' });
    assert.equal(withPassword.status, 422, 'the password is not enough');
    const options = await challenge(one, '/account/confirm/challenge');
    const done = await post(one, '/operator/code', { confirm_passkey: device.get(options), next: '/operator/audit' });
    assert.equal(location(done), '/operator/audit');
    assert.equal((await one.get('/operator')).status, 200);
  });

  it('have limits on attempts for a network, and right ones do not count', async () => {
    const { device } = await withPasskey('limits@example.com');
    const one = accounts.visitor('198.51.100.7');
    for (let i = 0; i < 3; i += 1) await signIn(device, {}, one);
    const statuses: number[] = [];
    for (let i = 0; i < 61; i += 1) statuses.push((await post(one, '/account/passkey', { passkey: '{}' })).status);
    assert.deepEqual([statuses[59], statuses[60]], [401, 429]);
    assert.equal((await signIn(device)).reply.status, 303, 'another network is not affected');
  });

  it('cannot be used from a page of another site', async () => {
    const { owner, device } = await withPasskey('csrf@example.com');
    const one = visitor();
    const options = await challenge(one, '/account/passkey/challenge');
    const evil = { Origin: 'https://evil.example.com' };
    assert.equal((await one.post('/account/passkey', { passkey: device.get(options) }, evil)).status, 403);
    assert.equal((await owner.post(`${PASSKEYS}/challenge`, {}, evil)).status, 403);
  });
});
