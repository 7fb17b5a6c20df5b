/** Single sign-on in a real browser, with an honest identity provider from a library: set up by an owner, and used by a person. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { findViolations, VIEWS } from '../support/accessibility.ts';
import { type AccountApp, PASSWORD, startAccountApp } from '../support/account-app.ts';
import { launchChromium } from '../support/chromium.ts';
import { CLIENT } from '../support/identity-provider.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';

/** Folder for screenshots. If set, every page is captured. */
const { SCREENSHOTS } = process.env;

describe('single sign-on in a browser', function () {
  this.timeout(60_000);
  let accounts: AccountApp;
  let provider: OidcProvider;
  let browser: Browser;
  let owner: Page;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    accounts = await startAccountApp();
    await accounts.verified('olga@acme.com');
    owner = await (await browser.newContext()).newPage();
    await signIn(owner);
    await owner.goto(`${accounts.app.url}/account/single-sign-on`);
    const redirectUri = (await owner.locator('code.value').textContent())!;
    provider = await startOidcProvider(redirectUri);
    provider.people.set('ann', { email: 'ann@acme.com', email_verified: true, groups: ['dev'] });
  });
  after(async () => {
    await browser?.close();
    await accounts?.close();
    await provider?.close();
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${accounts.app.url}/account/sign-in`);
    await page.getByLabel('Email').fill('olga@acme.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/account');
  }

  it('is set up by an owner: provider, domain, roles of groups', async () => {
    await owner.getByLabel('Issuer').fill(provider.issuer);
    await owner.getByLabel('Client ID').fill(CLIENT.id);
    await owner.getByLabel('Client secret').fill(CLIENT.secret);
    await owner.getByLabel('Domains').fill('acme.com');
    await owner.getByLabel('Roles of groups').fill('dev = developer\nit = admin');
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner.getByText('The settings are saved.').waitFor();
    const record = (await owner.locator('td code').textContent())!;
    assert.match(record, /^touchline-verification=/);
    await owner.getByRole('button', { name: 'Verify acme.com' }).click();
    await owner.getByText(/The domain acme\.com has no TXT record/).waitFor();
    accounts.txt.set('acme.com', [record]);
    await owner.getByRole('button', { name: 'Verify acme.com' }).click();
    await owner.getByText('The domain is verified.').waitFor();
    assert.equal(await owner.getByLabel('Client secret').inputValue(), '');
  });

  it('keeps what was typed if it cannot be saved', async () => {
    await owner.getByLabel('Issuer').fill('https://10.0.0.1');
    await owner.getByLabel('Client secret').fill('another');
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner.getByText(/is not a public address/).waitFor();
    assert.equal(await owner.getByLabel('Issuer').inputValue(), 'https://10.0.0.1');
    await owner.goto(`${accounts.app.url}/account/single-sign-on`);
    assert.equal(await owner.getByLabel('Issuer').inputValue(), provider.issuer);
  });

  it('leads a person to the provider and back, as a developer of the organisation', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${accounts.app.url}/account/keys`);
    await page.getByLabel('Email').fill('ann@acme.com');
    await page.getByRole('button', { name: "Sign in with your company's account" }).click();
    await page.waitForURL(`${provider.issuer}/interaction/**`);
    assert.equal(await page.locator('input[name=login]').inputValue(), 'ann@acme.com', 'the hint');
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    await page.locator('form:has(input[value=consent]) button[type=submit]').click();
    await page.waitForURL(`${accounts.app.url}/account/keys`);
    assert.match((await page.locator('aside').textContent())!, /ann@acme\.com/);
    const { rows } = await accounts.pool.query(
      "SELECT b.role FROM membership b JOIN member m ON m.id = b.member_id WHERE m.email = 'ann@acme.com'",
    );
    assert.deepEqual(rows, [{ role: 'developer' }]);
    assert.equal(await page.getByRole('link', { name: 'Single sign-on' }).count(), 0, 'not for developers');
    await page.goto(`${accounts.app.url}/account/confirm?next=/account/keys`);
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/confirm.png`, fullPage: true });
    await page.getByRole('button', { name: "Sign in with your company's account" }).click();
    await page.waitForURL(`${provider.issuer}/interaction/**`);
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${accounts.app.url}/account/keys`);
  });

  it('has pages that are accessible and fit a phone, in light and dark, in both languages', async () => {
    for (const lang of ['en', 'ru']) {
      const context = await browser.newContext({ locale: lang, bypassCSP: true });
      await context.addCookies((await owner.context().cookies()).filter(({ name }) => name !== 'lang'));
      const page = await context.newPage();
      for (const { width, colorScheme } of VIEWS)
        for (const path of ['/account/single-sign-on', '/account/sign-in']) {
          if (path.endsWith('sign-in')) await context.clearCookies({ name: 'touchline_member' });
          else await context.addCookies(await owner.context().cookies());
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          assert.equal((await page.goto(`${accounts.app.url + path}?lang=${lang}`))?.status(), 200);
          const where = `${path} ${lang} ${width} ${colorScheme}`;
          for (const summary of await page.locator('.confirmation > summary').all()) await summary.click();
          if (SCREENSHOTS)
            await page.screenshot({ path: `${SCREENSHOTS}/${where.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
          assert.deepEqual(await findViolations(page, { onlyColors: colorScheme !== VIEWS[0].colorScheme }), [], where);
          const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
          assert.ok(wide! <= window!, `${where} is ${wide} wide`);
        }
    }
  });
});
