/**
 * Tests member pages with forms and explanations in a real browser. They are accessible, fit a phone's screen, and work
 * without scripts.
 */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findViolations, VIEWS } from '../support/accessibility.ts';
import { type AccountApp, startAccountApp, type Visitor } from '../support/account-app.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

/** Folder for screenshots. If set, every page is captured. */
const { SCREENSHOTS } = process.env;

describe("members' pages in a browser", function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let receiver: Receiver;
  let browser: Browser;
  let ann: Visitor;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    receiver = await startReceiver((_request, response) => response.end('thanks'));
    accounts = await startAccountApp({ CONTACT_URL: 'mailto:sales@example.com' });
    ann = (await accounts.signedUp('ann@example.com')).visitor;
    await accounts.pool.query("UPDATE account SET plan = 'pro'");
  });
  after(async () => {
    await browser?.close();
    await accounts?.close();
    await receiver?.close();
  });

  async function opened(visitor: Visitor, options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> {
    const context = await browser.newContext(options);
    const value = visitor.cookies.get('touchline_member')!;
    await context.addCookies([{ name: 'touchline_member', value, url: accounts.app.url }]);
    return context;
  }

  async function createWebhook(): Promise<number> {
    const { text } = await ann.post('/account/webhooks', { url: receiver.url });
    return Number(/account\/webhooks\/(\d+)/.exec(text)![1]);
  }

  it('are accessible with every question open, and fit a phone, in light and dark', async () => {
    const id = await createWebhook();
    await ann.post(`/account/webhooks/${id}/test`, {});
    await ann.post('/account/calendar/address', {});
    const delivery = receiver.received.at(-1)!.headers['x-service-delivery-id'];
    const { visitor: free } = await accounts.signedUp('free@example.com', '192.0.2.9');
    const pages: [Visitor, string][] = [
      [ann, `/account/webhooks/${id}`],
      [ann, `/account/webhooks/${id}/deliveries/${delivery}`],
      [ann, '/account/calendar'],
      [ann, '/account/plan'],
      [free, '/account/webhooks'],
    ];
    const contexts = new Map<Visitor, Page>();
    for (const visitor of [ann, free])
      contexts.set(visitor, await (await opened(visitor, { bypassCSP: true })).newPage());
    for (const { width, colorScheme } of VIEWS) {
      for (const [visitor, path] of pages) {
        const page = contexts.get(visitor)!;
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        assert.equal((await page.goto(accounts.app.url + path))?.status(), 200, path);
        for (const summary of await page.locator('.confirmation > summary, details:has(.headers) > summary').all())
          await summary.click();
        const where = `${path} ${width} ${colorScheme}`;
        if (SCREENSHOTS)
          await page.screenshot({ path: `${SCREENSHOTS}/${where.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
        assert.deepEqual(await findViolations(page, { onlyColors: colorScheme !== VIEWS[0].colorScheme }), [], where);
        const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
        assert.ok(wide! <= window!, `${where} is ${wide} wide`);
      }
    }
  });

  it('set a role in one line on a desktop, and switch organisations on a phone', async () => {
    const { visitor: admin } = await accounts.signedUp('admin@example.com', '192.0.2.10');
    await accounts.pool.query(
      `INSERT INTO membership (account_id, member_id, role, created_at)
       SELECT a.account_id, m.id, 'admin', now() FROM member a, member m WHERE a.email = 'ann@example.com' AND m.email = 'admin@example.com'`,
    );
    const page = await (await opened(admin, { bypassCSP: true })).newPage();
    await page.goto(`${accounts.app.url}/account`);
    const own = page.locator('#organisation-switch');
    await own.selectOption({ label: 'ann@example.com' });
    await page.getByRole('button', { name: 'Switch' }).click();
    for (const { width, colorScheme } of VIEWS) {
      for (const lang of ['en', 'ru']) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${accounts.app.url}/account/members?lang=${lang}`);
        assert.deepEqual(await findViolations(page), []);
        const { height } = (await page.locator('form.inline').boundingBox())!;
        assert.ok(height <= 46, `the role form is ${height} high`);
        const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
        assert.ok(wide! <= window!, `${lang} ${width}: ${wide} wide`);
        const switched = (await own.boundingBox())!;
        assert.ok(switched.x >= 0 && switched.x + switched.width <= width);
        if (width < 1_000) continue;
        const hidden = await page.evaluate<number>(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))",
        );
        assert.equal(hidden, 0, `${lang}: columns are outside the table's box`);
      }
    }
  });

  it('begin high on a phone, with the current section in view', async () => {
    const page = await (await opened(ann, { viewport: { width: 375, height: 720 } })).newPage();
    for (const lang of ['en', 'ru']) {
      for (const path of ['/account', '/account/audit', '/account/security']) {
        await page.goto(`${accounts.app.url}${path}?lang=${lang}`);
        const { y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
        assert.ok(y < 240, `${path} ${lang}: the heading is at ${y}`);
        const current = (await page.locator('aside [aria-current]').boundingBox())!;
        assert.ok(
          current.x >= 0 && current.x + current.width <= 375,
          `${path} ${lang}: the section is at ${current.x}`,
        );
      }
    }
  });

  it('show times in UTC, as their headings say, in every time zone', async () => {
    const id = await createWebhook();
    await ann.post(`/account/webhooks/${id}/test`, {});
    const delivery = receiver.received.at(-1)!.headers['x-service-delivery-id'];
    const path = `/account/webhooks/${id}/deliveries/${delivery}`;
    const [, sent = ''] = /<time datetime="[^"]+"[^>]*>([^<]+)<\/time>/.exec((await ann.get(path)).text) ?? [];
    assert.match(sent, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const page = await (await opened(ann, { timezoneId: 'Asia/Tokyo' })).newPage();
    await page.goto(accounts.app.url + path);
    await page.locator('[data-zone-name]', { hasText: 'Asia/Tokyo' }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('main table time').first().textContent(), sent);
  });

  it('ask for confirmation before a subscription is deleted, with the keyboard and without scripts', async () => {
    const id = await createWebhook();
    const page = await (await opened(ann, { javaScriptEnabled: false })).newPage();
    await page.goto(`${accounts.app.url}/account/webhooks/${id}`);
    const button = page.getByRole('button', { name: 'Yes, delete the subscription' });
    assert.equal(await button.isVisible(), false);
    await page.locator('summary').filter({ hasText: 'Delete the subscription' }).press('Enter');
    await button.waitFor();
    assert.equal((await ann.get(`/account/webhooks/${id}`)).status, 200, 'the question alone deletes nothing');
    await button.press('Enter');
    await page.getByText('The subscription is deleted.').waitFor();
    assert.equal((await ann.get(`/account/webhooks/${id}`)).status, 404);
  });
});
