import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { importCommand } from '../../src/importers/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { filesOf, removeFiles } from './fixture.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HEADER = 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n';
const GOOD = 'E0,11/08/2023,Burnley,Man City,0,3,A\n';

describe('touchline import', () => {
  let database: TestDatabase;
  let deps: ApplyDeps;
  beforeEach(async () => {
    database = await createTestDatabase();
    deps = {
      pool: database.pool,
      clock: { now: () => NOW },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
  });
  afterEach(() => database.drop());
  after(removeFiles);

  /** Runs the command. Returns the printed lines, and the error message. */
  const run = async (paths: string[], { format = 'football-data', rejections }: Record<string, string> = {}) => {
    const lines: string[] = [];
    const failure = await importCommand(deps, format!, paths, (line) => lines.push(line), {
      ...(rejections && { rejections }),
    }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { lines, text: lines.join('\n'), failure };
  };
  const figures = (line: string | undefined) => (line ?? '').split(/\s+/u).slice(0, 7);

  it('rejects a row for an unknown league without losing a valid row', async () => {
    const folder = filesOf({
      'mixed.csv': `${HEADER}${GOOD}XX,11/08/2023,A,B,1,0,H\nE0,12/08/2023,Arsenal,Fulham,1,1,D\n`,
    });
    const { lines, failure } = await run([folder]);
    assert.equal(failure, undefined);
    assert.deepEqual(figures(lines[0]), ['format', 'files', 'read', 'changed', 'unchanged', 'pending', 'rejected']);
    assert.deepEqual(figures(lines[1]), ['football-data', '1', '3', '2', '0', '0', '1']);
    assert.match(lines.join('\n'), /mixed\.csv:3: the league XX \(column Div\) is not known/);
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM match');
    assert.equal(rows[0].n, 2);
    const again = await run([folder]);
    assert.deepEqual(figures(again.lines[1]), ['football-data', '1', '3', '0', '2', '0', '1']);
  });

  it('ends an import of all data with the catalogue’s counts for each sport', async () => {
    const folder = filesOf({
      'football-data/E0.csv': `${HEADER}${GOOD}E0,12/08/2023,Arsenal,Fulham,1,1,D\n`,
      'fivethirtyeight/nfl_games.csv':
        'date,season,neutral,playoff,team1,team2,elo1,elo2,elo_prob1,score1,score2,result1\n2020-09-10,2020,0,0,KC,HOU,1700,1600,0.7,34,20,1\n',
    });
    const { lines, failure } = await run([folder], { format: 'open-data' });
    assert.equal(failure, undefined);
    const at = lines.findIndex((line) => line.startsWith('sport'));
    assert.deepEqual(lines[at]!.split(/\s+/u), ['sport', 'tournaments', 'seasons', 'matches', 'teams', 'players']);
    const counted = (sport: string) => lines.find((line) => line.startsWith(sport))!.split(/\s+/u);
    assert.equal(counted('football ')[3], '2');
    assert.deepEqual(counted('american-football').slice(3), ['1', '32', '0']);
  });

  it('fails if a path has no data, but imports the rest', async () => {
    const folder = filesOf({
      'bad.csv': `${HEADER}XX,11/08/2023,A,B,1,0,H\n`,
      'none.csv': HEADER,
      'good.csv': HEADER + GOOD,
    });
    const path = (name: string) => join(folder, name);
    const { lines, failure } = await run([path('bad.csv'), path('none.csv'), '/nowhere', path('good.csv')]);
    assert.equal(
      failure,
      `/nowhere: no such file or folder; nothing was taken from ${path('bad.csv')}; nothing was taken from ${path('none.csv')}`,
    );
    assert.deepEqual(figures(lines[3]), ['football-data', '1', '1', '1', '0', '0', '0']);
    assert.deepEqual(figures(lines[4]), ['all', '3', '2', '1', '0', '0', '1']);
  });

  it('names a file without data, and fails only if no file has data', async () => {
    const folder = filesOf({
      'bad.csv': `${HEADER}XX,11/08/2023,A,B,1,0,H\n`,
      'none.csv': HEADER,
      'good.csv': HEADER + GOOD,
    });
    const { text, failure } = await run([folder]);
    assert.equal(failure, undefined);
    assert.match(text, /nothing was taken from these files\n {2}\S+bad\.csv\n {2}\S+none\.csv$/);
  });

  it("does not report a table whose rows belong to another file's matches", async () => {
    const folder = filesOf({
      'results.csv':
        'date,home_team,away_team,home_score,away_score,tournament\n2021-07-11,Italy,England,1,1,UEFA Euro\n',
      'shootouts.csv': 'date,home_team,away_team,winner\n2021-07-11,Italy,England,Italy\n',
    });
    const { lines, failure } = await run([folder], { format: 'international-results' });
    assert.equal(failure, undefined);
    assert.deepEqual(figures(lines[1]), ['international-results', '2', '1', '1', '0', '0', '0']);
    assert.equal(lines.length, 2);
  });

  it('fails if a file cannot be read to its end, but keeps what was read before the fault', async () => {
    const folder = filesOf({
      'cut.csv': `${HEADER}${GOOD}E0,12/08/2023,Arsenal,Nott'm For`,
      'other.csv': HEADER + GOOD,
    });
    const { text, failure } = await run([folder]);
    assert.equal(failure, `1 file of ${folder} could not be read to the end`);
    assert.match(text, /cut\.csv:3: the row is cut/);
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM match');
    assert.equal(rows[0].n, 1);
  });

  it('prints the first 20 rejections, and writes all of them to a file on request', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `E0,11/08/2023,Team ${index},Team ${index},1,1,D\n`);
    const folder = filesOf({ 'wrong.csv': HEADER + rows.join('') + GOOD });
    const rejections = join(folder, 'rejections.txt');
    const { lines, text, failure } = await run([join(folder, 'wrong.csv')], { rejections });
    assert.equal(failure, undefined);
    assert.equal(lines.filter((line) => line.includes('both sides are the same team')).length, 20);
    assert.match(text, /and 1,480 more: see \S+rejections\.txt/);
    assert.match((await run([join(folder, 'wrong.csv')])).text, /and 1,480 more: write all .* --rejections FILE/);
    const written = readFileSync(rejections, 'utf8').trimEnd().split('\n');
    assert.equal(written.length, 1_500);
    assert.match(written[1_499]!, /wrong\.csv:1501: both sides are the same team$/);
  });

  it('prints each rejection in one line, whatever the file contains', async () => {
    const folder = filesOf({ 'E0.csv': `${HEADER}E0,"11/08\r2023\u2028",A,B,1,0,H\n${GOOD}` });
    const { lines } = await run([folder]);
    assert.equal(lines.length, 4);
    assert.ok(lines.every((line) => !/[\n\r\u2028]/u.test(line)));
  });

  it('names images that it refuses', async () => {
    const folder = filesOf({ noextension: 'x', '.hidden': 'x', '1.svg': '<svg/>' });
    const { lines, text, failure } = await run([folder], { format: 'images' });
    assert.equal(failure, `nothing was taken from ${folder}`);
    assert.deepEqual(figures(lines[1]), ['images', '2', '2', '0', '0', '0', '2']);
    assert.match(text, /noextension: the file name must be the id of a known participant/);
  });
});
