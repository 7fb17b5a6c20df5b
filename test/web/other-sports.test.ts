/** Tests match and tournament pages in sports other than football. */
import assert from 'node:assert/strict';
import { createHarness, type Harness, type Site } from './site.ts';

describe('pages for every sport except football', () => {
  let harness: Harness;
  let site: Site;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => Date.parse('2025-05-24T12:00:00Z') } });
  });
  after(() => harness.drop());

  const get = async (path: string) => (await fetch(site.url + path)).text();
  const section = (text: string, id: string) => text.slice(text.indexOf(`id="${id}"`)).split('</section>')[0]!;
  const plainText = (markup: string) =>
    markup
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  const POINT = { period: 'Q4', kind: 'point', side: 'home' } as const;
  const basketball = () =>
    harness.apply('basketball', {
      sport: 'basketball',
      tournament: { name: 'Hoops Cup', country: 'INT' },
      home: { name: 'Hawks', country: 'ES' },
      away: { name: 'Bears', country: 'FR' },
      scheduled_start: '2025-05-20T18:00:00Z',
      status: 'finished',
      status_detail: 'ended',
      score: { home: 4, away: 0 },
      period_scores: [
        { period: 'Q1', home: 0, away: 0 },
        { period: 'Q4', home: 4, away: 0 },
      ],
      incidents: [
        {
          ...POINT,
          minute: 39,
          player: { id: 'p1', name: 'Ann Guard' },
          assist: { id: 'p2', name: 'Bea Centre' },
          payload: { points: 3, point_type: 'three', score: { home: 3, away: 0 } },
        },
        {
          ...POINT,
          minute: 40,
          player: { id: 'p1', name: 'Ann Guard' },
          payload: { points: 1, point_type: 'free_throw', score: { home: 4, away: 0 } },
        },
        { minute: 40, period: 'Q4', kind: 'period_end', payload: { score: { home: 4, away: 0 } } },
      ],
      momentum: { graphPoints: [{ minute: 40, value: 50 }] },
      player_stats: [
        { side: 'home', player: { id: 'p2', name: 'Bea Centre' }, stats: { minutes: '40:00', points: 0, assists: 1 } },
        { side: 'home', player: { id: 'p1', name: 'Ann Guard' }, stats: { minutes: '39:59', points: 4, assists: 0 } },
        { side: 'away', player: { name: '<b>Cid' }, stats: { minutes: { of: 1 }, points: 0 } },
      ],
    });

  it('a basketball match shows quarters, baskets, and momentum over 40 minutes', async () => {
    const id = await basketball();
    const text = await get(`/match/${id}`);
    assert.match(plainText(section(text, 'head')), /Score by quarter 1 4 Total Hawks 0 4 4 Bears 0 0 0/);
    assert.match(
      plainText(section(text, 'timeline')),
      /End: quarter 4 4:0 40′ 4:0 Ann Guard \+1, free throw 39′ 3:0 Ann Guard \+3, Assist: Bea Centre/,
    );
    const russian = plainText(section(await get(`/match/${id}?lang=ru`), 'timeline'));
    assert.match(russian, /Конец 4-й четверти 4:0 40′ 4:0 Ann Guard \+1, штрафной бросок/);
    assert.match(
      plainText(section(await get(`/match/${id}?tab=statistics`), 'box-score')),
      /Box score Hawks Player Min Pts Ast Ann Guard 39:59 4 0 Bea Centre 40:00 0 1 Bears Player Min Pts Ast &lt;b&gt;Cid – 0 –/,
    );
    const picture = await get(`/match/${id}/momentum.svg`);
    assert.deepEqual(picture.match(/\d+′/g), ['10′', '20′', '30′', '40′']);
  });

  it('leaders in a basketball season have points, and no figure that basketball does not use', async () => {
    await basketball();
    const { rows } = await harness.pool.query("SELECT id FROM tournament WHERE name = 'Hoops Cup'");
    const leaders = plainText(section(await get(`/tournament/${rows[0]!.id}`), 'leaders'));
    assert.match(leaders, /Leaders Points Assists Matches Starts # Player Team Points 1 Ann Guard Hawks 4/);
    assert.doesNotMatch(leaders, /Goals|card|Penalties|Clean/);
  });

  it('a suspension shows minutes and reason, and hockey periods are named', async () => {
    const id = await harness.apply('hockey', {
      sport: 'ice-hockey',
      tournament: { name: 'Ice Cup', country: 'INT' },
      home: { name: 'Owls', country: 'CA' },
      away: { name: 'Rooks', country: 'US' },
      scheduled_start: '2025-05-20T18:00:00Z',
      status: 'finished',
      status_detail: 'after_penalties',
      score: { home: 1, away: 1 },
      period_scores: [
        { period: 'P1', home: 1, away: 1 },
        { period: 'P2', home: 0, away: 0 },
        { period: 'P3', home: 0, away: 0 },
        { period: 'OT', home: 0, away: 0 },
        { period: 'SO', home: 1, away: 0 },
      ],
      incidents: [
        {
          minute: 12,
          period: 'P1',
          kind: 'suspension',
          side: 'away',
          player: { name: 'Carl Wing' },
          payload: { minutes: 2, reason: 'tripping' },
        },
        { minute: 20, period: 'P1', kind: 'period_end', payload: { score: { home: 1, away: 1 } } },
      ],
    });
    const text = await get(`/match/${id}?lang=ru`);
    assert.match(
      plainText(section(text, 'head')),
      /1 : 1 1:0 бул\. По буллитам Rooks Счёт по периодам 1 2 3 ОТ Итого Owls 1 0 0 0 1 Rooks 1 0 0 0 1/,
    );
    assert.match(plainText(section(text, 'timeline')), /Конец 1-го периода 1:1 12′ 2 Carl Wing 2 мин, подножка/);
  });

  it('a line score has hits and errors in baseball, and shows the tie-break points of the set’s loser in tennis', async () => {
    const common = { scheduled_start: '2025-05-20T18:00:00Z', status: 'finished', status_detail: 'ended' } as const;
    const figure = (stat_name: string, home: number, away: number) => ({
      ...{ period: 'ALL', group_name: 'Match overview', stat_name, home_value: home, away_value: away },
      ...{ home_text: String(home), away_text: String(away) },
    });
    const baseball = await harness.apply('baseball', {
      ...common,
      sport: 'baseball',
      tournament: { name: 'Diamond Cup', country: 'INT' },
      home: { name: 'Herons', country: 'US' },
      away: { name: 'Foxes', country: 'US' },
      score: { home: 1, away: 10 },
      period_scores: [
        ...[1, 2, 3, 4].map((inning) => ({ period: `I${inning}`, home: 0, away: 0 })),
        { period: 'I5', home: 1, away: 10 },
      ],
      statistics: [figure('Hits', 4, 12), figure('Errors', 2, 0)],
    });
    const game = await get(`/match/${baseball}`);
    assert.match(plainText(section(game, 'head')), /1 2 3 4 5 R H E Herons 0 0 0 0 1 1 4 2 Foxes 0 0 0 0 10 10 12 0/);
    const tennis = await harness.apply('tennis', {
      ...common,
      sport: 'tennis',
      tournament: { name: 'Grass Open', country: 'INT' },
      home: { id: 'a', type: 'player', name: 'Ann Ace', country: 'US' },
      away: { id: 'b', type: 'player', name: 'Bea Break', country: 'US' },
      score: { home: 2, away: 0 },
      period_scores: [
        { period: 'S1', home: 7, away: 6 },
        { period: 'S2', home: 6, away: 0 },
      ],
      incidents: [
        {
          period: 'S1',
          kind: 'set_end',
          side: 'home',
          payload: { tie_break: { home: 7, away: 4 }, score: { home: 1, away: 0 } },
        },
        { period: 'S2', kind: 'set_end', side: 'home', payload: { tie_break: 'none', score: { home: 2, away: 0 } } },
      ],
    });
    const match = await get(`/match/${tennis}?lang=ru`);
    assert.match(section(match, 'head'), /<td>6<sup>4<\/sup><\/td><td>0<\/td>/);
    assert.match(plainText(section(match, 'timeline')), /Конец 2-го сета 6:0 \(2:0\) Конец 1-го сета 7:6 \(1:0\)/);
  });

  it('a substitution without the second player has no arrow, and names what it is if nobody is known', async () => {
    const common = { minute: 60, period: '2H', kind: 'subst', side: 'home' } as const;
    const id = await harness.apply('rugby', {
      sport: 'rugby',
      tournament: { name: 'Oval Cup', country: 'INT' },
      home: { name: 'Stags', country: 'IE' },
      away: { name: 'Ravens', country: 'GB-WLS' },
      scheduled_start: '2025-05-20T18:00:00Z',
      status: 'live',
      status_detail: 'in_play',
      minute: 61,
      score: { home: 0, away: 0 },
      incidents: [
        { ...common, id: 'a', payload: { player_in: 'Ned Prop', player_out: 'Old Prop' } },
        { ...common, id: 'b', player: { name: 'New Lock' }, payload: {} },
        { ...common, id: 'c', payload: { player_out: 'Tired Wing' } },
        { ...common, id: 'd', payload: {} },
      ],
    });
    const timeline = plainText(section(await get(`/match/${id}`), 'timeline'));
    const lines = ['Substitution', 'Substitution ← Tired Wing', 'New Lock', 'Ned Prop ← Old Prop'];
    assert.equal(timeline.replace(/^.*?Timeline /, ''), lines.map((line) => `60′ ${line}`).join(' '));
    assert.match(
      plainText(section(await get(`/match/${id}?lang=ru`), 'timeline')),
      /60′ Замена 60′ Замена ← Tired Wing/,
    );
  });

  it('goals of a hockey player are counted by period, and a scorer of handball has the number of goals', async () => {
    const goal = (minute: number, name: string) =>
      ({ minute, kind: 'goal', side: 'home', player: { id: name, name }, payload: { goal_type: 'regular' } }) as const;
    const common = {
      home: { id: 'ours', name: 'Ours', country: 'SE' },
      away: { name: 'Theirs', country: 'FI' },
      scheduled_start: '2025-05-20T18:00:00Z',
      status: 'finished',
      status_detail: 'ended',
    } as const;
    const hockey = await harness.apply('periods', {
      ...common,
      sport: 'ice-hockey',
      tournament: { name: 'Puck Cup', country: 'INT' },
      score: { home: 4, away: 0 },
      incidents: [goal(0, 'Sven Stick'), goal(20, 'Sven Stick'), goal(41, 'Sven Stick'), goal(63, 'Sven Stick')],
    });
    const { rows } = await harness.pool.query("SELECT id FROM participant WHERE name = 'Sven Stick'");
    const minutes = await get(`/player/${rows[0]!.id}`);
    assert.match(minutes, /aria-label="Goals by minute: 1–20 2, 21–40 0, 41–60 1, 61\+ 1"/);
    assert.match(plainText(section(await get(`/match/${hockey}`), 'head')), /Sven Stick 0′, 20′, 41′, 63′/);
    const handball = await harness.apply('many goals', {
      ...common,
      sport: 'handball',
      tournament: { name: 'Hall Cup', country: 'INT' },
      home: { id: 'hands', name: 'Hands', country: 'SE' },
      score: { home: 3, away: 0 },
      incidents: [goal(1, 'Lo One'), goal(2, 'Hi Two'), goal(3, 'Hi Two')],
    });
    assert.match(plainText(section(await get(`/match/${handball}`), 'head')), /Hi Two 2 Lo One 1/);
  });

  it('a baseball match without innings still shows runs, hits and errors', async () => {
    const figure = (stat_name: string, home: number, away: number) => ({
      ...{ period: 'ALL', group_name: null, stat_name, home_value: home, away_value: away },
      ...{ home_text: String(home), away_text: String(away) },
    });
    const id = await harness.apply('box', {
      sport: 'baseball',
      tournament: { name: 'Diamond Cup', country: 'INT' },
      home: { name: 'Herons', country: 'US' },
      away: { name: 'Foxes', country: 'US' },
      scheduled_start: '2025-05-21T18:00:00Z',
      status: 'finished',
      status_detail: 'ended',
      score: { home: 3, away: 2 },
      statistics: [figure('Hits', 7, 5), figure('Errors', 0, 1)],
    });
    assert.match(
      plainText(section(await get(`/match/${id}`), 'head')),
      /Runs by inning R H E Herons 3 7 0 Foxes 2 5 1/,
    );
  });

  it('a league and a sport without matches say so in words, and show no empty tables', async () => {
    await harness.pool.query(
      `INSERT INTO tournament (sport, name, key, country) VALUES ('tennis', 'Empty Open', 'empty open', 'INT')`,
    );
    const { rows } = await harness.pool.query("SELECT id FROM tournament WHERE name = 'Empty Open'");
    const page = await get(`/tournament/${rows[0]!.id}`);
    assert.match(page, /The catalogue has no matches of this competition yet: Empty Open\./);
    assert.doesNotMatch(page, /id="(?:table|leaders|fixtures|profile|coverage|bracket)"/);
    const russian = await get(`/tournament/${rows[0]!.id}?lang=ru`);
    assert.match(russian, /Матчей этого турнира в каталоге пока нет: Empty Open\./);
    const leagues = await get('/leagues?sport=darts');
    assert.match(leagues, /The catalogue has no matches of this sport yet: Darts\./);
    assert.doesNotMatch(leagues.slice(leagues.indexOf('<nav class="tabs"')), /sport=(?:darts|cricket|esports)"/);
    assert.match(await get('/leagues?sport=darts&lang=ru'), /Матчей этого вида спорта в каталоге пока нет: Дартс\./);
    assert.match(await get('/?sport=cricket'), /The catalogue has no matches of this sport yet: Cricket\./);
  });
});
