import assert from 'node:assert/strict';
import sharp from 'sharp';
import { feedLeague, LEAGUE, STAR } from './sample-league.ts';
import { createHarness, type Harness, type Site } from './site.ts';

const HOSTILE = `<img src=x onerror="hacked()">'"&</script><script>hacked()</script>`;
const NOW = Date.parse('2025-05-24T12:00:00Z');

describe('catalogue pages', () => {
  let harness: Harness;
  let site: Site;
  let ids: Record<string, number>;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await feedLeague(harness, NOW);
    await harness.apply('hostile', {
      tournament: { name: HOSTILE, country: 'INT' },
      home: { name: HOSTILE },
      away: { name: 'Victims' },
      round_name: HOSTILE,
      status: 'finished',
      score: { home: 1, away: 0 },
      lineups: [{ side: 'home', player: { name: HOSTILE, birth_date: '2000-01-01' }, is_substitute: false }],
    });
    const { rows } = await harness.pool.query<{ name: string; id: number }>(
      `SELECT name, id FROM participant WHERE person_id IS NULL UNION ALL SELECT name, id FROM tournament
       UNION ALL SELECT t.name || ' ' || s.season_label, s.id FROM season s JOIN tournament t ON t.id = s.tournament_id`,
    );
    ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  });
  after(() => harness.drop());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(site.url + path, { headers, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const section = (text: string, id: string) => text.slice(text.indexOf(`id="${id}"`)).split('</section>')[0]!;
  const textOf = (markup: string) =>
    markup
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  it('a tournament has tables for all, home and away matches, with links to the teams', async () => {
    const { status, text } = await get(`/tournament/${ids[LEAGUE.name]}`);
    assert.equal(status, 200);
    const table = section(text, 'table');
    assert.match(textOf(table), /1 Arsenal 2 2 0 0 4 0 \+4 6/);
    assert.match(table, new RegExp(`href="../team/${ids.Arsenal}/arsenal">Arsenal<`));
    const away = section((await get(`/tournament/${ids[LEAGUE.name]}?table=away`)).text, 'table');
    assert.match(away, /aria-current="true">Away</);
    assert.match(textOf(away), /Fulham 2 /);
  });

  it('a table has the last results of each side, newest first, as letters that lead to the matches', async () => {
    const letters = (text: string, side: string) =>
      [
        ...text
          .split(`>${side}</a></th>`)[1]!
          .split('</tr>')[0]!
          .matchAll(/<a class="(\w)" href="([^"]+)" title="([^"]+)">/g),
      ].map(([, outcome, href, title]) => [outcome, href, title]);
    const { rows } = await harness.pool.query<{ id: number }>(
      `SELECT m.id FROM match m JOIN season s ON s.id = m.season_id WHERE $1 IN (home_id, away_id)
         AND status = 'finished' AND s.season_label = '2024/25' ORDER BY scheduled_start DESC`,
      [ids.Chelsea],
    );
    const [second, first] = rows.map(({ id }) => `../match/${id}`);
    const page = await get(`/tournament/${ids[LEAGUE.name]}`);
    assert.deepEqual(letters(section(page.text, 'table'), 'Chelsea'), [
      ['D', second, 'Draw 1:1, Fulham, 18 May 2025'],
      ['L', first, 'Loss 0:2, Arsenal, 11 May 2025'],
    ]);
    const away = await get(`/tournament/${ids[LEAGUE.name]}?table=away&lang=ru`);
    assert.deepEqual(letters(section(away.text, 'table'), 'Челси'), [
      ['L', first, 'Поражение 0:2, Арсенал, 11.05.2025'],
    ]);
    const team = section((await get(`/team/${ids.Chelsea}`)).text, 'form');
    assert.match(team, new RegExp(`<a class="L" href="${first}" title="Loss 0:2, Arsenal, 11 May 2025">L</a>`));
  });

  it('a tournament lists the current round, with the previous and the next round', async () => {
    const { text } = await get(`/tournament/${ids[LEAGUE.name]}`);
    const fixtures = section(text, 'fixtures');
    assert.match(fixtures, /<option value="Matchday 3" selected>/);
    assert.match(fixtures, /aria-label="Previous round: Matchday 2">/);
    assert.doesNotMatch(fixtures, /Next round/);
    assert.match(textOf(fixtures), /25 May, 12:00.*Arsenal.*Fulham/);
    const second = section((await get(`/tournament/${ids[LEAGUE.name]}?round=Matchday+2`)).text, 'fixtures');
    assert.match(textOf(second), /Arsenal 2 Everton 0/);
    assert.match(second, /aria-label="Next round: Matchday 3">/);
    const none = section((await get(`/tournament/${ids[LEAGUE.name]}?round=Round+nobody+has`)).text, 'fixtures');
    assert.match(none, /<option value="Matchday 3" selected>/, 'an unknown round shows the current one');
    const month = section((await get(`/tournament/${ids[LEAGUE.name]}?month=2025-05`)).text, 'fixtures');
    assert.match(textOf(month), /May 2025.*Matchday 1/);
  });

  describe('the months of a league without rounds', () => {
    let path: string;
    before(async () => {
      const night = (id: string, fields: object) =>
        harness.apply(id, {
          tournament: { name: 'Night League', country: 'GB-ENG' },
          season: { label: '2025' },
          status: 'scheduled',
          ...fields,
        });
      await night('owls-1', {
        home: { name: 'Owls' },
        away: { name: 'Bats' },
        scheduled_start: '2025-05-31T23:30:00Z',
      });
      await night('owls-2', {
        home: { name: 'Foxes' },
        away: { name: 'Moths' },
        scheduled_start: '2025-05-10T12:00:00Z',
      });
      await night('owls-3', {
        home: { name: 'Hares' },
        away: { name: 'Larks' },
        scheduled_start: '2025-06-01T00:00:00Z',
        time_tbd: true,
      });
      const { rows } = await harness.pool.query<{ id: number }>(
        "SELECT id FROM tournament WHERE name = 'Night League'",
      );
      path = `/tournament/${rows[0]!.id}`;
    });
    const fixtures = async (query: string, cookie = '') =>
      textOf(section((await get(`${path}${query}`, { cookie })).text, 'fixtures'));

    it('are those of the reader’s time zone', async () => {
      const expected: [month: string, zone: string, sides: string[]][] = [
        ['2025-05', '', ['Foxes', 'Owls']],
        ['2025-06', '', ['Hares']],
        ['2025-05', 'touchline_tz=Asia/Tokyo', ['Foxes']],
        ['2025-06', 'touchline_tz=Asia/Tokyo', ['Owls', 'Hares']],
        ['2025-06', 'touchline_zone=Asia%2FTokyo', ['Owls', 'Hares']],
        // A day without a time is the same in every zone.
        ['2025-05', 'touchline_tz=America/Lima', ['Foxes', 'Owls']],
        ['2025-06', 'touchline_tz=America/Lima', ['Hares']],
        ['2025-05', 'touchline_tz=Mars/Olympus', ['Foxes', 'Owls']],
      ];
      for (const [month, zone, sides] of expected)
        for (const tab of ['', '&tab=matches']) {
          const text = await fixtures(`?month=${month}${tab}`, zone);
          const listed = ['Foxes', 'Owls', 'Hares'].filter((side) => text.includes(side));
          assert.deepEqual(listed.sort(), sides.toSorted(), `${month} ${zone} ${text}`);
        }
    });

    it('have links to the months with matches in the zone', async () => {
      const late = (id: string, start: string) =>
        harness.apply(id, {
          tournament: { name: 'Late League', country: 'GB-ENG' },
          season: { label: '2025' },
          home: { name: 'Owls' },
          away: { name: 'Bats' },
          scheduled_start: start,
          status: 'scheduled',
        });
      await late('late-1', '2025-05-10T12:00:00Z');
      await late('late-2', '2025-05-31T23:30:00Z');
      const { rows } = await harness.pool.query<{ id: number }>("SELECT id FROM tournament WHERE name = 'Late League'");
      path = `/tournament/${rows[0]!.id}`;
      assert.doesNotMatch(await fixtures('', 'touchline_tz=UTC'), /Later/);
      assert.match(await fixtures('', 'touchline_tz=Asia/Tokyo'), /May 2025 Later →/);
    });
  });

  it('a tournament has leaders for each figure, and says so if no source gives that figure', async () => {
    const path = `/tournament/${ids[LEAGUE.name]}`;
    assert.match(textOf(section((await get(path)).text, 'leaders')), /1 Bukayo Saka Arsenal 4/);
    const all = await get(`${path}?tab=leaders`);
    assert.match(textOf(section(all.text, 'leaders')), /1 Bukayo Saka Arsenal 4/);
    assert.match(
      section((await get(`${path}?tab=leaders&stat=minutes`)).text, 'leaders'),
      /No source tells this figure/,
    );
  });

  it('a tournament shows the stored outlook with the title race, in both languages, and nothing if no outlook is stored', async () => {
    const path = `/tournament/${ids[LEAGUE.name]}`;
    assert.doesNotMatch((await get(path)).text, />Outlook</);
    assert.match(
      textOf(section((await get(`${path}?tab=outlook&stat=assists`)).text, 'outlook')),
      /No outlook of this season is stored/,
    );
    const season = (await get(path)).text.match(/<option value="(\d+)" selected>/)![1]!;
    const side = (name: string, champion: number) => ({
      ...{ participant_id: ids[name]!, name, name_ru: null, group: null, position: 1, points: 6 },
      ...{ champion, expected_points: 80.4, zones: [{ kind: 'relegation', probability: 1 - champion }], places: [] },
    });
    const store = (day: string, arsenal: number) =>
      harness.pool.query(
        `INSERT INTO season_outlook (season_id, day, version, computed_at, outlook) VALUES ($1, $2::text::date, '', $2::text::timestamptz, $3)`,
        [
          season,
          day,
          JSON.stringify({
            ...{ simulations: 10_000, seed: 1, complete: false, fixtures: { played: 2, remaining: 8, unknown: 1 } },
            sides: [side('Arsenal', arsenal), side('Fulham', 1 - arsenal)],
          }),
        ],
      );
    await store('2025-05-10', 0.4);
    await store('2025-05-20', 0.75);
    const outlook = section((await get(`${path}?tab=outlook`)).text, 'outlook');
    assert.match(
      textOf(outlook),
      /10,000 simulations of the 8 remaining matches, of 20 May 2025\. Fixtures or results/,
    );
    assert.match(textOf(outlook), /Team Final points Champion Relegation Arsenal 80 75 % 25 % Fulham 80 25 % 75 %/);
    assert.equal(outlook.match(/class="race race-\d" d="M46/g)?.length, 2);
    const russian = section((await get(`${path}?tab=outlook&lang=ru`)).text, 'outlook');
    assert.match(textOf(russian), /Прогноз сезона .* Чемпион Вылет Arsenal/);
    await harness.pool.query('DELETE FROM season_outlook');
  });

  it('a tournament switches between seasons, and refuses a season from another tournament', async () => {
    const path = `/tournament/${ids[LEAGUE.name]}`;
    const former = await get(`${path}?season=${ids['Premier League 2023/24']}`);
    assert.match(former.text, /<title>Premier League 2023\/24 · Touchline<\/title>/);
    assert.match(textOf(section(former.text, 'table')), /1 Arsenal 3 3/);
    assert.equal((await get(`${path}?season=${ids['FIFA World Cup 2022']}`)).status, 404);
    for (const query of ['season=x', 'table=sideways', 'stat=luck', 'month=2025-13', 'lang=xx'])
      assert.equal((await get(`${path}?${query}`)).status, 422, query);
  });

  it('the table of a season can be that of a day', async () => {
    const path = `/tournament/${ids[LEAGUE.name]}?tab=table`;
    assert.match(textOf(section((await get(path)).text, 'table')), /1 Arsenal 2 2 0 0/);
    const { text } = await get(`${path}&date=2025-05-12`);
    assert.match(textOf(section(text, 'table')), /1 Arsenal 1 1 0 0/);
    assert.match(section(text, 'table'), /<input type="date" name="date" value="2025-05-12"/);
    assert.match(section(text, 'table'), /tab=table&amp;table=home&amp;date=2025-05-12/);
    assert.match(textOf(section((await get(`${path}&date=2024-08-01`)).text, 'table')), /This season has no table/);
    assert.equal((await get(`${path}&date=tomorrow`)).status, 422);
  });

  it('a player who has coached a team has a link to the page of the coach', async () => {
    const { rows } = await harness.pool.query<{ id: number }>(
      'SELECT id FROM match WHERE home_id = $1 ORDER BY id LIMIT 1',
      [ids.Arsenal],
    );
    const before = (await get(`/player/${ids[STAR.name]}`)).text;
    assert.doesNotMatch(before, /As a coach/);
    await harness.pool.query(
      "INSERT INTO match_staff (match_id, role, side, position, name, participant_id) VALUES ($1, 'coach', 'home', 1, 'Bukayo Saka', $2)",
      [rows[0]!.id, ids[STAR.name]],
    );
    const other = await harness.start({ clock: { now: () => NOW } });
    const after = await (await fetch(`${other.url}/player/${ids[STAR.name]}`)).text();
    assert.match(after, new RegExp(`As a coach</dt><dd><a href="../coach/${ids[STAR.name]}/bukayo-saka">`));
    await other.stop();
  });

  it('a cup has a bracket drawn as a tree', async () => {
    const tree = section((await get(`/tournament/${ids['FIFA World Cup']}`)).text, 'bracket');
    assert.match(textOf(tree), /Semi-finals.*Argentina 3 Croatia 0.*Final Argentina 3 France 3 .*4:2 on penalties/);
    assert.match(textOf(tree), /Third place Croatia 2 Morocco 1/);
    assert.match(tree, /class="side won"><a class="name" href="\.\.\/team\/\d+\/argentina">/);
  });

  it('a team has matches, form, table, squad and statistics', async () => {
    const { status, text } = await get(`/team/${ids.Arsenal}`);
    assert.equal(status, 200);
    assert.match(textOf(section(text, 'next')), /Next matches.*Arsenal Fulham.*Premier League · Matchday 3/);
    assert.match(textOf(section(text, 'last')), /Last matches.*Arsenal 2 Everton 0/);
    const squad = await get(`/team/${ids.Arsenal}?tab=squad`);
    assert.match(section(squad.text, 'squad'), new RegExp(`href="../player/${ids[STAR.name]}/bukayo-saka">`));
    const statistics = await get(`/team/${ids.Arsenal}?tab=statistics`);
    assert.match(textOf(section(statistics.text, 'statistics')), /2024\/25 Premier League 2 2 0 0 4 0 2/);
    const former = await get(`/team/${ids.Arsenal}?tab=squad&season=2023/24`);
    assert.match(section(former.text, 'squad'), /<option selected>2023\/24/);
    assert.equal((await get(`/team/${ids.Arsenal}?tab=squad&season=1850`)).status, 404);
    const transfers = await get(`/team/${ids.Arsenal}?tab=transfers`);
    assert.match(textOf(section(transfers.text, 'transfers')), /No transfers are known/);
    assert.match(text, new RegExp(`href="webcal://127.0.0.1:${site.port}/calendar/team/${ids.Arsenal}.ics\\?lang=en"`));
  });

  it('a player has clubs, recent matches and goals by minute, and data that no source gives is shown as unknown', async () => {
    const { status, text } = await get(`/player/${ids[STAR.name]}`);
    assert.equal(status, 200);
    assert.match(textOf(text), /Born 5 Sept 2001 \(age 23\)/);
    assert.match(
      textOf(section(text, 'newest')),
      /Season 2024\/25.*2024\/25 Arsenal Premier League Arsenal – unknown – unknown 4/,
    );
    const clubs = section((await get(`/player/${ids[STAR.name]}?tab=statistics`)).text, 'clubs');
    assert.match(textOf(clubs), /2024\/25 Arsenal Premier League Arsenal – unknown – unknown 4/);
    assert.match(clubs, /no source tells it/);
    assert.match(textOf(section(text, 'last')), /Arsenal 2 Everton 0/);
    const minutes = section(text, 'minutes');
    assert.match(minutes, /aria-label="Goals by minute: 1–15 5, 16–30 0, 31–45 0, 46–60 0, 61–75 0, 76–90 5"/);
  });

  for (const [kind, name, tabs] of [
    ['team', 'Arsenal', ['Overview', 'Table', 'Squad', 'Statistics', 'Transfers']],
    ['player', STAR.name, ['Overview', 'Statistics', 'Transfers']],
    ['tournament', LEAGUE.name, ['Overview', 'Table', 'Matches', 'Leaders', 'Statistics']],
    ['tournament', 'FIFA World Cup', ['Overview', 'Matches', 'Knock-out rounds', 'Leaders', 'Statistics']],
  ] as const)
    it(`the tabs of the ${kind} ${name} are links, each to a page that says where it is and keeps its tab in Russian`, async () => {
      const first = await get(`/${kind}/${ids[name]}`);
      const links = (text: string) =>
        [
          ...text
            .split('id="tabs"')[1]!
            .split('</nav>')[0]!
            .matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)/g),
        ].map(([, href, current, title]) => ({
          path: new URL(href!.replaceAll('&amp;', '&'), `${site.url}/${kind}/1`),
          current: current !== undefined,
          title,
        }));
      assert.deepEqual(
        links(first.text).map(({ title }) => title),
        tabs,
      );
      for (const { path, title } of links(first.text)) {
        const { status, text } = await get(path.pathname + path.search);
        assert.equal(status, 200, title);
        assert.deepEqual(
          links(text)
            .filter(({ current }) => current)
            .map((one) => one.title),
          [title],
        );
        assert.equal(text.split('<section id=').length > 1, true, title);
        const tab = path.searchParams.get('tab');
        assert.match(text, new RegExp(`href="\\?${tab === null ? '' : `tab=${tab}&amp;`}lang=ru"`));
        assert.doesNotMatch(/rel="canonical" href="([^"]+)"/.exec(text)![1]!, /tab/);
      }
      for (const query of ['tab=', 'tab=secrets', 'tab=overview&tab=squad', 'tab=__proto__'])
        assert.equal((await get(`/${kind}/${ids[name]}?${query}`)).status, 422, query);
    });

  it('a player has a club until 150 days after the last match, then a last known club with the season', async () => {
    // The last match was on 18 May 2025.
    for (const [day, english, russian] of [
      ['2025-10-14', /Club Arsenal Born/, /Клуб Арсенал [А-Я]/],
      [
        '2025-10-16',
        /Last known club Arsenal \(2024\/25\) Born/,
        /Последний известный клуб Арсенал \(2024\/25\) [А-Я]/,
      ],
    ] as const) {
      const later = await harness.start({ clock: { now: () => Date.parse(`${day}T12:00:00Z`) } });
      for (const [lang, expected] of [
        ['en', english],
        ['ru', russian],
      ] as const) {
        const page = await fetch(`${later.url}/player/${ids[STAR.name]}/bukayo-saka?lang=${lang}`);
        assert.match(textOf(await page.text()), expected);
      }
      await later.stop();
    }
  });

  it('an id of the wrong kind, or of a name that was identified, redirects to the right page, and an unknown id is 404', async () => {
    const moved = await get(`/team/${ids[STAR.name]}`);
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, `${site.url}/player/${ids[STAR.name]}`]);
    assert.equal((await get(`/player/${ids.Arsenal}`)).headers.get('location'), `${site.url}/team/${ids.Arsenal}`);
    const { rows } = await harness.pool.query<{ id: number }>(
      `INSERT INTO participant (type, sport, gender, key, name, person_id)
       VALUES ('player', 'football', 'men', 'saka b.', 'Saka B.', $1) RETURNING id`,
      [ids[STAR.name]],
    );
    const former = await get(`/player/${rows[0]!.id}/saka-b`);
    assert.deepEqual([former.status, former.headers.get('location')], [301, `${site.url}/player/${ids[STAR.name]}`]);
    for (const kind of ['team', 'player', 'tournament', 'match']) {
      assert.equal((await get(`/${kind}/999999`)).status, 404, kind);
      assert.match((await get(`/${kind}/999999?lang=ru`)).text, /Такой страницы нет/);
      assert.equal((await get(`/${kind}/0`)).status, 422, kind);
    }
  });

  it('any name in the address leads to the page, which gives the address with the right name as canonical', async () => {
    for (const path of [
      `/team/${ids.Arsenal}`,
      `/team/${ids.Arsenal}/wrong-name`,
      `/team/${ids.Arsenal}?season=2023/24`,
    ]) {
      const { status, text } = await get(path);
      assert.equal(status, 200, path);
      assert.ok(text.includes(`<link rel="canonical" href="${site.url}/team/${ids.Arsenal}/arsenal">`), path);
    }
  });

  it('the search finds teams, players and tournaments, and says so if it finds none', async () => {
    const { text } = await get('/search?q=arsenal');
    assert.match(
      text,
      new RegExp(`<a href="team/${ids.Arsenal}/arsenal">Arsenal</a> <small>Team · Football · England`),
    );
    assert.match((await get('/search?q=сака')).text, /player\/\d+\/bukayo-saka/);
    assert.match((await get('/search?q=premier+legue')).text, /tournament\/\d+\/premier-league/);
    assert.match((await get('/search?q=qqqqqqqq')).text, /Nothing in the catalogue fits “qqqqqqqq”/);
    assert.match((await get('/search?q=a')).text, /at least two characters/);
    assert.equal((await get(`/search?q=${encodeURIComponent(`e${'\u0301'.repeat(80)}`)}`)).status, 200);
    assert.equal((await get(`/search?q=${encodeURIComponent(HOSTILE)}`)).status, 200);
    assert.match((await get('/search')).text, /<h1>Search<\/h1>/);
    const { suggestions } = JSON.parse((await get('/search/suggestions?q=chel&lang=ru')).text);
    assert.deepEqual(suggestions[0], {
      type: 'team',
      name: 'Челси',
      note: 'Команда · Футбол · Англия',
      path: `team/${ids.Chelsea}/chelsea`,
      picture: suggestions[0].picture,
    });
    assert.match(suggestions[0].picture, new RegExp(`^sides/${ids.Chelsea}/image\\?v=`));
    assert.equal((await fetch(`${site.url}/${suggestions[0].picture}`)).headers.get('content-type'), 'image/svg+xml');
    const league = JSON.parse((await get('/search/suggestions?q=premier')).text).suggestions[0];
    assert.match(league.picture, /^flags\/GB-ENG\?v=/);
    const world = JSON.parse((await get('/search/suggestions?q=fifa+world')).text).suggestions[0];
    assert.equal(world.picture, null, 'an international tournament has no flag');
  });

  it('rankings have a page, even before a ranking is published', async () => {
    const { text: empty } = await get('/rankings');
    assert.match(empty, /<h1>Rankings<\/h1>[\s\S]*There are no rankings yet/);
    assert.doesNotMatch(empty, /<select name="kind"/);
    await harness.pool.query(
      `WITH published AS (INSERT INTO ranking (kind, published_at, provider) VALUES ('fifa', '2025-05-01', 'tests') RETURNING id)
       INSERT INTO ranking_entry (ranking_id, rank, participant_id, points) SELECT published.id, 1, $1, 1867.25 FROM published`,
      [ids.Argentina],
    );
    const { text } = await get('/rankings?kind=fifa');
    assert.match(textOf(text), /Published on 1 May 2025 .* 1 Argentina 1,867\.3 –/);
    assert.match(text, new RegExp(`href="team/${ids.Argentina}/argentina"`));
    assert.match((await get('/rankings?kind=fifa&date=2025-04-01')).text, /No ranking of this kind/);
    assert.equal((await get('/rankings?date=')).status, 200);
    for (const query of ['kind=chess', 'date=today', 'page=0'])
      assert.equal((await get(`/rankings?${query}`)).status, 422);
  });

  it('every page escapes names from a feed', async () => {
    const { rows } = await harness.pool.query<{ path: string }>(
      `SELECT type || '/' || id AS path FROM participant WHERE name = $1 UNION ALL SELECT 'tournament/' || id FROM tournament WHERE name = $1`,
      [HOSTILE],
    );
    assert.equal(rows.length, 3);
    for (const { path } of [...rows, { path: `search?q=${encodeURIComponent('img src')}` }]) {
      const { status, text } = await get(`/${path}`);
      assert.equal(status, 200, path);
      assert.ok(text.includes('&lt;img src=x onerror=&quot;hacked()&quot;&gt;'), path);
      assert.doesNotMatch(text, /<img src=x|<script>|"hacked/, path);
    }
  });

  it('the match page tells search engines and chat programs what the match is', async () => {
    const { rows } = await harness.pool.query<{ id: number }>(
      `SELECT m.id FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = 'FIFA World Cup' AND round_name = 'Final'`,
    );
    const { id } = rows[0]!;
    const { text } = await get(`/match/${id}`);
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)![1]!);
    assert.equal(data['@type'], 'SportsEvent');
    assert.equal(data.homeTeam.url, `${site.url}/team/${ids.Argentina}/argentina`);
    assert.equal(data.url, `${site.url}/match/${id}/argentina-france`);
    assert.match(text, /<meta property="og:title" content="3:3 Argentina – France">/);
    const picture = /<meta property="og:image" content="([^"]+)">/.exec(text)![1]!.replaceAll('&amp;', '&');
    const image = await fetch(picture);
    const { width, height, format } = await sharp(Buffer.from(await image.arrayBuffer())).metadata();
    assert.deepEqual([image.status, width, height, format], [200, 1_200, 630, 'png']);
    assert.equal((await get('/match/999999/share.png')).status, 404);
    const hostile = await harness.pool.query<{ id: number }>(
      'SELECT m.id FROM match m JOIN participant p ON p.id = m.home_id WHERE p.name = $1',
      [HOSTILE],
    );
    const page = (await get(`/match/${hostile.rows[0]!.id}`)).text;
    assert.equal(
      JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)![1]!).homeTeam.name,
      HOSTILE,
    );
    assert.equal((await get(`/match/${hostile.rows[0]!.id}/share.png`)).status, 200);
  });

  it('the sitemap lists every page, and a members-only site has no sitemap', async () => {
    assert.match(
      (await get('/robots.txt')).text,
      new RegExp(`Disallow: /account\n[^]*Sitemap: ${site.url}/sitemap.xml`),
    );
    const parts = [...(await get('/sitemap.xml')).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address!);
    assert.deepEqual(
      parts.map((address) => address.slice(site.url.length)),
      ['tournament', 'team', 'player', 'match'].map((kind) => `/sitemap/${kind}-1.xml`),
    );
    const addresses: string[] = [];
    for (const address of parts) {
      const { text, headers } = await get(address.slice(site.url.length));
      assert.match(headers.get('content-type')!, /^application\/xml/);
      addresses.push(...[...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, one]) => one!));
    }
    assert.ok(addresses.includes(`${site.url}/team/${ids.Arsenal}/arsenal`));
    assert.ok(addresses.includes(`${site.url}/player/${ids[STAR.name]}/bukayo-saka`));
    assert.ok(!addresses.some((address) => address.includes('saka-b')), 'no former id');
    for (const address of addresses) assert.equal((await get(address.slice(site.url.length))).status, 200, address);
    for (const path of ['/sitemap/team-0.xml', '/sitemap/car-1.xml']) assert.equal((await get(path)).status, 422, path);
    const closed = await harness.start({ env: { PUBLIC_SITE: '0' } });
    assert.equal(await (await fetch(`${closed.url}/robots.txt`)).text(), 'User-agent: *\nDisallow: /\n');
    for (const path of ['/sitemap.xml', '/sitemap/team-1.xml', '/sitemap/match-1.xml'])
      assert.equal((await fetch(closed.url + path)).status, 404, path);
    await closed.stop();
  });

  it('one address gets 60 share pictures and 30 sitemap parts a minute, because each takes a fifth of a second', async () => {
    for (const [path, most] of [
      ['/match/999999/share.png', 60],
      ['/sitemap/match-1.xml', 30],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: most + 10 }, () => get(path)));
      const refused = answers.filter(({ status }) => status === 429);
      assert.ok(refused.length >= 10, `${path}: ${refused.length}`);
      assert.ok(Number(refused[0]!.headers.get('retry-after')) >= 1);
    }
  });
});
