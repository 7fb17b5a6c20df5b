import { strict as assert } from 'node:assert';
import { footballTxt } from '../../src/importers/football-txt/football-txt.ts';
import { openfootballClubs } from '../../src/importers/openfootball/clubs.ts';
import { openfootballJson } from '../../src/importers/openfootball/openfootball-json.ts';
import { openfootballPlayers } from '../../src/importers/openfootball/players.ts';
import { readCoordinates } from '../../src/importers/openfootball/venues.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const league = (name: string, matches: unknown[]) => JSON.stringify({ name, matches });
const readJson = (files: Record<string, string>) => readAll(openfootballJson, filesOf(files));

describe('importer openfootball-json', () => {
  after(removeFiles);

  it('reads league matches with local time converted to UTC, halves, rounds and future fixtures', async () => {
    const { matches, faults } = await readJson({
      '2023-24/en.1.json': league('English Premier League 2023/24', [
        {
          round: 'Matchday 1',
          date: '2023-08-11',
          time: '20:00',
          team1: 'Burnley FC',
          team2: 'Manchester City FC',
          score: { ht: [0, 2], ft: [0, 3] },
        },
        { round: 'Matchday 38', date: '2024-05-19', team1: 'Arsenal FC', team2: 'Everton FC' },
        {
          round: 'Matchday 20',
          date: '2023-12-30',
          time: '15:00',
          team1: 'Luton Town FC',
          team2: 'Chelsea FC',
          score: {},
          status: 'postponed',
        },
        {
          round: 'Matchday 21',
          date: '2024-01-20',
          time: '15:00',
          team1: 'Chelsea FC',
          team2: 'Fulham FC',
          score: { ft: [3, 0] },
          status: 'awarded',
        },
      ]),
      '2024-25/sco.1.json': league('Scottish Premiership 2024/25', [
        {
          round: 'Championship, Matchday 34',
          date: '2025-04-26',
          time: '12:30',
          team1: 'Celtic FC',
          team2: 'Rangers FC',
          score: { ft: [2, 1] },
        },
      ]),
      '2024-25/at.1.json': league('Österr. Bundesliga 2024/25', [
        {
          round: 'Relegation, Matchday 23',
          date: '2025-03-15',
          team1: 'WSG Tirol',
          team2: 'SCR Altach',
          score: [1, 1],
        },
      ]),
    });
    assert.deepEqual(faults, []);
    const [burnley, arsenal, luton, chelsea, tirol, celtic] = matches;
    assert.equal(burnley?.scheduled_start, '2023-08-11T19:00:00Z');
    assert.equal(burnley?.round_num, 1);
    assert.equal(burnley?.status, 'finished');
    assert.equal(burnley?.home.country, 'GB-ENG');
    assert.deepEqual([arsenal?.status, arsenal?.score, arsenal?.time_tbd], [undefined, undefined, true]);
    assert.deepEqual([luton?.status, luton?.status_detail, luton?.score], ['scheduled', 'postponed', undefined]);
    assert.deepEqual([chelsea?.status_detail, chelsea?.score], ['awarded', { home: 3, away: 0 }]);
    assert.deepEqual([celtic?.round_num, celtic?.group_name], [34, null]);
    assert.deepEqual([tirol?.group_name, tirol?.score], ['Relegation', { home: 1, away: 1 }]);
  });

  it('puts play-offs into a separate tournament, and numbers repeated pairings', async () => {
    const pair = { team1: 'Norwich City FC', team2: 'Leeds United FC' };
    const { matches } = await readJson({
      '2023-24/en.2.json': league('English Championship 2023/24', [
        { ...pair, round: 'Matchday 12', date: '2023-10-21', score: { ft: [2, 3] } },
        { ...pair, round: 'Semifinals', date: '2024-05-12', score: { ft: [0, 0] } },
        { ...pair, round: 'Semifinals', date: '2024-05-12', score: { ft: [0, 0] } },
      ]),
    });
    assert.deepEqual(
      matches.map(({ tournament }) => tournament.name),
      ['Championship', 'Championship Play-offs', 'Championship Play-offs'],
    );
    assert.deepEqual(
      matches.map(({ round_name }) => round_name),
      ['Matchday 12', 'Semi-finals', 'Semi-finals'],
    );
    assert.notEqual(matches[0]?.id, matches[1]?.id);
    assert.equal(matches[1]?.id, matches[2]?.id);
  });

  it('reads World Cups with extra time, shoot-outs, goals in order, stadiums and time offsets', async () => {
    const { updates, matches, faults } = await readJson({
      'worldcup.json/2014/worldcup.json': league('World Cup 2014', [
        {
          round: 'Round of 16',
          date: '2014-06-28',
          time: '13:00 UTC-3',
          team1: 'Brazil',
          team2: 'Chile',
          score: { ht: [1, 1], ft: [1, 1], et: [1, 1], p: [3, 2] },
          goals1: [{ name: 'David Luiz', minute: 18 }],
          goals2: [{ name: 'Alexis Sánchez', minute: 32 }],
          ground: 'Estádio Mineirão, Belo Horizonte',
        },
        {
          round: 'Matchday 1',
          date: '2014-06-12',
          time: '17:00 UTC-3',
          team1: 'Brazil',
          team2: 'Croatia',
          score: { ht: [1, 1], ft: [3, 1] },
          goals1: [
            { name: 'Neymar', minute: 71, penalty: true },
            { name: 'Neymar', minute: 29 },
            { name: 'Oscar', minute: 90, offset: 1 },
          ],
          goals2: [{ name: 'Marcelo', minute: 11, owngoal: true }],
          group: 'Group A',
        },
        {
          round: 'Semi-finals',
          date: '2014-07-09',
          team1: 'Netherlands',
          team2: 'Argentina',
          score: { ht: [0, 0], ft: [0, 0], et: [0, 0], p: [4, 4] },
        },
      ]),
      'worldcup.json/2014/worldcup.stadiums.json': JSON.stringify({
        name: 'World Cup 2014',
        stadiums: [{ city: 'Natal', name: 'Arena das Dunas', capacity: 39_971, coords: '5.826936°S 35.212371°W' }],
      }),
    });
    assert.deepEqual(faults, []);
    const [chile, croatia, level] = matches;
    assert.equal(chile?.status_detail, 'after_penalties');
    assert.deepEqual(chile?.score, { home: 1, away: 1 });
    assert.deepEqual(
      chile?.period_scores?.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['1H 1:1', '2H 0:0', 'ET 0:0', 'PEN 3:2'],
    );
    assert.deepEqual(
      [level?.status_detail, level?.score, level?.period_scores],
      ['after_penalties', { home: 0, away: 0 }, undefined],
      'a shoot-out that ends level is none',
    );
    assert.deepEqual(chile?.venue, { name: 'Estádio Mineirão', city: 'Belo Horizonte', country: 'BR' });
    assert.equal(chile?.scheduled_start, '2014-06-28T16:00:00Z');
    const goals = croatia?.incidents?.map(({ minute, minute_plus, side, payload }) => [
      minute,
      minute_plus,
      side,
      payload.goal_type,
      payload.score,
    ]);
    assert.deepEqual(goals, [
      [11, null, 'away', 'own_goal', { home: 0, away: 1 }],
      [29, null, 'home', 'regular', { home: 1, away: 1 }],
      [71, null, 'home', 'penalty', { home: 2, away: 1 }],
      [90, 1, 'home', 'regular', { home: 3, away: 1 }],
    ]);
    const venue = updates.find(({ kind }) => kind === 'venue');
    assert.ok(venue?.kind === 'venue');
    assert.deepEqual([venue.venue.latitude, venue.venue.country], [-5.826936, 'BR']);
  });

  it('gives the sides in neutral matches the official order', async () => {
    const { matches } = await readJson({
      'worldcup.json/1990/worldcup.json': league('World Cup 1990', [
        {
          round: 'Third place match',
          date: '1938-06-16',
          team1: 'Brazil',
          team2: 'Italy',
          score: { ht: [0, 0], ft: [1, 2] },
          goals1: [{ name: 'Romeu', minute: 87 }],
          goals2: [
            { name: 'Gino Colaussi', minute: 51 },
            { name: 'Giuseppe Meazza', minute: 60, penalty: true },
          ],
        },
      ]),
    });
    const [match] = matches;
    assert.deepEqual([match?.home.name, match?.away.name], ['Italy', 'Brazil']);
    assert.deepEqual(match?.score, { home: 2, away: 1 });
    assert.deepEqual(
      match?.incidents?.map(({ side }) => side),
      ['home', 'home', 'away'],
    );
    assert.deepEqual(match?.incidents?.[0]?.payload.score, { home: 1, away: 0 });
    assert.deepEqual(match?.period_scores?.[1], { period: '2H', home: 2, away: 1 });
  });

  it('corrects a wrong year, and refuses placeholders in the draw', async () => {
    const { matches, faults } = await readJson({
      '2025-26/en.3.json': league('English League One 2025/26', [
        { round: '25. Round', date: '2025-01-04', team1: 'Reading FC', team2: 'Stockport', score: { ft: [1, 0] } },
        { round: 'Final', date: '2026-05-24', team1: 'N.N.', team2: 'Winner SF1' },
        { round: 'Final', date: '2026-05-44', team1: 'Reading FC', team2: 'Stockport' },
        { round: 'Final', date: '2026-05-24', team1: 'Reading FC', team2: 'Stockport', score: { ft: [1, -1] } },
        'rubbish',
      ]),
    });
    assert.equal(matches[0]?.scheduled_start, '2026-01-04T00:00:00Z');
    assert.equal(matches[0]?.round_num, 25);
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.slice(-2), detail]),
      [
        ['#2', 'who plays is not known yet'],
        ['#3', '"2026-05-44" is not a date'],
        ['#4', '[1,-1] is not a score'],
        ['#5', 'is not an object'],
      ],
    );
  });

  it('reports the errors in a file, and reads the rest', async () => {
    const good = league('English Premier League 2023/24', [
      { round: 'Matchday 1', date: '2023-08-11', team1: 'A', team2: 'B' },
    ]);
    const { matches, faults } = await readJson({
      '2023-24/en.1.json': good,
      '2023-24/de.1.json': good.slice(0, 60),
      '2023-24/zz.9.json': good,
    });
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ position, detail, endsFile }) => [
        position.slice(position.lastIndexOf('/') + 1),
        detail.slice(0, 14),
        endsFile,
      ]),
      [
        ['de.1.json', 'cannot be read', true],
        ['zz.9.json#1', 'the league zz.', undefined],
      ],
    );
    const other = await readJson({ 'package.json': '{"name":"x"}', 'list.json': '[1]' });
    assert.deepEqual(
      other.faults.map(({ detail, endsFile }) => [detail.slice(0, 30), endsFile]),
      [
        ['is not a file of openfootball:', true],
        ['is not a file of openfootball:', true],
      ],
    );
    await assert.rejects(readJson({ 'worldcup.teams.json': '{"teams":[]}' }), /nothing to import/);
  });

  it('reads squads with birth dates, and coordinates in degrees, minutes and seconds', async () => {
    const { updates, faults } = await readJson({
      'worldcup.json/2026/worldcup.squads.json': JSON.stringify([
        {
          name: 'Norway',
          players: [
            {
              number: 9,
              pos: 'FW',
              name: 'Erling Haaland',
              date_of_birth: '2000-07-21',
              club: { name: 'Manchester City FC', country: 'ENG' },
            },
            { name: 'Nobody' },
          ],
        },
      ]),
    });
    assert.equal(faults.length, 1);
    assert.ok(updates[0]?.kind === 'participant');
    assert.deepEqual(
      [updates[0].participant.birth_date, updates[0].participant.country, updates[0].participant.extra],
      ['2000-07-21', 'NO', { position: 'F', club: 'Manchester City FC', club_country: 'GB-ENG' }],
    );
    assert.deepEqual(updates[0].participant.squads, [
      {
        tournament: { name: 'FIFA World Cup', country: 'INT', gender: 'men' },
        season: { label: '2026' },
        team: { type: 'team', name: 'Norway', country: 'NO' },
        shirt_number: '9',
        position: 'F',
      },
    ]);
    assert.deepEqual(readCoordinates(`25°57'29"N 80°14'20"W`), { latitude: 25.958056, longitude: -80.238889 });
    assert.equal(readCoordinates('somewhere'), undefined);
  });
});

describe('importer football-txt', () => {
  after(removeFiles);
  const readText = (files: Record<string, string>) => readAll(footballTxt, filesOf(files));

  it('reads days without years, repeated times, groups and scores with extra time', async () => {
    const { matches, faults } = await readText({
      'cl.txt': [
        '= UEFA Champions League 2023/24',
        '',
        '# Date  Tue Sep/19 2023 - Sat Jun/1 2024',
        '',
        '» Group, Matchday 1',
        '  Tue Sep/19 2023',
        '    18.45  AC Milan (ITA)          v Newcastle United FC (ENG)  0-0',
        '           BSC Young Boys (SUI)    v RB Leipzig (GER)         1-3 (1-1)',
        '» Finals, Round of 16',
        '  Tue Mar/12',
        '    21.00  Arsenal FC (ENG)        v FC Porto (POR)           4-2 pen. 1-0 a.e.t. (1-0, 1-0)',
        '» Finals, Final',
        '  Sat Jun/1',
        '    21.00  Borussia Dortmund (GER) v Real Madrid CF (ESP)',
        '',
      ].join('\r\n'),
    });
    assert.deepEqual(faults, []);
    const [milan, youngBoys, arsenal, final] = matches;
    assert.equal(milan?.scheduled_start, '2023-09-19T16:45:00Z');
    assert.equal(milan?.group_name, 'Group F');
    assert.equal(youngBoys?.scheduled_start, milan?.scheduled_start);
    assert.equal(youngBoys?.home.country, 'CH');
    assert.equal(youngBoys?.round_num, 1);
    assert.equal(arsenal?.scheduled_start, '2024-03-12T20:00:00Z');
    assert.equal(arsenal?.status_detail, 'after_penalties');
    assert.deepEqual(
      arsenal?.period_scores?.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['1H 1:0', '2H 0:0', 'ET 0:0', 'PEN 4:2'],
    );
    assert.deepEqual([final?.status, final?.round_name, final?.season.label], [undefined, 'Final', '2023/24']);
  });

  it('takes a score in brackets after extra time as the score after 90 minutes, with or without the half-time score', async () => {
    const line = (score: string) => `  21:00     Portugal  ${score}  Slovenia     @ Frankfurt`;
    const read = async (score: string) => {
      const { matches } = await readText({
        'euro.txt': ['= Euro 2024', '', '» Round of 16', '  Mon Jul 1 2024', line(score), ''].join('\n'),
      });
      const [match] = matches;
      return match?.period_scores?.map(({ period, home, away }) => `${period} ${home}:${away}`);
    };
    assert.deepEqual(await read('3-0 pen. 0-0 a.e.t. (0-0)'), ['ET 0:0', 'PEN 3:0']);
    assert.deepEqual(await read('2-1 a.e.t. (1-1)'), ['ET 1:0']);
    assert.deepEqual(await read('2-1 a.e.t. (1-1, 0-1)'), ['1H 0:1', '2H 1:0', 'ET 1:0']);
    assert.deepEqual(await read('2-1 a.e.t.'), undefined);
  });

  it('reports a listed group that names a team from another season, and says which team is used instead', async () => {
    const groupF: [string, string][] = [
      ['AC Milan (ITA)', 'Newcastle United FC (ENG)'],
      ['Paris Saint-Germain FC (FRA)', 'FC Bayern München (GER)'],
    ];
    const { matches, faults } = await readText({
      'cl.txt': [
        '= UEFA Champions League 2023/24',
        '',
        '» Group, Matchday 1',
        '  Tue Sep/19 2023',
        ...groupF.map(([home, away]) => `    18.45  ${home} v ${away}  0-0`),
        '    18.45  Liverpool FC (ENG)  v AC Milan (ITA)  1-0',
        '',
      ].join('\n'),
    });
    assert.deepEqual(faults, [
      {
        kind: 'fault',
        position: 'tournaments.yaml: UEFA Champions League 2023/24',
        detail: 'group F: Borussia Dortmund has no match in the groups of this season',
      },
      {
        kind: 'fault',
        position: 'tournaments.yaml: UEFA Champions League 2023/24',
        detail: 'Liverpool FC is in none of the groups',
      },
    ]);
    assert.deepEqual(
      matches.map(({ group_name }) => group_name),
      ['Group F', null, null],
      'sides of different groups, or of none, have no group',
    );
  });

  it('reads scorers, line-ups with cards and substitutions, stadiums, and extra time that only a goal proves', async () => {
    const { matches, faults } = await readText({
      'euro.txt': `= Euro 2024

# Stadiums:
#   München,        Allianz Arena (Munich Football Arena),   66_000
#   Köln,           RheinEnergieStadion (Cologne Stadium), 43_000

Group A  |  Germany   Scotland

▪ Group A
Fri Jun 14
  21:00         Germany   3-1 (1-0)  Scotland     @ München
                          (Wirtz 10', 68' Can 90+3' (pen.);
                           Rüdiger 87' (o.g.))
    Germany:    Neuer - Kimmich, Rüdiger, Tah [Y], Mittelstädt - Andrich [Y] (Groß 46' (Undav [Y] 84')),
                Kroos - Wirtz
    Scotland:   Gunn - Porteous [R 44'], McKenna
▪ Quarter-finals
Fri Jul 5
  18:00   Spain        2-1 (0-0) Germany        @ Köln     # Winner Match 39
          (Olmo 51' Merino 119'; Wirtz 89')
`,
    });
    assert.deepEqual(faults, []);
    const [opening, quarter] = matches;
    assert.deepEqual(opening?.venue, { name: 'Allianz Arena', city: 'München', country: 'DE', capacity: 66_000 });
    assert.equal(opening?.scheduled_start, '2024-06-14T19:00:00Z');
    const reported = opening?.incidents?.map(({ minute, kind, side, player, payload }) => [
      minute,
      kind,
      side,
      player?.name,
      payload.goal_type ?? payload.card_type ?? payload.player_out,
    ]);
    assert.deepEqual(reported, [
      [10, 'goal', 'home', 'Wirtz', 'regular'],
      [44, 'card', 'away', 'Porteous', 'red'],
      [46, 'subst', 'home', 'Groß', 'Andrich'],
      [68, 'goal', 'home', 'Wirtz', 'regular'],
      [84, 'subst', 'home', 'Undav', 'Groß'],
      [87, 'goal', 'away', 'Rüdiger', 'own_goal'],
      [90, 'goal', 'home', 'Can', 'penalty'],
      [null, 'card', 'home', 'Tah', 'yellow'],
      [null, 'card', 'home', 'Andrich', 'yellow'],
      [null, 'card', 'home', 'Undav', 'yellow'],
    ]);
    assert.deepEqual(
      opening?.lineups
        ?.filter(({ side }) => side === 'home')
        .map(({ player, position, is_substitute }) => [player.name, position, is_substitute]),
      [
        ['Neuer', 'G', false],
        ['Kimmich', 'D', false],
        ['Rüdiger', 'D', false],
        ['Tah', 'D', false],
        ['Mittelstädt', 'D', false],
        ['Andrich', 'M', false],
        ['Groß', null, true],
        ['Undav', null, true],
        ['Kroos', 'M', false],
        ['Wirtz', 'F', false],
      ],
    );
    assert.equal(quarter?.status_detail, 'after_extra_time');
    assert.deepEqual(
      quarter?.period_scores?.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['1H 0:0', '2H 1:1', 'ET 1:0'],
    );
  });

  it('reports a truncated file with the position, and creates no team from it', async () => {
    const { matches, faults } = await readText({
      'cl.txt':
        '= UEFA Champions League 2025/26\n\n» Finals, Final\n  Sat May/30 2026\n    18.00  Arsenal FC (ENG)  v Paris FC (FRA)  1-0\n    21.00  Paris Saint-Germain FC (FRA) v Ars',
    });
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.slice(-2), detail]),
      [[':6', 'the file ends in the middle of a match']],
    );
  });

  it('leaves out a file that repeats another league’s matches, and reports lines that it cannot read', async () => {
    const body =
      '▪ Matchday 1\n  Fri Jul 12 2019\n    20:00  Arsenal Tula            v Dinamo Moskva            1-1 (0-1)\n';
    const { matches, faults } = await readText({
      '2019-20_ru1.txt': `= Russia Premier League 2019/20\n\n${body}what is this\n`,
      '2019-20_ru2.txt': `= Russia 1. Division 2019/20\n\n${body}`,
      '2019-20_xx.txt': `= Moon League 2019/20\n\n${body}`,
      'notes.txt': 'nothing of the kind\n',
    });
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ detail }) => detail.slice(0, 40)),
      [
        'is neither a day nor a match: what is th',
        'left out: from here on the file repeats ',
        'the league or season of "Moon League 201',
        'there is no title "= League 2023/24"',
      ],
    );
  });
});

describe('an unread Football.TXT line', () => {
  after(removeFiles);
  const head = '= UEFA Champions League 2025/26\n\n» Finals, Final\n  Sat May/30 2026\n';

  it('is reported if it is a match with a mistake, even if a match precedes it', async () => {
    const { matches, faults } = await readAll(
      footballTxt,
      filesOf({
        'cl.txt': `${head}    18.00  Arsenal FC (ENG)  v Paris FC (FRA)  1-0
             (Saka 10'
              (pen.))
    19.00  Chelsea FC (ENG)  1-x  Lyon (FRA)
           Real Madrid CF (ESP) - Lille OSC (FRA)  1-0
    21.00  Ajax (NED)  v PSV (NED)  2-2
      Ajax: Pasveer - Rensch, Sutalo
        - Taylor (Berghuis 60')
      PSV: Benitez - Dest
    22.00  Porto (POR)  Benfica (POR)
`,
      }),
    );
    assert.deepEqual(
      matches.map(({ home, lineups }) => [home.name, lineups?.length]),
      [
        ['Arsenal FC', undefined],
        ['Ajax', 7],
      ],
    );
    assert.deepEqual(
      faults.map(({ position }) => position.slice(position.lastIndexOf(':'))),
      [':8', ':9', ':14'],
    );
  });

  it('is reported with its number for every match in a file that repeats another file', async () => {
    const match = (time: string, home: string) => `    ${time}  ${home}  v Dinamo Moskva  1-1 (0-1)\n`;
    const body = `▪ Matchday 1\n  Fri Jul 12 2019\n${match('20:00', 'Arsenal Tula')}${match('21:00', 'Zenit')}`;
    const { matches, faults } = await readAll(
      footballTxt,
      filesOf({
        '2019-20_ru1.txt': `= Russia Premier League 2019/20\n\n${body}`,
        '2019-20_ru2.txt': `= Russia 1. Division 2019/20\n\n${body}`,
      }),
    );
    assert.equal(matches.length, 2);
    assert.deepEqual(
      faults.map(({ position }) => position.slice(position.lastIndexOf('_'))),
      ['_ru2.txt:5', '_ru2.txt:6'],
    );
  });
});

describe('importers openfootball-clubs and openfootball-players', () => {
  after(removeFiles);

  it('read clubs with unambiguous aliases, reserve teams and stadiums', async () => {
    const { updates, faults } = await readAll(
      openfootballClubs,
      filesOf({
        'europe/germany/de.clubs.txt': `= Germany • Deutschland

== Bayern ==

Bayern München, 1900,    @ Allianz Arena,   München
  | Bayern | FC Bayern
  | Bayern Munich [en]     # an English name
 Säbener Straße 51-57 // 81547 München
ii) Bayern München II
  | Bayern II | FC Bayern
FC Ended (1990-2001),   Berlin (Mitte) › Berlin
`,
        'europe/germany/de.stadiums.txt':
          '= Germany\n\nOlympiastadion,   74_176, 1936, Berlin     # Hertha\n   | Olympiastadion Berlin\n',
      }),
    );
    assert.deepEqual(faults, []);
    const clubs = updates.flatMap((update) => (update.kind === 'participant' ? [update.participant] : []));
    assert.deepEqual(
      clubs.map(({ name }) => name),
      ['Bayern München', 'Bayern München II', 'FC Ended'],
    );
    assert.deepEqual(
      clubs[0]?.aliases?.map(({ name }) => name),
      ['Bayern', 'Bayern Munich'],
    );
    assert.deepEqual(clubs[0]?.extra, { founded: 1900, stadium: 'Allianz Arena', city: 'München' });
    assert.deepEqual(clubs[2]?.extra, { city: 'Berlin' });
    const venue = updates.find((update) => update.kind === 'venue');
    assert.deepEqual(venue?.kind === 'venue' && venue.venue, {
      name: 'Olympiastadion',
      country: 'DE',
      sport: 'football',
      city: 'Berlin',
      capacity: 74_176,
    });
  });

  it('read players, and report a line without a date', async () => {
    const { updates, faults } = await readAll(
      openfootballPlayers,
      filesOf({
        'europe/spain/es.players.txt':
          '= Spain\n\nLamine Yamal,     F,  1.80 m,  b. 13 Jul 2007 @ Esplugues\nJhafets,  G,  - ,   b. 16 Sep 2006\nJoaquín,  M|F,1.81 m, b. 21 Jul 1981\nNo Date, M, 1.80 m\n',
      }),
    );
    const players = updates.flatMap((update) => (update.kind === 'participant' ? [update.participant] : []));
    assert.deepEqual(players[0], {
      type: 'player',
      sport: 'football',
      name: 'Lamine Yamal',
      country: 'ES',
      gender: 'men',
      birth_date: '2007-07-13',
      extra: { position: 'F', height_cm: 180, birth_place: 'Esplugues' },
    });
    assert.deepEqual(players[1]?.extra, { position: 'G' });
    assert.equal(players[2]?.extra?.position, 'M,F');
    assert.match(faults[0]!.position, /:6$/);
  });

  it('report each line for an unknown country, and a name above the first club', async () => {
    const clubs = await readAll(
      openfootballClubs,
      filesOf({
        'moon.clubs.txt': '= Moon\n\nLunar United, 1969\n  | Lunar\n\nCrater City\n',
        'moon.stadiums.txt': '= Moon\n\nSea of Tranquility, 10_000\n   | Mare\n',
        'eng.clubs.txt': '= England\n\n  | Gunners\nArsenal FC\n',
      }),
    );
    assert.deepEqual(
      clubs.faults.map(({ position }) => position.slice(position.lastIndexOf('/') + 1)),
      ['eng.clubs.txt:3', 'moon.clubs.txt:3', 'moon.clubs.txt:6', 'moon.stadiums.txt:3'],
    );
    assert.equal(clubs.updates.length, 1);
    const players = await readAll(
      openfootballPlayers,
      filesOf({ 'moon.players.txt': '= Moon\n\nBuzz, F, 1.80 m, b. 20 Jul 1969\nNeil, M, - , b. 5 Aug 1930\n' }),
    );
    assert.deepEqual(
      players.faults.map(({ position, detail }) => [position.slice(-2), detail]),
      [
        [':3', 'the country Moon is not known'],
        [':4', 'the country Moon is not known'],
      ],
    );
  });
});
