/** Follows a stranger's path in a real browser, on the demo, from the front page to a verified webhook. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { findViolations, VIEWS } from '../support/accessibility.ts';
import { launchChromium } from '../support/chromium.ts';
import { run, type Started, start, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const READY = /ready after [\d.]+ s: (http:\S+)/;
const EMAIL = 'stranger@example.com';
const PASSWORD = 'correct horse battery';
/** Maximum time until the demo's next goal. */
const GOAL_MS = 180_000;

describe('a stranger who becomes a customer', function () {
  this.timeout(GOAL_MS + 60_000);
  const folder = temporaryFolder();
  const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '1', SIGNUP: 'open', WEBHOOK_ALLOW: 'http://127.0.0.1:*' };
  let service: Started;
  let url: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let receiver: Receiver;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    receiver = await startReceiver();
    service = start(['serve'], { env });
    url = (await service.until(READY))[1]!;
    // Bypasses the content security policy, because axe is injected into each page.
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, bypassCSP: true });
    page = await context.newPage();
  });
  after(async () => {
    await browser?.close();
    await service?.interrupt();
    await receiver?.close();
    folder.remove();
  });

  /** Fails if axe reports a violation, or if the page is wider than the window. */
  async function check(one: Page, where: string, onlyColors = false): Promise<void> {
    assert.deepEqual(await findViolations(one, { onlyColors }), [], where);
    const [wide, window] = await one.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    assert.ok(wide! <= window!, `${where} is ${wide} wide`);
  }
  const press = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const secretShown = async () => (await page.locator('.value').textContent())!;
  const ask = (path: string, key: string) => fetch(url + path, { headers: { 'X-API-Key': key } });

  let key: string;
  let secret: string;
  let address: string;

  it('gets from the front page to an account, a key and a first reply', async () => {
    await page.goto(url);
    await page
      .getByRole('link', { name: /account/i })
      .first()
      .click();
    if (page.url().includes('/sign-in')) await follow('Create an account');
    await check(page, 'sign up');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Create the account');
    key = await secretShown();
    await check(page, 'ready');
    const reply = await ask('/v1/events?limit=5', key);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('ratelimit-policy')!, /^"burst";q=2;w=1, "day";q=1000;w=86400$/);
    await follow('Go on');
    assert.ok(!(await page.content()).includes(key), 'the key is shown again');
  });

  it('is told which plans include webhooks, until the operator grants one', async () => {
    await follow('Webhooks');
    await page.getByText(/^Webhooks are part of the plans pro and business, not of trial\./).waitFor();
    assert.equal(await page.getByLabel('URL').count(), 0);
    const { code, out, err } = await run(['account', 'plan', EMAIL, 'pro'], { env });
    assert.equal(code, 0, err);
    assert.match(out, /trial -> pro/);
    await follow('Plan');
    await page.getByRole('row', { name: /Pro.*yours/ }).waitFor();
  });

  it('can create a subscription whose test event is verified', async () => {
    await follow('Webhooks');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Description').fill('<b>Scores</b> & "goals"');
    await press('Create the subscription');
    secret = await secretShown();
    assert.match(secret, /^whsec_/);
    await follow('Go on');
    await page.getByRole('heading', { name: '<b>Scores</b> & "goals"' }).waitFor();
    await press('Send a test event');
    await page.getByText('The test event was delivered').waitFor();
    const got = receiver.received.find(({ type }) => type === 'webhook.test')!;
    assert.equal(verifyWebhook(got.headers, got.body, secret).type, 'webhook.test');
    assert.throws(() => verifyWebhook(got.headers, got.body.replace('webhook.test', 'webhook.tesT'), secret));
    await check(page, 'subscription');
  });

  it('receives a signed goal', async () => {
    // At normal speed, the demo has a goal every minute or two, so this plays a match faster.
    const played = await run(['play', 'world-cup-final-2022', '--speed', '5000'], { env });
    assert.equal(played.code, 0, played.err);
    const goal = () => receiver.received.find(({ type }) => type === 'match.goal');
    await until('a goal is scored', () => goal() !== undefined, GOAL_MS);
    const { id, data } = verifyWebhook(goal()!.headers, goal()!.body, secret);
    assert.match(id, /^evt_\d+_\d+$/);
    assert.ok((data as { match: { id: number } }).match.id > 0);
  });

  it('sees a failed delivery with the reply, and can send it again', async () => {
    let failed = '';
    receiver.answer = ({ id, type }, response) => {
      if (failed === '' && type.startsWith('match.')) failed = id;
      response.statusCode = id === failed ? 503 : 200;
      response.end(id === failed ? 'the <i>receiver</i> is down' : 'fine');
    };
    await until('one has failed', () => failed !== '', GOAL_MS);
    receiver.answer = (_request, response) => response.end('fine');
    const before = receiver.received.filter(({ id }) => id === failed).length;
    await follow('Delivery log');
    await until('it is in the log', async () => {
      await page.reload();
      return (await page.getByText(failed).count()) > 0;
    });
    await check(page, 'delivery log');
    await page.getByRole('row').filter({ hasText: failed }).getByRole('link').click();
    await page.getByText('the <i>receiver</i> is down').waitFor();
    await check(page, 'delivery');
    const retry = page.getByRole('button', { name: 'Retry now' });
    // The page may already have tried again by itself, which it does after 5 s.
    if ((await retry.count()) > 0) await retry.click();
    await until('it is sent again', () => receiver.received.filter(({ id }) => id === failed).length > before, 30_000);
  });

  it('can rotate the secret, and both secrets sign for a day', async () => {
    await follow('Webhooks');
    await follow('<b>Scores</b> & "goals"');
    await page.locator('summary').filter({ hasText: 'Rotate the secret' }).click();
    await press('Yes, rotate the secret');
    const next = await secretShown();
    await follow('Go on');
    await press('Send a test event');
    await page.getByText('The test event was delivered').waitFor();
    const { headers, body } = receiver.received.findLast(({ type }) => type === 'webhook.test')!;
    for (const one of [secret, next]) verifyWebhook(headers, body, one);
    await press('Pause');
    await page.getByText('The subscription is paused.').waitFor();
  });

  it('can rotate and revoke keys', async () => {
    await follow('Keys');
    await follow('First key');
    await press('Rotate the key');
    const next = await secretShown();
    assert.equal((await ask('/v1/account', next)).status, 200);
    assert.equal((await ask('/v1/account', key)).status, 200);
    await follow('Go on');
    await page
      .getByRole('row')
      .filter({ hasText: key.slice(-4) })
      .getByRole('link')
      .click();
    await press('Revoke the key');
    await page.getByText('The key is revoked.').waitFor();
    await until('it is refused', async () => (await ask('/v1/account', key)).status === 401, 5_500);
    assert.equal((await ask('/v1/account', next)).status, 200);
  });

  it('can add a favourite, and gets a calendar for it', async () => {
    await follow('Calendar');
    await page.getByLabel('Team or tournament').fill('fernleigh');
    await press('Search');
    await page
      .getByRole('button', { name: /^Add .*Fernleigh/ })
      .first()
      .click();
    await page.getByText('Added to your favourites.').waitFor();
    await press('Create the address');
    address = await secretShown();
    const calendar = await fetch(address);
    assert.equal(calendar.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(await calendar.text(), /^SUMMARY:.*Fernleigh/m);
    await check(page, 'the address');
    await follow('I have stored it');
  });

  it('sees accessible pages that fit a phone, in light and dark', async () => {
    const paths = [
      '',
      '/keys',
      '/usage',
      '/webhooks',
      '/webhooks/1',
      '/webhooks/1/edit',
      '/webhooks/1/deliveries',
      '/calendar',
      '/calendar?q=fernleigh',
      '/plan',
      '/audit',
      '/security',
    ];
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const path of paths) {
        const reply = await page.goto(`${url}/account${path}`);
        assert.equal(reply?.status(), 200, path);
        await check(page, `${path} ${width} ${colorScheme}`, colorScheme !== VIEWS[0].colorScheme);
      }
    }
    const shown = await page.content();
    assert.ok(![secret, key, address].some((one) => shown.includes(one)));
  });

  it('can do all this with the keyboard alone, and without scripts', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const one = await plain.newPage();
    await one.goto(`${url}/account`);
    const focused = async () => (await one.locator(':focus').getAttribute('name', { timeout: 5_000 })) ?? '';
    for (let i = 0; (await one.locator(':focus').count()) === 0 || (await focused()) !== 'email'; i += 1) {
      assert.ok(i < 30, 'the field is not reached');
      await one.keyboard.press('Tab');
    }
    await one.keyboard.type(EMAIL);
    await one.keyboard.press('Tab');
    await one.keyboard.type(PASSWORD);
    await one.keyboard.press('Enter');
    await one.getByRole('heading', { name: 'Overview' }).waitFor();
    await plain.close();
  });
});
