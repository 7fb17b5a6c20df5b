import assert from 'node:assert/strict';
import type { Route } from '../../src/deps.ts';
import { routes } from '../../src/web/routes.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

describe('the coverage page', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes as unknown as Route[]);
    await fed.tournaments(
      { name: 'Premier League', name_ru: 'Английская Премьер-лига', sport: 'football', country: 'GB-ENG', tier: 1 },
      { name: 'Serie A', sport: 'football', country: 'IT', tier: 1 },
      { name: 'Serie A', sport: 'volleyball', country: 'IT', gender: 'women' },
      { name: '<script>alert(1)</script> & "Sons"', sport: 'darts', country: 'NL' },
      { name: 'Звёздная лига', sport: 'handball', country: 'RU' },
    );
    const blocks = Object.fromEntries([
      ['results', { level: 'full', pct: 100, full_pct: 100, since: '1993-08-14' }],
      ['lineups', { level: 'partial', pct: 44.4, full_pct: 22, since: '2017-08-11' }],
      ['odds', { level: 'none', pct: 0, full_pct: 0, since: null }],
      ['statistics', { level: 'full', pct: 99.9, full_pct: 99.9, since: '2000-08-19' }],
    ]);
    await fed.db.pool.query(
      `INSERT INTO tournament_coverage SELECT id, 12704, 'partial', $1, 4711 FROM tournament WHERE name = 'Premier League'`,
      [JSON.stringify({ depth: 'partial', matches: 12_704, measured_at: '2024-05-31T03:00:00Z', blocks })],
    );
  });
  after(() => fed.close());

  const ask = (query: string, headers: Record<string, string> = {}) =>
    fed.app.ask(`/docs/leagues.html${query}`, { key: null, headers });
  const found = async (query: string) =>
    [...(await ask(query)).text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) =>
      title!.replace(/ <span.*/, '').replace(/<[^>]*>/g, ''),
    );

  it('lists every league by sport and country, for any visitor, and loads no resource from elsewhere', async () => {
    const { status, text, headers } = await ask('');
    assert.deepEqual([status, headers.get('cache-control')], [200, 'private, max-age=60']);
    assert.match(headers.get('content-type')!, /^text\/html/);
    const places = ['Football', 'England', 'Premier League', 'Italy', 'Volleyball', 'Handball', 'Darts'].map((name) =>
      text.search(new RegExp(`> ?${name}(</a>)? <`)),
    );
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
    );
    assert.match(text, /<span lang="ru">Английская Премьер-лига<\/span>/);
    assert.match(text, /5 leagues in 4 countries/);
    assert.match(text, /<a class="language" href="\?lang=ru"/);
    assert.doesNotMatch(text, /<script(?! type="module" src="\.\.\/assets)|https?:\/\/| style=/);
    for (const [, file] of text.matchAll(/href="(\.\.\/assets\/[^"]+)"/g))
      assert.equal((await fed.app.ask(file!.slice(2), { key: null })).status, 200, file);
  });

  it('escapes names and search terms', async () => {
    const { text } = await ask(`?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    assert.doesNotMatch(text, /<script>/);
    assert.match(text, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/);
    assert.match((await ask('')).text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;Sons&quot;/);
  });

  it('shows the measured coverage as bars, with figures and the first covered year', async () => {
    const { text } = await ask('?country=GB-ENG');
    assert.match(text, /12,704 matches · Tier 1 · Some detail/);
    assert.match(
      text,
      /<div class="full"><dt>Results<\/dt><dd>100 % <span title="since 1993-08-14">1993<\/span><\/dd>/,
    );
    assert.match(
      text,
      /<dd>44 % <span title="since 2017-08-11">2017<\/span><\/dd><svg[^>]*><rect width="44\.4" height="4"\/>/,
    );
    assert.match(text, /<dd>&gt;99 % /);
    assert.match(text, /<div class="none"><dt>Odds<\/dt><dd>0 %<\/dd>/);
    assert.match(text, /completely on 2024-05-31/);
    assert.match((await ask('?country=IT')).text, /matches not counted yet/);
  });

  it('links to the latest match if visitors may see it', async () => {
    assert.match((await ask('?country=GB-ENG')).text, /<a href="\.\.\/match\/4711">Latest match<\/a>/);
  });

  it('finds words from league and country names in both languages, with or without accents', async () => {
    assert.deepEqual(await found('?q=premier'), ['Premier League']);
    assert.deepEqual(await found('?q=ENGLAND+league'), ['Premier League']);
    assert.deepEqual(await found(`?q=${encodeURIComponent('премьер англия')}`), ['Premier League']);
    assert.deepEqual(await found(`?q=${encodeURIComponent('звездная')}`), ['Звёздная лига']);
    assert.deepEqual(await found('?q=zvezdnaya'), ['Звёздная лига']);
    assert.deepEqual(await found(`?q=${encodeURIComponent('série')}`), ['Serie A', 'Serie A']);
    assert.deepEqual(await found('?q=%25'), []);
    assert.deepEqual(await found('?q=nobody'), []);
    assert.match((await ask('?q=nobody')).text, /No league matches\./);
  });

  it('filters by sport, country and depth, and keeps the selection', async () => {
    assert.deepEqual(await found('?sport=volleyball'), ['Serie A']);
    assert.deepEqual(await found('?country=IT&sport=football'), ['Serie A']);
    assert.deepEqual(await found('?depth=partial'), ['Premier League']);
    assert.equal((await found('?depth=none')).length, 4);
    const { text } = await ask('?q=serie&sport=volleyball&country=IT&depth=none&lang=en');
    for (const chosen of ['volleyball', 'IT', 'none'])
      assert.match(text, new RegExp(`<option value="${chosen}" selected>`));
    assert.match(text, /name="q" value="serie"/);
    assert.match(text, /<a href="leagues\.html\?lang=en">All leagues<\/a>/);
  });

  it('accepts form values, and ignores unexpected ones', async () => {
    assert.equal((await found('?q=&sport=&country=&depth=')).length, 5);
    for (const query of ['?sport=quidditch', '?country=XX', "?depth='", `?q=${'x'.repeat(5_000)}`, '?page=2'])
      assert.equal((await ask(query)).status, 200, query);
    for (const query of ['?q=%00', '?page=0', '?page=x', '?lang=de'])
      assert.equal((await ask(query)).status, 422, query);
  });

  it('is cached until a league or the measured coverage changes', async () => {
    const { pool } = fed.db;
    // The page is cached only if every league's coverage has been measured.
    await pool.query(
      `INSERT INTO tournament_coverage SELECT id, 7, 'none', '{"measured_at":"2024-05-31T03:00:00Z","blocks":{}}' FROM tournament ON CONFLICT DO NOTHING`,
    );
    const etag = async () => (await ask('')).headers.get('etag');
    const first = await etag();
    assert.equal(await etag(), first);
    assert.equal((await ask('', { 'If-None-Match': first! })).status, 304);
    const change = async (sql: string) => {
      await pool.query(sql);
      fed.changed();
    };
    await change('UPDATE tournament_coverage SET events = 8 WHERE events = 7');
    assert.match((await ask('')).text, /8 matches/);
    const second = await etag();
    await change("UPDATE tournament SET name = 'Série A' WHERE sport = 'football' AND country = 'IT'");
    assert.notEqual(await etag(), second);
    await change(
      "UPDATE tournament SET name = 'Serie A' WHERE sport = 'football' AND country = 'IT'; DELETE FROM tournament_coverage WHERE events = 8",
    );
    assert.match((await ask('')).text, /matches not counted yet/);
  });

  it('is available in Russian', async () => {
    const { text, headers } = await ask('', { 'Accept-Language': 'ru' });
    assert.equal(headers.get('content-language'), 'ru');
    assert.match(text, /<html lang="ru">/);
    assert.match(
      text,
      /<h3><a href="\.\.\/tournament\/\d+\/premier-league">Английская Премьер-лига<\/a> <span lang="en">Premier League<\/span><\/h3>/,
    );
    assert.match(text, /Частичная|Часть данных/);
    assert.match((await ask('?lang=ru')).text, /name="lang" value="ru"/);
  });

  it('continues on further pages if it has more leagues than fit, and these pages keep the filters', async () => {
    await fed.db.pool.query(
      `INSERT INTO tournament (sport, country, name, key) SELECT 'cricket', 'IN', 'Cup ' || n, 'cup ' || n FROM generate_series(1, 1100) n`,
    );
    const first = await ask('?sport=cricket');
    assert.match(first.text, /1100 leagues/);
    assert.match(first.text, /<a href="leagues\.html\?sport=cricket&amp;page=2">Next<\/a>/);
    assert.equal((await found('?sport=cricket')).length, 1_000);
    assert.equal((await found('?sport=cricket&page=2')).length, 100);
    assert.match((await ask('?sport=cricket&page=2')).text, /<a href="leagues\.html\?sport=cricket">Previous<\/a>/);
  });
});
