import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type Entry, parseCalendar } from '../calendars/parsed.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';

describe('a member’s calendar', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let ids: { redstone: number; spartak: number; cup: number; saka: number };
  let member: Visitor;
  before(async () => {
    accounts = await startAccountApp();
    const match = {
      sport: 'football',
      season: { label: '2026' },
      scheduled_start: '2026-03-08T14:00:00Z',
      away: { name: 'Guests', country: 'RU' },
    };
    const cup = { name: 'Winter Cup', country: 'INT' };
    const league = { name: 'Premier Liga', country: 'RU' };
    const updates = [
      { ...match, id: '1', tournament: league, home: { name: 'Redstone', name_ru: 'Редстоун', country: 'RU' } },
      { ...match, id: '2', tournament: league, home: { name: 'Spartak', country: 'RU' } },
      { ...match, id: '3', tournament: cup, home: { name: 'Redstone', country: 'RU' } },
      { ...match, id: '4', tournament: cup, home: { name: 'Lokomotiv', country: 'RU' } },
    ].map((one) => ({ kind: 'match', match: one }));
    const saka = { id: 'p', type: 'player', sport: 'football', name: 'Bukayo Saka', country: 'GB-ENG' };
    const { pool, clock, deps } = accounts;
    const results = await applyUpdates(
      { pool, clock, changes: deps.changes, entities: new EntityCache() },
      [...updates, { kind: 'participant', participant: saka }].map((update) =>
        feedUpdate.parse({ schema: 1, provider: 'tests', observed_at: '2026-03-01T11:00:00Z', ...update }),
      ),
      { events: false },
    );
    assert.ok(results.every(({ outcome }) => outcome === 'accepted'));
    const idOf = async (table: string, name: string) =>
      (await pool.query<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name])).rows[0]!.id;
    ids = {
      redstone: await idOf('participant', 'Redstone'),
      spartak: await idOf('participant', 'Spartak'),
      cup: await idOf('tournament', 'Winter Cup'),
      saka: await idOf('participant', 'Bukayo Saka'),
    };
    member = (await accounts.signedUp('fan@example.com')).visitor;
  });
  after(() => accounts.close());

  const PAGE = '/account/calendar';
  const add = (visitor: Visitor, kind: string, id: number | string) =>
    visitor.post(`${PAGE}/add`, { kind, id: String(id) });
  const remove = (visitor: Visitor, kind: string, id: number) =>
    visitor.post(`${PAGE}/remove`, { kind, id: String(id) });
  /** Creates a new address, and returns the token in it. */
  async function tokenOf(visitor: Visitor): Promise<string> {
    const { status, text } = await visitor.post(`${PAGE}/address`, {});
    assert.equal(status, 200);
    const [, token] = /href="webcal:\/\/[^"]+\/calendar\/mine\.ics\?token=([\w-]{43})"/.exec(text)!;
    assert.ok(text.includes(`${accounts.app.url}/calendar/mine.ics?token=${token}`));
    return token!;
  }
  /** Requests a calendar as a program does, without cookies. */
  const program = (path: string) => accounts.visitor('203.0.113.5').get(`/calendar/${path}`);
  async function entries(token: string): Promise<Entry[]> {
    const { status, text } = await program(`mine.ics?token=${token}`);
    assert.equal(status, 200, text);
    return parseCalendar(text).entries;
  }
  const problem = async (path: string) => {
    const { status, text, headers } = await program(path);
    return { status, challenge: headers.get('www-authenticate'), ...JSON.parse(text) };
  };

  it('asks for confirmation before its address is replaced or revoked, but not before it is created', async () => {
    const { visitor } = await accounts.signedUp('asked@example.com', '192.0.2.20');
    const first = (await visitor.get(PAGE)).text;
    assert.match(first, /account\/calendar\/address">(?:<input type="hidden"[^>]*>)*<button>Create the address/);
    assert.doesNotMatch(first, /class="confirmation"|calendar\/revoke/);
    await tokenOf(visitor);
    const { text } = await visitor.get(PAGE);
    const questions = [...text.matchAll(/<details class="confirmation">([\s\S]*?)<\/details>/g)].map(
      ([, part]) => part!,
    );
    assert.equal(questions.length, 2);
    assert.match(
      questions[0]!,
      /<summary>Replace the address<[\s\S]*calendar\/address"[\s\S]*Yes, replace the address/,
    );
    assert.match(questions[1]!, /Revoke the address<[\s\S]*calendar\/revoke"[\s\S]*Yes, revoke the address/);
    const rest = text.replaceAll(/<details class="confirmation">[\s\S]*?<\/details>/g, '');
    assert.doesNotMatch(rest, /calendar\/(address|revoke)"/, 'no other form does it');
  });

  it('finds teams and tournaments, adds them, and has each match once', async () => {
    const found = (await member.get(`${PAGE}?q=redstone`)).text;
    assert.match(found, new RegExp(`name="id" value="${ids.redstone}"[\\s\\S]*aria-label="Add Redstone"`));
    assert.equal((await add(member, 'team', ids.redstone)).location, `${PAGE}?done=added`);
    assert.equal((await add(member, 'tournament', ids.cup)).location, `${PAGE}?done=added`);
    const page = (await member.get(PAGE)).text;
    assert.match(page, /Redstone[\s\S]*Winter Cup[\s\S]*2 of 100/);
    assert.ok(page.includes(`${accounts.app.url}/calendar/team/${ids.redstone}.ics?lang=en`));
    assert.match(page, /&amp;token=…<\/code> of your own address/);
    const token = await tokenOf(member);
    const summaries = (await entries(token)).map(({ summary }) => summary);
    assert.deepEqual(summaries.sort(), ['Lokomotiv – Guests', 'Redstone – Guests', 'Redstone – Guests']);
    const { text } = await program(`mine.ics?token=${token}&lang=ru`);
    const russian = parseCalendar(text);
    assert.equal(russian.name, 'Мои команды и турниры');
    assert.ok(russian.entries.some(({ summary }) => summary === 'Редстоун – Guests'));

    assert.equal((await remove(member, 'tournament', ids.cup)).location, `${PAGE}?done=removed`);
    assert.equal((await entries(token)).length, 2);
    assert.equal((await remove(member, 'team', ids.redstone)).location, `${PAGE}?done=removed`);
    assert.deepEqual(await entries(token), [], 'a calendar without favourites is empty, and valid');
  });

  it('explains what is wrong with a favourite, and keeps the rest', async () => {
    await add(member, 'team', ids.spartak);
    const wrong: [string, number | string, number, RegExp][] = [
      ['team', ids.spartak, 409, /Spartak is already one of your favourites\./],
      ['team', ids.saka, 404, /is a player: only teams and tournaments have calendars\./],
      ['team', 999_999, 404, /There is no team 999999\./],
      ['tournament', 999_999, 404, /There is no tournament 999999\./],
      ['player', ids.saka, 422, /Kind: must be team or tournament\./],
      ['team', 'x', 422, /Id: must be an integer/],
      ['team', '-1', 422, /Id: must be an integer/],
      ['team', '', 422, /Id: must be an integer/],
      ['team', '1'.repeat(1_000), 422, /Id: must be an integer/],
    ];
    for (const [kind, id, status, text] of wrong) {
      const answer = await add(member, kind, id);
      assert.equal(answer.status, status, `${kind} ${id}`);
      assert.match(answer.text, text);
      assert.match(answer.text, /Spartak[\s\S]*1 of 100/);
    }
    assert.equal((await remove(member, 'team', ids.redstone)).status, 404);
    await remove(member, 'team', ids.spartak);
  });

  it('accepts a merged team’s id, and adds the team into which it was merged', async () => {
    const { rows } = await accounts.pool.query<{ id: number }>(
      `INSERT INTO participant (type, sport, name, country, key, person_id) VALUES ('team', 'football', 'Redstone FC', 'RU', 'redstone old', $1) RETURNING id`,
      [ids.redstone],
    );
    const { visitor } = await accounts.signedUp('merged@example.com');
    assert.equal((await add(visitor, 'team', rows[0]!.id)).location, `${PAGE}?done=added`);
    assert.match((await add(visitor, 'team', ids.redstone)).text, /Redstone is already one of your favourites\./);
    assert.equal((await entries(await tokenOf(visitor))).length, 2);
  });

  it('has at most 100 favourites, even if forms are sent at the same time', async () => {
    const { visitor } = await accounts.signedUp('collector@example.com');
    const { rows } = await accounts.pool.query<{ id: number }>(
      `INSERT INTO tournament (sport, country, name, key) SELECT 'football', 'RU', 'League ' || n, 'league ' || n
       FROM generate_series(1, 107) n RETURNING id`,
    );
    const leagues = rows.map(({ id }) => id);
    await accounts.pool.query(
      `INSERT INTO member_favourite SELECT m.id, 'tournament', unnest($1::bigint[]), now() FROM member m WHERE email = 'collector@example.com'`,
      [leagues.slice(0, 99)],
    );
    const answers = await Promise.all(leagues.slice(99).map((id) => add(visitor, 'tournament', id)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    const refused = answers.filter(({ status }) => status === 409);
    assert.equal(refused.length, 7);
    assert.match(refused[0]!.text, /100 favourites, which is the maximum/);
  });

  it('is not changed by forms from other sites and from strangers', async () => {
    for (const path of ['add', 'remove', 'address', 'revoke']) {
      const form = { kind: 'team', id: String(ids.redstone) };
      assert.equal((await member.post(`${PAGE}/${path}`, form, { Origin: 'https://evil.example.com' })).status, 403);
      assert.match((await accounts.visitor().post(`${PAGE}/${path}`, form)).location!, /^\/account\/sign-in/);
    }
    assert.match((await accounts.visitor().get(PAGE)).location!, /^\/account\/sign-in\?next=%2Faccount%2Fcalendar$/);
    assert.match((await member.get(PAGE)).text, /None yet[\s\S]*0 of 100/);
  });

  it('says that a search finds nothing for an unknown name, markup, 80 combining marks or a very long text', async () => {
    for (const q of ['nothing-of-this-name', '<script>alert(1)</script>', '\u0301'.repeat(80), 'x'.repeat(2_000)]) {
      const { status, text } = await member.get(`${PAGE}?q=${encodeURIComponent(q)}`);
      assert.equal(status, 200);
      assert.match(text, /No team or tournament was found/);
      assert.ok(!text.includes('<script>alert'));
    }
  });

  describe('the address', () => {
    it('is stored as a hash, is replaced by a new one, and can be revoked', async () => {
      assert.match((await member.get(PAGE)).text, /It was shown once\./);
      const first = await tokenOf(member);
      const stored = JSON.stringify((await accounts.pool.query('SELECT * FROM calendar_token')).rows);
      assert.ok(!stored.includes(first) && !accounts.logged().includes(first));
      const second = await tokenOf(member);
      assert.equal((await program(`mine.ics?token=${second}`)).status, 200);
      const replaced = await problem(`mine.ics?token=${first}`);
      assert.deepEqual([replaced.status, replaced.code], [401, 'key_invalid']);
      assert.match(replaced.detail, /revoked or replaced\. \/account\/calendar shows/);
      assert.equal((await member.post(`${PAGE}/revoke`, {})).location, `${PAGE}?done=revoked`);
      assert.equal((await problem(`mine.ics?token=${second}`)).code, 'key_invalid');
      assert.equal((await member.post(`${PAGE}/revoke`, {})).location, `${PAGE}?done=none`);
      assert.match((await member.get(PAGE)).text, /has no address yet/);
      const audit = (await member.get('/account/audit')).text;
      assert.match(audit, /member calendar address revoked[\s\S]*member calendar address created/);
      assert.ok(!audit.includes(first) && !accounts.logged().includes(second));
    });

    it('is refused with a missing, malformed or invented token, and a session does not count as a token', async () => {
      for (const path of ['mine.ics', 'mine.ics?token=', `team/${ids.redstone}.ics`, `tournament/${ids.cup}.ics`]) {
        const missing = await problem(path);
        assert.deepEqual([missing.status, missing.code], [401, 'key_missing'], path);
        assert.match(missing.detail, /\/account\/calendar creates one/);
        assert.equal(missing.challenge, 'Token realm="touchline calendars", query="token"');
      }
      for (const token of ['x', 'A'.repeat(43), "' OR 1=1 --", '%00']) {
        const { status } = await program(`mine.ics?token=${encodeURIComponent(token)}`);
        assert.equal(status, 401, token);
      }
      assert.equal((await program(`mine.ics?token=${'A'.repeat(201)}`)).status, 422);
      assert.equal((await member.get('/calendar/mine.ics')).status, 401, 'a cookie is no token');
    });

    it('opens calendars only with a token or a session if the site is not public', async () => {
      const token = await tokenOf(member);
      for (const path of [`team/${ids.redstone}.ics`, `tournament/${ids.cup}.ics`]) {
        assert.equal((await program(path)).status, 401);
        const byToken = await program(`${path}?token=${token}`);
        assert.equal(parseCalendar(byToken.text).entries.length, 2);
        assert.equal((await member.get(`/calendar/${path}`)).text, byToken.text);
      }
    });

    it('stops working when the account is deleted, and while the account is suspended', async () => {
      const { visitor } = await accounts.signedUp('leaver@example.com');
      const token = await tokenOf(visitor);
      const suspend = (at: string) =>
        accounts.pool.query(`UPDATE account SET suspended_at = ${at} WHERE email = 'leaver@example.com'`);
      await suspend('now()');
      const suspended = await problem(`mine.ics?token=${token}`);
      assert.deepEqual([suspended.status, suspended.code], [403, 'key_not_permitted']);
      assert.equal((await problem(`team/${ids.redstone}.ics?token=${token}`)).status, 403);
      await suspend('NULL');
      assert.equal((await program(`mine.ics?token=${token}`)).status, 200);
      await add(visitor, 'team', ids.redstone);
      const left = await visitor.post('/account/security/delete', { sure: 'yes' });
      assert.equal(left.location, '/account/sign-in?done=deleted');
      assert.equal((await problem(`mine.ics?token=${token}`)).code, 'key_invalid');
      const { rows } = await accounts.pool.query(
        'SELECT FROM member_favourite WHERE member_id NOT IN (SELECT id FROM member)',
      );
      assert.deepEqual(rows, []);
    });
  });
});
