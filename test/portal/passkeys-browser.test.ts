/** Passkeys in Chromium, with its virtual authenticator. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { findViolations, VIEWS } from '../support/accessibility.ts';
import { type AccountApp, PASSWORD, startAccountApp } from '../support/account-app.ts';
import { launchChromium } from '../support/chromium.ts';

/** Folder for screenshots. If set, every page is captured. */
const { SCREENSHOTS } = process.env;
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

interface Device {
  context: BrowserContext;
  page: Page;
  devtools: CDPSession;
  authenticatorId: string;
}

describe('passkeys in a browser', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let browser: Browser;
  let root: string;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    accounts = await startAccountApp();
    // A passkey is for a host name, not for an IP address.
    root = accounts.app.url.replace('127.0.0.1', 'localhost');
  });
  after(async () => {
    await browser?.close();
    await accounts?.close();
  });

  /** Opens a browser with an authenticator of its own. */
  async function openDevice(options: Parameters<Browser['newContext']>[0] = {}): Promise<Device> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE });
    return { context, page, devtools, authenticatorId };
  }
  async function signUp(email: string): Promise<void> {
    const { visitor } = await accounts.verified(email, `10.1.${accounts.letters.length}.1`);
    await visitor.post('/account/sign-out', {});
  }
  async function signInByPassword({ page }: Device, email: string): Promise<void> {
    await page.goto(`${root}/account/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/account($|\/code)/);
  }
  async function addPasskey({ page }: Device, name: string): Promise<void> {
    await page.goto(`${root}/account/security`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
  }
  const credentials = async ({ devtools, authenticatorId }: Device) =>
    (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

  it('are added, sign in without the password, and take the place of a code after it', async () => {
    await signUp('ann@example.com');
    const device = await openDevice();
    const { page } = device;
    await signInByPassword(device, 'ann@example.com');
    await addPasskey(device, 'Laptop of Ann');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    assert.equal(await page.locator('.codes li').count(), 10);
    const [credential] = await credentials(device);
    assert.deepEqual([credential!.rpId, credential!.isResidentCredential], ['localhost', true]);

    await page.getByRole('link', { name: 'I have stored them' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Laptop of Ann' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/account\/sign-in/);
    await page.goto(`${root}/account/sign-in?next=%2Faccount%2Fkeys`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${root}/account/keys`);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signInByPassword(device, 'ann@example.com');
    assert.match(page.url(), /\/account\/code/);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${root}/account`);
    assert.equal((await credentials(device))[0]!.signCount, 3, 'one for making it, and one for each use');
    await device.context.close();
  });

  it('are refused by the browser without verification or if the device has one already, and the page says so', async () => {
    await signUp('bob@example.com');
    const device = await openDevice();
    const { page, devtools, authenticatorId } = device;
    await signInByPassword(device, 'bob@example.com');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await addPasskey(device, 'Phone');
    await page.getByRole('alert').filter({ hasText: 'No passkey was used. Try again.' }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Phone');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await addPasskey(device, 'Again');
    await page.getByRole('alert').filter({ hasText: 'This device has a passkey for your account already.' }).waitFor();
    await device.context.close();
  });

  it('confirm a change, which carries on with the form that was sent', async () => {
    await signUp('eve@example.com');
    const device = await openDevice();
    const { page } = device;
    await signInByPassword(device, 'eve@example.com');
    await addPasskey(device, 'Phone');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    accounts.clock.advance(601_000);
    await page.goto(`${root}/account/keys`);
    await page.getByLabel('Name', { exact: true }).fill('Key of Eve');
    await page.getByRole('button', { name: 'Create' }).first().click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page
      .getByText(/sk_live_\w{38}/)
      .first()
      .waitFor();
    await page.goto(`${root}/account/keys`);
    await page.getByText('Key of Eve').waitFor();

    accounts.clock.advance(601_000);
    await page.goto(`${root}/account/security`);
    await page.locator('.confirmation > summary', { hasText: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('status').filter({ hasText: 'The passkey is removed.' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/sign-in/);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'not known here, or has been removed' }).waitFor();
    await device.context.close();
  });

  it('keep the name of a new one while the member confirms', async () => {
    await signUp('mia@example.com');
    const device = await openDevice();
    const { page } = device;
    await signInByPassword(device, 'mia@example.com');
    accounts.clock.advance(601_000);
    await addPasskey(device, 'Tablet of Mia');
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('status').filter({ hasText: 'Confirmed.' }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Tablet of Mia');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await device.context.close();
  });

  it('have pages that are accessible and fit a phone, in light, dark and Russian, and say what they need without scripts', async () => {
    await signUp('zoe@example.com');
    const device = await openDevice({ bypassCSP: true });
    const { page, context } = device;
    await signInByPassword(device, 'zoe@example.com');
    await addPasskey(device, 'A laptop with a rather long name, as people like to give to their machines');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const waiting = await browser.newContext({ bypassCSP: true });
    const second = await waiting.newPage();
    await signInByPassword({ ...device, page: second }, 'zoe@example.com');
    const pages: [Page, string][] = [
      [page, '/account/security'],
      [page, '/account/confirm?next=%2Faccount%2Fkeys'],
      [second, '/account/code?next=%2Faccount'],
      [second, '/account/sign-in'],
    ];
    for (const lang of ['en', 'ru'])
      for (const { width, colorScheme } of VIEWS)
        for (const [one, path] of pages) {
          await one.setViewportSize({ width, height: 800 });
          await one.emulateMedia({ colorScheme });
          const url = `${root}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
          assert.equal((await one.goto(url))?.status(), 200, path);
          await one.locator('[data-passkey]').first().waitFor();
          for (const summary of await one.locator('.confirmation > summary').all()) await summary.click();
          const where = `${path} ${width} ${colorScheme} ${lang}`;
          if (SCREENSHOTS)
            await one.screenshot({ path: `${SCREENSHOTS}/${where.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
          assert.deepEqual(await findViolations(one, { onlyColors: colorScheme !== VIEWS[0].colorScheme }), [], where);
          const [wide, window] = await one.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
          assert.ok(wide! <= window!, `${where} is ${wide} wide`);
        }
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(`${root}/account/sign-in`);
    assert.equal(await still.locator('[data-passkey]').isVisible(), false);
    await plain.addCookies(await context.cookies());
    await still.goto(`${root}/account/security?lang=en`);
    assert.equal(await still.locator('.passkey noscript').isVisible(), true);
    for (const one of [context, waiting, plain]) await one.close();
  });
});
