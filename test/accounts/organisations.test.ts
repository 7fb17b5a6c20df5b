import assert from 'node:assert/strict';
import { approveAccount, suspendAccount } from '../../src/accounts/accounts.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { createPeople, invite, type Owner, outcome } from '../support/organisations.ts';

const DAY_MS = 86_400_000;

describe('organisations', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let people: ReturnType<typeof createPeople>;
  before(async () => {
    accounts = await startAccountApp();
    people = createPeople(accounts);
  });
  after(() => accounts.close());

  /** Returns a session that acts for the organisation of its owner. */
  async function signedInFor({ email, accountId }: Owner): Promise<Visitor> {
    const visitor = accounts.visitor('203.0.113.90');
    await visitor.post('/account/sign-in', { email, password: PASSWORD });
    await visitor.post('/account/switch', { to: String(accountId) });
    return visitor;
  }

  it('a new person joins by the mailed link, with the role of the invitation', async () => {
    const ann = await people.owner('ann');
    const bob = await people.joined(ann, 'developer');
    const { json } = await bob.visitor.json('GET', '/v1/account/members');
    assert.deepEqual(
      json.members.map(({ email, role, current }: Record<string, unknown>) => [email, role, current]),
      [
        [ann.email, 'owner', false],
        [bob.email, 'developer', true],
      ],
    );
    assert.deepEqual(outcome(await bob.visitor.json('GET', '/v1/account/audit')), [403, 'role_not_permitted']);
    const { rows } = await accounts.pool.query('SELECT account_id, verified_at FROM member WHERE id = $1', [bob.id]);
    assert.equal(rows[0].account_id, null);
    assert.notEqual(rows[0].verified_at, null);
  });

  it('an invitation works once, for one address, and for 7 days, and not after it was revoked', async () => {
    const [ann, eve] = [await people.owner('ann'), await people.owner('eve')];
    const open = async (email: string) => {
      const { json } = await invite(ann.visitor, email, 'viewer');
      return { id: json.id as number, token: accounts.tokenFor(email) };
    };
    const join = (token: string, visitor = accounts.visitor()) =>
      visitor.post('/account/join', { token, password: PASSWORD });
    const used = await open('used@example.com');
    assert.equal((await join(used.token, eve.visitor)).status, 403);
    assert.equal((await join(used.token)).location, '/account');
    assert.equal((await join(used.token)).status, 404);
    const revoked = await open('revoked@example.com');
    assert.equal((await ann.visitor.json('DELETE', `/v1/account/member-invitations/${revoked.id}`)).status, 204);
    assert.equal((await join(revoked.token)).status, 404);
    assert.deepEqual(outcome(await invite(ann.visitor, 'used@example.com', 'viewer')), [409, 'conflict']);
    const late = await open('late@example.com');
    accounts.clock.advance(7 * DAY_MS - 1_000);
    assert.match((await accounts.visitor().get(`/account/join?token=${late.token}`)).text, /late@example\.com/);
    accounts.clock.advance(1_000);
    assert.equal((await join(late.token)).status, 404);
  });

  it('two uses of one invitation at once make one member', async () => {
    const ann = await people.owner('ann');
    await invite(ann.visitor, 'twice@example.com', 'viewer');
    const token = accounts.tokenFor('twice@example.com');
    const visits = await Promise.all(
      [1, 2].map((at) => accounts.visitor(`203.0.113.${at}`).post('/account/join', { token, password: PASSWORD })),
    );
    assert.deepEqual(visits.map(({ status }) => status).sort(), [303, 404]);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['owner', 'viewer']);
  });

  it('nobody gives a role that permits more than their own, or changes somebody with such a role', async () => {
    const ann = await people.owner('ann');
    const admin = await people.joined(ann, 'admin');
    const annId = await people.idOf(ann.email);
    const refused = [403, 'role_not_permitted'];
    assert.deepEqual(outcome(await invite(admin.visitor, 'x@example.com', 'owner')), refused);
    const change = (id: number, role: string) => admin.visitor.json('PATCH', `/v1/account/members/${id}`, { role });
    assert.deepEqual(outcome(await change(admin.id, 'owner')), refused);
    assert.deepEqual(outcome(await change(annId, 'viewer')), refused);
    assert.deepEqual(outcome(await admin.visitor.json('DELETE', `/v1/account/members/${annId}`)), refused);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['admin', 'owner']);
  });

  it('two admins who remove one another at once cannot both leave', async () => {
    const ann = await people.owner('ann');
    const [one, two] = [await people.joined(ann, 'admin'), await people.joined(ann, 'admin')];
    const replies = await Promise.all([
      one.visitor.json('DELETE', `/v1/account/members/${two.id}`),
      two.visitor.json('DELETE', `/v1/account/members/${one.id}`),
    ]);
    assert.equal(replies.filter(({ status }) => status === 204).length, 1);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['admin', 'owner']);
  });

  it('the last owner can neither leave nor take a smaller role, also if two try at once', async () => {
    const ann = await people.owner('ann');
    const annId = await people.idOf(ann.email);
    assert.deepEqual(outcome(await ann.visitor.json('POST', '/v1/account/leave')), [409, 'conflict']);
    const demoted = await ann.visitor.json('PATCH', `/v1/account/members/${annId}`, { role: 'admin' });
    assert.deepEqual(outcome(demoted), [409, 'conflict']);
    const other = await people.joined(ann, 'owner');
    const left = await Promise.all([ann, other].map(({ visitor }) => visitor.json('POST', '/v1/account/leave')));
    assert.deepEqual(left.map(({ status }) => status).sort(), [204, 409]);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['owner']);
  });

  it('removal ends the sessions there at once, and somebody who belongs elsewhere stays', async () => {
    const [ann, bob] = [await people.owner('ann'), await people.owner('bob')];
    await invite(ann.visitor, bob.email, 'viewer');
    assert.equal((await bob.visitor.post('/account/join', { token: accounts.tokenFor(bob.email) })).status, 303);
    assert.equal((await bob.visitor.json('GET', '/v1/account')).json.id, ann.accountId);
    const carol = await people.joined(ann, 'viewer');
    for (const email of [bob.email, carol.email]) {
      const id = await people.idOf(email);
      assert.equal((await ann.visitor.json('DELETE', `/v1/account/members/${id}`)).status, 204);
    }
    assert.equal((await bob.visitor.json('GET', '/v1/account')).status, 401);
    assert.equal((await carol.visitor.json('GET', '/v1/account')).status, 401);
    const again = accounts.visitor('203.0.113.77');
    await again.post('/account/sign-in', { email: bob.email, password: PASSWORD });
    assert.equal((await again.json('GET', '/v1/account')).json.id, bob.accountId);
    assert.equal((await accounts.pool.query('SELECT FROM member WHERE email = $1', [carol.email])).rowCount, 0);
  });

  it('a form changes nothing after a switch to a different organisation, and the switch leads nowhere else', async () => {
    const [ann, bob] = [await people.owner('ann'), await people.owner('bob')];
    await invite(ann.visitor, bob.email, 'admin');
    await bob.visitor.post('/account/join', { token: accounts.tokenFor(bob.email) });
    const form = { name: 'From the first tab', organisation: String(ann.accountId) };
    const sent = { to: String(bob.accountId), next: 'https://evil.example/' };
    assert.equal((await bob.visitor.post('/account/switch', sent)).location, '/account');
    assert.match(
      (await bob.visitor.get('/account/keys')).text,
      new RegExp(`name="organisation" value="${bob.accountId}"`),
    );
    assert.equal((await bob.visitor.post('/account/members/name', form)).status, 409);
    assert.equal((await bob.visitor.post('/account/members/name', { name: 'No field' })).status, 409);
    const own = { name: 'Bob and friends', organisation: String(bob.accountId) };
    assert.equal((await bob.visitor.post('/account/members/name', own)).status, 303);
    const { rows } = await accounts.pool.query('SELECT name FROM account WHERE id = ANY ($1) ORDER BY id', [
      [ann.accountId, bob.accountId],
    ]);
    assert.deepEqual(
      rows.map(({ name }) => name),
      [null, 'Bob and friends'],
    );
    const stranger = await people.owner('eve');
    await bob.visitor.post('/account/switch', { to: String(stranger.accountId) });
    assert.equal((await bob.visitor.json('GET', '/v1/account')).json.id, bob.accountId);
  });

  it('an organisation changes hands only after both have agreed', async () => {
    const ann = await people.owner('ann');
    const [bob, carol] = [await people.joined(ann, 'developer'), await people.joined(ann, 'viewer')];
    const answer = (by: Visitor) => by.json('POST', '/v1/account/ownership-offer/answer', { answer: 'accept' });
    assert.deepEqual(outcome(await answer(bob.visitor)), [409, 'conflict']);
    const offered = await ann.visitor.json('POST', '/v1/account/ownership-offer', { member_id: bob.id });
    assert.equal(offered.status, 204);
    assert.deepEqual(outcome(await answer(carol.visitor)), [409, 'conflict']);
    assert.equal((await answer(bob.visitor)).status, 204);
    const { rows } = await accounts.pool.query(
      'SELECT m.email, b.role FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1 ORDER BY role',
      [ann.accountId],
    );
    assert.deepEqual(rows, [
      { email: ann.email, role: 'admin' },
      { email: bob.email, role: 'owner' },
      { email: carol.email, role: 'viewer' },
    ]);
  });

  it('has at most 20 open invitations, and 3 mails an hour to an address', async () => {
    const ann = await people.owner('ann');
    for (let i = 0; i < 20; i += 1)
      assert.equal((await invite(ann.visitor, `many-${i}@example.com`, 'viewer')).status, 201);
    assert.deepEqual(outcome(await invite(ann.visitor, `one-more@example.com`, 'viewer')), [409, 'conflict']);
    const eve = await people.owner('eve');
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await invite(eve.visitor, 'victim@example.com', 'viewer')).status);
    assert.deepEqual(statuses, [201, 201, 201, 429]);
  });

  it('a suspended organisation ends keys and sessions there, but none in a second organisation', async () => {
    const [ann, bob] = [await people.owner('ann'), await people.owner('bob')];
    await people.joins(bob, ann, 'admin');
    const own = await signedInFor(bob);
    await people.joins(ann, { ...bob, visitor: own }, 'viewer');
    const created = await own.post('/account/calendar/address', { organisation: String(bob.accountId) });
    const calendar = /mine\.ics\?token=[\w-]+/.exec(created.text)![0];
    const key = (await bob.visitor.json('POST', '/v1/account/keys', { personal: true })).json.key as string;
    assert.equal((await accounts.app.ask('/v1/account', { key })).status, 200);
    await suspendAccount(accounts.pool, accounts.clock, ann.accountId, true);
    accounts.clock.advance(5_000);
    assert.equal((await bob.visitor.json('GET', '/v1/account')).status, 401, 'this session acted for it');
    assert.equal((await accounts.app.ask('/v1/account', { key })).status, 403);
    assert.equal((await own.json('GET', '/v1/account')).json.id, bob.accountId);
    assert.doesNotMatch((await own.get('/account')).text, /organisation-switch/);
    await own.post('/account/switch', { to: String(ann.accountId) });
    assert.equal((await own.json('GET', '/v1/account')).json.id, bob.accountId);
    assert.equal((await own.get(`/calendar/${calendar}`)).status, 200);
    const again = accounts.visitor('203.0.113.81');
    await again.post('/account/sign-in', { email: ann.email, password: PASSWORD });
    assert.equal((await again.json('GET', '/v1/account')).json.id, bob.accountId, 'though the other one is the older');
    await suspendAccount(accounts.pool, accounts.clock, ann.accountId, false);
    await own.post('/account/switch', { to: String(ann.accountId) });
    assert.equal((await own.json('GET', '/v1/account')).json.id, ann.accountId);
  });

  it('a person who deletes one of two organisations goes on in the second one, and the remaining members get mail', async () => {
    const [ann, bob] = [await people.owner('ann'), await people.owner('bob')];
    await people.joins(bob, ann, 'viewer');
    await people.joins(ann, { ...bob, visitor: await signedInFor(bob) }, 'viewer');
    const carol = await people.joined({ visitor: await signedInFor(bob) }, 'developer', 'carol');
    await carol.visitor.get('/account?lang=ru');
    const own = await signedInFor(bob);
    const confirm = (email: string) => own.json('DELETE', `/v1/account?email=${encodeURIComponent(email)}`);
    assert.equal((await confirm(ann.email)).status, 422, 'the address of the other organisation confirms nothing');
    const sent = accounts.letters.length;
    assert.equal((await confirm(bob.email)).status, 204);
    assert.deepEqual(
      accounts.letters.slice(sent).map(({ to, subject, text }) => [to, subject, text]),
      [
        [
          ann.email,
          'An organisation has been deleted',
          `${bob.email} deleted the organisation "${bob.email}". Its keys, streams and webhooks have ended.\n`,
        ],
        [
          carol.email,
          'Организация удалена',
          `${bob.email} удалил организацию «${bob.email}». Её ключи, потоки и вебхуки завершены.\n`,
        ],
      ],
    );
    assert.equal((await bob.visitor.json('GET', '/v1/account')).json.id, ann.accountId);
    const again = accounts.visitor('203.0.113.91');
    await again.post('/account/sign-in', { email: bob.email, password: PASSWORD });
    assert.equal((await again.json('GET', '/v1/account')).json.id, ann.accountId);
    assert.deepEqual(outcome(await again.json('DELETE', `/v1/account?email=${ann.email}`)), [
      403,
      'role_not_permitted',
    ]);
    assert.equal((await carol.visitor.json('GET', '/v1/account')).status, 401);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['owner', 'viewer']);
    const { rowCount } = await accounts.pool.query('SELECT FROM member WHERE email = $1', [carol.email]);
    assert.equal(rowCount, 0);
  });

  it('a browser whose organisation is deleted on the page stays signed in for the second one', async () => {
    const [ann, bob] = [await people.owner('ann'), await people.owner('bob')];
    await people.joins(bob, ann, 'viewer');
    const own = await signedInFor(bob);
    const deleted = await own.post('/account/security/delete', { sure: 'yes', organisation: String(bob.accountId) });
    assert.equal(deleted.location, '/account?done=deleted');
    const page = await own.get('/account?done=deleted');
    assert.match(page.text, /The organisation is deleted\. This is another one to which you belong\./);
    assert.equal((await own.json('GET', '/v1/account')).json.id, ann.accountId);
  });

  it('a sign-up on a pod with the previous release makes an owner', async () => {
    const { pool } = accounts;
    const { rows } = await pool.query<{ account_id: number; id: number }>(
      `WITH a AS (INSERT INTO account (email, plan, created_at) VALUES ('old@example.com', 'trial', now()) RETURNING id)
       INSERT INTO member (account_id, email, created_at) SELECT id, 'old@example.com', now() FROM a RETURNING account_id, id`,
    );
    assert.deepEqual(await people.rolesIn(rows[0]!.account_id), ['owner']);
    await pool.query('DELETE FROM account WHERE id = $1', [rows[0]!.account_id]);
    assert.equal((await pool.query('SELECT FROM member WHERE id = $1', [rows[0]!.id])).rowCount, 0);
  });

  it('somebody who joined creates one organisation of their own, if sign-up permits it, and stays in the first', async () => {
    const ann = await people.owner('ann');
    const bob = await people.joined(ann, 'viewer');
    const create = (body: object = {}, by = bob.visitor) => by.json('POST', '/v1/account/organisations', body);
    const { config } = accounts.deps;
    const signUp = config.signUp;
    try {
      Object.assign(config, { signUp: 'off' });
      assert.deepEqual(outcome(await create()), [404, 'not_found']);
      assert.doesNotMatch((await bob.visitor.get('/account/members')).text, /members\/create/);
      Object.assign(config, { signUp: 'invite' });
      assert.deepEqual(outcome(await create()), [422, 'invalid_parameter']);
      assert.deepEqual(outcome(await create({ invitation: 'inv_x' })), [422, 'invalid_parameter']);
    } finally {
      Object.assign(config, { signUp });
    }
    for (const name of [' \u0007', '  ', 'x'.repeat(101)])
      assert.deepEqual(outcome(await create({ name })), [422, 'invalid_parameter']);
    assert.match((await bob.visitor.get('/account/members')).text, /members\/create/);
    assert.deepEqual(outcome(await create({}, ann.visitor)), [409, 'conflict']);
    const both = await Promise.all([create({ name: 'Bob & Co' }), create({ name: 'Bob & Co' })]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    const own = both.find(({ status }) => status === 201)!.json;
    assert.equal(own.awaits_approval, false);
    assert.deepEqual(await people.rolesIn(own.id), ['owner']);
    const account = (await bob.visitor.json('GET', '/v1/account')).json;
    assert.deepEqual([account.id, account.name, account.email_verified], [own.id, 'Bob & Co', true]);
    const { organisations } = (await bob.visitor.json('GET', '/v1/account/organisations')).json;
    assert.deepEqual(
      organisations.map(({ id, role, current }: Record<string, unknown>) => [id, role, current]).sort(),
      [
        [ann.accountId, 'viewer', false],
        [own.id, 'owner', true],
      ].sort(),
    );
    const made = await bob.visitor.json('POST', '/v1/account/keys', { name: 'Mine' });
    assert.equal(made.status, 201);
    const { rows } = await accounts.pool.query('SELECT account_id FROM member WHERE id = $1', [bob.id]);
    assert.equal(rows[0].account_id, own.id);
  });

  it('an organisation of somebody who joined waits for approval if sign-ups do', async () => {
    const bob = await people.joined(await people.owner('ann'), 'viewer');
    const { config } = accounts.deps;
    const signUp = config.signUp;
    try {
      Object.assign(config, { signUp: 'approve' });
      const { location } = await bob.visitor.post('/account/members/create', { name: 'Waiting' });
      assert.equal(location, '/account/members?done=awaits');
    } finally {
      Object.assign(config, { signUp });
    }
    const { organisations } = (await bob.visitor.json('GET', '/v1/account/organisations')).json;
    assert.equal(organisations.length, 1);
    const { rows } = await accounts.pool.query('SELECT id, awaits_approval FROM account WHERE name = $1', ['Waiting']);
    assert.equal(rows[0].awaits_approval, true);
    await approveAccount(accounts.pool, accounts.clock, rows[0].id);
    assert.equal((await bob.visitor.json('POST', `/v1/account/organisations/${rows[0].id}/choose`)).status, 204);
  });
});
