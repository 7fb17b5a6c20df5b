import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { seasonOn, tournamentNamed } from '../../src/identity/canonical-tournaments.ts';
import { identifyParticipant } from '../../src/identity/entity-keys.ts';
import { fivethirtyeight } from '../../src/importers/fivethirtyeight/fivethirtyeight.ts';
import { nfl } from '../../src/importers/nfl/nfl.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER = 'date,season,neutral,playoff,team1,team2,elo1,elo2,elo_prob1,score1,score2,result1';
const file = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
/** A row in FiveThirtyEight's format. */
const game = (
  date: string,
  season: number | string,
  sides: string,
  score: string,
  { neutral = 0, playoff = 0 } = {},
) => {
  const [team1, team2] = sides.split('-');
  const [score1, score2] = score.split(':');
  return [date, season, neutral, playoff, team1, team2, 1500, 1500, 0.59, score1, score2, ''].join(',');
};
const read = (...rows: string[]) => readAll(nfl, filesOf({ 'nfl_games.csv': file(...rows) }));
const playoff = { playoff: 1 };

const DATA = join(import.meta.dirname, '../../../shared/datasets/fivethirtyeight');

describe('importer nfl', () => {
  after(removeFiles);

  it('reads results, ties and future games, each in that year’s season', async () => {
    const { matches, faults } = await read(
      game('2020-09-27', 2020, 'PHI-CIN', '23:23'),
      game('2021-01-03', 2020, 'CLE-PIT', '24:22'),
      game('2021-09-09', 2021, 'TB-DAL', ':'),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      matches.map(({ season, home, score, status }) => [season.label, home.id, score, status]),
      [
        ['2020', 'PHI', { home: 23, away: 23 }, 'finished'],
        ['2020', 'CLE', { home: 24, away: 22 }, 'finished'],
        ['2021', 'TB', undefined, undefined],
      ],
    );
    assert.deepEqual(
      matches.map(({ win_probability, odds }) => [win_probability, odds]),
      [
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
      'the probabilities of the file are not published',
    );
    const league = tournamentNamed('NFL', { sport: 'american-football', country: 'US', gender: 'men' } as never);
    for (const day of ['2020-09-10', '2020-12-31', '2021-02-07']) assert.equal(seasonOn(league, day), '2020');
  });

  it('names postseason rounds by that year’s format, even before the postseason has ended', async () => {
    const rounds = async (...rows: string[]) =>
      (await read(...rows)).matches.map(({ home, round_name }) => `${home.id} ${round_name}`);
    const wildCards = ['KC-MIA', 'BUF-PIT', 'DET-LAR', 'TB-PHI', 'HOU-CLE', 'DAL-GB'];
    const started = wildCards.map((sides) => game('2024-01-14', 2023, sides, '20:10', playoff));
    const next = game('2024-01-20', 2023, 'BAL-HOU', ':', playoff);
    assert.deepEqual(await rounds(...started, next), [
      ...wildCards.map((sides) => `${sides.split('-')[0]} Wild Card round`),
      'BAL Divisional round',
    ]);
    assert.deepEqual(await rounds(game('2024-02-11', 2023, 'SF-KC', '22:25', { playoff: 1, neutral: 1 })), [
      'SF Super Bowl',
    ]);
    // The American Conference is the home side in every second Super Bowl, whatever the order in the file.
    const turned = await read(game('2010-02-07', 2009, 'NO-IND', '31:17', { playoff: 1, neutral: 1 }));
    assert.deepEqual(
      turned.matches.map(({ home, score }) => [home.name, score]),
      [['Indianapolis Colts', { home: 17, away: 31 }]],
    );
    // Two leagues' champions met in the first Super Bowl, which the NFL counts among its own.
    const first = await read(
      game('1967-01-01', 1966, 'BUF-KC', '7:31', playoff),
      game('1967-01-01', 1966, 'DAL-GB', '27:34', playoff),
      game('1967-01-15', 1966, 'KC-GB', '10:35', { playoff: 1, neutral: 1 }),
    );
    assert.deepEqual(
      first.matches.map(({ tournament, round_name }) => `${tournament.name}: ${round_name}`),
      ['American Football League: Championship game', 'NFL: NFL Championship', 'NFL: Super Bowl'],
    );
    // In this season, one game decided a division before the championship.
    assert.deepEqual(
      await rounds(
        game('1957-12-29', 1957, 'DET-CLE', '59:14', playoff),
        game('1957-12-22', 1957, 'SF-DET', '27:31', playoff),
      ),
      ['SF Divisional play-off', 'DET Championship game'],
    );
  });

  it('treats a franchise as one team under all its names, and refuses a name that two clubs had', async () => {
    const { matches } = await read(
      game('1976-09-12', 1976, 'OAK-PIT', '31:28'),
      game('1983-09-04', 1983, 'OAK-CIN', '20:10'),
      game('1947-08-31', 1947, 'BBA-NAA', '28:24'),
      game('1960-09-18', 1960, 'BUF-NYJ', '3:27'),
    );
    const key = (side: { name: string; country?: string | undefined }) =>
      identifyParticipant({ type: 'team', sport: 'american-football', ...side }).key;
    const [aafc, , , ...raiders] = [...matches].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ home }) => home);
    assert.deepEqual(
      raiders.map(({ id }) => id),
      ['OAK'],
    );
    assert.equal(aafc!.name, 'Buffalo Bills (AAFC)');
    const named = (name: string) => key({ name, country: 'US' });
    assert.equal(named('Oakland Raiders'), named('Las Vegas Raiders'));
    assert.equal(named('Houston Oilers'), named('Tennessee Titans'));
    assert.equal(named('Baltimore Colts'), named('Indianapolis Colts'));
    assert.notEqual(named('Baltimore Ravens'), named('Cleveland Browns'));
    assert.notEqual(named('Buffalo Bills'), named('Buffalo Bills (AAFC)'));
  });

  it('reports each bad row with the reason, and reads the rest', async () => {
    const { matches, faults } = await read(
      game('2020-13-45', 2020, 'KC-HOU', '34:20'),
      game('2020-09-10', 2020, 'KC-XYZ', '34:20'),
      game('2020-09-10', 2020, 'KC-constructor', '34:20'),
      game('2020-09-10', '2020/21', 'KC-HOU', '34:20'),
      game('2021-04-10', 2020, 'KC-HOU', '34:20'),
      game('2020-09-10', 2020, 'KC-HOU', '34:'),
      game('2020-09-10', 2020, 'KC-HOU', '-3:20'),
      game('2020-09-10', 2020, 'KC-KC', '34:20'),
      game('1964-09-10', 1964, 'KC-GB', '34:20'),
      game('2020-09-10', 2020, 'KC-HOU', '34:20').replace(',0,0,', ',0,w,'),
      game('2020-09-13', 2020, 'NE-MIA', '21:11'),
    );
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        '"2020-13-45" is not a date',
        'the team "XYZ" is not known',
        'the team "constructor" is not known',
        '"2020/21" is not a season: the year in which it begins',
        'the day 2021-04-10 is not in the season 2020',
        '"34:" is not a score',
        '"-3:20" is not a score',
        'KC cannot play itself',
        'KC and GB were not in the same league in 1964',
        'the columns neutral and playoff must be 0 or 1',
      ],
    );
    assert.deepEqual(
      matches.map(({ id }) => id),
      ['NFL/2020/NE/MIA'],
    );
  });

  it('treats a game in two files as one game, and reports a contradiction', async () => {
    const folder = filesOf({
      'nfl_games.csv': file(
        game('2020-09-10', 2020, 'KC-HOU', '34:20'),
        game('2020-09-13', 2020, 'NE-MIA', '21:11'),
        game('2020-09-14', 2020, 'DEN-TEN', ':'),
      ),
      'nfl_games_2020.csv.gz': file(
        game('2020-09-14', 2020, 'DEN-TEN', '14:16'),
        game('2020-09-10', 2020, 'KC-HOU', '34:20'),
        game('2020-09-13', 2020, 'NE-MIA', '21:14'),
        game('2020-09-10', 2020, 'HOU-KC', '20:34'),
      ),
    });
    const { matches, faults } = await readAll(nfl, folder);
    assert.deepEqual(new Set(matches.map(({ id }) => id)).size, 3);
    assert.deepEqual(
      faults.map(({ detail }) => detail.replaceAll(folder, '')),
      ['contradicts the score 21:11 of /nfl_games.csv:3', 'has the sides of /nfl_games.csv:2 the other way round'],
    );
  });

  it('reports a postseason with more games than the format allows, or a team twice in a round', async () => {
    const { matches, faults } = await read(
      game('1973-12-22', 1972, 'PIT-OAK', '13:7', playoff),
      game('1972-12-23', 1972, 'SF-DAL', '28:30', playoff),
      game('1972-12-24', 1972, 'SF-MIN', '28:30', playoff),
      game('1920-12-24', 1920, 'CHI-GB', '28:30', playoff),
    );
    assert.deepEqual(
      matches.map(({ round_name }) => round_name),
      ['Divisional round'],
    );
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'the day 1973-12-22 is not in the season 1972',
        'the postseason of 1920 has no place for CHI - GB: a game is missing, or listed twice',
        'the postseason of 1972 has no place for SF - MIN: a game is missing, or listed twice',
      ],
    );
  });

  it('refuses a file from another sport, and that sport’s importer refuses an NFL file', async () => {
    const football = filesOf({
      'nfl_games.csv': 'date,league_id,league,team1,team2,score1,score2\n2018-08-11,2411,x,Fulham,Arsenal,0,2\n',
    });
    const { faults } = await readAll(nfl, football);
    assert.deepEqual(
      faults.map(({ detail, endsFile }) => [detail, endsFile]),
      [['not the expected columns: season, neutral, playoff missing', true]],
    );
    const american = filesOf({ 'spi_matches.csv': file(game('2020-09-10', 2020, 'KC-HOU', '34:20')) });
    assert.match((await readAll(fivethirtyeight, american)).faults[0]!.detail, /league_id missing/);
    await assert.rejects(readAll(nfl, american), /expected nfl_games\.csv/);
  });

  it('reads from the whole file as many games in each round as that year’s format has', async function () {
    this.timeout(30_000);
    if (!existsSync(DATA)) {
      console.error(`      SKIPPED: there is no open data in ${DATA}`);
      this.skip();
    }
    const { matches } = await readAll(nfl, DATA);
    const counts: Record<string, number> = {};
    for (const { tournament, round_name, season } of matches) {
      if (!round_name || tournament.name !== 'NFL' || season.label < '1990') continue;
      counts[round_name] = (counts[round_name] ?? 0) + 1;
    }
    assert.deepEqual(counts, {
      'Wild Card round': 4 * 30 + 6,
      'Divisional round': 4 * 31,
      'Conference Championship': 2 * 31,
      'Super Bowl': 31,
    });
    const winners = matches
      .filter(({ round_name, season }) => round_name === 'Super Bowl' && Number(season.label) >= 2017)
      .map(({ home, away, score }) => (score!.home > score!.away ? home : away).name);
    assert.deepEqual(winners, [
      'Philadelphia Eagles',
      'New England Patriots',
      'Kansas City Chiefs',
      'Tampa Bay Buccaneers',
    ]);
  });
});
