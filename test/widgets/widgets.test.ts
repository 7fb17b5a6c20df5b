import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readVariables } from '../../src/config/variable.ts';
import { widgetVariables } from '../../src/widgets/config.ts';
import { ended, match, startWidgets, type WidgetSite } from './site.ts';

const HOSTILE = `<script>hacked()</script>"'&`;

describe('widgets', function () {
  this.timeout(60_000);
  let site: WidgetSite;
  let league: number;
  before(async () => {
    site = await startWidgets();
    league = await site.league('Premier', 'Премьер');
    await site.service.participants({
      type: 'team',
      sport: 'football',
      name: 'Premier A',
      country: 'INT',
      name_ru: 'Альфа',
    });
  });
  after(() => site?.close());
  /** Gives each test a separate client address, so that tests do not share a rate limit. */
  beforeEach(() => {
    site.service.now += 3_600_000;
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    site.app.ask(`/widget/${path}`, { key: null, headers });
  const standings = async (query: string, tournament = league) => {
    const { status, text } = await ask(`standings?tournament=${tournament}${query}`);
    assert.equal(status, 200);
    return text;
  };
  const rowsOf = (text: string) => [...text.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, name]) => name);
  const SCRIPT = '<script src="../assets/widget.js" defer></script>';
  const noForeignScript = (text: string) =>
    assert.doesNotMatch(text.replace(SCRIPT, ''), /<script|javascript:|\son\w+=/i);

  it('show the table without a key, in Russian for any Accept-Language that asks for Russian', async () => {
    const { status, text, headers } = await ask(`standings?tournament=${league}`, { 'accept-language': 'en' });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(headers.get('content-language'), 'ru');
    assert.match(text, /<html lang="ru" data-theme="light">/);
    assert.match(text, /<h1>Премьер <span class="note">2023\/24<\/span><\/h1>/);
    assert.equal(rowsOf(text)[0], 'Альфа');
    assert.equal(rowsOf(text).length, 5);
    assert.match(
      text,
      /<td>36<\/td><td class="wide">36<\/td><td class="wide">0<\/td><td class="wide">0<\/td><td class="wide">108<\/td><td class="wide">0<\/td><td>\+108<\/td><td><b>108<\/b><\/td>/,
    );
    noForeignScript(text);
  });

  it('accept type, limit, theme, title and lang for the table', async () => {
    assert.equal(rowsOf(await standings('&limit=2')).length, 2);
    assert.equal(rowsOf(await standings('&limit=0')).length, 5);
    assert.match(await standings('&theme=dark'), /data-theme="dark"/);
    assert.match(await standings('&title=0'), /<h1 class="hidden">/);
    assert.match(await standings('&title=1'), /<h1>/);
    const home = await standings('&type=home');
    assert.match(home, /Таблица домашних матчей/);
    assert.match(home, /<th scope="row">Альфа<\/th><td>18<\/td>/);
    assert.match(await standings('&type=away'), /Таблица гостевых матчей/);
    assert.match(await standings('&type=form'), /<th scope="row">Альфа<\/th><td>5<\/td>/);
    const english = await standings('&lang=en');
    assert.match(
      english,
      /<html lang="en"[\s\S]*<h1>Premier [\s\S]*<th scope="col">Team<\/th>[\s\S]*<th scope="row">Premier A<\/th>/,
    );
  });

  it('show a table for each group, with the limit applied to each, and say if a cup has no table', async () => {
    const group = (name: string, home: string, away: string, day: string) =>
      match('Groups', day, home, away, { ...ended(1, 0), group_name: name });
    await site.service.matches(
      group('Group A', 'A', 'B', '2024-05-01'),
      group('Group A', 'B', 'A', '2024-05-02'),
      group('Group B', 'C', 'D', '2024-05-01'),
      group('Group B', 'D', 'C', '2024-05-02'),
      match('Knock-out', '2024-05-01', 'A', 'B', { ...ended(1, 0), round_name: 'Final' }),
    );
    const text = await standings('&limit=1', await site.service.idOf('tournament', 'Groups'));
    assert.match(text, /<h2>Группа A<\/h2>[\s\S]*<h2>Группа B<\/h2>/);
    assert.equal(rowsOf(text).length, 2);
    const cup = await standings('', await site.service.idOf('tournament', 'Knock-out'));
    assert.match(cup, /У этого турнира нет таблицы/);
    assert.doesNotMatch(cup, /<table/);
  });

  it('show the season’s strongest trends until upcoming matches have trends', async () => {
    const { status, text } = await ask(`trends?tournament=${league}`);
    assert.equal(status, 200);
    noForeignScript(text);
    assert.match(text, /<h1>Премьер <span class="note">Тренды<\/span><\/h1>/);
    assert.match(text, /<dt>голов за матч<\/dt><dd>2,50<\/dd>/);
    assert.match(text, /72 матча, сезон 2023\/24/);
    assert.match(
      text,
      /<h2>Сильнее всего в сезоне<\/h2><ul><li><span class="side">Альфа<\/span> <b>Победа<\/b> <span class="note">в каждом из 36 последних матчей/,
    );
    await site.service.matches(match('Premier', '2024-06-20', 'A', 'B'));
    await site.service.settle();
    const ahead = (await ask(`trends?tournament=${league}&lang=en&theme=dark&title=0`)).text;
    assert.match(ahead, /<html lang="en" data-theme="dark">/);
    assert.match(ahead, /<h1 class="hidden">/);
    assert.match(
      ahead,
      /<h2>Next matches<\/h2><article><h3>Premier A – Premier B <time class="note" datetime="2024-06-20T15:00:00.000Z">Jun 20, 15:00 UTC<\/time>/,
    );
    assert.match(ahead, /<span class="side">Premier A<\/span> <b>Won<\/b>/);
    assert.doesNotMatch(ahead, /Strongest/);
    // The reply is computed completely or fails. If it lacked a match, it would be cached until the next change.
    await site.service.db.pool.query('DELETE FROM analytics_card');
    site.service.faults.before = ({ text }) => {
      if (text.includes('side_id IN')) throw Object.assign(new Error('away'), { code: 'CLICKHOUSE_AWAY' });
    };
    assert.equal((await ask(`trends?tournament=${league}&title=0`)).status, 503);
    site.service.faults.before = undefined;
    assert.match((await ask(`trends?tournament=${league}&title=0`)).text, /<h2>Ближайшие матчи<\/h2>/);
  });

  it('derive the trends from the matches played, or report that none exist', async () => {
    const before = (await ask(`trends?tournament=${league}`)).text;
    await site.service.matches(match('Premier', '2024-05-30', 'C', 'D', ended(5, 5)));
    await site.service.settle();
    const after = (await ask(`trends?tournament=${league}`)).text;
    assert.notEqual(after, before);
    assert.match(after, /73 матча/);
    const few = (await ask(`trends?tournament=${await site.service.idOf('tournament', 'Groups')}`)).text;
    assert.match(few, /Сейчас нет трендов/);
  });

  it('may be framed by any site by default, and run only the widget script', async () => {
    for (const path of [`standings?tournament=${league}`, `trends?tournament=${league}`, 'standings?tournament=x']) {
      const { headers } = await ask(path);
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
      );
      assert.equal(headers.get('x-frame-options'), null);
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('set-cookie'), null);
    }
    const other = await site.start({ widgetFrameAncestors: "'self' https://*.example.com" });
    const { headers } = await other.ask(`/widget/standings?tournament=${league}`, { key: null });
    await other.close();
    assert.match(headers.get('content-security-policy')!, /; frame-ancestors 'self' https:\/\/\*\.example\.com$/);
  });

  it('may be cached for a minute by anyone, and are revalidated by content', async () => {
    for (const path of [`standings?tournament=${league}`, `trends?tournament=${league}`]) {
      const { headers } = await ask(path);
      assert.equal(headers.get('cache-control'), 'public, max-age=60');
      assert.equal((await ask(path, { 'if-none-match': headers.get('etag')! })).status, 304);
    }
    const { headers } = await ask('standings?tournament=x');
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  const wrong: [what: string, query: string, status: number][] = [
    ['no tournament', '', 422],
    ['an empty one', 'tournament=', 422],
    ['a name', 'tournament=premier', 422],
    ['a negative one', 'tournament=-1', 422],
    ['a fraction', 'tournament=1.5', 422],
    ['one above 2^53', 'tournament=9007199254740993', 422],
    ['two', 'tournament=1&tournament=2', 422],
    ['an unknown one', 'tournament=999999999', 404],
    ['an unknown theme', 'tournament=1&theme=blue', 422],
    ['a script as title', `tournament=1&title=${encodeURIComponent(HOSTILE)}`, 422],
    ['a script as theme', `tournament=1&theme=${encodeURIComponent(`dark"${HOSTILE}`)}`, 422],
    ['a script as tournament', `tournament=${encodeURIComponent(HOSTILE)}`, 422],
    ['a script as lang', `tournament=1&lang=${encodeURIComponent(`en"${HOSTILE}`)}`, 422],
    ['a broken escape', 'tournament=%E0%A4%A', 400],
  ];
  const wrongTable: typeof wrong = [
    ['an unknown type', 'tournament=1&type=all', 422],
    ['a negative limit', 'tournament=1&limit=-1', 422],
    ['a limit that is not a number', 'tournament=1&limit=ten', 422],
    ['a huge limit', 'tournament=1&limit=1001', 422],
    ['a script as type', `tournament=1&type=${encodeURIComponent(HOSTILE)}`, 422],
  ];
  for (const widget of ['standings', 'trends']) {
    it(`show an error in ${widget} as a small page in the requested theme and language`, async () => {
      for (const [what, query, expected] of widget === 'standings' ? [...wrong, ...wrongTable] : wrong) {
        const { status, text, headers } = await ask(`${widget}?${query}`);
        assert.equal(status, expected, what);
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', what);
        assert.match(text, /<html lang="ru" data-theme="light">/, what);
        assert.match(text, expected === 404 ? /<h1>Турнир не найден<\/h1>/ : /<h1>Виджет настроен неверно<\/h1>/, what);
        assert.doesNotMatch(text, /hacked/, what);
        assert.ok(text.length < 1_500, what);
      }
      const { text } = await ask(`${widget}?tournament=x&theme=dark&lang=en`);
      assert.match(text, /<html lang="en" data-theme="dark">[\s\S]*<h1>The widget is not set up correctly<\/h1>/);
    });
  }

  it('show names as text, never as markup', async () => {
    await site.service.matches(
      match(HOSTILE, '2024-05-01', 'A', 'B', { ...ended(1, 0), group_name: `Group ${HOSTILE}` }),
    );
    const id = await site.service.idOf('tournament', HOSTILE);
    for (const widget of ['standings', 'trends']) {
      const { status, text } = await ask(`${widget}?tournament=${id}`);
      assert.equal(status, 200);
      noForeignScript(text);
      assert.match(text, /<h1>&lt;script&gt;hacked\(\)/);
    }
  });

  it('ignore unknown parameters, and refuse a POST', async () => {
    assert.match(await standings('&utm_source=blog'), /Альфа/);
    assert.equal(
      (await site.app.ask(`/widget/standings?tournament=${league}`, { method: 'POST', key: null })).status,
      405,
    );
  });

  it('allow one address 120 requests a minute to each widget, including errors', async () => {
    const codes = new Map<number, number>();
    for (let asked = 0; asked < 130; asked += 1) {
      const { status } = await ask(asked % 2 ? 'standings?tournament=x' : `standings?tournament=${league}`);
      codes.set(status, (codes.get(status) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(codes), { 200: 60, 422: 60, 429: 10 });
    const refused = await ask(`standings?tournament=${league}&lang=en`);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(refused.text, /<h1>Too many requests<\/h1>/);
    assert.equal((await ask(`trends?tournament=${league}`)).status, 200);
    site.service.now += 1_000;
    assert.deepEqual(
      [(await ask('standings?tournament=x')).status, (await ask('standings?tournament=x')).status],
      [422, 422],
    );
    assert.equal((await ask('standings?tournament=x')).status, 429);
  });

  it('show a page even if a store is unavailable', async () => {
    site.service.faults.before = () => {
      throw Object.assign(new Error('away'), { code: 'CLICKHOUSE_AWAY' });
    };
    await site.service.db.pool.query('DELETE FROM analytics_card');
    site.service.now += 86_400_000;
    const { status, text, headers } = await ask(`trends?tournament=${league}&title=0&lang=en`);
    site.service.faults.before = undefined;
    assert.equal(status, 503);
    assert.match(text, /<h1>The data is not available now<\/h1>/);
    assert.match(headers.get('retry-after')!, /^([5-9]|10)$/);
  });

  it('accept only *, none, self and origins in the variable that allows framing', () => {
    const read = (value: string) =>
      readVariables({ WIDGET_FRAME_ANCESTORS: value }, widgetVariables, () => []).widgetFrameAncestors;
    assert.equal(read(''), '*');
    assert.equal(read("'none'"), "'none'");
    assert.equal(
      read("'self', https://example.com:8443 *.example.org"),
      "'self' https://example.com:8443 *.example.org",
    );
    assert.equal(read('capacitor: http://localhost:3000'), 'capacitor: http://localhost:3000');
    for (const value of [
      "'none' https://example.com",
      'none; script-src *',
      'https://example.com/path',
      'https://exa mple;',
      'javascript:',
      "'unsafe-inline'",
      'https://*',
    ])
      assert.throws(() => read(value), /WIDGET_FRAME_ANCESTORS/, value);
  });

  it('have the same colours as the pages', () => {
    const css = (name: string) => readFileSync(new URL(`../../src/site/assets/${name}`, import.meta.url), 'utf8');
    const colours = (name: string) =>
      [...css('widget.css').matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, colour]) => colour);
    for (const name of ['paper', 'ground', 'ink', 'soft', 'line', 'home', 'level', 'live']) {
      const pages = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css('site.css'))!;
      assert.deepEqual(colours(name), pages.slice(1), name);
    }
  });
});
