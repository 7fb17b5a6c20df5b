import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';
import { launchChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';

const PATIENCE = 15_000;
const REPEAT_MS = 3_000;
/** A push service of the tests, which the guard of the account app allows. No request reaches it. */
const ENDPOINT = 'http://127.0.0.1:9/push/';

/**
 * Chromium subscribes only at its vendor's service, so a subscription of the test takes its place. Everything else is the
 * browser's own.
 */
const subscriptionScript = (keys: { p256dh: string; auth: string }) => `
  const kept = () => JSON.parse(localStorage.getItem('test.subscription'));
  PushManager.prototype.getSubscription = async () => {
    if (kept() === null) return null;
    const { endpoint, key, userVisibleOnly } = kept();
    return {
      endpoint,
      options: { applicationServerKey: new Uint8Array(key).buffer, userVisibleOnly },
      toJSON: () => ({ endpoint, expirationTime: null, keys: ${JSON.stringify(keys)} }),
      unsubscribe: async () => { localStorage.removeItem('test.subscription'); return true; },
    };
  };
  PushManager.prototype.subscribe = async function ({ applicationServerKey, userVisibleOnly }) {
    const endpoint = ${JSON.stringify(ENDPOINT)} + Math.random().toString(36).slice(2);
    const key = [...applicationServerKey];
    localStorage.setItem('test.subscription', JSON.stringify({ endpoint, key, userVisibleOnly }));
    return this.getSubscription();
  };`;

describe('notifications in Chromium', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let team: number;
  let matchId: number;
  let serial = 0;

  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    accounts = await startAccountApp({ PUBLIC_SITE: '1' });
    const { pool, clock, deps } = accounts;
    const match = {
      id: '1',
      sport: 'football',
      season: { label: '2026' },
      scheduled_start: '2026-03-08T14:00:00Z',
      tournament: { name: 'Push League', country: 'INT' },
      home: { name: 'Reds' },
      away: { name: 'Blues' },
    };
    const update = { schema: 1, provider: 'tests', observed_at: '2026-03-01T11:00:00Z', kind: 'match', match };
    const apply = { pool, clock, changes: deps.changes, entities: new EntityCache() };
    await applyUpdates(apply, [feedUpdate.parse(update)], { events: false });
    const { rows } = await pool.query<{ id: number }>("SELECT id FROM participant WHERE name = 'Reds'");
    team = rows[0]!.id;
    matchId = (await pool.query<{ id: number }>('SELECT id FROM match')).rows[0]!.id;
  });
  after(async () => {
    await browser?.close();
    await accounts?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript(
      subscriptionScript({
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }),
    );
  });
  afterEach(() => context.close());

  async function signIn(): Promise<Visitor> {
    serial += 1;
    const { visitor } = await accounts.signedUp(`chromium-${serial}@example.com`, `192.0.2.${serial}`);
    await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: accounts.app.url })));
    return visitor;
  }
  const open = (path: string) => page.goto(accounts.app.url + path);
  const button = () => page.locator('button.notify');
  const pressed = (is: boolean) => page.locator(`button.notify[aria-pressed="${is}"]`).waitFor({ timeout: PATIENCE });
  const favourites = async (visitor: Visitor) =>
    JSON.parse((await visitor.get('/account/favourites')).text).chosen.team;
  const browsers = async (visitor: Visitor) =>
    ((await visitor.get('/account/notifications')).text.match(/notifications\/\d+\/remove/g) ?? []).length;

  it('are turned on by a click beside a team’s name, which also makes the team a favourite', async () => {
    await context.grantPermissions(['notifications']);
    const visitor = await signIn();
    await open(`/team/${team}`);
    await pressed(false);
    assert.equal(await browsers(visitor), 0, 'nothing happens without a click');
    await button().click();
    await pressed(true);
    await until('the team is a favourite', async () => (await favourites(visitor)).includes(team), PATIENCE);
    assert.equal(await browsers(visitor), 1);
    const { json } = await visitor.json('GET', '/account/notifications/key');
    const { key, userVisibleOnly } = JSON.parse(await page.evaluate(`localStorage.getItem('test.subscription')`));
    assert.equal(Buffer.from(key).toString('base64url'), json.key);
    assert.equal(userVisibleOnly, true);
    await page.locator('h1 .star[aria-pressed="true"]').click();
    await pressed(false);
    assert.deepEqual(complaints, []);
  });

  it('are turned on for a side of a match on the match page', async () => {
    await context.grantPermissions(['notifications']);
    const visitor = await signIn();
    await open(`/match/${matchId}`);
    const [home, away] = [button().nth(0), button().nth(1)];
    assert.deepEqual([await home.textContent(), await away.textContent()], ['Notify me: Reds', 'Notify me: Blues']);
    await home.click();
    await pressed(true);
    assert.equal(await home.textContent(), 'Notifications are on: Reds');
    assert.equal(await away.getAttribute('aria-pressed'), 'false');
    await until('the team is a favourite', async () => (await favourites(visitor)).includes(team), PATIENCE);
    assert.equal((await favourites(visitor)).length, 1);
    assert.deepEqual(complaints, []);
  });

  it('are turned on and off on the account page', async () => {
    await context.grantPermissions(['notifications']);
    const visitor = await signIn();
    await open('/account/notifications?lang=ru');
    assert.equal(await button().textContent(), 'Уведомлять меня');
    await button().click();
    await pressed(true);
    const { rows } = await accounts.pool.query('SELECT lang FROM push_browser ORDER BY id DESC LIMIT 1');
    assert.equal(rows[0].lang, 'ru');
    await page.locator('form[action*="/remove"]').waitFor();
    await button().click();
    await pressed(false);
    assert.equal(await browsers(visitor), 0);
    assert.deepEqual(complaints, []);
  });

  it('say how to allow them if the browser forbids them, and lead a visitor to the sign-in', async () => {
    await open(`/team/${team}`);
    await button().click();
    await page.waitForURL(/\/account\/sign-in\?next=%2Faccount%2Fnotifications$/);
    const visitor = await signIn();
    // A headless browser refuses every question.
    await open('/account/notifications');
    await button().click();
    await page.locator('#message', { hasText: 'does not allow notifications' }).waitFor();
    await pressed(false);
    assert.equal(await browsers(visitor), 0);
  });

  it('say that the site has to be on the home screen, if the browser asks for that', async () => {
    await page.addInitScript('delete window.PushManager; navigator.standalone = false;');
    await signIn();
    await open('/account/notifications');
    await page.locator('[data-notify]', { hasText: 'add this site to the Home Screen' }).waitFor();
    assert.equal(await button().count(), 0);
  });

  it('are off in a browser that was removed on another device', async () => {
    await context.grantPermissions(['notifications']);
    const visitor = await signIn();
    await open('/account/notifications');
    await button().click();
    await pressed(true);
    await accounts.pool.query('DELETE FROM push_browser');
    await page.evaluate(`sessionStorage.clear()`);
    await open('/account/notifications');
    await pressed(false);
    assert.equal(await browsers(visitor), 0);
  });

  describe('that come with the page closed', () => {
    let devtools: CDPSession;
    let registration: string;
    let worker: Worker;

    beforeEach(async () => {
      await context.grantPermissions(['notifications']);
      devtools = await context.newCDPSession(page);
      const registered = new Promise<string>((resolve) =>
        devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          if (registrations[0] !== undefined) resolve(registrations[0].registrationId);
        }),
      );
      await devtools.send('ServiceWorker.enable');
      const started = context.waitForEvent('serviceworker');
      await open('/leagues');
      await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
      [registration, worker] = [await registered, await started];
    });

    const deliver = (data: string) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        origin: accounts.app.url,
        registrationId: registration,
        data,
      });
    /** Delivers a message until it has had its effect. On a busy machine, the browser drops some, and a repeat changes nothing. */
    const delivered = (what: string, data: string, holds: () => Promise<boolean>) => {
      let last = Number.NEGATIVE_INFINITY;
      return until(
        what,
        async () => {
          if (performance.now() - last > REPEAT_MS) {
            last = performance.now();
            await deliver(data);
          }
          return holds();
        },
        PATIENCE,
      );
    };
    const shown = () =>
      worker.evaluate<{ title: string; body: string; tag: string; path: string; icon: string }[]>(
        `self.registration.getNotifications().then((all) =>
          all.map(({ title, body, tag, data, icon }) => ({ title, body, tag, path: data.path, icon })))`,
      );
    const message = (more: object = {}) =>
      JSON.stringify({
        title: '<b>Reds</b> 1–0 Blues',
        body: '⚽ 78′ Saka',
        tag: '1-incident-2',
        renotify: true,
        path: 'match/1',
        lang: 'en',
        ...more,
      });

    it('are shown as plain text, and replace the one with the same tag', async () => {
      await delivered('it is shown', message(), async () => (await shown()).length === 1);
      const [one] = await shown();
      assert.deepEqual(one, {
        title: '<b>Reds</b> 1–0 Blues',
        body: '⚽ 78′ Saka',
        tag: '1-incident-2',
        path: 'match/1',
        icon: `${accounts.app.url}/app/icon-192.png`,
      });
      const disallowed = message({ body: '↩ 78′ Goal disallowed: Saka' });
      await delivered('it is replaced', disallowed, async () => (await shown())[0]?.body.startsWith('↩') === true);
      assert.equal((await shown()).length, 1);
      await delivered(
        'another one is shown',
        message({ tag: '1-incident-3' }),
        async () => (await shown()).length === 2,
      );
    });

    it('are shown even if a message is not from this service, because browsers require that', async () => {
      for (const data of ['', 'not json', 'null', '[]', '{"renotify":true}', '{"title":7,"tag":null,"path":{}}']) {
        await delivered(`${data} is shown`, data, async () => (await shown()).length >= 1);
        await until(
          'it is closed',
          async () => {
            await worker.evaluate(
              'self.registration.getNotifications().then((all) => all.forEach((one) => one.close()))',
            );
            return (await shown()).length === 0;
          },
          PATIENCE,
        );
      }
    });

    it('open the match, and never another site', async () => {
      const opened = (path: string) =>
        worker.evaluate<string>(
          `new Promise((resolve) => {
            self.clients.openWindow = async (url) => resolve(url);
            self.registration.showNotification('x', { data: { path: ${JSON.stringify(path)} } })
              .then(() => self.registration.getNotifications())
              .then(([notification]) => self.dispatchEvent(new NotificationEvent('notificationclick', { notification })));
          })`,
        );
      const { url } = accounts.app;
      assert.equal(await opened('match/1'), `${url}/match/1`);
      for (const path of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])
        assert.equal(await opened(path), `${url}/`, path);
    });
  });
});
