import { strict as assert } from 'node:assert';
import { identifyParticipant } from '../../src/identity/entity-keys.ts';
import { aflTables } from '../../src/importers/afl-tables/afl-tables.ts';
import { COLUMNS } from '../../src/importers/afl-tables/game.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const QUARTERS = '0,3 4,11 5,13 13,16';
const OTHERS = '4,5 7,11 15,18 19,18';
/**
 * A row in the source's format.
 * @param sides two names with `-` between them
 * @param home goals and behinds from the start to each break, such as `0,3 4,11 5,13 13,16`
 */
const game = (
  round: number | string,
  date: string,
  sides: string,
  home = QUARTERS,
  away = OTHERS,
  venue = 'M.C.G.',
) => {
  const [first, second] = sides.split('-');
  const figures = (side: string) => side.replaceAll(' ', ',');
  return [round, venue, date, date.slice(0, 4), first, figures(home), second, figures(away)].join(',');
};
const file = (...rows: string[]) => `${[COLUMNS.join(','), ...rows].join('\n')}\n`;
const read = (...rows: string[]) => readAll(aflTables, filesOf({ 'afl_matches_1980-2024.csv': file(...rows) }));
const DRAW = '1,1 2,2 3,3 10,9';

describe('importer afl-tables-csv', () => {
  after(removeFiles);

  it('reads what was scored in each quarter, from sums up to the breaks', async () => {
    const { matches, faults } = await read(game(1, '1980-03-29 14:10', 'Collingwood-Carlton'));
    assert.deepEqual(faults, []);
    const [match] = matches;
    assert.deepEqual(match!.score, { home: 94, away: 132 });
    assert.deepEqual(match!.period_scores, [
      { period: 'Q1', home: 3, away: 29 },
      { period: 'Q2', home: 32, away: 24 },
      { period: 'Q3', home: 8, away: 55 },
      { period: 'Q4', home: 51, away: 24 },
    ]);
    const figures = match!.statistics!.map(({ period, stat_name, home_value, away_value }) =>
      [period, stat_name, home_value, away_value].join(' '),
    );
    assert.deepEqual(figures, [
      'ALL Goals 13 19',
      'ALL Behinds 16 18',
      'Q1 Goals 0 4',
      'Q1 Behinds 3 5',
      'Q2 Goals 4 3',
      'Q2 Behinds 8 6',
      'Q3 Goals 1 8',
      'Q3 Behinds 2 7',
      'Q4 Goals 8 4',
      'Q4 Behinds 3 0',
    ]);
    assert.deepEqual(
      [match!.scheduled_start, match!.round_num, match!.round_name, match!.neutral, match!.status],
      ['1980-03-29T04:10:00Z', 1, 'Round 1', false, 'finished'],
    );
    assert.deepEqual(match!.venue, { name: 'Melbourne Cricket Ground', city: 'Melbourne', country: 'AU' });
  });

  it('reads numbers with a decimal point, and a scoreless quarter', async () => {
    const { matches } = await read(
      game(1, '1994-03-26 14:00', 'Collingwood-Fitzroy', '3.0,1.0 6.0,5.0 6.0,5.0 17.0,12.0', '0,0 0,0 0,1 0,1'),
    );
    assert.deepEqual(matches[0]!.score, { home: 114, away: 1 });
    assert.deepEqual(matches[0]!.period_scores![2], { period: 'Q3', home: 0, away: 1 });
  });

  it('takes kick-offs in the ground’s time zone, with and without summer time', async () => {
    const { matches } = await read(
      game(1, '2018-03-25 16:20', 'West Coast-Sydney', QUARTERS, OTHERS, 'Perth Stadium'),
      game(8, '2018-05-12 16:35', 'Adelaide-Melbourne', QUARTERS, OTHERS, 'Adelaide Oval'),
      game(9, '2018-05-19 13:15', 'Gold Coast-Port Adelaide', QUARTERS, OTHERS, 'Jiangwan Stadium'),
      game(2, '2018-04-01 14:10', 'Geelong-Hawthorn', QUARTERS, OTHERS, 'Somewhere Else'),
    );
    assert.deepEqual(
      matches.map(({ scheduled_start, venue }) => [scheduled_start, venue?.name]),
      [
        ['2018-03-25T08:20:00Z', 'Perth Stadium'],
        ['2018-04-01T04:10:00Z', 'Somewhere Else'],
        ['2018-05-12T07:05:00Z', 'Adelaide Oval'],
        ['2018-05-19T05:15:00Z', 'Jiangwan Stadium'],
      ],
    );
  });

  it('treats a renamed club as one club, and the Brisbane Bears, Fitzroy and the Brisbane Lions as three', async () => {
    const { matches } = await read(
      game(1, '1981-03-28 14:10', 'South Melbourne-Footscray'),
      game(1, '1999-03-27 14:10', 'Sydney-Western Bulldogs'),
      game(2, '1999-04-03 14:10', 'Kangaroos-Brisbane Lions'),
      game(2, '1996-04-03 14:10', 'Fitzroy-Brisbane Bears'),
      game(3, '2008-04-03 14:10', 'North Melbourne-Footscray'),
    );
    const keys = (id: string) => {
      const match = matches.find((one) => one.id === id)!;
      return [match.home, match.away].map(
        ({ name, country }) => identifyParticipant({ type: 'team', sport: 'aussie-rules', name, country }).key,
      );
    };
    assert.deepEqual(keys('1981/1/Sydney/Western Bulldogs'), keys('1999/1/Sydney/Western Bulldogs'));
    assert.deepEqual(keys('2008/3/North Melbourne/Western Bulldogs'), ['north melbourne', 'western bulldogs']);
    assert.deepEqual(keys('1999/2/North Melbourne/Brisbane Lions'), ['north melbourne', 'brisbane lions']);
    assert.deepEqual(keys('1996/2/Fitzroy/Brisbane Bears'), ['fitzroy', 'brisbane bears']);
    const named = (name: string) =>
      identifyParticipant({ type: 'team', sport: 'aussie-rules', name, country: 'AU' }).key;
    assert.deepEqual(['South Melbourne', 'Footscray', 'Kangaroos'].map(named), [
      'sydney',
      'western bulldogs',
      'north melbourne',
    ]);
  });

  it('names the finals, marks replays of drawn ones, and knows which were on neutral ground', async () => {
    const { matches } = await read(
      game('Semi Final', '1990-09-22 14:30', 'West Coast-Melbourne'),
      game('Grand Final', '2010-10-02 14:30', 'Collingwood-St Kilda'),
      game('Grand Final', '2010-09-25 14:30', 'Collingwood-St Kilda', DRAW, DRAW),
      game('Preliminary Final', '2010-09-17 19:50', 'Collingwood-Geelong'),
      game('Qualifying Final', '2010-09-03 19:50', 'Geelong-St Kilda'),
      game('Elimination Final', '2010-09-04 14:30', 'Fremantle-Hawthorn'),
    );
    assert.deepEqual(
      matches.map(({ round_name, round_num, neutral }) => [round_name, round_num, neutral]),
      [
        ['Semi-final', undefined, true],
        ['Qualifying final', undefined, false],
        ['Elimination final', undefined, false],
        ['Preliminary final', undefined, false],
        ['Grand Final', undefined, true],
        ['Grand Final replay', undefined, true],
      ],
    );
    assert.equal(new Set(matches.map(({ id }) => id)).size, 6);
  });

  it('makes groups of the finals of 1897 and 1924, and of the sectional rounds before 1901', async () => {
    const { matches, faults } = await read(
      game('Semi Final', '1924-09-13 15:00', 'Essendon-Fitzroy'),
      game('Semi Final', '1924-09-20 15:00', 'Fitzroy-Richmond'),
      game(14, '1898-08-13 15:00', 'Essendon-St Kilda'),
      game(15, '1898-08-20 15:00', 'Essendon-South Melbourne'),
      game(16, '1898-08-27 15:00', 'Essendon-St Kilda'),
      game(15, '1901-08-20 15:00', 'Essendon-St Kilda'),
    );
    assert.deepEqual(
      matches.map(({ round_name, round_num, group_name }) => [round_name, round_num, group_name]),
      [
        ['Round 14', 14, undefined],
        ['Sectional round 1', undefined, 'Section A'],
        ['Round 15', 15, undefined],
        ['Finals round 1', undefined, 'Finals'],
        ['Finals round 2', undefined, 'Finals'],
      ],
    );
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      ['Essendon and St Kilda are in no section of 1898'],
    );
  });

  it('counts the rounds of 2024 from the Opening Round, as the league does', async () => {
    const { matches } = await read(
      game(1, '2024-03-07 19:30', 'Sydney-Melbourne', QUARTERS, OTHERS, 'S.C.G.'),
      game(2, '2024-03-14 19:30', 'Carlton-Richmond'),
      game(1, '2023-03-16 19:20', 'Richmond-Carlton'),
    );
    assert.deepEqual(
      matches.map(({ round_num, round_name }) => [round_num, round_name]),
      [
        [1, 'Round 1'],
        [0, 'Opening Round'],
        [1, 'Round 1'],
      ],
    );
  });

  it('reports each bad row with its line and the reason, and reads the rest', async () => {
    const good = game(1, '1980-03-29 14:10', 'Collingwood-Carlton');
    const { matches, faults } = await read(
      good.replace('1980-03-29 14:10', '1980-13-29 14:10'),
      good.replace('1980-03-29 14:10', '1980-03-29 25:10'),
      good.replace(',1980,', ',1981,'),
      game('Last Final', '1980-03-29 14:10', 'Collingwood-Carlton'),
      game(0, '1980-03-29 14:10', 'Collingwood-Carlton'),
      game('Qualifying Final', '1995-09-10 14:30', '-', '', '').replace(',,,', `,${','.repeat(17)}`),
      game(1, '1980-03-29 14:10', 'Collingwood-constructor'),
      game(1, '1997-03-29 14:10', 'Collingwood-Fitzroy'),
      game(1, '1980-03-29 14:10', 'Carlton-Carlton'),
      game(1, '1980-03-29 14:10', 'Collingwood-Carlton', '0,3 4,11 3,13 13,16'),
      game(1, '1980-03-29 14:10', 'Collingwood-Carlton', '0,3 4,x 5,13 13,16'),
      good,
    );
    assert.deepEqual(
      matches.map(({ id }) => id),
      ['1980/1/Collingwood/Carlton'],
    );
    assert.deepEqual(
      faults.map(({ position, detail }) => `${position.replace(/^.*:/, '')} ${detail}`),
      [
        '2 "1980-13-29 14:10" is not a date',
        '3 "1980-03-29 25:10" is not a date',
        '4 the day 1980-03-29 is not in the season "1981"',
        '5 "Last Final" is not a round',
        '6 "0" is not a round',
        '7 the names of both sides are missing',
        '8 the club "constructor" is not known in 1980',
        '9 the club "Fitzroy" is not known in 1997',
        '10 Carlton cannot play itself',
        '11 the goals or the behinds of Collingwood are fewer at a break than at the one before',
        '12 the goals and behinds of Collingwood are not whole numbers',
      ],
    );
  });

  it('takes the sides of a final with extra time from the reviewed list, since the file leaves them out', async () => {
    const unnamed = (round: string, date: string) =>
      game(round, date, '-', '', '').replace(',,,', `,${','.repeat(17)}`);
    const { matches, faults } = await read(
      unnamed('Elimination Final', '2017-09-09 19:20'),
      unnamed('Qualifying Final', '1994-09-10 14:30'),
    );
    assert.deepEqual(faults, []);
    const [first, late] = matches.toSorted((a, b) => (a.season.label < b.season.label ? -1 : 1));
    assert.deepEqual(
      [late!.home.name, late!.away.name, late!.score, late!.status_detail],
      ['Port Adelaide', 'West Coast', { home: 76, away: 78 }, 'after_extra_time'],
    );
    assert.deepEqual(
      late!.period_scores!.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['Q1 6:26', 'Q2 29:20', 'Q3 9:1', 'Q4 16:13', 'OT 16:18'],
    );
    assert.deepEqual([first!.score, first!.period_scores], [{ home: 114, away: 91 }, []]);
  });

  it('treats a game in two files as one game, and reports contradictions', async () => {
    const first = game(1, '1980-03-29 14:10', 'Collingwood-Carlton');
    const folder = filesOf({
      'afl_matches_a.csv': file(first),
      'afl_matches_b.csv.gz': file(
        first,
        first.replace(',13,16,', ',13,17,'),
        game(1, '1980-03-29 14:10', 'Carlton-Collingwood', OTHERS, QUARTERS),
        first.replace(/^1,/, '2,'),
      ),
    });
    const { matches, faults } = await readAll(aflTables, folder);
    assert.deepEqual(
      matches.map(({ id }) => id),
      ['1980/1/Collingwood/Carlton', '1980/1/Collingwood/Carlton'],
    );
    assert.deepEqual(
      faults.map(({ position, detail }) => [position, detail].join(' ').replaceAll(`${folder}/`, '')),
      [
        'afl_matches_b.csv.gz:3 contradicts the score 94:132 of afl_matches_a.csv:2',
        'afl_matches_b.csv.gz:4 has the sides of afl_matches_a.csv:2 the other way round',
        'afl_matches_b.csv.gz:5 contradicts the round 1 of afl_matches_a.csv:2',
      ],
    );
  });

  it('refuses a file with other columns', async () => {
    const { faults } = await readAll(aflTables, filesOf({ 'afl_matches_x.csv': 'round_num,venue\n1,M.C.G.\n' }));
    assert.match(faults[0]!.detail, /^not the expected columns: date, year, team_1_team_name/);
    assert.equal(faults[0]!.endsFile, true);
  });
});
