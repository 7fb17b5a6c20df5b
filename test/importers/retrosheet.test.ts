import { strict as assert } from 'node:assert';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { EntityCache } from '../../src/identity/entities.ts';
import { retrosheet } from '../../src/importers/retrosheet/retrosheet.ts';
import { runImport } from '../../src/importers/run.ts';
import { createTestDatabase } from '../support/database.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER =
  'game.key,game.source,game.date,game.number,site.key,season.phase,team.alignment,team.key,opponent.key,B_R,B_H,P_R,F_E';
interface GameRow {
  key?: string;
  source?: string;
  number?: string;
  site?: string;
  phase?: string;
  /** Code and runs of the home side, then of the visitors. */
  sides?: [string, number, string, number];
}
/** A game's two rows in Retrosplits' format. */
const rows = ({ key, source = 'evt', number = '0', site = 'BOS07', phase = 'R', sides }: GameRow): string[] => {
  const [home, scored, away, conceded] = sides ?? ['BOS', 5, 'NYA', 3];
  const named = key ?? `${home}20240615${number}`;
  const day = `${named.slice(3, 7)}-${named.slice(7, 9)}-${named.slice(9, 11)}`;
  const row = (team: string, other: string, own: number, theirs: number, side: number) =>
    [named, source, day, number, site, phase, side, team, other, own, own + 4, theirs, side].join(',');
  return [row(home, away, scored, conceded, 1), row(away, home, conceded, scored, 0)];
};
const splits = (...lines: string[]) =>
  readAll(retrosheet, filesOf({ 'teams-2024.csv': `${[HEADER, ...lines].join('\n')}\n` }));

/** A line in a game log. Fields are numbered from 1. */
const logLine = (fields: Record<number, string> = {}): string => {
  const usual: Record<number, string> = {
    ...{
      1: '20240615',
      2: '0',
      3: 'Sat',
      4: 'NYA',
      5: 'AL',
      7: 'BOS',
      8: 'AL',
      10: '3',
      11: '5',
      12: '51',
      17: 'BOS07',
    },
    ...{ 18: '36000', 20: '000200100', 21: '01000310x', 23: '7', 51: '9', 46: '1', 74: '0' },
    ...{ 78: 'umpi101', 79: 'Ump Ire', 90: 'mana101', 91: 'Visiting Manager', 92: 'mana102', 93: 'Home Manager' },
    ...fields,
  };
  return Array.from({ length: 161 }, (_, index) => `"${usual[index + 1] ?? ''}"`).join(',');
};
const log = (lines: string[], name = 'GL2024.TXT') =>
  readAll(retrosheet, filesOf({ [name]: `${lines.join('\r\n')}\r\n` }));

describe('importer retrosheet', () => {
  after(removeFiles);

  it('reads a game from its two rows, and from the play-by-play if one exists', async () => {
    const { matches, faults } = await splits(...rows({ source: 'box' }), ...rows({ sides: ['BOS', 5, 'NYA', 3] }));
    assert.deepEqual(faults, []);
    assert.equal(matches.length, 1);
    const [match] = matches;
    assert.deepEqual(
      [match!.id, match!.sport, match!.season.label, match!.home.name, match!.away.name, match!.score],
      ['BOS202406150', 'baseball', '2024', 'Boston Red Sox', 'New York Yankees', { home: 5, away: 3 }],
    );
    assert.deepEqual(
      match!.statistics?.map(({ stat_name, home_value, away_value }) => [stat_name, home_value, away_value]),
      [
        ['Runs', 5, 3],
        ['Hits', 9, 7],
        ['Errors', 1, 0],
      ],
    );
  });

  it('reads a double-header as two matches', async () => {
    const { matches } = await splits(...rows({ number: '1' }), ...rows({ number: '2', sides: ['BOS', 0, 'NYA', 8] }));
    assert.deepEqual(
      matches.map(({ id, score }) => [id, score?.home]),
      [
        ['BOS202406151', 5],
        ['BOS202406152', 0],
      ],
    );
  });

  it('names the play-off rounds by league', async () => {
    const { matches } = await splits(
      ...rows({ phase: 'D' }),
      ...rows({ key: 'LAN202410250', phase: 'W', sides: ['LAN', 6, 'NYA', 3] }),
      ...rows({ key: 'NLS202407160', phase: 'A', sides: ['NLS', 3, 'ALS', 5] }),
      ...rows({ key: 'SEO202403200', site: 'SEO01', sides: ['SDN', 2, 'LAN', 5] }),
    );
    assert.deepEqual(
      matches.map(({ tournament, round_name, neutral }) => [tournament.name, round_name, neutral]),
      [
        ['MLB', 'American League, Division Series', undefined],
        ['MLB', 'World Series', undefined],
        ['MLB All-Star Game', undefined, undefined],
        ['MLB', undefined, true],
      ],
    );
  });

  it('assigns a team from a former town to the right franchise', async () => {
    const { matches } = await splits(...rows({ key: 'MON199404040', sides: ['MON', 1, 'SLN', 2] }));
    assert.equal(matches[0]!.home.name, 'Washington Nationals');
  });

  it('reports rows that cannot be a game, and reads the rest', async () => {
    const [home, away] = rows({});
    const readFault = async (...lines: string[]) => {
      const { matches, faults } = await splits(...lines, ...rows({ key: 'DET202406150', sides: ['DET', 2, 'CHA', 1] }));
      assert.equal(matches.length, 1, 'the other game is read');
      return faults.map(({ detail }) => detail).join('; ');
    };
    assert.match(await readFault(home!), /the row of the other side is missing/);
    assert.match(await readFault(home!, away!, home!), /has 3 rows of one source/);
    assert.match(await readFault(home!, away!.replace(',0,NYA,', ',1,NYA,')), /team.alignment/);
    assert.match(await readFault(...rows({ sides: ['BOS', 5, 'QQQ', 3] })), /team code "QQQ" is not known/);
    assert.match(await readFault(...rows({ phase: 'Q' })), /phase "Q"/);
    assert.match(await readFault(...rows({ key: 'BOS202402300' })), /"2024-02-30" is not a date/);
    assert.match(await readFault(...rows({ phase: 'L', sides: ['BOS', 4, 'NYA', 4] })), /a play-off cannot end 4:4/);
    assert.match(
      await readFault(home!.replace(/5,9,3,1$/, '6,9,3,1'), away!),
      /runs of one side are not the runs allowed/,
    );
    assert.match(await readFault(home!.replace(/5,9,3,1$/, '-5,9,3,1'), away!), /is not a score/);
  });

  it('refuses a file from another sport, and a truncated file', async () => {
    const other = await readAll(
      retrosheet,
      filesOf({ 'teams-2024.csv': 'date,season,team1,team2\n2020-09-10,2020,KC,HOU\n' }),
    );
    assert.equal(other.matches.length, 0);
    assert.match(other.faults[0]!.detail, /not the expected columns: game.key/);
    const cut = await readAll(
      retrosheet,
      filesOf({ 'teams-2024.csv': `${[HEADER, ...rows({})].join('\n')}\nBOS202406160,evt,2024-0` }),
    );
    assert.equal(cut.matches.length, 1);
    assert.match(cut.faults[0]!.detail, /the row is cut/);
  });

  describe('game logs', () => {
    it('give line scores, line-ups, managers, the umpire and the attendance', async () => {
      const batters = Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [
          [133 + 3 * index, `play${index}01`],
          [134 + 3 * index, `Player ${index}`],
          [135 + 3 * index, String(index + 2)],
        ]).flat(),
      );
      const { matches, faults } = await log([logLine({ ...batters, 104: 'pitc101', 105: 'The Pitcher' })]);
      assert.deepEqual(faults, []);
      const [match] = matches;
      assert.equal(match!.id, 'BOS202406150', 'the id of the same game in Retrosplits');
      assert.deepEqual(
        match!.period_scores?.map(({ home, away }) => `${away}${home}`).join(' '),
        '00 01 00 20 00 03 11 00 00',
      );
      assert.deepEqual(match!.period_scores?.at(-1)?.period, 'I9');
      assert.deepEqual([match!.referee, match!.attendance], ['Ump Ire', 36_000]);
      assert.deepEqual(
        match!.coaches?.map(({ side, coach_name }) => `${side} ${coach_name}`),
        ['home Home Manager', 'away Visiting Manager'],
      );
      assert.deepEqual(
        match!.lineups?.map(({ side, player, position }) => `${side} ${player.id} ${position}`),
        [
          ...['C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF', 'DH'].map((at, index) => `home play${index}01 ${at}`),
          'home pitc101 P',
        ],
      );
    });

    it('give long games, innings with ten runs, and the play-offs in the file', async () => {
      const innings = { 10: '15', 11: '14', 20: '(12)00000000000000003', 21: '1200000(11)0000000000' };
      const { matches, faults } = await log([logLine(innings)], 'GLWS.TXT');
      assert.deepEqual(faults, []);
      assert.equal(matches[0]!.period_scores?.length, 18);
      assert.deepEqual(matches[0]!.period_scores?.[0], { period: 'I1', home: 1, away: 12 });
      assert.equal(matches[0]!.round_name, 'World Series');
    });

    it('keep a score that the innings do not add up to, and the difference is reported', async () => {
      const { matches, faults } = await log([logLine({ 21: '01000210x' }), logLine({ 2: '1', 20: 'abc' })]);
      assert.deepEqual(
        matches.map(({ score, period_scores }) => [score, period_scores]),
        [
          [{ home: 5, away: 3 }, undefined],
          [{ home: 5, away: 3 }, undefined],
        ],
      );
      assert.match(faults[0]!.detail, /add up to 3:4, not to 3:5; the score is taken without them/);
      assert.match(faults[1]!.detail, /abc and 01000310x are not line scores/);
    });

    it('award a forfeited game with nine runs, without innings', async () => {
      const { matches } = await log([logLine({ 15: 'V' }), logLine({ 2: '1', 15: 'H' })]);
      assert.deepEqual(
        matches.map(({ status_detail, score, period_scores }) => [status_detail, score, period_scores]),
        [
          ['awarded', { home: 0, away: 9 }, undefined],
          ['awarded', { home: 9, away: 0 }, undefined],
        ],
      );
    });

    it('cause a report for lines that are not games', async () => {
      const { matches, faults } = await log([
        '20240615,0,Sat',
        logLine({ 1: '20240631' }),
        logLine({ 4: 'BOS' }),
        logLine(),
      ]);
      assert.equal(matches.length, 1);
      assert.deepEqual(
        faults.map(({ position, detail }) => [Number(position.split(':').at(-1)), detail.slice(0, 20)]),
        [
          [1, 'has 3 fields; a game'],
          [2, '"20240631" is not a '],
          [3, 'both sides are the s'],
        ],
      );
    });
  });

  it('stores the same data in any file order, and changes nothing the second time', async () => {
    const files = filesOf({
      'teams-2024.csv': `${[HEADER, ...rows({}), ...rows({ number: '1' }), ...rows({ number: '2' })].join('\n')}\n`,
      'GL2024.TXT': `${[logLine({ 46: '0', 74: '1' }), logLine({ 2: '2', 46: '0', 74: '1' })].join('\n')}\n`,
    });
    const time = new Date('2025-01-01T00:00:00Z');
    for (const name of ['teams-2024.csv', 'GL2024.TXT']) utimesSync(join(files, name), time, time);
    const store = async (order: string[]) => {
      const database = await createTestDatabase();
      const deps = {
        pool: database.pool,
        clock: { now: () => Date.parse('2026-01-01T00:00:00Z') },
        changes: { publish: () => undefined },
        entities: new EntityCache(),
      };
      const summaries = [];
      for (const name of order)
        summaries.push(await runImport(deps, retrosheet, join(files, name), { progress: false }));
      const { rows: stored } = await database.pool.query(
        `SELECT m.scheduled_start, m.home_score, m.away_score, m.period_scores::text, m.attendance, m.referee,
           (SELECT string_agg(b.block || b.json, ' ' ORDER BY b.block) FROM match_block b WHERE b.match_id = m.id AND b.block = 'statistics') AS blocks
         FROM match m JOIN external_ref r ON r.entity = 'match' AND r.entity_id = m.id ORDER BY r.external_id`,
      );
      await database.drop();
      return { stored, summaries };
    };
    const [one, other] = [
      await store(['teams-2024.csv', 'GL2024.TXT', 'teams-2024.csv']),
      await store(['GL2024.TXT', 'teams-2024.csv']),
    ];
    assert.equal(one.stored.length, 3);
    assert.deepEqual(other.stored, one.stored);
    assert.deepEqual([one.summaries[2]!.changed, one.summaries[2]!.unchanged], [0, 3]);
    assert.match(one.stored[0]!.period_scores, /I9/);
  });

  it('reads players with birth dates, and leaves out people who played no game', async () => {
    const people = [
      'playerID,birthYear,birthMonth,birthDay,birthCountry,birthCity,nameFirst,nameLast,weight,height,bats,throws,retroID',
      'ohtansh01,1994,7,5,Japan,Oshu,Shohei,Ohtani,210,76,L,R,ohtas001',
      'soto,1998,10,25,D.R.,Santo Domingo,Juan,Soto,224,74,L,L,sotoj001',
      'unknown01,1890,,,USA,,John,Doe,,,,,doejo101',
      'owner01,1930,7,4,USA,Rocky River,George,Steinbrenner,,,,,',
    ];
    const { updates, faults } = await readAll(retrosheet, filesOf({ 'People.csv': `${people.join('\n')}\n` }));
    assert.deepEqual(faults, []);
    assert.deepEqual(
      updates.map((update) => {
        const { id, name, country, birth_date, extra } =
          update.kind === 'participant' ? update.participant : assert.fail();
        return [id, name, country, birth_date, extra?.height_cm];
      }),
      [
        ['ohtas001', 'Shohei Ohtani', 'JP', '1994-07-05', 193],
        ['sotoj001', 'Juan Soto', 'DO', '1998-10-25', 188],
        ['doejo101', 'John Doe', 'US', undefined, undefined],
      ],
    );
  });
});
