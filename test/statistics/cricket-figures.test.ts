/** Tests figures of cricketers: rates, not-outs, best figures, matches without a result, limits of leaders, and real seasons. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EntityCache } from '../../src/identity/entities.ts';
import { cricsheet } from '../../src/importers/cricsheet/cricsheet.ts';
import { runImport } from '../../src/importers/run.ts';
import {
  addCricketSums,
  leastBalls,
  matchSums,
  rankCricketer,
  toCricketFigures,
} from '../../src/statistics/cricket-figures.ts';
import { addMatches, NO_APPEARANCE, playerFigures, teamFigures } from '../../src/statistics/figures.ts';
import { readLeaders } from '../../src/statistics/leaders.ts';
import { routes } from '../../src/statistics/routes.ts';
import { readPlayerSeasons, rebuildSeasonFigures } from '../../src/statistics/season-figures.ts';
import { listStatistics } from '../../src/statistics/statistics.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ARCHIVE = fileURLToPath(new URL('../../../shared/datasets/ipl-cricsheet', import.meta.url));

const batting = (runs: number, balls_faced: number, times_out: 0 | 1) => ({
  innings: 1,
  runs,
  balls_faced,
  times_out,
  highest: runs,
  highest_not_out: times_out === 0,
});
const bowling = (wickets: number, runs_conceded: number, balls_bowled = 24) => ({
  wickets,
  runs_conceded,
  balls_bowled,
  best_wickets: wickets,
  best_runs: runs_conceded,
});
const season = (...matches: Record<string, unknown>[]) => addCricketSums(matches.map(matchSums));

describe('figures of a cricketer', () => {
  it('count an innings that was not out in the runs of the average, but not in its divisor', () => {
    const figures = toCricketFigures(season(batting(50, 40, 0), batting(103, 50, 0), batting(7, 10, 1)));
    assert.deepEqual(
      [figures.batting_average, figures.strike_rate, figures.not_outs, figures.highest_score],
      [160, 160, 2, '103*'],
    );
    assert.deepEqual([figures.hundreds, figures.fifties], [1, 1]);
  });

  it('have no average without a dismissal or a wicket, and no rate without a ball', () => {
    const { batting_average, bowling_average, economy, strike_rate } = toCricketFigures(
      season(batting(30, 0, 0), bowling(0, 20)),
    );
    assert.deepEqual([batting_average, bowling_average, economy, strike_rate], [null, null, 5, null]);
    const none = toCricketFigures(season({ catches: 1 }));
    assert.deepEqual([none.highest_score, none.best_bowling, none.innings, none.catches], [null, null, 0, 1]);
  });

  it('have the most wickets for the fewest runs, and prefer a score that was not out', () => {
    const sums = season(bowling(3, 20), bowling(4, 40), bowling(4, 25), batting(80, 50, 1), batting(80, 60, 0));
    assert.deepEqual([toCricketFigures(sums).best_bowling, toCricketFigures(sums).highest_score], ['4/25', '80*']);
  });

  it('take the hundreds of a match with two innings from the source', () => {
    const test = { ...batting(105, 200, 1), runs: 205, innings: 2, hundreds: 2, fifties: 0 };
    assert.deepEqual([season(test).hundreds, season(test).fifties], [2, 0]);
  });

  it('have no cards, own goals or clean sheets, and neither has any sport without them', () => {
    const team = {
      ...addMatches([], []),
      has_lineups: true,
      has_scorers: true,
      is_detailed: true,
      yellow_cards: 0,
      red_cards: 0,
    };
    const keeper = { ...NO_APPEARANCE, is_goalkeeper: true };
    const shown = (sport: string) => {
      const known = { sport, assists: true, penalties: true };
      const names = ['yellow_cards', 'red_cards', 'own_goals', 'clean_sheets'] as const;
      return [playerFigures(keeper, team, known), teamFigures(team, known)].map((figures) =>
        names.map((name) => figures[name]),
      );
    };
    for (const sport of ['cricket', 'basketball', 'baseball', 'volleyball'])
      assert.deepEqual(shown(sport), [Array(4).fill(null), Array(4).fill(null)], sport);
    assert.deepEqual(shown('football'), [Array(4).fill(0), Array(4).fill(0)]);
    assert.deepEqual(shown('ice-hockey')[1], [null, null, null, 0]);
    assert.deepEqual(shown('rugby')[1], [0, 0, null, null]);
  });

  it('rank rates from 8 balls faced or 6 balls bowled for each match of the team, and the lowest economy first', () => {
    const opener = season(batting(60, 40, 1), batting(20, 24, 1));
    assert.equal(rankCricketer('strike_rate', opener, 8)!.value, 125);
    assert.equal(rankCricketer('strike_rate', opener, 9), null);
    assert.equal(rankCricketer('runs', opener, 9)!.value, 80);
    const [tight, loose] = [season(bowling(1, 20)), season(bowling(4, 40))];
    assert.ok(rankCricketer('economy', tight, 4)!.order > rankCricketer('economy', loose, 4)!.order);
    assert.equal(rankCricketer('economy', tight, 5), null);
    assert.equal(rankCricketer('bowling_average', season(bowling(0, 10)), 1), null);
    assert.equal(leastBalls('wickets'), null);
  });
});

describe('figures of cricketers over REST', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes);
    await fed.matches(
      played('first', '01', [batting(61, 40, 0), bowling(2, 30)]),
      played('second', '08', [batting(20, 10, 1), bowling(5, 12)]),
      { ...played('no result', '15', [batting(25, 7, 1), {}]), status_detail: 'abandoned' },
    );
  });
  after(() => fed.close());

  const [home, away] = [
    { name: 'North', country: 'GB-ENG' },
    { name: 'South', country: 'GB-ENG' },
  ];
  const [batter, bowler] = [
    { name: 'Nora North', birth_date: '1999-01-01' },
    { name: 'Sue South', birth_date: '1998-01-01' },
  ];
  const played = (
    id: string,
    day: string,
    [first = {}, second = {}]: Record<string, unknown>[],
  ): MatchUpdateInput['match'] => ({
    id,
    sport: 'cricket',
    tournament: { name: 'Counties', country: 'GB-ENG' },
    season: { label: '2024' },
    home,
    away,
    scheduled_start: `2024-05-${day}T12:00:00Z`,
    status: 'finished',
    score: { home: 150, away: 140 },
    lineups: [
      { side: 'home', player: batter, is_substitute: false },
      { side: 'away', player: bowler, is_substitute: false },
    ],
    incidents: [{ kind: 'over_end', side: 'home', period: 'I1', payload: { over: 1, runs: 8, wickets: 0 } }],
    player_stats: [
      { side: 'home', player: batter, stats: first },
      { side: 'away', player: bowler, stats: second },
    ],
  });
  const leaders = async (query: string) => {
    const { json } = await fed.app.ask(
      `/v1/tournament/${await fed.tournamentId('Counties')}/leaders?season=${await seasonId()}${query}`,
    );
    return json as unknown as {
      stat: string;
      leaders: { player_name: string; value: number; value_text?: string; matches: number }[];
    };
  };
  const seasonId = async () =>
    (await fed.db.pool.query<{ id: number }>("SELECT id FROM season WHERE season_label = '2024'")).rows[0]!.id;

  it('rank by runs unless another figure is asked for, and include a match without a result', async () => {
    const { stat, leaders: list } = await leaders('');
    assert.equal(stat, 'runs');
    assert.deepEqual(
      list.map(({ player_name, value, matches }) => [player_name, value, matches]),
      [['Nora North', 106, 3]],
    );
  });

  it('write best bowling and highest score as cricket does', async () => {
    const text = async (stat: string) =>
      (await leaders(`&stat=${stat}`)).leaders.map(({ value, value_text }) => [value, value_text]);
    assert.deepEqual(await text('best_bowling'), [[5, '5/12']]);
    assert.deepEqual(await text('highest_score'), [[61, '61*']]);
    assert.deepEqual(await text('wickets'), [[7, undefined]]);
  });

  it('are in the seasons of a player, with the career; not in those of a team or in other sports', async () => {
    const { json } = await fed.app.ask(`/v1/participant/${await fed.participantId('Nora North')}/statistics`);
    const { statistics, career } = json as unknown as {
      statistics: { cricket: { runs: number } }[];
      career: { runs: number; batting_average: number };
    };
    assert.deepEqual([statistics[0]!.cricket.runs, career.runs, career.batting_average], [106, 106, 53]);
    const team = (await fed.app.ask(`/v1/participant/${await fed.participantId('North')}/statistics`))
      .json as unknown as {
      statistics: { matches: number; wins: number }[];
    };
    assert.deepEqual(
      team.statistics.map((one) => ['cricket' in one, one.matches, one.wins]),
      [[false, 2, 2]],
    );
    assert.equal('career' in team, false);
  });

  it('are unknown, not 0, if a match has no figures of players', async () => {
    const { player_stats: _, ...scoreOnly } = played('bare', '22', []);
    await fed.matches(scoreOnly);
    const { json } = await fed.app.ask(`/v1/participant/${await fed.participantId('Nora North')}/statistics`);
    const { statistics, career } = json as unknown as { statistics: { cricket: null }[]; career: null };
    assert.deepEqual([statistics[0]!.cricket, career], [null, null]);
    assert.deepEqual((await leaders('')).leaders, []);
  });
});

describe('leaders of the Indian Premier League', function () {
  this.timeout(300_000);
  let database: TestDatabase;
  let tournament: number;
  before(async function () {
    if (!existsSync(ARCHIVE)) {
      console.warn(`      SKIPPED: ${ARCHIVE} is not there`);
      this.skip();
    }
    database = await createTestDatabase();
    const deps = {
      pool: database.pool,
      clock: { now: () => Date.parse('2026-11-01T00:00:00Z') },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
    const { rejected } = await runImport(deps, cricsheet, ARCHIVE, { progress: false });
    assert.equal(rejected, 0);
    const { rows } = await database.pool.query<{ id: number }>(
      "SELECT id FROM tournament WHERE name = 'Indian Premier League'",
    );
    tournament = rows[0]!.id;
  });
  after(() => database?.drop());

  async function best(label: string, stat: Parameters<typeof readLeaders>[2]): Promise<[string, number | string]> {
    const { pool } = database;
    const { rows } = await pool.query<{ id: number }>(
      'SELECT id FROM season WHERE tournament_id = $1 AND season_label = $2',
      [tournament, label],
    );
    const { leaders } = await readLeaders({ pool, reads: pool }, rows[0]!.id, stat, 1);
    return [leaders[0]!.player_name, leaders[0]!.value_text ?? leaders[0]!.value];
  }

  it('are the holders of the Orange Cap, with their runs', async () => {
    const caps: [string, string, number][] = [
      ['2012', 'CH Gayle', 733],
      ['2013', 'MEK Hussey', 733],
      ['2016', 'V Kohli', 973],
      ['2019', 'DA Warner', 692],
      ['2022', 'JC Buttler', 863],
      ['2023', 'Shubman Gill', 890],
    ];
    for (const [label, name, runs] of caps) assert.deepEqual(await best(label, 'runs'), [name, runs], label);
  });

  it('are the holders of the Purple Cap, with their wickets', async () => {
    const caps: [string, string, number][] = [
      ['2011', 'SL Malinga', 28],
      ['2013', 'DJ Bravo', 32],
      ['2020', 'K Rabada', 30],
      ['2021', 'HV Patel', 32],
      ['2022', 'YS Chahal', 27],
      ['2023', 'Mohammed Shami', 28],
    ];
    for (const [label, name, wickets] of caps) assert.deepEqual(await best(label, 'wickets'), [name, wickets], label);
  });

  it('have the records of the league', async () => {
    assert.deepEqual(await best('2013', 'highest_score'), ['CH Gayle', '175*']);
    assert.deepEqual(await best('2019', 'best_bowling'), ['AS Joseph', '6/12']);
    assert.deepEqual(await best('2016', 'hundreds'), ['V Kohli', 4]);
    assert.deepEqual(await best('2012', 'sixes'), ['CH Gayle', 59]);
    assert.deepEqual(await best('2019', 'strike_rate'), ['AD Russell', 204.82]);
  });

  it('add up to a career, and a rebuild gives the same rows', async () => {
    const { pool } = database;
    const { rows } = await pool.query<{ id: number }>("SELECT id FROM participant WHERE name = 'SR Tendulkar'");
    const before = await readPlayerSeasons(pool, rows[0]!.id);
    const { career } = await listStatistics(pool, rows[0]!.id, { access: null });
    assert.deepEqual(
      [
        career!.runs,
        career!.innings,
        career!.highest_score,
        career!.hundreds,
        career!.fifties,
        career!.batting_average,
      ],
      [2334, 78, '100*', 1, 13, 34.84],
    );
    await rebuildSeasonFigures(pool);
    assert.deepEqual(await readPlayerSeasons(pool, rows[0]!.id), before);
  });
});
