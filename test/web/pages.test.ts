import assert from 'node:assert/strict';
import { shippedRecording } from '../../src/demo/recording.ts';
import { createHarness, goal, type Harness, playing, type Site } from './site.ts';

const HOSTILE = `<img src=x onerror="hacked()">'"&</script><script>hacked()</script>`;

describe('the service’s pages over HTTP', () => {
  let harness: Harness;
  let site: Site;
  before(async () => {
    harness = await createHarness();
    site = await harness.start();
  });
  after(() => harness.drop());

  const get = async (path: string, headers: Record<string, string> = {}, at = site) => {
    const response = await fetch(at.url + path, { headers });
    return { response, status: response.status, text: await response.text() };
  };

  it('the front page says when no match is live', async () => {
    const { status, text } = await get('/');
    assert.equal(status, 200);
    assert.match(text, /There are no matches in the catalogue yet/);
    assert.match((await get('/?live=1')).text, /No match is being played right now/);
    assert.match(text, /<noscript>.*live updates need JavaScript.*<\/noscript>/);
    assert.match(text, /<a class="brand" href="\.\/" /);
  });

  it('the front page lists the day’s matches by tournament, with links to everything that it names', async () => {
    const live = await harness.apply('live-1', playing('Red Stars', 'Blue Moons', [2, 1], 34));
    const other = await harness.apply('live-2', {
      ...playing('Ants', 'Bees', [0, 0], 3),
      tournament: { name: 'Other Cup', country: 'INT' },
    });
    const next = await harness.apply('next-1', {
      home: { name: 'Crows' },
      away: { name: 'Doves' },
      scheduled_start: new Date(Date.now() + 40 * 3_600_000).toISOString(),
    });
    await harness.apply('past-1', {
      home: { name: 'Elks' },
      away: { name: 'Foxes' },
      status: 'finished',
      status_detail: 'ended',
      score: { home: 4, away: 0 },
    });
    const { text } = await get('/');
    const tomorrow = await get(`/?date=${new Date(Date.now() + 40 * 3_600_000).toISOString().slice(0, 10)}`);
    const leagues = text.slice(text.indexOf('id="day"')).split('<section class="league"');
    const [test, cup] = ['Test League', 'Other Cup'].map((name) => leagues.find((one) => one.includes(`${name}</a>`))!);
    assert.match(test!, /<a href="tournament\/\d+\/test-league">Test League<\/a>/);
    assert.match(
      test!,
      /<a class="name" tabindex="-1" href="team\/\d+\/red-stars">Red Stars<[\s\S]*?>2<[\s\S]*Blue Moons[\s\S]*?>1</,
    );
    assert.match(test!, /34′/);
    assert.ok(test!.includes(`href="match/${live}/red-stars-blue-moons"`) && cup!.includes(`href="match/${other}/`));
    assert.match(test!, /Full time[\s\S]*Elks[\s\S]*?>4<[\s\S]*Foxes/);
    assert.ok(!text.includes('Crows') && tomorrow.text.includes(`href="match/${next}/crows-doves"`));
    assert.ok(!tomorrow.text.includes('Red Stars'), 'a live match is listed today');
    const onlyLive = (await get('/?live=1')).text;
    assert.ok(onlyLive.includes('Red Stars') && !onlyLive.includes('Elks'));
    const days = [...text.matchAll(/<a href="([^"]+)"[^>]*>(Yesterday|Tomorrow)</g)].map(([, href, name]) => [
      name,
      href,
    ]);
    const day = (step: number) => new Date(Date.now() + step * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(days, [
      ['Yesterday', `./?date=${day(-1)}`],
      ['Tomorrow', `./?date=${day(1)}`],
    ]);
  });

  it('a day without matches says so and shows the nearest days that have matches', async () => {
    await harness.apply('old', {
      scheduled_start: '1851-06-01T12:00:00Z',
      status: 'finished',
      score: { home: 1, away: 0 },
    });
    const { status, text } = await get('/?date=1850-01-01');
    assert.equal(status, 200);
    assert.match(text, /No matches on Tuesday,? 1 January 1850/);
    assert.match(text, /<h2>Next: <a href="\.\/\?date=1851-06-01">Sunday,? 1 June 1851<\/a>/);
    assert.doesNotMatch(text, /<h2>Last:/);
    assert.match((await get('/?date=1850-01-01&lang=ru')).text, /Матчей нет: вторник, 1 января 1850/);
    const tennis = (await get('/?date=1850-01-01&sport=tennis')).text;
    assert.match(tennis, /The catalogue has no matches of this sport yet: Tennis\./);
    assert.match(tennis, /<a href="\.\/\?date=1850-01-01">Matches of other sports<\/a>/);
    for (const query of ['date=2026-02-30', 'date=yesterday', 'sport=quidditch', 'live=perhaps', 'lang=xx'])
      assert.equal((await get(`/?${query}`)).status, 422, query);
    assert.equal((await get('/?date=')).status, 200, 'an empty field of the form');
  });

  it('the day follows the reader’s time zone, which a cookie names', async () => {
    await harness.apply('night', {
      home: { name: 'Owls of the night' },
      scheduled_start: '1903-05-01T23:30:00Z',
      status: 'finished',
      score: { home: 0, away: 0 },
    });
    const isListed = async (day: string, cookie: string) =>
      (await get(`/?date=${day}`, { cookie })).text.includes('Owls of the night');
    assert.deepEqual(
      [await isListed('1903-05-01', ''), await isListed('1903-05-02', 'touchline_tz=Asia/Tokyo')],
      [true, true],
    );
    assert.equal(await isListed('1903-05-02', 'touchline_tz=asia/tokyo'), true);
    assert.equal(await isListed('1903-05-01', 'touchline_tz=Mars/Olympus'), true, 'an unknown zone is UTC');
  });

  it('a match without a time is on the same day in every zone, and that day is the nearest', async () => {
    const match = (name: string, day: string) =>
      harness.apply(name, {
        home: { name },
        scheduled_start: `${day}T00:00:00Z`,
        time_tbd: true,
        status: 'finished',
        score: { home: 0, away: 0 },
      });
    await match('Hares of no hour', '1905-05-10');
    for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati']) {
      const { text } = await get('/?date=1905-05-10', { cookie: `touchline_tz=${zone}` });
      assert.match(text, /Hares of no hour/, zone);
      for (const [day, side] of [
        ['1905-05-09', 'Next'],
        ['1905-05-11', 'Last'],
      ]) {
        const other = (await get(`/?date=${day}`, { cookie: `touchline_tz=${zone}` })).text;
        assert.match(other, new RegExp(`<h2>${side}: <a href="\\./\\?date=1905-05-10">`), `${zone} ${day}`);
      }
    }
  });

  it('the language comes from the address, or else from the cookie with an earlier choice, or else from the browser', async () => {
    const russian = { 'accept-language': 'ru' };
    const chosen = await get('/?lang=en', russian);
    const cookie = chosen.response.headers.get('set-cookie')!;
    assert.match(cookie, /^touchline_lang=en; Path=\/; Max-Age=31536000; SameSite=Lax$/);
    const langOf = async (headers: Record<string, string>, path = '/') =>
      /<html lang="(\w+)"/.exec((await get(path, headers)).text)![1];
    assert.equal(await langOf({ ...russian, cookie: cookie.split(';')[0]! }), 'en');
    assert.equal(await langOf({ ...russian, cookie: 'touchline_lang=xx' }), 'ru');
    assert.equal(await langOf({ cookie: 'touchline_lang=ru' }, '/?lang=en'), 'en');
    assert.match(chosen.text, /<a class="language" href="\?lang=ru" lang="ru"/);
  });

  it('the pages are in Russian on request, including names', async () => {
    const { text } = await get('/', { 'accept-language': 'ru' });
    assert.match(text, /<html lang="ru">/);
    assert.match(text, /Сегодня/);
    assert.match(text, /Тестовая лига/);
    assert.match((await get('/?lang=en', { 'accept-language': 'ru' })).text, /<html lang="en">/);
  });

  it('match, team and tournament pages say so while match history is still being loaded', async () => {
    const id = await harness.apply('loading', playing('Red Stars', 'Blue Moons', [0, 0], 1));
    const { rows } = await harness.pool.query<{ team: number; tournament: number }>(
      'SELECT home_id AS team, tournament_id AS tournament FROM match WHERE id = $1',
      [id],
    );
    const { team, tournament } = rows[0]!;
    for (const [path, part] of [
      [`/match/${id}`, 'forecast'],
      [`/match/${id}?tab=meetings`, 'meetings'],
      [`/team/${team}?tab=statistics`, 'trends'],
      [`/team/${team}?tab=table`, 'table'],
      [`/tournament/${tournament}?tab=statistics`, 'profile'],
    ] as const) {
      const note = (text: string) => new RegExp(`id="${part}" class="panel" data-pending>[^§]{0,80}${text}`);
      assert.match((await get(path)).text, note('<p class="note">The history of matches is being loaded'));
      assert.match(
        (await get(`${path}${path.includes('?') ? '&' : '?'}lang=ru`)).text,
        note('<p class="note">История матчей ещё загружается'),
      );
    }
  });

  it('the pages have no inline script or style, because the content security policy would refuse it', async () => {
    const id = await harness.apply('live-1', playing('Red Stars', 'Blue Moons', [2, 1], 34));
    for (const path of ['/', `/match/${id}`]) {
      const { response, text } = await get(path);
      assert.match(response.headers.get('content-security-policy')!, /script-src 'self'/);
      assert.match(response.headers.get('content-type')!, /^text\/html/);
      assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|<script(?! type="application\/ld\+json"|[^>]*\ssrc=)/);
      const addresses = [...text.matchAll(/(?:src|href|srcset)="((?:https?:)?\/\/[^"]+)"/g)].map(([, one]) => one!);
      assert.ok(
        addresses.every((one) => one.startsWith(`${site.url}/`)),
        'nothing from other hosts',
      );
    }
  });

  it('a page sets no cookie and needs none for pictures and the stream, while data needs a key', async () => {
    const id = await harness.apply('live-1', playing('Red Stars', 'Blue Moons', [2, 1], 35));
    for (const path of ['/', `/match/${id}`]) assert.equal((await get(path)).response.headers.get('set-cookie'), null);
    const side = /sides\/\d+\/image/.exec((await get('/')).text)![0];
    const image = await get(`/${side}`);
    assert.equal(image.status, 200);
    assert.equal(image.response.headers.get('content-type'), 'image/svg+xml');
    for (const path of ['/v1/events/live', `/v1/event/${id}`, `/v1/participant/${id}/image`, '/v1/stream'])
      assert.equal((await get(path)).status, 401, path);
  });

  it('teams and players have pictures, and an unknown id has none', async () => {
    await harness.apply('pictured', {
      lineups: [{ side: 'home', player: { id: 'p1', name: 'A. Player' }, is_substitute: false }],
    });
    const { rows } = await harness.pool.query<{ id: number }>(
      `SELECT id FROM participant p WHERE NOT EXISTS (SELECT FROM match WHERE p.id IN (home_id, away_id))`,
    );
    assert.ok(rows.length > 0);
    for (const { id } of rows) assert.equal((await get(`/sides/${id}/image`)).status, 200);
    assert.equal((await get('/sides/999999/image')).status, 404);
  });

  it('the address of a picture has the version of the drawings, and only that address may be kept for a week', async () => {
    await harness.apply('pictured', playing('Red Stars', 'Blue Moons', [0, 0], 1));
    const [, path, version] = /src="(sides\/\d+\/image)\?v=([\w-]{6})"/.exec((await get('/')).text)!;
    const lifetime = async (query: string) =>
      /max-age=(\d+)/.exec((await get(`/${path}${query}`)).response.headers.get('cache-control')!)![1];
    assert.deepEqual(
      [await lifetime(`?v=${version}`), await lifetime('?v=former'), await lifetime('')],
      ['604800', '0', '604800'],
    );
  });

  it('a script on another site cannot read the pages', async () => {
    const id = await harness.apply('live-1', playing('Red Stars', 'Blue Moons', [2, 1], 35));
    for (const origin of ['https://other.example', 'null', 'http://localhost:1']) {
      assert.doesNotMatch((await get('/', { origin })).text, /Red Stars/);
      for (const path of [`/match/${id}`, '/live', `/live?match=${id}`])
        assert.equal((await get(path, { origin })).status, 404, path);
    }
    assert.equal((await get(`/match/${id}`, { origin: site.url })).status, 200);
  });

  it('the pages escape every name', async () => {
    const incidents = [goal('g1', 'home', 3, HOSTILE, [1, 0])];
    const id = await harness.apply('hostile', {
      ...playing(HOSTILE, 'Victims', [1, 0], 5, { incidents }),
      tournament: { name: HOSTILE, country: 'INT' },
      round_name: HOSTILE,
      referee: HOSTILE,
      venue: { name: HOSTILE, city: HOSTILE, country: 'INT' },
      momentum: { graphPoints: [{ minute: 1, value: 50 }] },
      statistics: [
        {
          period: 'ALL',
          group_name: null,
          stat_name: HOSTILE,
          home_value: 1,
          away_value: 2,
          home_text: HOSTILE,
          away_text: null,
        },
      ],
      lineups: [
        {
          side: 'home',
          player: { name: HOSTILE },
          position: 'GK',
          shirt_number: '<b>1',
          is_substitute: false,
          formation: '<i>4',
        },
      ],
      coaches: [{ side: 'home', coach_name: HOSTILE }],
      missing_players: [
        { side: 'home', player_name: HOSTILE, position: null, type: 'injury', status: null, reason_text: HOSTILE },
      ],
      shotmap: [
        {
          side: 'home',
          player: { name: HOSTILE },
          minute: 3,
          xg: 0.3,
          shotType: 'goal',
          situation: null,
          bodyPart: null,
          x: 90,
          y: 50,
        },
      ],
      commentary: [{ minute: 3, text: HOSTILE, text_en: HOSTILE, type: 'goal', side: 'home', player_name: HOSTILE }],
    });
    const plain = `${id}`;
    const tabs = ['overview', 'lineups', 'statistics', 'commentary', 'table', 'meetings'];
    for (const path of ['/', ...tabs.map((tab) => `/match/${plain}?tab=${tab}`)]) {
      const { text } = await get(path);
      assert.ok(text.includes('&lt;img src=x onerror=&quot;hacked()&quot;&gt;&#39;&quot;&amp;'), path);
      assert.doesNotMatch(text, /<img src=x|<script>|<b>1|<i>4|(?<!\\)"hacked/, path);
    }
  });

  it('the match page has all parts of a match even without a script', async () => {
    const recording = await shippedRecording('world-cup-final-2022');
    const { match } = recording.at(-1)!.update;
    const { id: _id, ...state } = match;
    const id = await harness.apply('final', {
      ...state,
      scheduled_start: new Date(Date.now() - 7_200_000).toISOString(),
    });
    const tabs = {
      overview: ['timeline', 'chances', 'momentum'],
      lineups: ['lineups'],
      statistics: ['statistics', 'shots'],
      commentary: ['commentary'],
    };
    let text = '';
    for (const [tab, parts] of Object.entries(tabs)) {
      const page = await get(`/match/${id}?tab=${tab}`);
      assert.equal(page.status, 200);
      for (const part of ['head', 'tabs', ...parts, 'sources'])
        assert.equal(page.text.split(`id="${part}"`).length, 2, part);
      const others = Object.entries(tabs).flatMap(([other, ids]) => (other === tab ? [] : ids));
      for (const part of others) assert.ok(!page.text.includes(`<section id="${part}" class`), `${part} in ${tab}`);
      text += page.text;
    }
    const names = [
      ...(await get(`/match/${id}`)).text
        .split('id="tabs"')[1]!
        .split('</nav>')[0]!
        .matchAll(/>([^<]+)<\/a>/g),
    ];
    assert.deepEqual(
      names.map(([, name]) => name),
      ['Overview', 'Line-ups', 'Statistics', 'Commentary', 'Table', 'Meetings and form'],
    );
    for (const query of ['tab=', 'tab=goals', 'tab=lineups&tab=table'])
      assert.equal((await get(`/match/${id}?${query}`)).status, 422);
    assert.match(text, /After penalties/);
    assert.match(text, /4:2 pens/);
    assert.match(text, /HT 2:0/);
    assert.match(text, /Szymon Marciniak/);
    assert.match(text, /88,966/);
    assert.match(text, /Lionel Messi<\/a> 23′ \(pen\.\), 108′/);
    assert.match(text, /45\+7′/);
    assert.match(text, /Ball possession<\/dt>\s*<dd class="home">54%/);
    assert.match(text, /4-2-3-1/);
    assert.match(text, /Lionel Scaloni/);
    assert.match(text, /Karim Benzema/);
    assert.match((await get(`/match/${id}?tab=statistics&lang=ru`)).text, /Владение мячом/);
    assert.match((await get(`/match/${id}?tab=lineups&lang=ru`)).text, /Лионель Скалони/);
  });

  it('the match page for a result without any block has no empty part', async () => {
    const id = await harness.apply('bare', {
      scheduled_start: '2019-05-04T15:00:00Z',
      status: 'finished',
      score: { home: 1, away: 0 },
    });
    const { text } = await get(`/match/${id}`);
    for (const part of ['timeline', 'chances', 'momentum'])
      assert.match(text, new RegExp(`<section id="${part}" hidden></section>`));
    for (const [tab, parts] of [
      ['lineups', ['lineups']],
      ['statistics', ['statistics', 'shots', 'box-score']],
      ['commentary', ['commentary']],
    ] as const) {
      assert.ok(!text.includes(`tab=${tab}`), 'no link leads to an empty tab');
      const empty = (await get(`/match/${id}?tab=${tab}`)).text;
      assert.match(
        empty,
        /<section id="none" class="panel"><p class="note">No source has told this yet\.<\/p><\/section>/,
      );
      for (const part of parts) assert.match(empty, new RegExp(`<section id="${part}" hidden></section>`));
    }
    assert.match(text, /4 May 2019, 15:00/);
    await harness.apply('bare', {
      status: 'finished',
      score: { home: 1, away: 0 },
      scheduled_start: '2019-05-04T15:00:00Z',
      incidents: [],
    });
    assert.match(
      (await get(`/match/${id}`)).text,
      /<section id="timeline" class="panel"><h2>Timeline<\/h2>\s*<p class="note">No incidents\./,
    );
  });

  it('a second yellow card is a sending-off in the timeline and the line-up', async () => {
    const player = { name: 'B. Back' };
    const card = (card_type: string, minute: number) =>
      ({ kind: 'card', side: 'home', minute, player, payload: { card_type } }) as const;
    const id = await harness.apply('sent off twice over', {
      status: 'live',
      lineups: [{ side: 'home', player, is_substitute: false }],
      incidents: [card('yellow', 20), card('yellow', 70), card('red', 70)],
    });
    const text = (await get(`/match/${id}`)).text + (await get(`/match/${id}?tab=lineups`)).text;
    const signs = (part: string) => [...part.matchAll(/<span class="sign card-(\w+)"/gu)].map(([, sign]) => sign);
    assert.deepEqual(signs(/<ol class="timeline".*?<\/ol>/su.exec(text)![0]), ['red', 'second_yellow', 'yellow']);
    assert.deepEqual(signs(/<section class="sheet" data-side="home">.*?<\/section>/su.exec(text)![0]), [
      'yellow',
      'red',
    ]);
  });

  it('a list shows who has players sent off, and how many', async () => {
    const card = (side: 'home' | 'away', name: string, card_type: string) =>
      ({ kind: 'card', side, minute: 20, player: { name }, payload: { card_type } }) as const;
    const shown = async (key: string, incidents: ReturnType<typeof card>[]) => {
      const id = await harness.apply(`sent-off-${key}`, { ...playing('Reds', 'Blues', [0, 0], 80), incidents });
      for (const path of ['/', '/?live=1']) {
        const row = (await get(path)).text.split(`data-match="${id}"`)[1]!.split('</li>')[0]!;
        const marks = ['home', 'away'].map((side) =>
          /class="sent-off" role="img" aria-label="([^"]+)" title="[^"]+">(\d?)</.exec(
            row.split(`class="team" data-side="${side}"`)[1]!.split('</p>')[0]!,
          ),
        );
        const labels = marks.map((mark) => mark && [mark[1], mark[2]]);
        assert.deepEqual(labels, EXPECTED_MARKS[key], `${key} on ${path}`);
      }
    };
    const EXPECTED_MARKS: Record<string, unknown> = {
      none: [null, null],
      one: [null, ['Red cards: 1', '']],
      // A second yellow card and the red one after it send off one player.
      two: [['Red cards: 2', '2'], null],
    };
    await shown('none', [card('home', 'A', 'yellow'), card('away', 'red', 'yellow')]);
    await shown('one', [card('away', 'A', 'red'), card('home', 'B', 'yellow')]);
    await shown('two', [card('home', 'A', 'second_yellow'), card('home', 'A', 'red'), card('home', 'B', 'yellow_red')]);
    assert.match((await get('/?lang=ru')).text, /aria-label="Красные карточки: 2"/);
  });

  it('a coach’s card is marked as such in both languages', async () => {
    const shown = { kind: 'card', side: 'home', minute: 70 } as const;
    const id = await harness.apply('coach', {
      status: 'live',
      incidents: [
        { ...shown, player: { name: 'A. Boss' }, payload: { card_type: 'red', role: 'coach', reason: 'Dissent' } },
        { ...shown, player: { name: 'B. Back' }, payload: { card_type: 'yellow', role: 'captain', reason: 'Foul' } },
      ],
    });
    const cards = async (lang: string) =>
      [
        ...(await get(`/match/${id}?lang=${lang}`)).text.matchAll(
          /<b>(?:<span lang="en">)?([AB]\. \w+)(?:<\/span>)?<\/b> <span class="more">(.*?)<\/span>/gu,
        ),
      ].map(([, name, more]) => [name, more]);
    assert.deepEqual(await cards('en'), [
      ['B. Back', 'Foul'],
      ['A. Boss', 'coach, Dissent'],
    ]);
    assert.deepEqual(await cards('ru'), [
      ['B. Back', 'фол'],
      ['A. Boss', 'тренер, споры с судьёй'],
    ]);
  });

  it('the match page shows linked players with full and Russian names, even if the source abbreviates them', async () => {
    const isak = { name: 'Isak A.', birth_date: '1999-09-21' };
    const id = await harness.apply('linked', {
      status: 'live',
      lineups: [
        { side: 'home', player: isak, is_substitute: false },
        { side: 'away', player: { name: 'Isak A.' }, is_substitute: false },
      ],
      incidents: [
        { kind: 'goal', side: 'home', minute: 3, player: isak, payload: { goal_type: 'regular' } },
        { kind: 'goal', side: 'away', minute: 5, player: isak, payload: { goal_type: 'own_goal' } },
        { kind: 'subst', side: 'home', minute: 7, payload: { player_in: 'Wood C.', player_out: 'Isak A.' } },
      ],
    });
    await harness.pool.query(
      `WITH person AS (
         INSERT INTO participant (type, sport, gender, key, name, name_ru)
         VALUES ('player', 'football', 'men', '|1999-09-21|a|isak', 'Alexander Isak', 'Александер Исак') RETURNING id
       ) UPDATE participant p SET person_id = person.id FROM person WHERE p.birth_date = '1999-09-21'`,
    );
    const names = async (lang: string) => {
      const pages = [await get(`/match/${id}?lang=${lang}`), await get(`/match/${id}?lang=${lang}&tab=lineups`)];
      const text = pages.map((page) => page.text).join('');
      const away = text.slice(text.indexOf('class="sheet" data-side="away"'));
      assert.match(away, /Isak A\./, 'the other Isak');
      return text.slice(0, text.indexOf('class="sheet" data-side="away"'));
    };
    const [english, russian] = [await names('en'), await names('ru')];
    assert.equal(english.split('Alexander Isak').length, 9);
    assert.equal(russian.split('Александер Исак').length, 9);
    for (const text of [english, russian]) assert.doesNotMatch(text, /Isak A\./);
    assert.match(english, /Wood C\./);
  });

  it('a line-up known for one side only is shown without an empty second line-up', async () => {
    const id = await harness.apply('one-side', {
      lineups: [{ side: 'away', player: { name: 'A. Lone' }, is_substitute: false }],
    });
    const { text } = await get(`/match/${id}?tab=lineups`);
    assert.equal(text.split('class="sheet"').length, 2);
    assert.doesNotMatch(text, /Substitutes/);
    assert.match(text, /A\. Lone/);
  });

  it('the match page shows a match at every stage, from fixture to result', async () => {
    const recording = await shippedRecording('world-cup-final-2022');
    for (const { at, update } of recording.filter((_, index) => index % 16 === 0)) {
      const { id: _id, ...state } = update.match;
      const id = await harness.apply('stages', {
        ...state,
        season: { label: '2023' },
        scheduled_start: '2023-01-01T15:00:00Z',
      });
      assert.equal((await get(`/match/${id}`)).status, 200, `at ${at}`);
    }
  });

  it('the momentum picture may be cached for an hour if the URL has the current version', async () => {
    const id = await harness.apply('drawn', {
      ...playing('North', 'South', [1, 0], 20, { incidents: [goal('g', 'home', 12, 'A. Scorer', [1, 0])] }),
      momentum: {
        graphPoints: Array.from({ length: 20 }, (_, index) => ({ minute: index + 1, value: index * 8 - 60 })),
      },
    });
    const { text } = await get(`/match/${id}`);
    const address = /srcset="\.\.\/(match\/\d+\/momentum\.svg\?v=\d+&amp;c=[\w-]{6})/
      .exec(text)![1]!
      .replace('&amp;', '&');
    const light = await get(`/${address}`);
    assert.equal(light.status, 200);
    assert.match(light.response.headers.get('content-type')!, /^image\/svg\+xml/);
    assert.match(light.text, /^<svg[\s\S]*<\/svg>\s*$/);
    assert.doesNotMatch(light.text, /<script|<image|https?:\/\/(?!www\.w3\.org)/);
    assert.match(light.response.headers.get('cache-control')!, /max-age=3600/);
    const dark = await get(`/${address}&theme=dark`);
    assert.notEqual(dark.text, light.text);
    const former = `/${address.replace(/c=.*/, 'c=former')}`;
    assert.match((await get(former)).response.headers.get('cache-control')!, /max-age=0/);
    assert.match((await get(`/match/${id}/momentum.svg`)).response.headers.get('cache-control')!, /max-age=0/);
    assert.equal((await get('/match/999999/momentum.svg')).status, 404);
  });

  it('charts and line-ups have the colours of listed teams, and unlisted teams are neutral', async () => {
    const more = {
      statistics: [
        {
          period: 'ALL',
          group_name: null,
          stat_name: 'Corner kicks',
          home_value: 1,
          away_value: 2,
          home_text: null,
          away_text: null,
        },
      ],
      momentum: {
        graphPoints: [
          { minute: 1, value: 50 },
          { minute: 2, value: -50 },
        ],
      },
      lineups: [
        { side: 'home' as const, player: { name: 'A. Player' }, is_substitute: false },
        { side: 'away' as const, player: { name: 'B. Player' }, is_substitute: false },
      ],
    };
    const team = (name: string, country: string) => ({ name, country });
    const listed = await harness.apply('listed', {
      ...playing('', '', [0, 0], 5, more),
      home: team('Arsenal', 'GB-ENG'),
      away: team('Juventus', 'IT'),
    });
    const { text } = await get(`/match/${listed}`);
    const sheet = /<link rel="stylesheet" href="\.\.\/(sides\.css[^"]*)">/.exec(text)![1]!.replaceAll('&amp;', '&');
    assert.equal(sheet, 'sides.css?light=ef0107-111111&dark=ef0107-ffffff');
    const colours = await get(`/${sheet}`);
    assert.equal(colours.response.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(colours.response.headers.get('cache-control')!, /max-age=31536000/);
    assert.equal(
      colours.text,
      ':root{--side-home:#ef0107;--side-away:#111111}\n@supports (color:light-dark(#fff,#000)){:root{--side-home:light-dark(#ef0107,#ef0107);--side-away:light-dark(#111111,#ffffff)}}\n',
    );
    assert.equal((await get('/sides.css?light=ef0107-111111')).status, 422);
    assert.equal((await get('/sides.css?light=ef0107-111111&dark=red}-ffffff')).status, 422);
    const fills = (svg: string) => [...new Set([...svg.matchAll(/<path fill="(#\w+)"/g)].map(([, fill]) => fill))];
    const lineups = (await get(`/match/${listed}?tab=lineups`)).text;
    const kits = [...lineups.matchAll(/<svg class="kit"[\s\S]*?<\/svg>/g)].map(([svg]) => fills(svg));
    assert.deepEqual(kits, [
      ['#ef0107', '#ffffff'],
      ['#111111', '#ffffff'],
    ]);
    const momentum = (id: number, query = '') => get(`/match/${id}/momentum.svg${query}`);
    assert.deepEqual(fills((await momentum(listed)).text), ['#ef0107', '#111111']);
    assert.deepEqual(fills((await momentum(listed, '?theme=dark')).text), ['#ef0107', '#ffffff']);

    const unlisted = await harness.apply('unlisted', playing('Red Stars', 'Blue Moons', [0, 0], 5, more));
    const neutral = (await get(`/match/${unlisted}`)).text;
    assert.doesNotMatch(neutral, /sides\.css|class="kit"/);
    assert.deepEqual(fills((await momentum(unlisted)).text), ['#0b7a4b', '#2a5bd7']);
  });

  it('an unknown match is a page with 404, an invalid id is 422, and an unknown file is 404', async () => {
    const unknown = await get('/match/999999');
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /Page not found/);
    assert.equal((await get('/match/abc')).status, 422);
    assert.equal((await get('/assets/nothing.js')).status, 404);
    assert.equal((await get('/assets/constructor')).status, 404);
    for (const name of ['site.css', 'match.css', 'analytics.css']) {
      const css = await get(`/assets/${name}`);
      assert.match(css.response.headers.get('content-type')!, /^text\/css/);
      assert.doesNotMatch(css.text, /@import|url\(/);
    }
  });

  it('each script has everything that it imports', async () => {
    for (const name of ['site.js', 'home.js', 'match.js']) {
      const { response, text } = await get(`/assets/${name}`);
      assert.match(response.headers.get('content-type')!, /^text\/javascript/);
      if (name !== 'site.js') assert.match(text, /text\/event-stream/);
      // Scripts import only types from the schemas, so no import is left.
      assert.doesNotMatch(text, /\bimport\b|\bzod\b/);
      assert.ok(text.length < 16_000, `${text.length} characters`);
    }
  });

  it('the front page introduces the service and links to sign-up, guides, reference and leagues, with or without matches', async () => {
    for (const PUBLIC_SITE of ['1', '0']) {
      const at = await harness.start({ env: { PUBLIC_SITE, SIGNUP: 'open' } });
      for (const [lang, what] of [
        [
          'en',
          /catalogue of matches, teams, players and tournaments[\s\S]*REST[\s\S]*SSE[\s\S]*WebSocket[\s\S]*webhooks/,
        ],
        ['ru', /каталог матчей, команд, игроков и турниров[\s\S]*REST[\s\S]*SSE[\s\S]*WebSocket[\s\S]*вебхуки/],
      ] as const) {
        const { text } = await get(`/?lang=${lang}`, {}, at);
        assert.match(text, what);
        assert.equal(text.split('<h1').length, 2);
        const links = [...text.slice(text.indexOf('<main')).matchAll(/<a[^>]* href="([^"]+)"/g)].map(
          ([, href]) => href,
        );
        for (const href of ['account/sign-up', 'docs/guides/quick-start', 'docs', 'docs/leagues.html'])
          assert.ok(links.includes(href), `${href} in ${lang}`);
        assert.doesNotMatch(text, /<style|\sstyle=|<script(?![^>]*\ssrc=)/);
      }
      await at.stop();
    }
    assert.equal((await get('/assets/home.css')).status, 200);
    assert.equal((await get('/assets/guides.css')).status, 200);
  });

  it('the front page offers sign-up only if it is open', async () => {
    for (const PUBLIC_SITE of ['1', '0']) {
      const invited = await harness.start({ env: { PUBLIC_SITE, SIGNUP: 'invite' } });
      const { text } = await get('/', {}, invited);
      assert.match(text, /href="account\/sign-up">Sign up with an invitation</);
      assert.match(text, /takes an invitation from the operator/);
      await invited.stop();
      const off = await harness.start({ env: { PUBLIC_SITE, SIGNUP: 'off' } });
      const closed = await get('/', {}, off);
      assert.doesNotMatch(closed.text, /sign-up/);
      assert.match(closed.text, /Accounts are created by the operator/);
      await off.stop();
    }
  });

  it('a site that is not public shows its matches only to signed-in members', async () => {
    const drawn = { momentum: { graphPoints: [{ minute: 1, value: 5 }] } };
    const id = await harness.apply('live-1', playing('Red Stars', 'Blue Moons', [2, 1], 36, drawn));
    const member = await harness.signIn();
    const side = /sides\/\d+\/image/.exec((await get('/')).text)![0];
    const closed = await harness.start({ env: { PUBLIC_SITE: '0' } });
    const paths = [`/match/${id}`, `/match/${id}/momentum.svg`, `/${side}`];
    const strangers: Record<string, string>[] = [{}, { cookie: member.cookie.slice(0, -3) }, { cookie: 'a=b' }];
    for (const headers of strangers) {
      const front = await get('/', headers, closed);
      assert.equal(front.status, 200);
      assert.equal(front.response.headers.get('set-cookie'), null);
      assert.doesNotMatch(front.text, /Red Stars/);
      for (const link of ['docs', 'docs/leagues.html', 'account'])
        assert.ok(front.text.includes(`href="${link}"`), link);
      for (const path of [...paths.slice(1), '/live', `/live?match=${id}`])
        assert.equal((await get(path, headers, closed)).status, 404, path);
      for (const path of [paths[0]!, '/tournament/1', '/team/1', '/player/1', '/rankings', '/search']) {
        const away = await fetch(closed.url + path, { headers, redirect: 'manual' });
        const form = `${closed.url}/account/sign-in?next=${encodeURIComponent(path)}`;
        assert.deepEqual([away.status, away.headers.get('location')], [303, form], path);
      }
      assert.equal((await get('/search/suggestions?q=red', headers, closed)).status, 401);
    }
    const { cookie } = member;
    assert.match((await get('/', { cookie }, closed)).text, /Red Stars/);
    for (const path of paths) assert.equal((await get(path, { cookie }, closed)).status, 200, path);
    assert.equal((await get('/v1/events/live', { cookie }, closed)).status, 401, 'data needs a key all the same');
    await member.end();
    for (const path of paths.slice(1)) assert.equal((await get(path, { cookie }, closed)).status, 404, path);
    assert.equal((await fetch(closed.url + paths[0], { headers: { cookie }, redirect: 'manual' })).status, 303);
    const elsewhere = await harness.start({ env: { HOST: '0.0.0.0', ALLOWED_HOSTS: '127.0.0.1' } });
    assert.doesNotMatch((await get('/', {}, elsewhere)).text, /Red Stars/, 'other machines reach it');
    const open = await harness.start({ env: { HOST: '0.0.0.0', ALLOWED_HOSTS: '127.0.0.1', PUBLIC_SITE: '1' } });
    assert.match((await get('/', {}, open)).text, /Red Stars/);
    for (const path of paths) assert.equal((await get(path, {}, open)).status, 200, path);
  });
});
