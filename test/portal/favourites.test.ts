import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';
import { launchChromium } from '../support/chromium.ts';
import { until as waitUntil } from '../support/until.ts';

interface Reply {
  member: number;
  chosen: { team: number[]; tournament: number[] };
  left_out: { team: number[]; tournament: number[] };
}

describe('a member’s favourites on pages', function () {
  this.timeout(30_000);
  let accounts: AccountApp;
  let ids: Record<string, number>;
  let serial = 0;
  const signedUp = async () => {
    serial += 1;
    return (await accounts.signedUp(`stars-${serial}@example.com`, `192.0.2.${serial}`)).visitor;
  };
  before(async () => {
    accounts = await startAccountApp({ PUBLIC_SITE: '1' });
    const { pool, clock, deps } = accounts;
    const match = (id: string, home: string, away: string) => ({
      kind: 'match',
      match: {
        id,
        sport: 'football',
        season: { label: '2026' },
        scheduled_start: '2026-03-08T14:00:00Z',
        tournament: { name: 'Star League', country: 'INT' },
        home: { name: home },
        away: { name: away },
      },
    });
    const player = { id: 'p', type: 'player', sport: 'football', name: 'Bukayo Saka', country: 'GB-ENG' };
    const results = await applyUpdates(
      { pool, clock, changes: deps.changes, entities: new EntityCache() },
      [match('1', 'Reds', 'Blues'), match('2', 'Greens', 'Whites'), { kind: 'participant', participant: player }].map(
        (update) => feedUpdate.parse({ schema: 1, provider: 'tests', observed_at: '2026-03-01T11:00:00Z', ...update }),
      ),
      { events: false },
    );
    assert.ok(results.every(({ outcome }) => outcome === 'accepted'));
    const { rows } = await pool.query<{ name: string; id: number }>(
      'SELECT name, id FROM participant UNION ALL SELECT name, id FROM tournament',
    );
    ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  });
  after(() => accounts.close());

  const PATH = '/account/favourites';
  /** Sends a form, in which a name may occur several times. */
  async function send(visitor: Visitor, entries: [string, string][], headers: Record<string, string> = {}) {
    const { cookies } = visitor;
    const response = await fetch(accounts.app.url + PATH, {
      method: 'POST',
      body: new URLSearchParams(entries),
      headers: {
        origin: accounts.app.url,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    });
    return { status: response.status, json: (await response.json()) as Reply & { detail?: string } };
  }
  const add = (...entries: string[]) => entries.map((entry): [string, string] => ['add', entry]);

  it('need a session, and a page of this service for changes', async () => {
    const stranger = accounts.visitor('192.0.2.200');
    assert.equal((await stranger.get(PATH)).status, 401);
    assert.equal((await send(stranger, add(`team ${ids.Reds}`))).status, 401);
    const member = await signedUp();
    assert.equal((await send(member, add(`team ${ids.Reds}`), { origin: 'https://evil.example' })).status, 403);
    assert.deepEqual(JSON.parse((await member.get(PATH)).text).chosen, { team: [], tournament: [] });
  });

  it('are added and removed together, and unknown ids, players and present favourites are ignored', async () => {
    const member = await signedUp();
    const entries = add(`team ${ids.Reds}`, `team ${ids.Reds}`, `tournament ${ids['Star League']}`);
    const first = await send(member, [...entries, ...add('team 999999', `team ${ids['Bukayo Saka']}`)]);
    assert.equal(first.status, 200);
    assert.deepEqual(first.json.chosen, { team: [ids.Reds], tournament: [ids['Star League']] });
    assert.deepEqual(first.json.left_out, { team: [], tournament: [] });
    const second = await send(member, [...add(`team ${ids.Reds}`, `team ${ids.Blues}`), ['remove', 'team 999999']]);
    assert.deepEqual(
      second.json.chosen.team,
      [ids.Reds, ids.Blues].sort((a, b) => a! - b!),
    );
    const third = await send(member, [
      ['remove', `team ${ids.Reds}`],
      ['remove', `tournament ${ids['Star League']}`],
    ]);
    assert.deepEqual(third.json.chosen, { team: [ids.Blues], tournament: [] });
    assert.match((await member.get('/account/calendar')).text, /Blues/, 'the calendar has the same favourites');
  });

  it('are at most 100, in the order of the stars, and the reply names the others', async () => {
    const member = await signedUp();
    const made = await accounts.pool.query<{ id: number }>(
      `INSERT INTO tournament (sport, country, name, key) SELECT 'cricket', 'IN', 'Cup ' || n, 'cup ' || n
       FROM generate_series(1, 101) n RETURNING id`,
    );
    const cups = made.rows.map(({ id }) => id);
    const { status, json } = await send(member, add(`team ${ids.Reds}`, ...cups.map((id) => `tournament ${id}`)));
    assert.equal(status, 200);
    assert.equal(json.chosen.team.length + json.chosen.tournament.length, 100);
    assert.deepEqual(json.left_out, { team: [], tournament: cups.slice(99) });
    const both = await Promise.all([send(member, add(`team ${ids.Blues}`)), send(member, add(`team ${ids.Greens}`))]);
    for (const { json: later } of both) assert.equal(later.chosen.team.length + later.chosen.tournament.length, 100);
    const freed = await send(member, [['remove', `tournament ${cups[0]}`], ...add(`team ${ids.Blues}`)]);
    assert.ok(freed.json.chosen.team.includes(ids.Blues!), 'a removed one makes room');
  });

  it('refuse wrong entries, too many, and another member’s changes, and stay unchanged', async () => {
    const member = await signedUp();
    const { member: own } = JSON.parse((await member.get(PATH)).text) as Reply;
    for (const entry of ['', 'team', 'player 1', 'team x', 'team 1 2', 'team 1e3', 'team -1']) {
      const { status, json } = await send(member, add(`team ${ids.Reds}`, entry));
      assert.equal(status, 422, entry);
      assert.match(JSON.stringify(json), /must be team or tournament, a space, and an id/);
    }
    const many = Array.from({ length: 501 }, (_, index) => `team ${index + 1}`);
    assert.equal((await send(member, add(...many))).status, 422);
    assert.equal((await send(member, [...add(`team ${ids.Reds}`), ['member', String(own + 1)]])).status, 409);
    assert.deepEqual(JSON.parse((await member.get(PATH)).text).chosen, { team: [], tournament: [] });
    assert.equal((await send(member, [...add(`team ${ids.Reds}`), ['member', String(own)]])).status, 200);
  });

  describe('in Chromium', () => {
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let complaints: string[];
    before(async function () {
      const launched = await launchChromium();
      if (launched === null) this.skip();
      browser = launched;
    });
    after(() => browser?.close());
    beforeEach(async () => {
      context = await browser.newContext({ locale: 'en-GB' });
      page = await context.newPage();
      complaints = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
    });
    afterEach(() => context.close());

    const star = () => page.locator('h1 .star');
    const open = (name: string) => page.goto(`${accounts.app.url}/team/${ids[name]}`);
    const pressed = async (name: string, is: boolean) => {
      await open(name);
      await page.locator(`h1 .star[aria-pressed="${is}"]`).waitFor();
    };
    const signIn = (visitor: Visitor) =>
      context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: accounts.app.url })));
    const stored = async (visitor: Visitor) => (JSON.parse((await visitor.get(PATH)).text) as Reply).chosen.team;
    /** Waits until the account has these teams. */
    async function until(visitor: Visitor, names: string[]) {
      const wanted = names.map((name) => ids[name]!).sort((a, b) => a - b);
      const end = Date.now() + 8_000;
      while (String(await stored(visitor)) !== String(wanted)) assert.ok(Date.now() < end, `not seen: ${names}`);
    }

    it('come from browser and account after sign-in, change in both, and are the browser’s after sign-out', async () => {
      const member = await signedUp();
      await send(member, add(`team ${ids.Blues}`));
      await open('Reds');
      await star().click();
      await pressed('Blues', false);
      await signIn(member);
      await open('Reds');
      await until(member, ['Reds', 'Blues']);
      await pressed('Reds', true);
      await pressed('Blues', true);
      await pressed('Greens', false);
      await star().click();
      await until(member, ['Reds', 'Blues', 'Greens']);
      await pressed('Blues', true);
      await star().click();
      await until(member, ['Reds', 'Greens']);
      await pressed('Blues', false);
      await context.clearCookies();
      await pressed('Reds', true);
      await pressed('Greens', true);
      await pressed('Blues', false);
      await until(member, ['Reds', 'Greens']);
      assert.deepEqual(complaints, []);
    });

    it('of one member do not reach the next member, unlike the browser’s own', async () => {
      const [first, second] = [await signedUp(), await signedUp()];
      await send(first, add(`team ${ids.Blues}`));
      await signIn(first);
      await pressed('Blues', true);
      await open('Reds');
      await star().click();
      await until(first, ['Reds', 'Blues']);
      await context.clearCookies();
      await signIn(second);
      await open('Whites');
      await page.evaluate(`localStorage.setItem('touchline.account',
        JSON.stringify({ ...JSON.parse(localStorage.getItem('touchline.account')), at: 0 }))`);
      await open('Whites');
      await until(second, ['Reds']);
      await pressed('Blues', false);
    });

    it('are the browser’s if the session has ended', async () => {
      const member = await signedUp();
      await send(member, add(`team ${ids.Blues}`));
      await open('Reds');
      await star().click();
      await signIn(member);
      await pressed('Blues', true);
      await accounts.pool.query('DELETE FROM member_session');
      await page.evaluate(`localStorage.setItem('touchline.account',
        JSON.stringify({ ...JSON.parse(localStorage.getItem('touchline.account')), at: 0 }))`);
      await open('Blues');
      // The page's policy forbids the evaluation of texts, which waitForFunction may do in the page.
      await waitUntil('the account is forgotten', () =>
        page.evaluate<boolean>(`localStorage.getItem('touchline.account') === null`),
      );
      await pressed('Blues', false);
      await pressed('Reds', true);
    });
  });
});
