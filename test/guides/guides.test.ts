import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { BUILT_IN, type Plans, plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import type { GuideDeps } from '../../src/guides/deps.ts';
import { routes as guideRoutes } from '../../src/guides/routes.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { routes as webRoutes } from '../../src/web/routes.ts';
import { findViolations } from '../support/accessibility.ts';
import { launchChromium } from '../support/chromium.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';
import { latinTexts } from '../support/latin-words.ts';

const logger = pino({ level: 'silent' });
const GUIDES = ['quick-start', 'streaming', 'webhooks', 'widgets', 'agents', 'limits'];
/** Names that the guides write in Latin letters. */
const PRODUCTS = [
  'Pro',
  'Business',
  'Standard Webhooks',
  'Claude Code',
  'Model Context Protocol',
  'JavaScript',
  'asyncio',
  'OAuth',
  'Widgets',
];
/** Paths that other parts of the service serve. */
const OF_OTHERS = /^\/(docs|account|account\/[a-z-]+|v1\/openapi\.json|rankings|leagues|settings|settings\/theme)?$/;

describe('the guides as pages', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  const apps: TestApp[] = [];
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    app = await start('open');
  });
  after(async () => {
    for (const one of apps) await one.close();
    await db.drop();
  });
  async function start(
    signUp: string,
    { baseUrl, plans = BUILT_IN, contactUrl }: { baseUrl?: string; plans?: Plans; contactUrl?: string } = {},
  ): Promise<TestApp> {
    const config = {
      ...testConfig,
      demo: false,
      publicSite: false,
      ...(baseUrl && { baseUrl, allowedHosts: ['127.0.0.1'] }),
      signUp,
      ...(contactUrl && { contactUrl }),
    };
    const changes = { subscribe() {} };
    const deps = {
      config,
      plans: new OfferedPlans(plans),
      pool: db.pool,
      reads: db.pool,
      clock: { now: () => Date.now() },
      logger,
      changes,
      caches: createReplyCaches(changes),
    } as unknown as GuideDeps & {
      config: typeof testConfig;
    };
    const started = await startApp(
      [...guideRoutes, ...webRoutes.filter(({ path }) => !path.includes('match'))] as never,
      deps,
    );
    apps.push(started);
    return started;
  }
  const page = async (path: string, at = app) => {
    const { status, text, headers } = await at.ask(path, { key: null });
    assert.equal(status, 200, path);
    assert.match(headers.get('content-type')!, /^text\/html/);
    return text;
  };

  it('are linked from the index and from every guide, load no resource from elsewhere and run no script but the site’s', async () => {
    const index = await page('/docs/guides');
    for (const name of GUIDES) {
      assert.ok(index.includes(`href="guides/${name}"`), name);
      const text = await page(`/docs/guides/${name}`);
      assert.doesNotMatch(
        text,
        /<script(?! type="module" src="..\/..\/assets\/site\.js">)|<style|\sstyle=|\son\w+=|(?:src|srcset)="https?:/,
      );
      assert.equal(text.split('aria-current="page"').length, 2);
      for (const other of GUIDES) assert.ok(text.includes(`href="${other}"`), `${name} -> ${other}`);
    }
    assert.equal((await app.ask('/docs/guides/nothing', { key: null })).status, 404);
  });

  it('have only links that lead to a page', async () => {
    const checked = new Set<string>();
    for (const path of ['/docs/guides', ...GUIDES.map((name) => `/docs/guides/${name}`)]) {
      for (const [, href] of (await page(path)).matchAll(/ href="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href!, app.url + path);
        if (origin !== app.url || checked.has(pathname + hash)) continue;
        checked.add(pathname + hash);
        if (OF_OTHERS.test(pathname)) continue;
        const { status, text } = await app.ask(pathname, { key: null });
        assert.equal(status, 200, `${path} -> ${href}`);
        if (hash !== '' && pathname.startsWith('/docs/guides'))
          assert.ok(text.includes(`id="${hash.slice(1)}"`), `${path} -> ${href}`);
      }
    }
    assert.ok(checked.size > 10);
  });

  it('offer sign-up in the quick start only if it is open, and show the public address', async () => {
    assert.match(await page('/docs/guides/quick-start'), /href="\.\.\/\.\.\/account\/sign-up"/);
    assert.match(
      await page('/docs/guides/quick-start', await start('invite')),
      /for an invitation, and <a href="[^"]*sign-up"/,
    );
    assert.doesNotMatch(await page('/docs/guides/quick-start', await start('off')), /sign-up/);
    const hostile = await start('open', { baseUrl: "https://sports.example.com/it's$(id)" });
    const text = await page('/docs/guides/quick-start', hostile);
    assert.ok(
      text.includes('export TOUCHLINE_URL=&#39;https://sports.example.com/it%27s$(id)&#39;'),
      'it stays in its quotes',
    );
  });

  it('show the same limits as the service’s plans', async () => {
    const text = await page('/docs/guides/limits');
    for (const { title } of BUILT_IN.list) assert.ok(text.includes(`<th scope="row">${title}</th>`), title);
    assert.match(
      text,
      /Starter<\/th>\s*<td data-label="A month">₽4,900<\/td>\s*<td data-label="At most">5 requests a second, 50,000 requests a day</,
    );
    assert.doesNotMatch(text, /Questions about plans/);
    const two = await start('open', {
      contactUrl: 'mailto:sales@example.com',
      plans: plansText.parse(`default: tiny
plans:
  - { name: tiny, title: '<b>Tiny</b>', windows: { month: 7 }, access: { sports: [darts], tournaments: [3, 4] } }
  - { name: all, title: Everything, price: { amount: 12.5, currency: EUR }, stream: true, webhooks: true, connections: 9 }
`),
    });
    const other = await page('/docs/guides/limits', two);
    assert.match(other, /&lt;b&gt;Tiny&lt;\/b&gt;[\s\S]*free[\s\S]*7 requests a month[\s\S]*Darts, 2 tournaments/);
    assert.match(other, /Everything[\s\S]*€12\.50[\s\S]*no limits[\s\S]*>9, and 5 of publishable keys</);
    assert.match(other, /Questions about plans: <a href="mailto:sales@example\.com">sales@example\.com<\/a>/);
    assert.doesNotMatch(other, /Starter/);
    assert.match(await page('/docs/guides/streaming', two), /included in the plan Everything\./);
    const one = await start('open', { plans: plansText.parse('default: one\nplans: [{ name: one, title: One }]') });
    assert.match(await page('/docs/guides/webhooks', one), /included in no plan of this service\./);
  });

  it('build a widget: show it in a frame, and write the code with its language', async () => {
    const build = async (query: Record<string, string>, lang = 'en') =>
      page(`/docs/guides/widgets?${new URLSearchParams({ ...query, lang })}`);
    const table = await build({
      widget: 'standings',
      subject: `${app.url}/tournament/7/some-league?season=12`,
      title: '1',
    });
    assert.match(
      table,
      /<iframe class="widget"[^>]* src="\.\.\/\.\.\/widget\/standings\?tournament=7&amp;season=12&amp;lang=en"/,
    );
    const code = /<pre[^>]*class="wrapped"><code>([\s\S]*?)<\/code>/.exec(table)![1]!;
    assert.ok(
      code.includes(`src=&quot;${app.url}/widget/standings?tournament=7&amp;amp;season=12&amp;amp;lang=en&quot;`),
      code,
    );
    assert.ok(code.includes(`origin !== &#39;${app.url}&#39;`), code);
    const options = { widget: 'fixtures', subject: '/team/3/arsenal', theme: 'dark', language: 'en' };
    assert.match(
      await build(options, 'ru'),
      /src="\.\.\/\.\.\/widget\/fixtures\?team=3&amp;lang=en&amp;theme=dark&amp;title=0"/,
    );
    assert.match(await build({ widget: 'live' }, 'ru'), /src="\.\.\/\.\.\/widget\/live\?lang=ru&amp;title=0"/);
    assert.match(await build({ widget: 'match', subject: 'match/9' }), /widget\/match\?event=9&amp;/);
    const hostile = await build({ widget: 'live', subject: '"><script>alert(1)</script>' });
    assert.doesNotMatch(hostile, /<script>/);
    const { headers } = await app.ask('/docs/guides/widgets', { key: null });
    assert.match(headers.get('content-security-policy')!, /frame-src 'self'/);
  });

  it('say which address a widget lacks, and show no widget', async () => {
    for (const [widget, subject, problem] of [
      ['standings', '', /address of a page/],
      ['standings', 'somewhere', /address of a page/],
      ['standings', '/team/3', /needs the address of a tournament\./],
      ['trends', '/match/3', /needs the address of a tournament\./],
      ['match', '/team/3', /needs the address of a match\./],
      ['fixtures', '/match/3', /needs the address of a tournament or a team\./],
    ] as const) {
      const text = await page(`/docs/guides/widgets?${new URLSearchParams({ widget, subject })}`);
      assert.match(text, problem, `${widget} ${subject}`);
      assert.doesNotMatch(text, /<iframe/);
    }
    assert.equal((await app.ask('/docs/guides/widgets?widget=car', { key: null })).status, 422);
  });

  it('are in Russian too, with a switch on each page', async () => {
    const found: string[] = [];
    for (const path of ['/docs/guides', ...GUIDES.map((name) => `/docs/guides/${name}`)]) {
      const russian = await app.ask(path, { key: null, headers: { 'Accept-Language': 'ru' } });
      assert.match(russian.text, /<html lang="ru"[\s\S]*<a class="language" href="\?lang=en" lang="en"/, path);
      found.push(...latinTexts(russian.text, PRODUCTS).map((text) => `${path}: ${text}`));
      assert.match(await page(path), /<a class="language" href="\?lang=ru" lang="ru"/, path);
    }
    assert.deepEqual(found, []);
  });

  it('fit a 320-pixel phone, in light and dark, and axe reports no violations', async function () {
    const browser: Browser | null = await launchChromium();
    if (browser === null) return this.skip();
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const tab = await browser.newPage({ viewport: { width: 320, height: 700 }, colorScheme, bypassCSP: true });
        const complaints: string[] = [];
        tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        for (const path of ['/docs/guides', ...GUIDES.map((name) => `/docs/guides/${name}`)]) {
          await tab.goto(app.url + path);
          const [width, wanted] = await tab.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
          assert.ok(width! <= wanted!, `${path} is ${width} wide`);
          const onlyColors = colorScheme === 'dark';
          assert.deepEqual(await findViolations(tab, { onlyColors }), [], `${path} ${colorScheme}`);
        }
        assert.deepEqual(complaints, []);
        await tab.close();
      }
    } finally {
      await browser.close();
    }
  });
});
