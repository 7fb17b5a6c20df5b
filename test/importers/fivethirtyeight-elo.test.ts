import { strict as assert } from 'node:assert';
import { fivethirtyeightElo } from '../../src/importers/fivethirtyeight-elo/fivethirtyeight-elo.ts';
import { publishedForecasts } from '../../src/importers/published-forecasts.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const FILES = {
  nhl: [
    'nhl_elo_latest.csv',
    'season,date,playoff,neutral,status,ot,home_team,away_team,home_team_abbr,away_team_abbr,home_team_score,away_team_score,home_team_pregame_rating,away_team_pregame_rating,home_team_winprob,away_team_winprob,overtime_prob,home_team_postgame_rating,away_team_postgame_rating',
  ],
  nba: [
    'nba_elo_latest.csv',
    'date,season,neutral,playoff,team1,team2,score1,score2,elo1_pre,elo2_pre,elo_prob1,elo1_post,elo2_post',
  ],
  wnba: [
    'wnba_elo.csv',
    'season,date,playoff,neutral,status,team1,team2,team1_abbr,team2_abbr,team1_score,team2_score,team1_pregame_rating,team2_pregame_rating,team1_winprob',
  ],
} as const;
const file = (league: keyof typeof FILES, ...rows: string[]) => {
  const [name, header] = FILES[league];
  return { [name]: `${[header, ...rows].join('\n')}\n` };
};
const read = (files: Record<string, string>) => readAll(fivethirtyeightElo, filesOf(files));
const fault = async (files: Record<string, string>) => {
  const { faults } = await read(files);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults[0]!.detail;
};

const nhl = (date: string, sides: string, score: string, { ot = '', playoff = 0, neutral = 0, season = 2023 } = {}) => {
  const [home, away] = sides.split(' - ');
  return `${season},${date},${playoff},${neutral},post,${ot},${home},${away},AAA,BBB,${score.replace(':', ',')},1500,1500,0.6,0.4,0.2,1501,1499`;
};
const nba = (date: string, sides: string, score: string, { stage = '', neutral = 0, season = 2023 } = {}) =>
  `${date},${season},${neutral},${stage},${sides.replace('-', ',')},${score.replace(':', ',')},1500,1500,0.6,1501,1499`;
const wnba = (date: string, sides: string, score: string, { playoff = 0, season = 2022 } = {}) => {
  const [home, away] = sides.split('-');
  return `${season},${date},${playoff},0,post,Home,Away,${home},${away},${score.replace(':', ',')},1500,1500,0.6`;
};

describe('importer fivethirtyeight-elo', () => {
  after(removeFiles);

  it('reads the three leagues of a folder, each in its season, with neutral grounds and shoot-outs', async () => {
    const { matches, updates, faults } = await read({
      ...file(
        'nhl',
        nhl('2022-10-07', 'Nashville Predators - San Jose Sharks', '4:1', { neutral: 1 }),
        nhl('2022-10-12', 'Seattle Kraken - Vegas Golden Knights', '2:3', { ot: 'SO' }),
        nhl('2023-04-20', 'Carolina Hurricanes - New York Islanders', '4:3', { ot: '2OT', playoff: 1 }),
      ),
      ...file('nba', nba('2020-08-01', 'LAC-NOP', '126:103', { neutral: 1, season: 2020 })),
      ...file('wnba', wnba('2022-05-06', 'NYL-CON', '81:79')),
    });
    assert.deepEqual(faults, []);
    const shown = matches.map(({ tournament, season, neutral, status_detail, score, round_name, home }) =>
      [
        tournament.name,
        season.label,
        neutral ?? false,
        status_detail,
        `${score!.home}:${score!.away}`,
        round_name,
        home.name,
      ].join(' '),
    );
    assert.deepEqual(shown.sort(), [
      'NBA 2019/20 true ended 126:103  Los Angeles Clippers',
      'NHL 2022/23 false after_extra_time 4:3 Round of 16, Game 1 Carolina Hurricanes',
      'NHL 2022/23 false after_penalties 2:2  Seattle Kraken',
      'NHL 2022/23 true ended 4:1  Nashville Predators',
      'WNBA 2022 false ended 81:79  New York Liberty',
    ]);
    assert.deepEqual([...new Set(updates.map(({ provider }) => provider))].sort(), [
      'fivethirtyeight-elo',
      'wnba-paine',
    ]);
    assert.ok(
      matches.every(({ win_probability, odds }) => win_probability === undefined && odds === undefined),
      'the probabilities of the files are not published',
    );
  });

  it('names the rounds of the NBA by letter, with two rounds of the play-in', async () => {
    const { matches } = await read(
      file(
        'nba',
        nba('2023-04-11', 'MIA-ATL', '105:116', { stage: 'p' }),
        nba('2023-04-12', 'TOR-CHI', '105:109', { stage: 'p' }),
        nba('2023-04-14', 'MIA-CHI', '102:91', { stage: 'p' }),
        nba('2023-04-16', 'MIL-MIA', '117:130', { stage: 'q' }),
        nba('2023-04-19', 'MIL-MIA', '138:122', { stage: 'q' }),
        nba('2023-06-01', 'DEN-MIA', '104:93', { stage: 'f' }),
      ),
    );
    assert.deepEqual(matches.map(({ round_name }) => round_name).sort(), [
      'Conference quarter-finals, Game 1',
      'Conference quarter-finals, Game 2',
      'Final, Game 1',
      'Play-in round 1',
      'Play-in round 1',
      'Play-in round 2',
    ]);
  });

  it('takes the final of the Commissioner’s Cup out of the season', async () => {
    const { matches } = await read(
      file('wnba', wnba('2022-07-26', 'CHI-LVA', '83:93'), wnba('2022-07-28', 'CHI-LVA', '80:70')),
    );
    assert.deepEqual(
      matches.map(({ tournament, round_name }) => `${tournament.name} ${round_name}`),
      ["WNBA Commissioner's Cup Final", 'WNBA undefined'],
    );
  });

  it('takes a game without a score as a fixture', async () => {
    const { matches } = await read(file('nba', nba('2023-04-09', 'BOS-ATL', ':')));
    assert.deepEqual([matches[0]!.status, matches[0]!.score], [undefined, undefined]);
  });

  it('rejects what cannot be', async () => {
    const sides = 'Boston Bruins - Buffalo Sabres';
    assert.equal(await fault(file('nhl', nhl('2022-02-30', sides, '2:1'))), '"2022-02-30" is not a date');
    assert.equal(
      await fault(file('nhl', nhl('2021-11-01', sides, '2:1'))),
      'the day 2021-11-01 is not in the season 2023',
    );
    assert.equal(
      await fault(file('nhl', nhl('2022-11-01', 'Hartford Whalers - Boston Bruins', '2:1'))),
      'the team "Hartford Whalers" is not known',
    );
    assert.equal(
      await fault(file('nhl', nhl('2022-11-01', sides, '2:2', { ot: 'SO' }))),
      '2:2 is a tie, which the league does not have',
    );
    assert.equal(
      await fault(file('nhl', nhl('2022-11-01', sides, '4:2', { ot: 'SO' }))),
      '4:2 cannot be the score after a shoot-out',
    );
    assert.equal(
      await fault(file('nhl', nhl('2022-11-01', sides, '3:2', { ot: 'XX' }))),
      '"XX" is neither an overtime nor a shoot-out',
    );
    assert.equal(await fault(file('nhl', nhl('2022-11-01', sides, '3:2', { playoff: 2 }))), '"2" is not a stage');
    assert.equal(await fault(file('nba', nba('2022-11-01', 'BOS-BOS', '100:90'))), 'Boston Celtics cannot play itself');
    assert.equal(await fault(file('nba', nba('2022-11-01', 'BOS-SEA', '100:90'))), 'the team "SEA" is not known');
    assert.equal(await fault(file('nba', nba('2022-11-01', 'BOS-ATL', '100:?'))), '"100:?" is not a score');
    assert.equal(
      await fault(file('nba', nba('2022-11-01', 'BOS-ATL', '100:90', { neutral: 3 }))),
      'the column neutral must be 0 or 1',
    );
    assert.match(
      await fault(file('nba', nba('2022-11-01', 'BOS-ATL', '100:90'), nba('2022-11-01', 'BOS-ATL', '101:90'))),
      /^contradicts the result in .*:2$/u,
    );
    assert.match(
      await fault(file('nba', nba('2022-11-01', 'BOS-ATL', '100:90'), nba('2022-11-01', 'CHI-BOS', '101:90'))),
      /^a side already plays in .*:2 on this day$/u,
    );
  });

  it('gives the forecasts for a comparison, by the ids of the matches', async () => {
    const files = {
      ...file('nba', nba('2022-11-01', 'BOS-ATL', '100:90')),
      ...file('wnba', wnba('2022-05-06', 'NYL-CON', '81:79')),
    };
    const found = await publishedForecasts(filesOf(files));
    assert.deepEqual(
      found.map(({ name, provider, expected }) => [name, provider, [...expected]]),
      [
        ['FiveThirtyEight', 'fivethirtyeight-elo', [['NBA/2022-11-01/BOS/ATL', 0.6]]],
        ['N. Paine', 'wnba-paine', [['WNBA/2022-05-06/NYL/CON', 0.6]]],
      ],
    );
    const { matches } = await read(files);
    assert.deepEqual(matches.map(({ id }) => id).sort(), ['NBA/2022-11-01/BOS/ATL', 'WNBA/2022-05-06/NYL/CON']);
    await assert.rejects(publishedForecasts(filesOf({ 'a.csv': 'a,b\n' })), /nfl_games\.csv.*nba_elo_latest\.csv/u);
    await assert.rejects(publishedForecasts(filesOf({ 'nba_elo.csv': 'a,b\n' })), /not the expected columns/u);
  });
});
