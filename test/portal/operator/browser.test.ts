/** Tests the operator pages in a real browser. They are accessible, and fit a phone's screen. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { findViolations, VIEWS } from '../../support/accessibility.ts';
import { type AccountApp, PASSWORD, startAccountApp } from '../../support/account-app.ts';
import { createInvitation } from '../../support/accounts.ts';
import { launchChromium } from '../../support/chromium.ts';
import { storeMatch, storePair } from '../../support/live-match.ts';
import { type OperatorSession, startOperator } from '../../support/operator-session.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
/** Folder for screenshots. If set, every page is captured. */
const { SCREENSHOTS } = process.env;

describe("operators' pages in a browser", function () {
  this.timeout(120_000);
  let accounts: AccountApp;
  let operator: OperatorSession;
  let browser: Browser;
  let page: Page;
  let id: number;
  let match: number;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    accounts = await startAccountApp();
    operator = await startOperator(accounts, 'operator@example.com');
    const email = 'a.rather.long.address.of.somebody@department.example.com';
    const { visitor } = await accounts.signedUp(email, '192.0.2.70');
    await visitor.post('/account/sign-in', { email, password: PASSWORD }, { 'User-Agent': FIREFOX });
    await accounts.signedUp('waits@example.com', '192.0.2.71');
    await accounts.pool.query(
      "UPDATE account SET awaits_approval = true, suspended_at = created_at WHERE email = 'waits@example.com'",
    );
    await accounts.signedUp('suspended@example.com', '192.0.2.72');
    await accounts.pool.query("UPDATE account SET suspended_at = created_at WHERE email = 'suspended@example.com'");
    await createInvitation(accounts.pool, accounts.clock, { email: 'guest@example.com', plan: 'pro' });
    const { rows } = await accounts.pool.query<{ id: number }>('SELECT id FROM account WHERE email = $1', [email]);
    id = rows[0]!.id;
    match = await storeMatch(accounts);
    await storePair(accounts);
    for (const reason of ['the report of the referee', 'a second look'])
      await operator.visitor.post(`/operator/corrections/${match}`, { score: `${reason.length}:0`, reason });
    const context = await browser.newContext({ bypassCSP: true });
    await context.addCookies([
      { name: 'touchline_member', value: operator.visitor.cookies.get('touchline_member')!, url: accounts.app.url },
    ]);
    page = await context.newPage();
  });
  after(async () => {
    await browser?.close();
    await accounts?.close();
  });

  /** Fails if axe reports a violation, or if the page is wider than the window. */
  async function check(where: string, onlyColors = false): Promise<void> {
    if (SCREENSHOTS)
      await page.screenshot({ path: `${SCREENSHOTS}/${where.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
    assert.deepEqual(await findViolations(page, { onlyColors }), [], where);
    const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    assert.ok(wide! <= window!, `${where} is ${wide} wide`);
  }

  it('are accessible, and fit a phone, in light and dark', async () => {
    const paths = ['/operator', `/operator/accounts/${id}`, '/operator/sessions', '/operator/plans'];
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const path of [
        ...paths,
        '/operator/approval',
        '/operator/corrections',
        '/operator/pairs',
        `/operator/corrections/${match}`,
        '/operator/audit',
        '/account',
        '/account/security',
      ]) {
        const reply = await page.goto(accounts.app.url + path);
        assert.equal(reply?.status(), 200, path);
        await check(`${path} ${width} ${colorScheme}`, colorScheme !== VIEWS[0].colorScheme);
      }
    }
  });

  it('let an operator find an account, suspend it after entering a code again, and lift the suspension', async () => {
    accounts.clock.advance(13 * 3_600_000);
    await page.goto(`${accounts.app.url}/operator`);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await check('code');
    await page.getByLabel('Code').fill(operator.code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Email').fill('RATHER');
    await page.locator('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /a\.rather\.long/ }).click();
    accounts.clock.advance(13 * 3_600_000);
    await page.getByRole('button', { name: 'Suspend the account' }).click();
    await page.getByLabel('Code').fill(operator.code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The account is suspended.').waitFor();
    await page.getByRole('button', { name: 'Lift the suspension' }).click();
    await page.getByText('The suspension is lifted.').waitFor();
    await page.getByRole('navigation', { name: 'Operators' }).getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /account resumed.*operator@example\.com \(operator\)/ }).waitFor();
  });
});
