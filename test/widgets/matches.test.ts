import assert from 'node:assert/strict';
import type { Match } from '../support/analytics.ts';
import type { TestApp } from '../support/http.ts';
import { ended, match, startWidgets, type WidgetSite } from './site.ts';

const HOSTILE = `<script>hacked()</script>"'&`;
const SCRIPT = '<script src="../assets/widget.js" defer></script>';

const playing = (home: number, away: number, over: Partial<Match> = {}): Partial<Match> => ({
  status: 'live',
  status_detail: 'in_play',
  minute: 63,
  score: { home, away },
  ...over,
});
const incident = (id: string, kind: string, minute: number, side: 'home' | 'away', name: string, payload: object) =>
  ({ id, kind, minute, side, player: { name }, payload }) as NonNullable<Match['incidents']>[number];

describe('match widgets', function () {
  this.timeout(60_000);
  let site: WidgetSite;
  let open: TestApp;
  let final: number;
  before(async () => {
    site = await startWidgets();
    const team = (name: string, name_ru: string) => ({
      type: 'team' as const,
      sport: 'football',
      name,
      country: 'INT',
      name_ru,
    });
    await site.service.participants(team('Cup A', 'Альфа'), team('Cup B', 'Бета'), {
      type: 'player',
      sport: 'football',
      name: 'Ann Player',
      birth_date: '2000-01-01',
      country: 'INT',
    });
    await site.service.tournaments(
      { name: 'Cup', name_ru: 'Кубок', country: 'INT', sport: 'football', tier: 1, importance: 90 },
      { name: 'Small', country: 'INT', sport: 'football', importance: 5 },
    );
    [final] = (await site.service.matches(
      match('Cup', '2024-06-01', 'A', 'B', {
        ...playing(2, 1),
        round_name: 'Final',
        scheduled_start: '2024-06-01T11:00:00Z',
        period_scores: [
          { period: '1H', home: 1, away: 1 },
          { period: '2H', home: 1, away: 0 },
        ],
        incidents: [
          incident('1', 'goal', 12, 'home', 'Al Fa', { goal_type: 'penalty', score: { home: 1, away: 0 } }),
          incident('2', 'goal', 40, 'away', 'Own Er', { goal_type: 'own_goal', score: { home: 1, away: 1 } }),
          incident('3', 'card', 44, 'away', 'Yel Low', { card_type: 'yellow' }),
          incident('4', 'card', 50, 'away', 'Re Dd', { card_type: 'second_yellow' }),
          incident('6', 'card', 55, 'away', 'Yel Low', { card_type: 'yellow' }),
          incident('7', 'card', 55, 'away', 'Yel Low', { card_type: 'red' }),
          incident('5', 'goal', 61, 'home', 'Al Fa', { goal_type: 'regular', score: { home: 2, away: 1 } }),
        ],
      }),
      match('Small', '2024-06-01', 'A', 'B', { ...playing(0, 0), scheduled_start: '2024-06-01T10:30:00Z' }),
      match('Small', '2024-06-01', 'C', 'D', { ...playing(3, 0), scheduled_start: '2024-06-01T10:45:00Z' }),
      match('Cup', '2024-06-08', 'A', 'B', { season: { label: '2024/25' }, round_name: 'Matchday 1' }),
      match('Cup', '2024-06-09', 'C', 'A', { season: { label: '2024/25' }, time_tbd: true }),
      match('Cup', '2022-05-01', 'A', 'B', { ...ended(1, 0), season: { label: '2021/22' } }),
      match('Cup', '2022-05-08', 'B', 'A', {
        season: { label: '2021/22' },
        status: 'finished',
        status_detail: 'after_penalties',
        score: { home: 2, away: 2 },
        period_scores: [
          { period: '1H', home: 2, away: 2 },
          { period: '2H', home: 0, away: 0 },
          { period: 'PEN', home: 3, away: 5 },
        ],
      }),
      match('Shield', '2024-06-15', 'A', 'B', { home: { name: 'Cup A', country: 'INT' } }),
    )) as [number];
    await site.service.settle();
    open = await site.start({ publicSite: true });
  });
  after(async () => {
    await open?.close();
    await site?.close();
  });
  /** Gives each test a separate client address, so that tests do not share a rate limit. */
  beforeEach(() => {
    site.service.now += 60_000;
  });

  const ask = (path: string, headers: Record<string, string> = {}, app = site.app) =>
    app.ask(`/widget/${path}`, { key: null, headers });
  const show = async (path: string, app = site.app) => {
    const { status, text } = await ask(path, {}, app);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text.replace(SCRIPT, ''), /<script|javascript:|\son\w+=|hacked\(\)"/i);
    return text;
  };
  const idOf = (name: string) => site.service.idOf('tournament', name);
  const teamOf = (name: string) => site.service.idOf('participant', name);
  const seasonOf = (label: string) => site.service.idOf('season', label);
  const words = (text: string) =>
    text
      .replace(/^[\s\S]*<main>/, '')
      .replace(/<p id="stale"[\s\S]*/, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const names = (text: string) => [...text.matchAll(/<span class="name">(?:<b>)?(.*?)</g)].map(([, name]) => name);

  it('list live matches with the most important tournaments first, with score and minute, in Russian', async () => {
    const { text, headers } = await ask('live', { 'accept-language': 'en', cookie: 'lang=en' });
    assert.equal(headers.get('content-language'), 'ru');
    assert.equal(headers.get('set-cookie'), null);
    assert.equal(
      words(text),
      'Сейчас играют Кубок 63′ Альфа 2 Бета 1 Финал Small 63′ Small A 0 Small B 0 63′ Small C 3 Small D 0',
    );
    assert.match(text, /<body data-refresh="15">/);
    assert.match(await show('live?lang=en'), /<h1>Live<\/h1>[\s\S]*<h2>Cup<\/h2>[\s\S]*Cup A[\s\S]*Final/);
  });

  it('list live matches in one sport or tournament, and say what the limit leaves out', async () => {
    assert.deepEqual(names(await show(`live?tournament=${await idOf('Small')}`)), [
      'Small A',
      'Small B',
      'Small C',
      'Small D',
    ]);
    assert.match(await show('live?sport=tennis'), /Сейчас никто не играет\./);
    const one = await show('live?limit=1');
    assert.deepEqual(names(one), ['Альфа', 'Бета']);
    assert.match(one, /Показано матчей: 1 из 3\./);
    assert.doesNotMatch(await show('live?limit=3'), /Показано/);
  });

  it('show a match with score, halves, goals and red cards, the newest first', async () => {
    const text = await show(`match?event=${final}`);
    assert.equal(
      words(text),
      'Кубок Финал Альфа 2 : 1 Бета 63′ 1:1, 1:0 61′ Гол 2:1 Al Fa , Альфа 55′ Красная карточка Yel Low , Бета 50′ Красная карточка Re Dd , Бета 40′ Гол 1:1 Own Er (автогол) , Бета 12′ Гол 1:0 Al Fa (пен.) , Альфа',
    );
    assert.match(text, /<title>Альфа – Бета<\/title>/);
    assert.match(text, /<body data-refresh="15">/);
    const short = await show(`match?event=${final}&limit=1&lang=en&title=0`);
    assert.match(short, /<h1 class="hidden">Cup/);
    assert.deepEqual(short.match(/<span class="minute">.*?</g), ['<span class="minute">61′<']);
  });

  it('show a match before the start and after a shoot-out', async () => {
    const { rows } = await site.service.db.pool.query<{ id: number; status_detail: string }>(
      `SELECT id, status_detail FROM match WHERE status_detail = 'after_penalties' OR round_name = 'Matchday 1'`,
    );
    const idBy = (detail: string) => rows.find((row) => row.status_detail === detail)!.id;
    const before = await show(`match?event=${idBy('not_started')}`);
    assert.equal(words(before), 'Кубок 1-й тур Альфа – : – Бета 8 июн., 15:00 UTC Матч ещё не начался.');
    assert.match(before, /<body data-refresh="60">/);
    const after = await show(`match?event=${idBy('after_penalties')}`);
    assert.equal(words(after), 'Кубок Бета 2 : 2 Альфа По пенальти 8 мая 2022 г., 15:00 UTC 2:2, 0:0 · 3:5 пен.');
  });

  it('list a tournament’s current and upcoming fixtures, or the results if the season is over', async () => {
    const cup = await idOf('Cup');
    const text = await show(`fixtures?tournament=${cup}`);
    assert.equal(
      words(text),
      'Кубок Ближайшие матчи 63′ Альфа 2 Бета 1 Финал 8 июн., 15:00 UTC Альфа Бета 1-й тур 9 июн., время уточняется Cup C Альфа',
    );
    assert.match(text, /<body data-refresh="15">/);
    assert.deepEqual(names(await show(`fixtures?tournament=${cup}&limit=1`)), ['Альфа', 'Бета']);
    const next = await show(`fixtures?tournament=${cup}&season=${await seasonOf('2024/25')}&lang=en`);
    assert.match(
      words(next),
      /^Cup 2024\/25 · Next matches Jun 8, 15:00 UTC Cup A Cup B Matchday 1 Jun 9, time to be decided Cup C Cup A$/,
    );
    assert.match(next, /<body data-refresh="60">/);
    const past = await show(`fixtures?tournament=${cup}&season=${await seasonOf('2021/22')}`);
    assert.equal(
      words(past),
      'Кубок 2021/22 · Результаты По пенальти 8 мая 2022 г., 15:00 UTC Бета 2 Альфа 2 3:5 пен. Завершён 1 мая 2022 г., 15:00 UTC Альфа 1 Бета 0',
    );
  });

  it('list a team’s fixtures in all tournaments, or in one season', async () => {
    const team = await teamOf('Cup A');
    const text = await show(`fixtures?team=${team}`);
    assert.match(words(text), /^Альфа Ближайшие матчи 63′ .*Кубок · Финал .*Shield$/);
    assert.equal(names(text).length, 8);
    assert.equal(names(await show(`fixtures?team=${team}&season=${await seasonOf('2024/25')}`)).length, 4);
    const other = await site.service.db.pool.query<{ id: number }>(
      `SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = 'Small'`,
    );
    assert.match(await show(`fixtures?team=${team}&season=${other.rows[0]!.id}`), /Матчей нет\./);
  });

  it('show standings and trends for one tournament season', async () => {
    const cup = await idOf('Cup');
    const season = await seasonOf('2021/22');
    assert.match(await show(`standings?tournament=${cup}&season=${season}`), /<h1>Кубок <span class="note">2021\/22</);
    assert.match(
      await show(`trends?tournament=${cup}&season=${season}&limit=1`),
      /<h1>Кубок <span class="note">2021\/22 · Тренды<[\s\S]*2 матча, сезон 2021\/22/,
    );
  });

  it('have names as links into a public site, in new tabs, and as text if the site is not public', async () => {
    const cup = await idOf('Cup');
    const team = await teamOf('Cup A');
    const paths = [
      ['live', `match/${final}`, `tournament/${cup}`],
      [`match?event=${final}`, `match/${final}`, `tournament/${cup}`, `team/${team}`],
      [`fixtures?tournament=${cup}`, `match/${final}`, `tournament/${cup}`],
      [`fixtures?team=${team}`, `match/${final}`, `team/${team}`],
      [`standings?tournament=${cup}&season=${await seasonOf('2021/22')}`, `tournament/${cup}`],
      [`trends?tournament=${cup}`, `tournament/${cup}`],
    ];
    for (const [path, ...links] of paths) {
      const text = await show(path!, open);
      for (const link of links)
        assert.ok(text.includes(`<a href="../${link}" target="_blank" rel="noopener">`), `${path} ${link}`);
      assert.equal(
        text.match(/<a /g)!.length,
        text.match(/<a href="\.\.\/[a-z]+\/\d+" target="_blank" rel="noopener">/g)!.length,
      );
      assert.doesNotMatch(await show(path!), /<a /, path);
    }
  });

  const wrong: [query: string, status: number, page: RegExp][] = [
    ['live?tournament=999999999', 404, /Турнир не найден/],
    ['live?sport=chess', 422, /<code>sport<\/code>: вид спорта/],
    ['live?limit=0', 422, /<code>limit<\/code>: целое число от 1 до 200/],
    ['live?limit=201', 422, /от 1 до 200/],
    ['live?limit=1001', 422, /от 1 до 200/],
    ['live?lang=xx', 422, /<ul class="note"><li><code>lang<\/code>: ru или en<\/li><\/ul>/],
    ['live?theme=auto', 422, /<code>theme<\/code>: light или dark/],
    [`live?title=${encodeURIComponent(HOSTILE)}`, 422, /<code>title<\/code>/],
    ['live?limit=5&limit=6', 422, /<code>limit<\/code>/],
    ['live?lang=%E0%A4%A', 400, /Виджет настроен неверно/],
    ['match', 422, /<code>event<\/code>: номер матча/],
    [
      'match?event=x&limit=101',
      422,
      /<code>event<\/code>: номер матча<\/li><li><code>limit<\/code>: целое число от 1 до 100/,
    ],
    ['match?event=9007199254740993', 422, /<code>event<\/code>/],
    ['match?event=999999999', 404, /Матч не найден/],
    ['fixtures', 422, /<ul class="note"><li>Нужен один из двух параметров: tournament или team\.<\/li><\/ul>/],
    ['fixtures?tournament=1&team=1', 422, /Нужен один из двух параметров/],
    ['fixtures?tournament=999999999', 404, /Турнир не найден/],
    ['fixtures?tournament=999999999&season=1', 404, /Турнир не найден/],
    ['fixtures?team=999999999', 404, /Команда не найдена/],
    ['fixtures?team=$PLAYER', 404, /Это не команда/],
    ['fixtures?tournament=$CUP&season=$OTHER', 404, /Сезон не найден/],
    ['fixtures?team=$TEAM&season=999999999', 404, /Сезон не найден/],
    ['fixtures?team=$TEAM&limit=0', 422, /от 1 до 200/],
    ['standings?tournament=$CUP&season=$OTHER', 404, /Сезон не найден/],
    ['standings?tournament=$CUP&season=', 422, /<code>season<\/code>/],
    ['standings?tournament=1&limit=1001', 422, /целое число от 0 до 1000/],
    ['trends?tournament=$CUP&season=$OTHER', 404, /Сезон не найден/],
    ['trends?tournament=$CUP&limit=11', 422, /от 1 до 10/],
  ];
  it('show an error as a small page that names the wrong parameter or the missing thing', async () => {
    const { rows } = await site.service.db.pool.query<{ id: number }>(
      `SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = 'Small'`,
    );
    const ids = {
      CUP: await idOf('Cup'),
      TEAM: await teamOf('Cup A'),
      PLAYER: await teamOf('Ann Player'),
      OTHER: rows[0]!.id,
    };
    for (const [query, expected, page] of wrong) {
      const path = query.replace(/\$(\w+)/g, (_, name: 'CUP') => String(ids[name]));
      const { status, text, headers } = await ask(path);
      assert.equal(status, expected, query);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', query);
      assert.equal(headers.get('cache-control'), 'no-store', query);
      assert.match(text, page, query);
      assert.doesNotMatch(text, /hacked/, query);
      assert.match(text, /<body data-refresh="0">/, query);
      assert.ok(text.length < 1_500, query);
    }
    assert.match(
      (await ask('fixtures?team=x&lang=en')).text,
      /<html lang="en"[\s\S]*<code>team<\/code>: the id of a team/,
    );
    const strict = await ask(`live?${encodeURIComponent(HOSTILE)}=1`, { prefer: 'handling=strict' });
    assert.equal(strict.status, 422);
    assert.doesNotMatch(strict.text, /hacked/);
  });

  it('show names as text, never as markup', async () => {
    const [id] = await site.service.matches({
      ...match(HOSTILE, '2024-06-01', 'A', 'B', {
        ...playing(1, 0),
        round_name: HOSTILE,
        incidents: [incident('1', 'goal', 5, 'home', HOSTILE, { score: { home: 1, away: 0 } })],
      }),
    });
    const tournament = await idOf(HOSTILE);
    const team = await teamOf(`${HOSTILE} A`);
    for (const path of ['live', `match?event=${id}`, `fixtures?tournament=${tournament}`, `fixtures?team=${team}`])
      for (const app of [site.app, open]) assert.match(await show(path, app), /&lt;script&gt;hacked\(\)/, path);
  });

  it('show a goal in the next reply, may be cached for 5 s, and send no body if nothing has changed', async () => {
    const [id] = await site.service.matches(match('Fresh', '2024-06-01', 'A', 'B', playing(0, 0)));
    const path = `match?event=${id}`;
    const { headers, text } = await ask(path);
    assert.match(text, /Голов пока нет\./);
    assert.equal(headers.get('cache-control'), 'public, max-age=5');
    assert.match(
      headers.get('content-security-policy')!,
      /script-src 'self'; connect-src 'self'; .*frame-ancestors \*$/,
    );
    assert.equal((await ask(path, { 'if-none-match': headers.get('etag')! })).status, 304);
    await site.service.matches(match('Fresh', '2024-06-01', 'A', 'B', playing(1, 0)));
    site.service.deps.changes.publish([id!]);
    const fresh = await ask(path, { 'if-none-match': headers.get('etag')! });
    assert.equal(fresh.status, 200);
    assert.match(fresh.text, /<span class="score" data-side="home">1<\/span>/);
    assert.match(await show('live'), /Fresh A<\/span> <span class="score" data-side="home">1</);
  });

  it('allow one address 480 requests a minute to each widget', async () => {
    const codes = new Map<number, number>();
    for (let asked = 0; asked < 490; asked += 1) {
      const { status } = await ask('live?limit=x');
      codes.set(status, (codes.get(status) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(codes), { 422: 480, 429: 10 });
    const refused = await ask('live');
    assert.match(refused.text, /<body data-refresh="60">[\s\S]*Слишком много запросов/);
    assert.equal((await ask(`match?event=${final}`)).status, 200);
  });
});
