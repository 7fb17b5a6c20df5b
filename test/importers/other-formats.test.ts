import { strict as assert } from 'node:assert';
import { fivethirtyeight } from '../../src/importers/fivethirtyeight/fivethirtyeight.ts';
import { formerNames } from '../../src/importers/names/former-names.ts';
import { BUILT_IN_NAMES, names } from '../../src/importers/names/names.ts';
import { schochastics } from '../../src/importers/schochastics/schochastics.ts';
import { tournaments } from '../../src/importers/tournaments/tournaments.ts';
import { venues } from '../../src/importers/venues/venues.ts';
import { playerName } from '../../src/importers/wyscout/tables.ts';
import { wyscout } from '../../src/importers/wyscout/wyscout.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const csv = (...rows: (string | number)[][]) => `${rows.map((row) => row.join(',')).join('\n')}\n`;

describe('importer schochastics', () => {
  after(removeFiles);
  const incident = (team: string, minute: string, incident_type: string, more: object) => ({
    team,
    minute,
    incident_type,
    ...more,
  });
  const match = (home: string, away: string, GH: number, GA: number, date: string, incidents: object[] = []) => ({
    home,
    away,
    GH,
    GA,
    date,
    incident: { incidents },
  });
  const read = (name: string, matches: unknown) =>
    readAll(schochastics, filesOf({ [`${name}.json`]: JSON.stringify(matches) }));

  it('counts an awarded penalty as scored only if the row has a score, and an own goal for the side that benefits', async () => {
    const { matches, faults } = await read('england_premier-league-2024-2025', [
      match('afc-bournemouth', 'leicester-city', 2, 1, '2025-05-25', [
        incident('home', "12'", 'Penalty Awarded', { player_name: 'Semenyo A.' }),
        incident('home', "45+2'", 'Penalty Awarded', { player_name: 'Kluivert J.', home_score: '1', away_score: '0' }),
        incident('away', "60'", 'Own goal', { player_name: 'Senesi M.', home_score: '1', away_score: '1' }),
        incident('home', "88'", 'Goal', {
          player_name: 'Ouattara D.',
          assist_player_name: 'Cook L.',
          home_score: '2',
          away_score: '1',
        }),
        incident('away', "38'", 'Yellow Card', { player_name: 'Coady C.', card_reason: 'Holding' }),
        incident('home', "63'", 'Substitution', { player_out: 'Brooks D.', player_in: 'Jebbison D.' }),
        incident('home', "70'", 'Goal Disallowed', { player_name: 'Ouattara D.', card_reason: 'offside' }),
      ]),
      match('afc-bournemouth', 'arsenal', 2, 1, '2024-10-19', [
        incident('home', "5'", 'Goal', { player_name: 'X', home_score: '1', away_score: '0' }),
      ]),
    ]);
    assert.deepEqual(faults, []);
    const [arsenal, leicester] = matches;
    assert.equal(arsenal?.incidents, undefined);
    assert.deepEqual(
      leicester?.incidents?.map(({ kind, side, minute, minute_plus, payload }) => [
        kind,
        side,
        minute,
        minute_plus,
        payload.goal_type ?? payload.card_type ?? payload.outcome ?? payload.player_in ?? payload.decision,
      ]),
      [
        ['penalty', 'home', 12, null, 'missed'],
        ['goal', 'home', 45, 2, 'penalty'],
        ['goal', 'away', 60, null, 'own_goal'],
        ['goal', 'home', 88, null, 'regular'],
        ['card', 'away', 38, null, 'yellow'],
        ['subst', 'home', 63, null, 'Jebbison D.'],
        ['var', 'home', 70, null, 'goal_disallowed'],
      ],
    );
    assert.equal(leicester?.home.name, 'AFC Bournemouth');
    assert.equal(leicester?.season.label, '2024/25');
  });

  it('distinguishes the relegation play-off from the league', async () => {
    const clubs = ['a', 'b', 'c', 'd', 'e', 'f'];
    const season = clubs.flatMap((home) =>
      clubs.filter((away) => away !== home).map((away) => match(`club-${home}`, `club-${away}`, 1, 0, '2023-03-01')),
    );
    const { matches } = await read('deutschland_bundesliga-2022-2023', [
      match('hamburg', 'club-a', 1, 3, '2023-06-05'),
      match('club-a', 'club-b', 1, 1, '2023-06-08'),
      ...season,
    ]);
    const playOffs = matches.filter(({ tournament }) => tournament.name === 'Bundesliga Relegation Play-off');
    assert.deepEqual(
      playOffs.map(({ id }) => id.split('/').slice(1).join('/')),
      ['hamburg/club-a/play-off', 'club-a/club-b/play-off'],
    );
    assert.equal(matches.length - playOffs.length, season.length);
  });

  it('reads formations with line-ups, for matches found by their pairing', async () => {
    const { matches, faults } = await readAll(
      schochastics,
      filesOf({
        'lineups_1718_premier_league.csv':
          'gameid,type,team,name,number\n1,home,Arsenal,Petr Cech,33\n1,away,Leicester City,Wes Morgan,5\n2,home,Arsenal,Petr Cech,33\n',
        'formations_1718_premier_league.csv': 'gameid,team,formation,players\n1,Arsenal,3-4-2-1,33\n',
      }),
    );
    assert.deepEqual(
      matches[0]?.lineups?.map(({ side, formation, shirt_number }) => [side, formation, shirt_number]),
      [
        ['home', '3-4-2-1', '33'],
        ['away', null, '5'],
      ],
    );
    assert.equal(matches[0]?.scheduled_start, undefined);
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.slice(-2), detail]),
      [[':4', 'game 2: a side has no line-up']],
    );
  });

  it('reports unreadable records', async () => {
    const { matches, faults } = await readAll(
      schochastics,
      filesOf({
        'england_premier-league-2022-2023.json': '[{"home":"arsenal"}, 7]',
        'moon_league-2022-2023.json': '[{}]',
        'italien_serie-a-2022-2023.json': '[{"home":',
      }),
    );
    assert.equal(matches.length, 0);
    assert.deepEqual(
      faults.map(({ detail }) => detail.slice(0, 20)),
      ['home, away, date or ', 'home, away, date or ', 'cannot be read: Unex', 'the league moon_leag'],
    );
  });
});

describe('importer wyscout', () => {
  after(removeFiles);
  const files = {
    'matches.csv': csv(
      'match_id competition gameweek start_utc venue duration home_id away_id home_score away_score home_ht away_ht home_et away_et home_pen away_pen'.split(
        ' ',
      ),
      [1, 'England', 7, '2017-09-30 16:30:00', 'Stamford Bridge', 'Regular', 10, 20, 1, 1, 1, 0, 0, 0, 0, 0],
      [
        2,
        'World_Cup',
        0,
        '2018-07-01 18:00:00',
        'Stadion Nizhny Novgorod',
        'Penalties',
        30,
        40,
        1,
        1,
        1,
        1,
        1,
        1,
        3,
        2,
      ],
      [3, 'England', 8, '2017-10-14 14:00:00', '', 'Regular', 10, 20, 2, 0, 1, 0, 0, 0, 0, 0],
      [4, 'England', 8, 'yesterday', '', 'Regular', 10, 20, 2, 0, 1, 0, 0, 0, 0, 0],
      [5, 'Moon', 8, '2017-10-14 14:00:00', '', 'Regular', 10, 20, 2, 0, 1, 0, 0, 0, 0, 0],
    ),
    'teams.csv': csv(
      ['team_id', 'name', 'country3', 'type'],
      [10, 'Chelsea', 'XEN', 'club'],
      [20, 'Swansea City', 'XWA', 'club'],
      [30, 'Croatia', 'HRV', 'national'],
      [40, 'Denmark', 'DNK', 'national'],
    ),
    'players.csv': csv(
      'player_id short_name first_name last_name birth_date position passport_country'.split(' '),
      [1, 'E. Hazard', 'Eden', 'Hazard', '1991-01-07', 'MD', 'BEL'],
      [2, 'Bartra', 'Marc', 'Bartra Aregall', '1991-01-15', 'DF', 'ESP'],
      [3, 'L. Modri\\u0107', 'Luka', 'Modri\\u0107', '1985-09-09', 'MD', 'HRV'],
    ),
    'lineups.csv': csv(
      'match_id team_id side player_id is_substitute'.split(' '),
      [1, 10, 'home', 1, 0],
      [1, 20, 'away', 2, 1],
      [1, 20, 'away', 99, 0],
    ),
    'substitutions.csv': csv('match_id team_id side minute player_in player_out'.split(' '), [1, 20, 'away', 94, 2, 3]),
    'incidents.csv': csv(
      'match_id period second kind side team_id player_id detail body_part'.split(' '),
      [1, '1H', 59.9, 'goal', 'home', 10, 1, 'penalty', 'left'],
      [1, '2H', 2_850, 'own_goal', 'home', 10, 1, '', ''],
      [1, '2H', 60, 'yellow', 'away', 20, 2, 'Foul', ''],
      [2, '1H', 60, 'goal', 'home', 30, 3, 'open', 'left'],
      [2, '1H', 240, 'goal', 'away', 40, 3, 'open', 'left'],
      [3, '1H', 60, 'goal', 'home', 10, 1, 'open', 'left'],
    ),
    'shots.csv': csv(
      'match_id period second side team_id player_id x y kind body_part is_goal on_target blocked counter_attack'.split(
        ' ',
      ),
      [1, '1H', 59.9, 'home', 10, 1, 89, 50, 'penalty', 'left', 1, 1, 0, 0],
      [1, '2H', 10, 'away', 20, 2, 90, 130, 'open', 'head', 0, 0, 1, 0],
      [2, 'P', 10, 'home', 30, 3, 89, 50, 'penalty', 'right', 1, 1, 0, 0],
      [2, 'P', 20, 'away', 40, 3, 89, 50, 'penalty', 'right', 0, 1, 0, 0],
    ),
    'team_stats.csv': csv(
      'match_id period side team_id shots corners'.split(' '),
      [1, '1H', 'home', 10, 4, 2],
      [1, '1H', 'away', 20, 1, 0],
      [1, '2H', 'home', 10, 3, 1],
      [1, '2H', 'away', 20, 2, 5],
    ),
    'player_stats.csv': csv('match_id side team_id player_id touches passes assists avg_x avg_y'.split(' '), [
      1,
      'home',
      10,
      1,
      80,
      41,
      1,
      62.1,
      53,
    ]),
  };

  it('reads line-ups, incidents, shots without expected goals, statistics, players and positions', async () => {
    const { matches, faults } = await readAll(wyscout, filesOf(files));
    assert.deepEqual(
      faults.map(({ detail }) => detail.replace(/match \d: /u, '')),
      ['"yesterday" is not a time', 'the competition "Moon" is not known; add it to tournaments.yaml'],
    );
    const [league, cup, disagreeing] = matches;
    assert.deepEqual(league?.score, { home: 1, away: 1 });
    assert.equal(league?.scheduled_start, `${league?.start_time?.replace(' ', 'T')}Z`);
    assert.deepEqual(
      league?.incidents?.map(({ minute, minute_plus, period, kind, side, payload }) => [
        minute,
        minute_plus,
        period,
        kind,
        side,
        payload.goal_type ?? payload.card_type ?? payload.player_out,
      ]),
      [
        [1, null, '1H', 'goal', 'home', 'penalty'],
        [47, null, '2H', 'card', 'away', 'yellow'],
        [90, 3, '2H', 'goal', 'away', 'own_goal'],
        [90, 4, '2H', 'subst', 'away', 'Luka Modrić'],
      ],
    );
    assert.deepEqual(
      league?.lineups?.map(({ player, is_substitute }) => [player.name, player.birth_date, is_substitute]),
      [
        ['Eden Hazard', '1991-01-07', false],
        ['Marc Bartra', '1991-01-15', true],
      ],
    );
    assert.deepEqual(
      league?.shotmap?.map(({ xg, shotType, situation, bodyPart, x, y }) => [xg, shotType, situation, bodyPart, x, y]),
      [
        [null, 'goal', 'penalty', 'left_foot', 89, 50],
        [null, 'block', 'regular', 'head', 90, 100],
      ],
    );
    const statistic = (period: string) =>
      league?.statistics?.find((one) => one.period === period && one.stat_name === 'Total shots');
    assert.deepEqual(
      [statistic('ALL')?.home_value, statistic('ALL')?.away_value, statistic('2H')?.away_value],
      [7, 3, 2],
    );
    assert.equal(league?.player_stats?.[0]?.stats.touches, 80);
    assert.deepEqual(league?.average_positions?.home, [{ player_name: 'Eden Hazard', x: 62.1, y: 53 }]);
    assert.equal(league?.round_num, 7);
    assert.equal(league?.scheduled_start, '2017-09-30T16:30:00Z');

    assert.equal(cup?.status_detail, 'after_penalties');
    assert.deepEqual(cup?.period_scores?.at(-1), { period: 'PEN', home: 3, away: 2 });
    assert.deepEqual(
      cup?.incidents
        ?.filter(({ kind }) => kind === 'penalty_shootout')
        .map(({ payload }) => [payload.order, payload.scored]),
      [
        [1, true],
        [2, false],
      ],
    );
    assert.deepEqual(cup?.venue, { name: 'Stadion Nizhny Novgorod', country: 'RU' });
    assert.equal(disagreeing?.incidents, undefined);
  });

  it('expands short names to the form that the other sources use', () => {
    const name = (short_name: string, first_name: string, last_name: string) =>
      playerName({ short_name, first_name, last_name });
    assert.equal(name('T. Alderweireld', 'Toby', 'Alderweireld'), 'Toby Alderweireld');
    assert.equal(name('G. van der Wiel', 'Gregory', 'van der Wiel'), 'Gregory van der Wiel');
    assert.equal(name('Bartra', 'Marc', 'Bartra Aregall'), 'Marc Bartra');
    assert.equal(name('Casemiro', 'Carlos Henrique', 'Casimiro'), 'Casemiro');
    assert.equal(name('Al. Miranchuk', 'Aleksey', 'Miranchuk'), 'Al. Miranchuk');
  });

  it('requires the three main tables', async () => {
    const { 'teams.csv': _, ...others } = files;
    await assert.rejects(readAll(wyscout, filesOf(others)), /teams\.csv or players\.csv is missing/);
  });
});

describe('importer fivethirtyeight', () => {
  after(removeFiles);
  const header =
    'date,league_id,league,team1,team2,prob1,prob2,probtie,importance1,importance2,score1,score2,xg1,xg2,nsxg1,nsxg2\n';
  const read = (rows: string) => readAll(fivethirtyeight, filesOf({ 'spi_matches.csv': header + rows }));

  it('reads results, expected goals under a separate name, importance and forecast', async () => {
    const { matches, faults } = await read(
      '2018-08-11,2411,Barclays Premier League,Fulham,Crystal Palace,0.4,0.3,0.3,20,100,0,2,1.02,1.37,0.7,1.1\n2019-12-26,2411,Barclays Premier League,Arsenal,Chelsea,0.4,0.3,0.3,,,,,,,,\n',
    );
    assert.deepEqual(faults, []);
    const [played, toPlay] = matches;
    assert.equal(played?.importance, 98);
    assert.deepEqual(played?.win_probability, { homeWin: 40, draw: 30, awayWin: 30 });
    assert.deepEqual(played?.statistics?.[0], {
      period: 'ALL',
      group_name: 'FiveThirtyEight',
      stat_name: 'Expected goals (FiveThirtyEight)',
      home_value: 1.02,
      away_value: 1.37,
      home_text: '1.02',
      away_text: '1.37',
    });
    assert.deepEqual(
      [toPlay?.status, toPlay?.score, toPlay?.importance, toPlay?.statistics],
      [undefined, undefined, undefined, undefined],
    );
  });

  it('recognizes play-offs by a second meeting or by the day', async () => {
    const { matches } = await read(
      [
        '2018-03-01,2412,English League Championship,Fulham,Derby County,,,,,,1,0,,,,',
        '2018-05-14,2412,English League Championship,Fulham,Derby County,,,,,,2,0,,,,',
        '2017-08-01,1952,Mexico,Atlas,León,,,,,,1,0,,,,',
        '2017-12-01,1952,Mexico,León,Atlas,,,,,,1,0,,,,',
        '2018-11-01,1951,MLS,DC United,Columbus Crew,,,,,,1,0,,,,',
        '2018-03-03,1951,MLS,Toronto FC,Columbus Crew,,,,,,1,0,,,,',
      ].join('\n'),
    );
    assert.deepEqual(
      matches.map(({ tournament, season }) => `${tournament.name} ${season.label}`),
      [
        'Championship 2017/18',
        'Championship Play-offs 2017/18',
        'Liga MX Apertura 2017/18',
        'Liga MX Apertura Liguilla 2017/18',
        'MLS Cup Play-offs 2018',
        'Major League Soccer 2018',
      ],
    );
  });

  it('reports an invalid score, and reads a match without a score as a fixture', async () => {
    const { matches, faults } = await read(
      '2018-03-01,2411,x,A,B,,,,,,1,x,,,,\n2018-03-02,2411,x,B,C,,,,,,,2,,,,\n2018-03-03,2411,x,C,D,,,,,,,,,,,\n2018-03-04,2411,x,D,E,,,,,,NA,NA,,,,\n2018-03-05,2411,x,E,F,,,,,,-1,0,,,,\n',
    );
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      ['"1:x" is not a score', '":2" is not a score', '"-1:0" is not a score'],
    );
    assert.deepEqual(
      matches.map(({ status }) => status),
      [undefined, undefined],
    );
  });

  it('reports each row for an unknown league', async () => {
    const { matches, faults } = await read(
      '2018-03-01,9999,Moon,A,B,,,,,,1,0,,,,\n2018-03-02,9999,Moon,B,A,,,,,,1,0,,,,\n2018-02-30,2411,x,A,B,,,,,,1,0,,,,\n',
    );
    assert.equal(matches.length, 0);
    assert.deepEqual(
      faults.map(({ detail }) => detail.slice(0, 22)),
      ['the league 9999 (Moon)', 'the league 9999 (Moon)', '"2018-02-30" is not a '],
    );
  });
});

describe('importers venues, names and tournaments', () => {
  after(removeFiles);

  it('read stadiums with coordinates, and a club’s stadium', async () => {
    const { updates, faults } = await readAll(
      venues,
      filesOf({
        'stadiums.csv':
          'Team,FDCOUK,City,Stadium,Capacity,Latitude,Longitude,Country\nArsenal ,Arsenal,London ,Emirates Stadium ,60361,51.555,-0.108611,England\nX,,Y,,1,2,3,England\nX,,Y,Z,1,2,3,Moon\n',
      }),
    );
    assert.equal(faults.length, 2);
    const [venue, club] = updates;
    assert.deepEqual(venue?.kind === 'venue' && venue.venue, {
      name: 'Emirates Stadium',
      country: 'GB-ENG',
      city: 'London',
      capacity: 60_361,
      latitude: 51.555,
      longitude: -0.108611,
      sport: 'football',
    });
    assert.deepEqual(club?.kind === 'participant' && [club.participant.name, club.participant.extra], [
      'Arsenal',
      { stadium: 'Emirates Stadium', stadium_capacity: 60_361, city: 'London' },
    ]);
  });

  it('read names, and report an error in a row', async () => {
    const { updates, faults } = await readAll(
      names,
      filesOf({
        'names.csv':
          'entity,sport,country,name,locale,text\nparticipant,football,RU,Spartak Moscow,ru,Спартак\nparticipant,,GB-ENG,Manchester United,en,Man Utd\ntournament,football,GB-ENG,Premier League,ru,АПЛ\nmatch,football,RU,x,ru,y\nparticipant,football,RU,x,xx,y\nparticipant,football,RU,,ru,y\ntournament,football,,x,ru,y\n',
      }),
    );
    assert.deepEqual(
      updates.map((update) =>
        update.kind === 'participant'
          ? (update.participant.name_ru ?? update.participant.aliases?.[0]?.name)
          : update.kind === 'tournament' && update.tournament.name_ru,
      ),
      ['Спартак', 'Man Utd', 'АПЛ'],
    );
    assert.equal(faults.length, 4);
  });

  it('ship Russian names that belong to known teams and tournaments', async () => {
    const { updates, faults } = await readAll(names, BUILT_IN_NAMES);
    assert.deepEqual(faults, []);
    assert.ok(updates.length > 1_600);
  });

  const HEADER = 'sport,gender,country,team,name,name_ru,valid_from,valid_to\n';
  const readFormer = (rows: string) => readAll(formerNames, filesOf({ 'former.csv': HEADER + rows }));

  it('read each team’s whole list of former names, wherever its lines are', async () => {
    const { updates, faults } = await readFormer(
      'football,men,RU,Russia,Soviet Union,СССР,1922-12-30,1991-12-25\n,,DE,Hertha BSC,Hertha 92,,,1923-08-06\nfootball,women,RU,Russia,CIS,,1992-01-01,\nfootball,men,SU,Soviet Union,CIS,СНГ,1991-12-26,1992-06-30\n',
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      updates.map((update) => update.kind === 'participant' && update.participant),
      [
        {
          type: 'team',
          sport: 'football',
          gender: 'men',
          name: 'Russia',
          country: 'RU',
          former_names: [
            { name: 'Soviet Union', name_ru: 'СССР', from: '1922-12-30', to: '1991-12-25' },
            { name: 'CIS', name_ru: 'СНГ', from: '1991-12-26', to: '1992-06-30' },
          ],
        },
        {
          type: 'team',
          sport: 'football',
          gender: 'men',
          name: 'Hertha BSC',
          country: 'DE',
          former_names: [{ name: 'Hertha 92', name_ru: null, from: null, to: '1923-08-06' }],
        },
        {
          type: 'team',
          sport: 'football',
          gender: 'women',
          name: 'Russia',
          country: 'RU',
          former_names: [{ name: 'CIS', name_ru: null, from: '1992-01-01', to: null }],
        },
      ],
    );
  });

  it('report each wrong former-name line with its number, and skip all lines for that team', async () => {
    const { updates, faults } = await readFormer(
      [
        ',,GB-ENG,Overlap,First,,1900-01-01,1950-06-30',
        ',,GB-ENG,Overlap,Second,,1950-06-30,1960-01-01',
        ',,GB-ENG,Overlap,Inside,,1910-01-01,1911-01-01',
        ',,GB-ENG,Twice,Old,,1900-01-01,1950-06-30',
        ',,GB-ENG,Twice,Old,,1900-01-01,1950-06-30',
        ',,GB-ENG,Backwards,Old,,1950-01-02,1950-01-01',
        ',,GB-ENG,No such day,Old,,1950-02-30,',
        ',,GB-ENG,Not a day,Old,,yesterday,1950-01-01',
        ',,GB-ENG,Always,Old,,,',
        ',,GB-ENG,Too early,Old,,1066-10-14,1100-01-01',
        ',,GB-ENG,,Old,,,1950-01-01',
        ',,GB-ENG,Nameless,,,,1950-01-01',
        ',,GB-ENG,Half wrong,Right,,,1950-01-01',
        ',,GB-ENG,Half wrong,Wrong,,1960-01-01,1955-01-01',
        ',,GB-ENG,Next day,Old,,,1950-01-01',
        ',,GB-ENG,Next day,Less old,,1950-01-02,1960-01-01',
      ].join('\n'),
    );
    assert.deepEqual(
      updates.map((update) => update.kind === 'participant' && update.participant.name),
      ['Next day'],
    );
    const reported = faults.map(({ position, detail }) => {
      const line = /former\.csv:(\d+)$/.exec(position)![1]!;
      return `${line} ${detail.replaceAll(/\S*former\.csv/g, 'former.csv')}`;
    });
    assert.deepEqual(
      reported.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
      [
        '2 not applied: another line of Overlap is wrong',
        '3 1950-06-30 to 1960-01-01 overlaps the period of First in former.csv:2',
        '4 1910-01-01 to 1911-01-01 overlaps the period of First in former.csv:2',
        '5 not applied: another line of Twice is wrong',
        '6 1900-01-01 to 1950-06-30 repeats the period of Old in former.csv:5',
        '7 valid_to "1950-01-01": ends before it starts on 1950-01-02',
        '8 valid_from "1950-02-30": Invalid ISO date',
        '9 valid_from "yesterday": Invalid ISO date',
        '10 valid_from "": needs a first or a last day',
        '11 valid_from "1066-10-14": must be from 1800 to 2200',
        '12 the team or its former name is missing',
        '13 the team or its former name is missing',
        '14 not applied: another line of Half wrong is wrong',
        '15 valid_to "1955-01-01": ends before it starts on 1960-01-01',
      ],
    );
  });

  it('read all tournaments with rules, deducted points and zones', async () => {
    const { updates, faults } = await readAll(tournaments, '.');
    assert.deepEqual(faults, []);
    const premierLeague = updates.find(
      (update) =>
        update.kind === 'tournament' &&
        update.tournament.name === 'Premier League' &&
        update.tournament.country === 'GB-ENG',
    );
    assert.ok(premierLeague?.kind === 'tournament');
    const { tournament } = premierLeague;
    assert.deepEqual([tournament.importance, tournament.tier, tournament.single_home_fixture], [95, 1, true]);
    const season = tournament.seasons?.find(({ label }) => label === '2023/24');
    assert.deepEqual(
      season?.points_adjustments?.map(({ participant, points, decided_on }) => [participant.name, points, decided_on]),
      [
        ['Everton', -10, '2023-11-17'],
        ['Everton', 4, '2024-02-26'],
        ['Everton', -2, '2024-04-08'],
        ['Nottingham Forest', -4, '2024-03-18'],
      ],
    );
  });
});
