import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { RouteValue } from '../../src/http/route.ts';
import { files as pageFiles } from '../../src/web/files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { type FakeDeps, fakeDeps, fakeRoutes } from './fake-routes.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('the docs page', () => {
  let db: TestDatabase;
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    app = await startApp([...fakeRoutes, ...(pageFiles as unknown as RouteValue<FakeDeps>[])], fakeDeps(db.pool));
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  it('the docs page loads nothing from other hosts and has nothing inline', async () => {
    const { status, headers, text } = await app.ask('/docs', { key: null });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.doesNotMatch(text, /https?:|<style|\sstyle=|\son\w+=|<script>/);
    const files = [...text.matchAll(/(?:src|href)="((?:docs\/)?assets\/[^"]+)"/g)].map(([, file]) => file!);
    assert.equal(files.length, 6);
    for (const file of files) {
      const asset = await app.ask(`/${file}`, { key: null });
      assert.equal(asset.status, 200, file);
      assert.ok(asset.bytes.length > 50);
      assert.match(
        asset.headers.get('content-type') ?? '',
        /^((text\/(css|javascript)|image\/svg\+xml); charset=utf-8)$/,
      );
      const again = await app.ask(`/${file}`, { key: null, headers: { 'If-None-Match': asset.headers.get('etag')! } });
      assert.equal(again.status, 304);
    }
  });

  it('the docs page forgets a key when it is closed', async () => {
    const { text } = await app.ask('/docs/assets/start.js', { key: null });
    assert.doesNotMatch(text, /persistAuthorization/);
  });

  it('no other file of the package is served', async () => {
    for (const file of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      'index.html',
      '__proto__',
    ]) {
      assert.equal((await app.ask(`/docs/assets/${file}`, { key: null })).status, 404, file);
    }
  });

  it('the docs page shows the routes in a browser, within its content security policy', async function () {
    if (!existsSync(CHROMIUM)) {
      console.warn(`      no Chromium at ${CHROMIUM}: the docs page is not tried in a browser`);
      this.skip();
    }
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const asked = new Set<string>();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) =>
        asked.add(new URL(request.url()).protocol === 'data:' ? 'data:' : new URL(request.url()).origin),
      );
      await page.goto(`${app.url}/docs`);
      await page.waitForSelector('.opblock', { timeout: 30_000 });
      const paths = await page.locator('.opblock-summary-path').allTextContents();
      assert.ok(paths.some((path) => path.replaceAll('\u200b', '') === '/v1/club/{id}'));
      await page.setViewportSize({ width: 375, height: 800 });
      const fits = (selector: string) =>
        page.evaluate<boolean>(`(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(${selector})`);
      assert.ok(await fits('document.documentElement'), 'the page fits a phone');
      assert.ok(await fits("document.querySelector('.renderedMarkdown table')"), 'and its table of errors');
      const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, ['./', 'docs/leagues.html', 'rankings', 'docs', 'docs/guides', 'account']);
      const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await page.emulateMedia({ colorScheme: 'dark' });
      // The script of the page hears of it a moment later.
      await page.waitForSelector('html.dark-mode', { state: 'attached' });
      assert.notEqual(await background(), light);
      await page.locator('.opblock-summary-control').first().click();
      await page.waitForSelector('.opblock-body');
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        [...asked].filter((origin) => origin !== 'data:'),
        [app.url],
      );
    } finally {
      await browser.close();
    }
  });
});
