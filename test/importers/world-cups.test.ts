import { strict as assert } from 'node:assert';
import { fjelstul } from '../../src/importers/fjelstul/fjelstul.ts';
import { internationalResults } from '../../src/importers/international-results/international-results.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const csv = (...rows: (string | number)[][]) => `${rows.map((row) => row.join(',')).join('\n')}\n`;

/** An invented final between two sides, in the Fjelstul World Cup Database's tables. */
const FJELSTUL = {
  'matches.csv': csv(
    'match_id tournament_id tournament_name stage_name group_name match_date match_time stadium_id stadium_name city_name country_name home_team_name away_team_name home_team_score away_team_score extra_time penalty_shootout home_team_score_penalties away_team_score_penalties'.split(
      ' ',
    ),
    [
      'M-1',
      'WC-1954',
      "1954 FIFA Men's World Cup",
      'group stage',
      'Group c',
      '1954-06-17',
      '18:00',
      'S-1',
      'Wankdorf Stadium',
      'Bern',
      'Switzerland',
      'West Germany',
      'Turkey',
      4,
      1,
      0,
      0,
      0,
      0,
    ],
    [
      'M-2',
      'WC-1954',
      "1954 FIFA Men's World Cup",
      'group stage',
      'Group c',
      '1954-06-23',
      '18:00',
      'S-1',
      'Wankdorf Stadium',
      'Bern',
      'Switzerland',
      'West Germany',
      'Turkey',
      7,
      2,
      0,
      0,
      0,
      0,
    ],
    [
      'M-3',
      'WC-2014',
      "2014 FIFA Men's World Cup",
      'round of 16',
      'not applicable',
      '2014-06-28',
      '13:00',
      'S-2',
      'Arena da Amazônia',
      'Manaus',
      'Brazil',
      'Brazil',
      'Chile',
      2,
      2,
      1,
      1,
      3,
      2,
    ],
    [
      'M-4',
      'WC-1999',
      "1999 FIFA Women's World Cup",
      'final',
      'not applicable',
      '1999-07-10',
      '12:50',
      'S-3',
      'Rose Bowl',
      'Pasadena',
      'United States',
      'United States',
      'China',
      0,
      0,
      1,
      1,
      5,
      4,
    ],
    [
      'M-5',
      'WC-2014',
      "2014 FIFA Men's World Cup",
      'final',
      'not applicable',
      '2014-07-13',
      '16:00',
      'S-2',
      'Maracanã',
      'Rio de Janeiro',
      'Brazil',
      'Germany',
      'Argentina',
      '',
      '',
      1,
      0,
      0,
      0,
    ],
  ),
  'players.csv': csv(
    ['player_id', 'family_name', 'given_name', 'birth_date'],
    ['P-1', 'Neymar', 'not applicable', '1992-02-05'],
    ['P-2', 'Sánchez', 'Alexis', '1988-12-19'],
    ['P-3', 'Silva', 'Thiago', 'not available'],
  ),
  'stadiums.csv': csv(['stadium_id', 'stadium_capacity'], ['S-2', 40_549]),
  'goals.csv': csv(
    'goal_id match_id team_id team_name home_team away_team player_id family_name given_name player_team_name minute_regulation minute_stoppage match_period own_goal penalty'.split(
      ' ',
    ),
    [
      'G-2',
      'M-3',
      'T-9',
      'Brazil',
      1,
      0,
      'P-1',
      'Neymar',
      'not applicable',
      'Brazil',
      45,
      2,
      '"first half, stoppage time"',
      0,
      1,
    ],
    ['G-1', 'M-3', 'T-13', 'Chile', 0, 1, 'P-3', 'Silva', 'Thiago', 'Brazil', 11, 0, 'first half', 1, 0],
    ['G-3', 'M-3', 'T-13', 'Chile', 0, 1, 'P-2', 'Sánchez', 'Alexis', 'Chile', 80, 0, 'second half', 0, 0],
    [
      'G-4',
      'M-3',
      'T-9',
      'Brazil',
      1,
      0,
      'P-1',
      'Neymar',
      'not applicable',
      'Brazil',
      119,
      0,
      '"extra time, second half"',
      0,
      0,
    ],
  ),
  'bookings.csv': csv(
    'booking_id match_id team_name home_team away_team player_id family_name given_name minute_regulation minute_stoppage match_period yellow_card red_card second_yellow_card'.split(
      ' ',
    ),
    ['B-1', 'M-3', 'Brazil', 1, 0, 'P-3', 'Silva', 'Thiago', 60, 0, 'second half', 1, 0, 0],
    ['B-2', 'M-3', 'Brazil', 1, 0, 'P-3', 'Silva', 'Thiago', 61, 0, 'second half', 1, 0, 1],
    ['B-3', 'M-3', 'Chile', 0, 1, 'P-2', 'Sánchez', 'Alexis', 90, 3, '"second half, stoppage time"', 0, 1, 0],
  ),
  'substitutions.csv': csv(
    'substitution_id match_id team_id team_name home_team away_team player_id family_name given_name minute_regulation minute_stoppage match_period going_off coming_on'.split(
      ' ',
    ),
    ['S-1', 'M-3', 'T-9', 'Brazil', 1, 0, 'P-3', 'Silva', 'Thiago', 64, 0, 'second half', 1, 0],
    ['S-2', 'M-3', 'T-9', 'Brazil', 1, 0, 'P-1', 'Neymar', 'not applicable', 64, 0, 'second half', 0, 1],
  ),
  'penalty_kicks.csv': csv(
    'penalty_kick_id match_id team_name home_team away_team player_id family_name given_name converted'.split(' '),
    ['PK-1', 'M-3', 'Brazil', 1, 0, 'P-1', 'Neymar', 'not applicable', 1],
    ['PK-2', 'M-3', 'Brazil', 1, 0, 'P-3', 'Silva', 'Thiago', 0],
    ['PK-3', 'M-3', 'Chile', 0, 1, 'P-2', 'Sánchez', 'Alexis', 1],
  ),
  'player_appearances.csv': csv(
    'match_id team_name home_team away_team player_id family_name given_name shirt_number position_code starter substitute'.split(
      ' ',
    ),
    ['M-3', 'Brazil', 1, 0, 'P-3', 'Silva', 'Thiago', 3, 'CB', 1, 0],
    ['M-3', 'Brazil', 1, 0, 'P-1', 'Neymar', 'not applicable', 10, 'FW', 0, 1],
    ['M-3', 'Chile', 0, 1, 'P-2', 'Sánchez', 'Alexis', 0, 'RF', 1, 0],
  ),
  'manager_appearances.csv': csv(
    ['match_id', 'home_team', 'away_team', 'family_name', 'given_name'],
    ['M-3', 1, 0, 'Scolari', 'Luiz Felipe'],
  ),
  'referee_appearances.csv': csv(['match_id', 'family_name', 'given_name'], ['M-3', 'Webb', 'Howard']),
};

describe('importer fjelstul', () => {
  after(removeFiles);

  it('reads complete cards with line-ups, goals, cards, substitutions, shoot-out, coaches, referee and stadium', async () => {
    const { matches, faults } = await readAll(fjelstul, filesOf(FJELSTUL));
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      ['M-5: there is no score'],
    );
    const match = matches.find(({ id }) => id === 'M-3')!;
    // At 13:00 in Manaus it is 17:00 in UTC.
    assert.equal(match.scheduled_start, '2014-06-28T17:00:00Z');
    assert.deepEqual(match.score, { home: 2, away: 2 });
    assert.equal(match.status_detail, 'after_penalties');
    assert.deepEqual(
      match.period_scores?.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['1H 1:1', '2H 0:1', 'ET 1:0', 'PEN 3:2'],
    );
    assert.deepEqual(match.venue, {
      id: 'S-2',
      name: 'Arena da Amazônia',
      city: 'Manaus',
      country: 'BR',
      capacity: 40_549,
    });
    assert.equal(match.referee, 'Howard Webb');
    assert.deepEqual(match.coaches, [{ side: 'home', coach_name: 'Luiz Felipe Scolari', coach_name_ru: null }]);
    assert.equal(match.round_name, 'Round of 16');
    assert.equal(match.attendance, undefined);
    const reported = match.incidents?.map(({ minute, minute_plus, period, kind, side, player, payload }) => [
      minute,
      minute_plus,
      period,
      kind,
      side,
      player?.name,
      payload.goal_type ?? payload.card_type ?? payload.player_out ?? payload.scored,
    ]);
    assert.deepEqual(reported, [
      [11, null, '1H', 'goal', 'away', 'Thiago Silva', 'own_goal'],
      [45, 2, '1H', 'goal', 'home', 'Neymar', 'penalty'],
      [60, null, '2H', 'card', 'home', 'Thiago Silva', 'yellow'],
      [61, null, '2H', 'card', 'home', 'Thiago Silva', 'second_yellow'],
      [64, null, '2H', 'subst', 'home', 'Neymar', 'Thiago Silva'],
      [80, null, '2H', 'goal', 'away', 'Alexis Sánchez', 'regular'],
      [90, 3, '2H', 'card', 'away', 'Alexis Sánchez', 'red'],
      [119, null, 'ET', 'goal', 'home', 'Neymar', 'regular'],
      [null, null, 'PEN', 'penalty_shootout', 'home', 'Neymar', true],
      [null, null, 'PEN', 'penalty_shootout', 'away', 'Alexis Sánchez', true],
      [null, null, 'PEN', 'penalty_shootout', 'home', 'Thiago Silva', false],
    ]);
    assert.deepEqual(match.incidents?.[7]?.payload.score, { home: 2, away: 2 });
    assert.deepEqual(match.incidents?.[1]?.player, {
      id: 'P-1',
      name: 'Neymar',
      birth_date: '1992-02-05',
      country: 'BR',
    });
    assert.equal(match.incidents?.[0]?.player?.birth_date, undefined);
    assert.equal(match.incidents?.[0]?.player?.country, 'BR');
    assert.deepEqual(
      match.lineups?.map(({ side, player, position, shirt_number, is_substitute }) => [
        side,
        player.name,
        position,
        shirt_number,
        is_substitute,
      ]),
      [
        ['home', 'Thiago Silva', 'CB', '3', false],
        ['home', 'Neymar', 'FW', '10', true],
        ['away', 'Alexis Sánchez', 'RF', null, false],
      ],
    );
    assert.equal(match.lineup_confirmed, true);
  });

  it('takes a second meeting in a group as the play-off for the position, and makes women’s cups separate tournaments', async () => {
    const { matches } = await readAll(fjelstul, filesOf(FJELSTUL));
    const [first, second, , women] = matches;
    assert.deepEqual([first?.group_name, first?.round_name], ['Group C', 'Group stage']);
    assert.deepEqual([second?.group_name, second?.round_name], [null, 'Group play-off']);
    assert.equal(first?.home.name, 'West Germany');
    assert.equal(first?.home.country, 'DE');
    assert.deepEqual([women?.tournament.name, women?.tournament.gender], ["FIFA Women's World Cup", 'women']);
    // The tables have no goals, so the halves are missing, but the shoot-out is known.
    assert.deepEqual(women?.period_scores?.at(-1), { period: 'PEN', home: 5, away: 4 });
    assert.equal(women?.scheduled_start, '1999-07-10T19:50:00Z');
  });

  it('reports missing tables, and refuses a folder in another format', async () => {
    const { 'goals.csv': _, ...others } = FJELSTUL;
    const { matches, faults } = await readAll(fjelstul, filesOf(others));
    assert.equal(matches.length, 4);
    assert.ok(faults.some(({ detail }) => /no goals\.csv/.test(detail)));
    assert.equal(matches.find(({ id }) => id === 'M-3')?.incidents, undefined);
    await assert.rejects(readAll(fjelstul, filesOf({ 'goals.csv': 'a,b\n' })), /there is no matches\.csv/);
  });
});

describe('importer international-results', () => {
  after(removeFiles);
  const header = 'date,home_team,away_team,home_score,away_score,tournament,city,country,neutral\n';

  it('reads whether a side plays at home, if the file says so', async () => {
    const { matches, faults } = await readAll(
      internationalResults,
      filesOf({
        'results.csv':
          'date,home_team,away_team,home_score,away_score,tournament,city,country,neutral\n2024-03-21,Spain,Colombia,0,1,Friendly,London,England,TRUE\n2024-03-26,Spain,Brazil,3,3,Friendly,Madrid,Spain,FALSE\n2024-06-05,Spain,Andorra,5,0,Friendly,Badajoz,Spain,\n',
      }),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      matches.map(({ neutral }) => neutral),
      [true, false, undefined],
    );
  });

  it('reads results with scorers, extra time and shoot-outs', async () => {
    const { matches, faults } = await readAll(
      internationalResults,
      filesOf({
        'results.csv': `${header}1968-06-08,Italy,Soviet Union,0,0,UEFA Euro,Naples,Italy,FALSE
2016-06-25,Croatia,Portugal,0,1,UEFA Euro,Lens,France,TRUE
2021-07-11,Italy,England,1,1,UEFA Euro,London,England,TRUE
2026-09-09,Brazil,Tibet,NA,NA,Friendly,Rio,Brazil,FALSE
2019-06-01,Catalonia,Venezuela,2,1,Copa Catalonia,Girona,Spain,FALSE
1974-02-17,Tahiti,New Caledonia,2,1,Friendly,Papeete,Tahiti,FALSE
1974-02-17,Tahiti,New Caledonia,2,1,Friendly,Papeete,Tahiti,FALSE
2020-13-01,Brazil,Chile,1,1,Friendly,Rio,Brazil,FALSE
2020-12-01,Brazil,Chile,x,1,Friendly,Rio,Brazil,FALSE
`,
        'goalscorers.csv': `date,home_team,away_team,team,scorer,minute,own_goal,penalty
2016-06-25,Croatia,Portugal,Portugal,Ricardo Quaresma,117,FALSE,FALSE
2021-07-11,Italy,England,England,Luke Shaw,2,FALSE,FALSE
2019-06-01,Catalonia,Venezuela,Venezuela,Somebody,9,TRUE,FALSE
`,
        'shootouts.csv': 'date,home_team,away_team,winner,first_shooter\n2021-07-11,Italy,England,Italy,\n',
      }),
    );
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.slice(-2), detail]),
      [
        [':9', '"2020-13-01" is not a date'],
        ['10', '"x:1" is not a score'],
      ],
    );
    const [soviet, quaresma, final, friendly, catalonia, first, second] = matches;
    assert.equal(soviet?.away.country, 'RU');
    assert.deepEqual([quaresma?.status_detail, quaresma?.incidents?.length], ['after_extra_time', 1]);
    assert.deepEqual(
      [final?.status_detail, final?.season.label, final?.shootout_winner],
      ['after_penalties', '2020', 'home'],
    );
    assert.equal(soviet?.shootout_winner, undefined);
    // Only one of two goals is known, which would contradict the score, so incidents are left out.
    assert.equal(final?.incidents, undefined);
    assert.deepEqual(
      [friendly?.status, friendly?.away.country, friendly?.tournament.name],
      [undefined, 'INT', 'International Friendlies'],
    );
    assert.deepEqual([catalonia?.tournament.name, catalonia?.tournament.country], ['Copa Catalonia', 'INT']);
    assert.notEqual(first?.id, second?.id);
    assert.equal(soviet?.time_tbd, true);
  });

  it('reports scorers and shoot-outs for matches that are not in the results, with line numbers', async () => {
    const { matches, faults } = await readAll(
      internationalResults,
      filesOf({
        'results.csv': `${header}2016-06-25,Croatia,Portugal,0,1,UEFA Euro,Lens,France,TRUE\n`,
        'goalscorers.csv': `date,home_team,away_team,team,scorer,minute,own_goal,penalty
2016-06-25,Croatia,Portugal,Portugal,Ricardo Quaresma,117,FALSE,FALSE
2016-06-26,Croatia,Portugal,Portugal,Nobody,3,FALSE,FALSE
2016-06-26,Croatia,Portugal,Portugal,Nobody,4,FALSE,FALSE
`,
        'shootouts.csv': 'date,home_team,away_team,winner,first_shooter\n2021-07-11,Italy,England,Italy,\n',
      }),
    );
    assert.equal(matches[0]!.incidents!.length, 1);
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.slice(position.lastIndexOf('/') + 1), detail.slice(0, 35)]),
      [
        ['goalscorers.csv:3', 'belongs to no match of results.csv:'],
        ['goalscorers.csv:4', 'belongs to no match of results.csv:'],
        ['shootouts.csv:2', 'belongs to no match of results.csv:'],
      ],
    );
  });

  it('reports a shoot-out without a winner, and reads the match', async () => {
    const { matches, faults } = await readAll(
      internationalResults,
      filesOf({
        'results.csv': `${header}2021-07-11,Italy,England,1,1,UEFA Euro,London,England,TRUE\n`,
        'shootouts.csv': 'date,home_team,away_team,winner\n2021-07-11,Italy,England,Spain\n',
      }),
    );
    assert.deepEqual([matches[0]!.status_detail, matches[0]!.shootout_winner], ['after_penalties', undefined]);
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      ['"Spain" won the shoot-out, and is neither side'],
    );
  });

  it('reads results even if the rest of the files are missing', async () => {
    const { matches } = await readAll(
      internationalResults,
      filesOf({ 'results.csv': `${header}2016-06-25,Croatia,Portugal,0,1,UEFA Euro,Lens,France,TRUE\n` }),
    );
    assert.equal(matches.length, 1);
    await assert.rejects(readAll(internationalResults, filesOf({ 'x.csv': 'a\n' })), /expected results\.csv/);
  });
});
