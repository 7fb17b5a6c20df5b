import assert from 'node:assert/strict';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { createPeople, invite, outcome } from '../support/organisations.ts';

const SECOND = 1_000;
const DAY = 86_400_000;

describe('invitations and ownership offers', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let people: ReturnType<typeof createPeople>;
  before(async () => {
    accounts = await startAccountApp();
    people = createPeople(accounts);
  });
  after(() => accounts.close());

  let visitors = 0;
  /** Opens the form of an invitation and sends it, as somebody new. */
  async function join(token: string): Promise<number> {
    visitors += 1;
    const visitor = accounts.visitor(`203.0.${visitors}.1`);
    const { status } = await visitor.get(`/account/join?token=${token}`);
    const sent = await visitor.post('/account/join', { token, password: PASSWORD });
    assert.equal(status === 200, sent.status === 303, `${status} and ${sent.status}`);
    return sent.status;
  }
  const openFor = async (by: Visitor) =>
    (await by.json('GET', '/v1/account/member-invitations')).json.invitations.map(
      ({ email }: { email: string }) => email,
    );

  for (const [change, ended] of [
    ['was demoted', (by: Visitor, id: number) => by.json('PATCH', `/v1/account/members/${id}`, { role: 'developer' })],
    ['was removed', (by: Visitor, id: number) => by.json('DELETE', `/v1/account/members/${id}`)],
  ] as const)
    it(`end when the sender ${change}`, async () => {
      const ann = await people.owner('ann');
      // Somebody who stays, also without this organisation.
      const bob = await people.owner('bob');
      await people.joins(bob, ann, 'admin');
      const admin = { visitor: bob.visitor, id: await people.idOf(bob.email) };
      const [guest, kept] = [`guest-${admin.id}@example.com`, `kept-${admin.id}@example.com`];
      assert.equal((await invite(admin.visitor, guest, 'admin')).status, 201);
      assert.equal((await invite(ann.visitor, kept, 'admin')).status, 201);
      const token = accounts.tokenFor(guest);
      assert.ok((await ended(ann.visitor, admin.id)).status < 300);
      assert.equal(await join(token), 404);
      assert.deepEqual(await openFor(ann.visitor), [kept]);
      assert.equal(await join(accounts.tokenFor(kept)), 303);
    });

  it('stay unless they give more than the sender may give in a new role', async () => {
    const ann = await people.owner('ann');
    const second = await people.joined(ann, 'owner');
    for (const role of ['owner', 'viewer'])
      assert.equal((await invite(second.visitor, `${role}-of-second@example.com`, role)).status, 201);
    await ann.visitor.json('PATCH', `/v1/account/members/${second.id}`, { role: 'admin' });
    assert.deepEqual(await openFor(ann.visitor), ['viewer-of-second@example.com']);
    assert.equal(await join(accounts.tokenFor('owner-of-second@example.com')), 404);
    assert.equal(await join(accounts.tokenFor('viewer-of-second@example.com')), 303);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['admin', 'owner', 'viewer']);
  });

  it('are refused if the sender may not give the role any more when somebody joins', async () => {
    const ann = await people.owner('ann');
    const admin = await people.joined(ann, 'admin');
    await invite(admin.visitor, 'by-row@example.com', 'viewer');
    // Without the service, which would end the invitation.
    await accounts.pool.query("UPDATE membership SET role = 'billing' WHERE member_id = $1", [admin.id]);
    assert.equal(await join(accounts.tokenFor('by-row@example.com')), 404);
  });

  it('send no mail before the organisation has a verified address', async () => {
    const { visitor } = await accounts.signedUp('unverified@example.com', '203.0.113.50');
    const sent = accounts.letters.length;
    assert.deepEqual(outcome(await invite(visitor, 'stranger@example.com', 'viewer')), [403, 'address_unverified']);
    const form = { email: 'stranger@example.com', role: 'viewer' };
    const { id } = (await visitor.json('GET', '/v1/account')).json;
    const page = await visitor.post('/account/members/invitations', { ...form, organisation: String(id) });
    assert.equal(page.status, 403);
    assert.match(page.text, /Verify your address first/);
    assert.equal(accounts.letters.length, sent);
    assert.deepEqual(await openFor(visitor), []);
    await visitor.post('/account/address', { token: accounts.tokenFor('unverified@example.com') });
    assert.equal((await invite(visitor, 'stranger@example.com', 'viewer')).status, 201);
    assert.deepEqual(
      accounts.letters.slice(sent).map(({ to }) => to),
      ['stranger@example.com'],
    );
  });

  it('are at most 50 a day for an organisation, and 3 an hour for an address', async () => {
    const [ann, eve] = [await people.owner('ann'), await people.owner('eve')];
    const send = async (by: Visitor, email: string) => {
      const { status, json, headers } = await invite(by, email, 'viewer');
      if (status === 201) await by.json('DELETE', `/v1/account/member-invitations/${json.id}`);
      return [status, headers.get('retry-after')];
    };
    for (let i = 0; i < 3; i += 1) assert.deepEqual(await send(ann.visitor, 'often@example.com'), [201, null]);
    const [status, wait] = await send(eve.visitor, 'Often@Example.com');
    assert.equal(status, 429, 'the limit of an address counts every organisation');
    assert.ok(Number(wait) > 0 && Number(wait) <= 3_600, `wait ${wait} s`);
    for (let i = 3; i < 50; i += 1) assert.deepEqual(await send(ann.visitor, `many-${i}@example.com`), [201, null]);
    assert.equal((await send(ann.visitor, 'many-50@example.com'))[0], 429);
    assert.equal((await send(eve.visitor, 'many-50@example.com'))[0], 201, 'others may still invite');
  });

  it('make at most 200 members, also if two use the last place at once', async () => {
    const ann = await people.owner('ann');
    await accounts.pool.query(
      `WITH added AS (INSERT INTO member (email, created_at) SELECT 'crowd' || n || '@example.com', now() FROM generate_series(1, 198) n
         RETURNING id)
       INSERT INTO membership (account_id, member_id, role, created_at) SELECT $1, id, 'viewer', now() FROM added`,
      [ann.accountId],
    );
    const emails = ['the-200th@example.com', 'the-201st@example.com'];
    for (const email of emails) assert.equal((await invite(ann.visitor, email, 'viewer')).status, 201);
    const joins = await Promise.all(
      emails.map((email, at) =>
        accounts
          .visitor(`203.0.113.${at}`)
          .post('/account/join', { token: accounts.tokenFor(email), password: PASSWORD }),
      ),
    );
    assert.deepEqual(joins.map(({ status }) => status).sort(), [303, 409]);
    assert.match(joins.find(({ status }) => status === 409)!.text, /at most 200 members/);
    assert.equal((await people.rolesIn(ann.accountId)).length, 200);
    const refused = await invite(ann.visitor, 'the-202nd@example.com', 'viewer');
    assert.deepEqual(outcome(refused), [409, 'conflict']);
    assert.match(refused.json.detail, /at most 200 members/);
  });

  it("are mailed in the sender's language", async () => {
    const ann = await people.owner('ann');
    await ann.visitor.json('PATCH', '/v1/account', { name: 'Клуб' });
    const form = { role: 'developer', organisation: String(ann.accountId) };
    for (const [lang, email] of [
      ['en', 'english@example.com'],
      ['ru', 'russian@example.com'],
    ] as const) {
      await ann.visitor.get(`/account/members?lang=${lang}`);
      const visit = await ann.visitor.post(`/account/members/invitations?lang=${lang}`, { ...form, email });
      assert.equal(visit.location, '/account/members?done=invited');
    }
    const [english, russian] = accounts.letters.slice(-2);
    const link = (email: string) => `http://touchline.test/account/join?token=${accounts.tokenFor(email)}`;
    assert.deepEqual(english, {
      to: 'english@example.com',
      subject: 'You are invited to an organisation on Touchline',
      text: `${ann.email} invites you to the organisation "Клуб" as developer.\n\nJoin within 7 days:\n${link('english@example.com')}\n\nIf you do not know this person, you need not do anything.\n`,
    });
    assert.deepEqual(russian, {
      to: 'russian@example.com',
      subject: 'Вас приглашают в организацию на Touchline',
      text: `${ann.email} приглашает вас в организацию «Клуб», роль: разработчик.\n\nПрисоединиться можно в течение 7 дней:\n${link('russian@example.com')}\n\nЕсли вы не знаете этого человека, ничего делать не нужно.\n`,
    });
  });

  it('lead to a page in Russian too, with hostile names as text', async () => {
    const ann = await people.owner('ann');
    await ann.visitor.json('PATCH', '/v1/account', { name: '<b>Клуб</b>' });
    await invite(ann.visitor, 'po-russki@example.com', 'viewer');
    const token = accounts.tokenFor('po-russki@example.com');
    const visitor = accounts.visitor('203.0.113.60');
    const { text } = await visitor.get(`/account/join?token=${token}&lang=ru`);
    assert.match(text, /<html lang="ru"/);
    assert.match(text, /приглашает вас в организацию &lt;b&gt;Клуб&lt;\/b&gt;\. Ваша роль: Наблюдатель\./);
    assert.match(text, /Приглашение для адреса po-russki@example\.com\./);
    assert.match(text, new RegExp(`href="[^"]*token=${token}[^"]*lang=en|href="[^"]*lang=en[^"]*token=${token}`));
    const weak = await visitor.post('/account/join?lang=ru', { token, password: 'short' });
    assert.equal(weak.status, 422);
    assert.match(weak.text, /<html lang="ru"/);
    const gone = await visitor.get('/account/join?token=unknown&lang=ru');
    assert.equal(gone.status, 404);
    assert.match(gone.text, /Приглашение неизвестно/);
  });

  const answer = (by: Visitor, given: string) =>
    by.json('POST', '/v1/account/ownership-offer/answer', { answer: given });
  const offerTo = (by: Visitor, id: number) => by.json('POST', '/v1/account/ownership-offer', { member_id: id });
  const actions = async (accountId: number) => {
    const { rows } = await accounts.pool.query<{ action: string }>(
      "SELECT action FROM audit_entry WHERE account_id = $1 AND action LIKE 'ownership.%' ORDER BY id",
      [accountId],
    );
    return rows.map(({ action }) => action);
  };

  it('an offer that was declined or withdrawn cannot be accepted, and leaves the roles', async () => {
    const ann = await people.owner('ann');
    const [bob, carol] = [await people.joined(ann, 'developer'), await people.joined(ann, 'admin')];
    const refused = [409, 'conflict'];
    assert.equal((await offerTo(ann.visitor, bob.id)).status, 204);
    assert.deepEqual(outcome(await answer(carol.visitor, 'decline')), refused, 'it is for somebody else');
    assert.equal((await answer(bob.visitor, 'decline')).status, 204);
    assert.deepEqual(outcome(await answer(bob.visitor, 'accept')), refused);
    assert.equal((await offerTo(ann.visitor, bob.id)).status, 204);
    const withdraw = (by: Visitor) => by.json('DELETE', '/v1/account/ownership-offer');
    assert.deepEqual(outcome(await withdraw(carol.visitor)), [403, 'role_not_permitted']);
    assert.equal((await withdraw(ann.visitor)).status, 204);
    assert.deepEqual(outcome(await withdraw(ann.visitor)), refused);
    assert.deepEqual(outcome(await answer(bob.visitor, 'accept')), refused);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['admin', 'developer', 'owner']);
    assert.deepEqual(await actions(ann.accountId), [
      'ownership.offered',
      'ownership.declined',
      'ownership.offered',
      'ownership.withdrawn',
    ]);
  });

  it('an offer ends after 7 days, or with the role of the owner who made it', async () => {
    const ann = await people.owner('ann');
    const [bob, second] = [await people.joined(ann, 'viewer'), await people.joined(ann, 'owner', 'second')];
    assert.equal((await offerTo(ann.visitor, bob.id)).status, 204);
    accounts.clock.advance(7 * DAY - SECOND);
    assert.match((await bob.visitor.get('/account/members')).text, /offers you this organisation/);
    accounts.clock.advance(SECOND);
    assert.doesNotMatch((await bob.visitor.get('/account/members')).text, /offers you this organisation/);
    const late = accounts.visitor('203.0.113.70');
    await late.post('/account/sign-in', { email: bob.email, password: PASSWORD });
    assert.deepEqual(outcome(await answer(late, 'accept')), [409, 'conflict']);
    const [ownAgain, secondAgain] = [accounts.visitor('203.0.113.71'), accounts.visitor('203.0.113.72')];
    await ownAgain.post('/account/sign-in', { email: ann.email, password: PASSWORD });
    await secondAgain.post('/account/sign-in', { email: second.email, password: PASSWORD });
    assert.equal((await offerTo(secondAgain, bob.id)).status, 204);
    const demoted = await ownAgain.json('PATCH', `/v1/account/members/${second.id}`, { role: 'viewer' });
    assert.equal(demoted.status, 200);
    assert.deepEqual(outcome(await answer(late, 'accept')), [409, 'conflict']);
    assert.deepEqual(await people.rolesIn(ann.accountId), ['owner', 'viewer', 'viewer']);
  });
});
