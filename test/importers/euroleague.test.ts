import { strict as assert } from 'node:assert';
import { euroleague } from '../../src/importers/euroleague/euroleague.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const RESULTS =
  'season,phase,round_name,team_home,points_home,team_away,points_away,game_code,date,round_code,team_code_home,team_code_away';
const PLAYS = 'season,game_code,play_number,team_code,player_name,play_type,time_remaining,quarter';

interface Given {
  season?: number;
  phase?: string;
  round?: string;
  code: number;
  date?: string;
  number?: number;
  home: string;
  away: string;
  score?: string;
}
const result = ({ season = 2018, phase = 'RS', round = 'Round 1', number = 1, ...given }: Given) => {
  const { code, home, away, score = '80,70', date = 'October 11 20:00 CET' } = given;
  const [first, second] = score.split(',');
  return `${season},${phase},${round},${home},${first},${away},${second},${code},${date},${number},${home},${away}`;
};
const lines = (...rows: string[]) => `${rows.join('\n')}\n`;
const read = (files: Record<string, string>) => readAll(euroleague, filesOf(files));
const readResults = (...games: Given[]) => read({ 'gameresults.csv': lines(RESULTS, ...games.map(result)) });

/** Makes a double round robin. Game codes are numbered from `first`. */
const doubleRoundRobin = (sides: readonly string[], first: number, more: Partial<Given> = {}): Given[] =>
  sides
    .flatMap((home) => sides.filter((away) => away !== home).map((away) => ({ home, away })))
    .map((pair, index) => ({ ...pair, code: first + index, ...more }));

describe('importer euroleague', () => {
  after(removeFiles);

  it('takes a day’s year from the season, and reads kick-offs as Central European time, in summer too', async () => {
    const { matches, faults } = await readResults(
      { code: 1, home: 'MAD', away: 'BAR' },
      { code: 2, home: 'BAR', away: 'MAD', date: 'January 3 21:00 CET' },
      { code: 3, home: 'OLY', away: 'PAN', date: 'April 17 00:00 CET' },
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      matches.map(({ id, scheduled_start, time_tbd, season }) => [id, scheduled_start, time_tbd, season.label]),
      [
        ['E2018_1', '2018-10-11T18:00:00Z', false, '2018/19'],
        ['E2018_2', '2019-01-03T20:00:00Z', false, '2018/19'],
        ['E2018_3', '2019-04-17T00:00:00Z', true, '2018/19'],
      ],
    );
  });

  it('forms groups from the sides that met, and letters the groups by game numbers through both phases', async () => {
    const [first, second] = [
      ['MAD', 'OLY', 'ULK', 'CSK'],
      ['BAR', 'PAN', 'IST', 'TEL'],
    ];
    const { matches } = await readResults(
      ...doubleRoundRobin(second!, 20),
      ...doubleRoundRobin(first!, 1),
      ...doubleRoundRobin(['MAD', 'OLY', 'BAR', 'PAN'], 101, { phase: 'TS', number: 15 }),
      ...doubleRoundRobin(['ULK', 'CSK', 'IST', 'TEL'], 121, { phase: 'TS', number: 15 }),
      { code: 900, home: 'MAD', away: 'TEL', phase: 'PO', round: 'Game 1', number: 21 },
    );
    const groups = new Map<string | null | undefined, Set<string>>();
    for (const { group_name, home } of matches)
      groups.set(group_name, (groups.get(group_name) ?? new Set()).add(home.id!));
    assert.deepEqual([...groups.get('Group A')!].sort(), ['CSK', 'MAD', 'OLY', 'ULK']);
    assert.deepEqual([...groups.get('Group B')!].sort(), ['BAR', 'IST', 'PAN', 'TEL']);
    assert.deepEqual([...groups.get('Group C')!].sort(), ['BAR', 'MAD', 'OLY', 'PAN']);
    assert.deepEqual([...groups.get('Group D')!].sort(), ['CSK', 'IST', 'TEL', 'ULK']);
    const topSixteen = matches.find(({ group_name }) => group_name === 'Group C')!;
    assert.deepEqual([topSixteen.round_num, topSixteen.round_name], [15, 'Top 16, Matchday 1']);
    assert.equal(matches.at(-1)?.round_name, 'Quarter-finals, Game 1');
  });

  it('names no groups in a season with one group, or in early rounds that do not yet show the groups', async () => {
    const one = await readResults(...doubleRoundRobin(['MAD', 'OLY', 'ULK', 'CSK', 'BAR'], 1));
    const early = await readResults(
      { code: 1, home: 'MAD', away: 'OLY' },
      { code: 2, home: 'BAR', away: 'PAN' },
      { code: 3, home: 'OLY', away: 'ULK', number: 2 },
      { code: 4, home: 'PAN', away: 'IST', number: 2 },
    );
    for (const { group_name } of [...one.matches, ...early.matches]) assert.equal(group_name, undefined);
  });

  it('takes the last game as the final, whatever the source calls the semi-finals and the third-place match', async () => {
    const final = (code: number, home: string, away: string, number: number, round = 'Final') =>
      ({ phase: 'FF', code, home, away, number, round }) as const;
    const { matches } = await readResults(
      final(185, 'BAR', 'CSK', 22),
      final(186, 'PAR', 'OLY', 22),
      final(187, 'CSK', 'PAR', 23),
      final(188, 'BAR', 'OLY', 23),
    );
    assert.deepEqual(
      matches.map(({ round_name, neutral }) => [round_name, neutral]),
      [
        ['Semi-finals', true],
        ['Semi-finals', true],
        ['Third place', true],
        ['Final', true],
      ],
    );
  });

  it('assigns a code that two clubs have used to that season’s club, and finds a club by name if its code was lost', async () => {
    const { matches, faults } = await readResults(
      { season: 2005, code: 1, home: 'ULK', away: 'IST' },
      { season: 2006, code: 1, home: 'ULK', away: 'IST' },
    );
    const lost = result({ season: 2014, code: 5, home: 'MAD', away: 'QQQ' }).replace('QQQ', 'Dinamo Sassari');
    const named = await read({ 'gameresults.csv': lines(RESULTS, lost.replace('QQQ', 'NA')) });
    assert.deepEqual([...faults, ...named.faults], []);
    assert.deepEqual(
      [...matches, ...named.matches].map(({ home, away }) => [home.name, away.name]),
      [
        ['Ülkerspor', 'Anadolu Efes'],
        ['Fenerbahçe', 'Anadolu Efes'],
        ['Real Madrid', 'Dinamo Sassari'],
      ],
    );
  });

  it('shows a forfeit as awarded, and rejects an impossible record with the reason', async () => {
    const { matches, faults } = await read({
      'gameresults.csv': lines(
        RESULTS,
        result({ code: 1, home: 'TEL', away: 'PAM', score: '20,0' }),
        result({ code: 2, home: 'MAD', away: 'OLY', score: '80,80' }),
        result({ code: 3, home: 'MAD', away: 'OLY', score: 'NA,80' }),
        result({ code: 4, home: 'MAD', away: 'XYZ' }),
        result({ code: 5, home: 'MAD', away: 'MAD' }),
        result({ code: 6, home: 'MAD', away: 'OLY', phase: 'WC' }),
        result({ code: 7, home: 'MAD', away: 'OLY', date: 'Octember 11 20:00 CET' }),
        result({ code: 8, home: 'MAD', away: 'OLY', date: 'February 30 20:00 CET' }),
        result({ code: 9, home: 'MAD', away: 'OLY' }),
        '2018,RS,Round 1,MAD,80,OL',
      ).trimEnd(),
    });
    assert.deepEqual(
      matches.map(({ id, status_detail }) => [id, status_detail]),
      [
        ['E2018_1', 'awarded'],
        ['E2018_9', 'ended'],
      ],
    );
    assert.deepEqual(
      faults.map(({ position, detail }) => `${position.slice(position.lastIndexOf(':'))} ${detail}`),
      [
        ':3 80:80 is a tie, which basketball does not have',
        ':4 "NA:80" is not a score',
        ':5 the team code "XYZ" is not known; add it to data/identity/euroleague-clubs.csv',
        ':6 Real Madrid plays against itself',
        ':7 the phase "WC" is not one of RS, TS, PI, PO, FF',
        ':8 "Octember 11 20:00 CET" is not a day and a time such as "October 10 18:00 CET"',
        ':9 "February 30 20:00 CET" is not a day and a time such as "October 10 18:00 CET"',
        ':11 the row is cut: the file ends in the middle',
      ],
    );
  });

  it('accepts a game that is in two files, unless the second file contradicts the first', async () => {
    const game = result({ code: 1, home: 'MAD', away: 'OLY' });
    const other = result({ code: 1, home: 'MAD', away: 'OLY', score: '81,70' });
    const { matches, faults } = await read({
      'a/gameresults.csv': lines(RESULTS, game),
      'b/gameresults.csv': lines(RESULTS, game),
      'c/gameresults.csv': lines(RESULTS, other),
    });
    assert.deepEqual(
      matches.map(({ score }) => score),
      [
        { home: 80, away: 70 },
        { home: 80, away: 70 },
      ],
    );
    assert.equal(faults.length, 1);
    assert.match(faults[0]!.detail, /^the game E2018_1 differs from the same game in .*a\/gameresults\.csv:2$/);
  });

  it('refuses a file from another sport', async () => {
    await assert.rejects(read({ 'E0.csv': 'Div,Date,HomeTeam\n' }), /nothing to import; expected gameresults\.csv/);
    const { matches, faults } = await read({ 'gameresults.csv': 'Div,Date,HomeTeam\nE0,11/08/2023,Burnley\n' });
    assert.deepEqual(matches, []);
    assert.match(faults[0]!.detail, /^not the expected columns: season, phase/);
    assert.equal(faults[0]!.endsFile, true);
  });

  describe('with a play-by-play', () => {
    const play = (number: number, team: string, player: string, type: string, clock: string, quarter: number) =>
      `2018,1,${number},${team},"${player}",${type},${clock},${quarter}`;
    const game = (score: string) => lines(RESULTS, result({ code: 1, home: 'MAD', away: 'BAR', score }));

    it('takes quarters, overtimes, baskets, assists and momentum from the plays', async () => {
      const { matches, faults } = await read({
        'gameresults.csv': game('7,9'),
        'pbp.csv': lines(
          PLAYS,
          play(2, 'MAD', 'DE COLO, NANDO', '2FGM', '09:42', 1),
          play(3, 'MAD', "O'QUINN, KYLE", 'AST', '09:42', 1),
          play(4, 'BAR', 'MCINTYRE, J.', '3FGM', '00:00', 1),
          play(5, 'NA', 'NA', 'EP', '00:00', 1),
          play(9, 'MAD', 'DE COLO, NANDO', '3FGM', '05:00', 4),
          play(10, 'BAR', 'MCINTYRE, J.', '2FGM', '04:00', 4),
          play(11, 'MAD', 'DE COLO, NANDO', 'FTM', '01:00', 5),
          play(12, 'BAR', 'MCINTYRE, J.', 'FTM', '01:00', 5),
          play(13, 'MAD', 'DE COLO, NANDO', 'FTM', '04:00', 6),
          play(14, 'BAR', 'MCINTYRE, J.', '3FGM', '00:10', 6),
          play(15, 'NA', 'NA', 'EG', '00:00', 6),
        ),
        'shots.csv': 'season,game_code,team_code,player_id,player_name\n2018,1,MAD,P1,"DE COLO, NANDO"\n',
      });
      assert.deepEqual(faults, []);
      const [match] = matches;
      assert.deepEqual(match?.period_scores, [
        { period: 'Q1', home: 2, away: 3 },
        { period: 'Q2', home: 0, away: 0 },
        { period: 'Q3', home: 0, away: 0 },
        { period: 'Q4', home: 3, away: 2 },
        { period: 'OT', home: 2, away: 4 },
      ]);
      assert.equal(match?.status_detail, 'after_extra_time');
      const [first, second, end] = match!.incidents!;
      assert.deepEqual(
        [first?.minute, first?.player, first?.assist?.name, first?.payload],
        [
          1,
          { id: 'P1', name: 'Nando De Colo' },
          "Kyle O'Quinn",
          { points: 2, point_type: 'two', score: { home: 2, away: 0 } },
        ],
      );
      assert.deepEqual([second?.minute, second?.player?.name, second?.assist], [10, 'J. McIntyre', undefined]);
      assert.deepEqual([end?.kind, end?.minute, end?.payload], ['period_end', 10, { score: { home: 2, away: 3 } }]);
      const last = match!.incidents!.at(-1)!;
      assert.deepEqual(
        [last.kind, last.period, last.minute, last.payload],
        ['period_end', 'OT', 50, { score: { home: 7, away: 9 } }],
      );
      const points = match!.player_stats!.map(({ player, stats }) => [player.name, stats.points, stats.assists]);
      assert.deepEqual(points, [
        ['Nando De Colo', 7, 0],
        ["Kyle O'Quinn", 0, 1],
        ['J. McIntyre', 9, 0],
      ]);
      const curve = match!.momentum!.graphPoints;
      assert.equal(curve.length, 50);
      // The first side scores two of its twelve points in the first minute. The second side scores three in the tenth.
      assert.deepEqual([curve[0]?.value, curve[3]?.value, curve[4]?.value, curve[9]?.value], [17, 17, 0, -25]);
      assert.equal(match?.lineups, undefined);
    });

    it('takes the ten players in the first row as starters', async () => {
      const places = ['home', 'away'].flatMap((side) => [1, 2, 3, 4, 5].map((place) => `${side}_player${place}`));
      const { matches } = await read({
        'gameresults.csv': game('2,0'),
        'pbp.csv': lines(
          `${PLAYS},${places.join(',')}`,
          `${play(2, 'MAD', 'A, ONE', '2FGM', '09:00', 1)},${places.map((place) => `"${place}, X"`).join(',')}`,
          `${play(3, 'MAD', 'BENCH, MAN', 'IN', '08:00', 1)},${places.map((place) => `"${place}, X"`).join(',')}`,
        ),
      });
      const [match] = matches;
      assert.equal(match?.lineups?.filter(({ is_substitute }) => !is_substitute).length, 10);
      assert.deepEqual(
        match?.lineups?.filter(({ is_substitute }) => is_substitute).map(({ player }) => player.name),
        ['One A', 'Man Bench'],
      );
    });

    it('gives fifteen overtimes as one period, with separate minutes for each', async () => {
      const overtimes = Array.from({ length: 15 }, (_, index) =>
        play(index + 2, index % 2 === 0 ? 'MAD' : 'BAR', 'A, B', '2FGM', '00:01', index + 5),
      );
      const { matches, faults } = await read({
        'gameresults.csv': game('16,14'),
        'pbp.csv': lines(PLAYS, ...overtimes),
      });
      assert.deepEqual(faults, []);
      assert.deepEqual(matches[0]?.period_scores?.at(-1), { period: 'OT', home: 16, away: 14 });
      assert.deepEqual(
        matches[0]?.incidents?.map(({ minute }) => minute),
        Array.from({ length: 15 }, (_, index) => 45 + 5 * index),
      );
    });

    it('rejects plays that do not add up to the result, and keeps the result', async () => {
      for (const [plays, reason] of [
        [play(2, 'MAD', 'A, B', '3FGM', '09:00', 1), 'its periods add up to 3:0, not to 80:70'],
        [play(2, 'MAD', 'A, B', '3FGM', '09:00', 1).replace(/,1$/, ',x'), 'play_number "2", quarter "x"'],
      ]) {
        const { matches, faults } = await read({ 'gameresults.csv': game('80,70'), 'pbp.csv': lines(PLAYS, plays!) });
        assert.deepEqual(
          faults.map(({ detail }) => detail),
          [`imported without its play-by-play: ${reason}`],
        );
        assert.deepEqual([matches[0]?.score, matches[0]?.incidents], [{ home: 80, away: 70 }, undefined]);
      }
    });

    it('rejects plays line by line if no results file has their game', async () => {
      const plays = lines(PLAYS, play(2, 'MAD', 'A, B', '3FGM', '09:00', 1).replace('2018,1', '2018,77'));
      const beside = await read({ 'gameresults.csv': game('80,70'), 'pbp.csv': plays });
      assert.deepEqual([beside.matches.length, beside.faults.length], [1, 1]);
      const alone = await read({ 'pbp.csv': plays });
      for (const { faults } of [beside, alone])
        assert.match(faults[0]!.detail, /^belongs to no match of .*: E2018_77$/);
    });
  });

  it('gives a club its names from different seasons, each from July to June', async () => {
    const { updates, faults } = await read({
      'teaminfo.csv': lines(
        'season,team_code,team_name',
        '2010,MIL,Armani Jeans  Milano',
        '2009,MIL,Armani Jeans Milano',
        '2017,MIL,AX Armani Exchange Olimpia Milan',
        '2012,MAD,Real Madrid',
        '2012,MAD,Real Madrid Two',
        '2012,XYZ,Nobody',
        'x,MAD,Real Madrid',
      ),
    });
    const names = updates.map((update) => update.kind === 'participant' && update.participant.former_names);
    assert.deepEqual(names, [
      [
        { name: 'Armani Jeans Milano', name_ru: 'Олимпия Милан', from: '2009-07-01', to: '2011-06-30' },
        { name: 'AX Armani Exchange Olimpia Milan', name_ru: 'Олимпия Милан', from: '2017-07-01', to: '2018-06-30' },
      ],
      [],
    ]);
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'MAD has a second name in 2012: "Real Madrid"',
        'the team code "XYZ" is not known; add it to data/identity/euroleague-clubs.csv',
        'the season "x" is not a year',
      ],
    );
  });
});
