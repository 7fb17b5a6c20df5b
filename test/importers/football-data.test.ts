import { strict as assert } from 'node:assert';
import { gzipSync } from 'node:zlib';
import { ImportError } from '../../src/importers/files.ts';
import { footballData } from '../../src/importers/football-data/football-data.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee,HS,AS,HST,AST,HY,AY,HR,AR';
const read = (files: Record<string, string | Buffer>) => readAll(footballData, filesOf(files));

describe('importer football-data', () => {
  after(removeFiles);

  it('reads results with half-time scores, statistics and referee, in British time', async () => {
    const { matches, faults } = await read({
      'E0.csv': `${HEADER}\nE0,11/08/2023,20:00,Burnley,Man City,0,3,A,0,2,A,C Pawson,6,17,1,8,0,0,1,0\n`,
      'D1.csv': `${HEADER}\nD1,19/01/2024,19:30,Bayern Munich,Ein Frankfurt,2,1,H,0,1,A,,,,,,,,,\n`,
    });
    assert.deepEqual(faults, []);
    const [bayern, burnley] = matches;
    assert.equal(burnley?.id, 'E0/2023/24/Burnley/Man City');
    assert.equal(burnley?.scheduled_start, '2023-08-11T19:00:00Z');
    assert.equal(burnley?.time_tbd, false);
    assert.deepEqual(burnley?.score, { home: 0, away: 3 });
    assert.deepEqual(burnley?.period_scores, [
      { period: '1H', home: 0, away: 2 },
      { period: '2H', home: 0, away: 1 },
    ]);
    assert.equal(burnley?.referee, 'C Pawson');
    assert.equal(burnley?.tournament.name, 'Premier League');
    const statistic = (name: string) => burnley?.statistics?.find(({ stat_name }) => stat_name === name);
    assert.deepEqual([statistic('Total shots')?.home_value, statistic('Total shots')?.away_value], [6, 17]);
    assert.equal(statistic('Red cards')?.home_text, '1');
    // 20:30 in Germany. The publisher writes 19:30, the time in Britain.
    assert.equal(bayern?.scheduled_start, '2024-01-19T19:30:00Z');
    assert.equal(bayern?.statistics, undefined);
    assert.equal(bayern?.referee, undefined);
  });

  it('reads date formats from thirty years, blank rows and columns, a byte order mark and Windows-1252', async () => {
    const rows = [
      'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,,',
      ',,,,,,,,',
      'SP1,05/09/93,La Coruña,Málaga,2,1,H,,',
      '',
      'SP1,6/9/1993,Sp Gijon,Celta,0,0,D,,',
    ];
    const { matches, faults } = await read({
      'utf8.csv': `\ufeff${rows.join('\r\n')}\r\n`,
      'western.csv': Buffer.from(rows.join('\r\n'), 'latin1'),
      'packed.csv.gz': rows.join('\n'),
    });
    assert.deepEqual(faults, []);
    assert.equal(matches.length, 6);
    for (const first of [matches[0], matches[2], matches[4]]) {
      assert.equal(first?.home.name, 'La Coruña');
      assert.equal(first?.away.name, 'Málaga');
      assert.equal(first?.scheduled_start, '1993-09-05T00:00:00Z');
      assert.equal(first?.time_tbd, true);
      assert.equal(first?.season.label, '1993/94');
    }
    assert.equal(matches[1]?.scheduled_start, '1993-09-06T00:00:00Z');
  });

  it('reads opening and closing odds, the market’s average and best, totals, handicaps and winners', async () => {
    const { matches } = await read({
      'E0.csv':
        'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,AvgH,AvgD,AvgA,MaxH,B365>2.5,B365<2.5,AHh,PAHH,PAHA,B365CH,B365CD,B365CA\n' +
        'E0,11/08/2023,Burnley,Man City,0,3,A,8.0,5.5,1.33,7.9,5.4,1.36,9.1,1.67,2.2,1.5,1.95,1.98,9,5.25,0\n',
    });
    const odds = matches[0]?.odds ?? [];
    const entry = (market: string, choice: string, bookmaker: string | null) =>
      odds.find((one) => one.market_name === market && one.choice_name === choice && one.bookmaker === bookmaker);
    assert.deepEqual(entry('1x2', '1', 'Bet365'), {
      market_name: '1x2',
      market_group: '1x2',
      choice_name: '1',
      decimal_value: 9,
      opening_decimal: 8,
      bookmaker: 'Bet365',
      winning: false,
    });
    // A closing price of 0 means that it is missing. The opening price is then used, without being marked as opening.
    assert.deepEqual(
      [entry('1x2', '2', 'Bet365')?.decimal_value, entry('1x2', '2', 'Bet365')?.opening_decimal],
      [1.33, null],
    );
    assert.equal(entry('1x2', '2', 'Bet365')?.winning, true);
    assert.equal(entry('1x2', 'X', null)?.decimal_value, 5.4);
    assert.equal(entry('1x2', '1', 'Market best')?.decimal_value, 9.1);
    assert.equal(entry('over_under_2.5', 'over', 'Bet365')?.winning, true);
    assert.equal(entry('over_under_2.5', 'under', 'Bet365')?.winning, false);
    // With a handicap of one and a half goals, 0:3 is still a loss.
    assert.equal(entry('asian_handicap_+1.5', '1', 'Pinnacle')?.winning, false);
    assert.equal(entry('asian_handicap_+1.5', '2', 'Pinnacle')?.decimal_value, 1.98);
  });

  it('gives a future fixture no status, so that a second source’s result remains', async () => {
    const { matches, faults } = await read({
      'E0.csv': 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nE0,11/05/2026,Arsenal,Chelsea,,,\n',
    });
    assert.deepEqual(faults, []);
    assert.equal(matches[0]?.status, undefined);
    assert.equal(matches[0]?.score, undefined);
  });

  it('takes the league from the folder, and the season from the first match day in the file', async () => {
    const { matches } = await read({
      'premier-league/season-1920.csv':
        'Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR\n2019-08-09,Liverpool,Norwich,4,1,H,4,0,H\n2020-07-26,Arsenal,Watford,3,2,H,3,1,H\n',
    });
    assert.deepEqual(
      matches.map(({ season }) => season.label),
      ['2019/20', '2019/20'],
    );
    assert.equal(matches[1]?.id, 'premier-league/2019/20/Arsenal/Watford');
    assert.equal(matches[1]?.tournament.name, 'Premier League');
  });

  it('reads the layout with country and league columns', async () => {
    const { matches, faults } = await read({
      'ARG.csv':
        'Country,League,Season,Date,Time,Home,Away,HG,AG,Res\nArgentina,Liga Profesional,2012/2013,03/08/2012,23:00,Arsenal Sarandi,Union de Santa Fe,1,0,H\n',
    });
    assert.deepEqual(faults, []);
    assert.equal(matches[0]?.season.label, '2012/13');
    assert.equal(matches[0]?.tournament.name, 'Argentine Primera División');
    assert.equal(matches[0]?.home.country, 'AR');
  });

  it('numbers repeated pairings, and keeps a rescheduled match’s id', async () => {
    const header = 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n';
    const ids = async (...days: string[]) =>
      (await read({ 'SC0.csv': header + days.map((day) => `SC0,${day},Celtic,Rangers,1,1,D\n`).join('') })).matches.map(
        ({ id }) => id,
      );
    assert.deepEqual(await ids('01/09/2023', '16/03/2024'), [
      'SC0/2023/24/Celtic/Rangers',
      'SC0/2023/24/Celtic/Rangers/2',
    ]);
    assert.deepEqual(await ids('03/09/2023', '16/03/2024'), await ids('01/09/2023', '16/03/2024'));
  });

  describe('a file with errors', () => {
    const header = 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n';
    const good = 'E0,11/08/2023,Burnley,Man City,0,3,A\n';

    const bad: Record<string, [row: string, detail: RegExp]> = {
      'a day that does not exist': ['E0,30/02/2024,Arsenal,Chelsea,1,1,D', /is not a date/],
      'a score of −1': ['E0,11/08/2023,Arsenal,Chelsea,-1,1,A', /is not a score/],
      'a result that is not the score’s': ['E0,11/08/2023,Arsenal,Chelsea,1,2,H', /does not belong to 1:2/],
      'a side without a name': ['E0,11/08/2023,,Chelsea,1,2,A', /no name/],
      'a side against itself': ['E0,11/08/2023,Arsenal,Arsenal,1,2,A', /both sides are the same team/],
      NUL: ['E0,11/08/2023,Arse\0nal,Chelsea,1,2,A', /NUL/],
    };
    for (const [what, [row, detail]] of Object.entries(bad)) {
      it(`${what} is reported, and the next row is read`, async () => {
        const { matches, faults } = await read({ 'E0.csv': `${header}${row}\n${good}` });
        assert.equal(matches.length, 1);
        assert.equal(faults.length, 1);
        assert.match(faults[0]!.detail, detail);
        assert.match(faults[0]!.position, /E0\.csv:2$/);
      });
    }

    it('a file truncated in mid-row is reported', async () => {
      const { matches, faults } = await read({ 'E0.csv': `${header}${good}E0,12/08/2023,Arsenal,Nott'm For` });
      assert.equal(matches.length, 1);
      assert.match(faults[0]!.detail, /cut/);
    });

    it('an archive truncated in the middle is reported', async () => {
      const rows = Array.from(
        { length: 2_000 },
        (_, index) => `E0,11/08/2023,Home ${index},Away ${index},0,3,A\n`,
      ).join('');
      const packed = gzipSync(header + rows);
      const { matches, faults } = await read({ 'E0.csv.gz': packed.subarray(0, packed.length - 200) });
      assert.ok(matches.length > 0);
      assert.match(faults.at(-1)!.detail, /cannot be read any further: unexpected end of file/);
    });

    it('a file with unknown columns, with binary data or without content is one error, and so is each row with an unknown league', async () => {
      const { matches, faults } = await read({
        '1.csv': 'name,age\nAnn,3\nBob,4\n',
        '2.csv': Buffer.from([0, 1, 2, 3, 250, 251, 252, 10, 0, 0, 7]),
        '3.csv': '',
        '4.csv': `${header}${good}`,
        '5.csv':
          'Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n11/08/2023,Arsenal,Chelsea,1,1,D\n12/08/2023,Everton,Fulham,1,1,D\n',
      });
      assert.equal(matches.length, 1);
      assert.deepEqual(
        faults.map(({ position }) => position.slice(-7)),
        ['1.csv:1', '2.csv:1', '3.csv:1', '5.csv:2', '5.csv:3'],
      );
      assert.match(faults[3]!.detail, /league is not known/);
    });

    it('a folder without files in the format is refused, and so is a missing folder', async () => {
      await assert.rejects(
        read({ 'readme.md': 'hello' }),
        (error: Error) => error instanceof ImportError && /nothing to import/.test(error.message),
      );
      await assert.rejects(readAll(footballData, '/nowhere/at/all'), /no such file or folder/);
    });
  });
});
