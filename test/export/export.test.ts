import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { type ExportOptions, exportCommand } from '../../src/export/command.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/export/formats.ts';
import { EXPORT_KINDS, EXPORTED, type ExportKind, exportedRows } from '../../src/export/rows.ts';
import { matchItem } from '../../src/wire/match.ts';
import type { Row } from '../../src/wire/table-columns.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { temporaryFolder } from '../support/process.ts';
import { AWKWARD, FORMULA, feedExported, LABELS } from './exported.ts';

describe('exports', () => {
  const folder = temporaryFolder();
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed([]);
    await feedExported(fed);
  });
  after(async () => {
    folder.remove();
    await fed.close();
  });

  /** Writes an export, and returns its path. */
  async function written(kind: ExportKind, options: Partial<ExportOptions> = {}): Promise<string> {
    const output = join(folder.path, `export-${++serial}`);
    await exportCommand(fed.db.pool, kind, { format: 'ndjson', output, ...options });
    return output;
  }
  async function ndjson(kind: ExportKind, options: Partial<ExportOptions> = {}): Promise<Row[]> {
    const text = readFileSync(await written(kind, options), 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }
  const csv = async (kind: ExportKind, options: Partial<ExportOptions> = {}) =>
    parse(readFileSync(await written(kind, { format: 'csv', ...options })), { columns: true }) as Record<
      string,
      string
    >[];
  const parquet = async (kind: ExportKind, options: Partial<ExportOptions> = {}) =>
    parquetReadObjects({
      file: await asyncBufferFromFile(await written(kind, { format: 'parquet', ...options })),
    }) as Promise<Record<string, unknown>[]>;
  const seasonsOf = (rows: Row[]) => rows.map(({ extra }) => (extra as { season: string }).season);

  it('have the API’s objects in NDJSON', async () => {
    const rows = await ndjson('matches');
    assert.equal(rows.length, 4);
    for (const row of rows) matchItem.parse(row);
    assert.deepEqual(seasonsOf(rows), [...LABELS, '2024']);
    const { match_id, ...goal } = (await ndjson('incidents'))[0]!;
    assert.equal(match_id, rows[2]!.id);
    assert.deepEqual([goal.minute, goal.player_name, goal.payload], [12, AWKWARD, { goal_type: 'regular' }]);
  });

  it('have a column for each value in CSV, contain no text that a spreadsheet would run, and keep every alphabet', async () => {
    const rows = await csv('matches');
    assert.deepEqual(
      rows.map((row) => [row.extra_season, row.home_name, row.home_score, row.away_name, row.minute]),
      [...LABELS.map((label) => [label, `'${FORMULA}`, '2', AWKWARD, '']), ['2024', `'${FORMULA}`, '', AWKWARD, '']],
    );
    const odds = await csv('odds');
    assert.deepEqual(
      odds.map((row) => [row.choice_name, row.decimal_value, row.winning]),
      [
        ['1', '1.85', ''],
        ["'-1.5", '3.2', ''],
      ],
    );
    const lineups = await csv('lineups');
    assert.deepEqual(
      lineups.map((row) => [row.side, row.player_name, row.position, row.is_substitute]),
      [
        ['home', 'Ann Able', 'GK', 'false'],
        ['away', 'Bea Best', '', 'true'],
      ],
    );
  });

  it('have types for integers, numbers, booleans, times, text, and null in Parquet', async () => {
    const [first, , , last] = await parquet('matches');
    assert.equal(typeof first!.id, 'bigint');
    assert.deepEqual(first!.scheduled_start, new Date('2021-08-12T14:00:00Z'));
    assert.deepEqual(
      [first!.home_name, first!.home_score, first!.time_tbd, first!.minute],
      [FORMULA, 2n, false, null],
      'a formula is text in Parquet, and keeps its form',
    );
    assert.equal(last!.home_score, null);
    const [, odds] = await parquet('odds');
    assert.deepEqual([odds!.choice_name, odds!.decimal_value], ['-1.5', 3.2]);
    const [goal] = await parquet('incidents');
    assert.deepEqual([goal!.minute, goal!.payload], [12n, '{"goal_type":"regular"}']);
  });

  it('have the columns in every format, even without rows', async () => {
    const nothing = { since: '2100-01-01T00:00:00Z' };
    for (const kind of EXPORT_KINDS) {
      const names = EXPORTED[kind].map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, 'no name twice');
      assert.equal(readFileSync(await written(kind, { ...nothing, format: 'csv' }), 'utf8'), `${names.join(',')}\r\n`);
      assert.deepEqual(await ndjson(kind, nothing), []);
      assert.deepEqual(await parquet(kind, nothing), []);
    }
  });

  it('combine filters', async () => {
    const league = await fed.tournamentId('League');
    assert.deepEqual(seasonsOf(await ndjson('matches', { sport: 'tennis' })), ['2024']);
    assert.deepEqual(seasonsOf(await ndjson('matches', { tournament: league })), LABELS);
    assert.deepEqual(seasonsOf(await ndjson('matches', { tournament: league, season: '2022/23' })), ['2022/23']);
    assert.deepEqual(await ndjson('matches', { sport: 'tennis', season: '2022/23' }), []);
    assert.equal((await ndjson('lineups', { season: '2023/24' })).length, 2);
    assert.deepEqual(await ndjson('lineups', { season: '2022/23' }), []);
    const [changed] = await ndjson('matches', { season: '2022/23' });
    const since = changed!.updated_at as string;
    assert.equal((await ndjson('matches', { since })).length, 4, 'the bound is inclusive');
  });

  it('name unknown filters, and leave no file', async () => {
    const league = await fed.tournamentId('League');
    const before = readdirSync(folder.path);
    for (const [filter, message] of [
      [{ sport: 'chess' }, 'There is no sport "chess"'],
      [{ tournament: 999_999 }, 'There is no tournament 999999'],
      [{ season: '23/24' }, 'No tournament has a season "23/24"; labels are like 2023/24 or 2022'],
      [{ season: "' OR 1=1" }, `No tournament has a season "' OR 1=1"; labels are like 2023/24 or 2022`],
      [
        { tournament: league, season: '2024' },
        `Tournament ${league} does not have a season "2024"; labels are like 2023/24 or 2022`,
      ],
    ] as const)
      await assert.rejects(written('matches', filter), { message });
    assert.deepEqual(readdirSync(folder.path), before);
  });

  it('keep an existing file if they fail, and leave no partial file', async () => {
    const output = join(folder.path, 'kept');
    writeFileSync(output, 'older export');
    const pool = {
      connect: async () => {
        const client = await fed.db.pool.connect();
        const query = client.query.bind(client);
        // The connection is lost after the first rows, as when Postgres restarts.
        let fetched = 0;
        const cut = (...args: Parameters<typeof query>) => {
          if (String(args[0]).startsWith('FETCH') && ++fetched > 1) throw new Error('Connection terminated');
          return query(...args);
        };
        return Object.assign(Object.create(client) as typeof client, { query: cut });
      },
    } as typeof fed.db.pool;
    for (const format of FORMAT_NAMES)
      await assert.rejects(exportCommand(pool, 'matches', { format, output }), {
        message: 'The export ended after 4 rows: Connection terminated',
      });
    assert.equal(readFileSync(output, 'utf8'), 'older export');
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.part')),
      [],
    );
    await assert.rejects(exportCommand(fed.db.pool, 'matches', { format: 'csv', output: '/nonexistent/x.csv' }), {
      message: /^The export ended after \d+ rows: ENOENT/,
    });
  });

  it('do not contain changes made while they run', async () => {
    const later = await startFed([]);
    try {
      await feedExported(later);
      const batches = exportedRows(later.db.pool, 'matches', {}, 1);
      const rows = [...((await batches.next()).value as Row[])];
      await later.db.pool.query('DELETE FROM match_card');
      for await (const batch of batches) rows.push(...batch);
      assert.deepEqual(seasonsOf(rows), [...LABELS, '2024']);
    } finally {
      await later.close();
    }
  });

  it('write while they read, so memory does not grow with their size', async () => {
    const columns = EXPORTED.incidents;
    for (const name of FORMAT_NAMES) {
      let read = 0;
      async function* endless(): AsyncGenerator<Row[]> {
        for (;;) {
          yield Array.from({ length: 500 }, (_, index) => ({ match_id: ++read, id: index, kind: 'goal' }));
        }
      }
      const content = FORMATS[name](columns, endless());
      for (let turn = 0; turn < 4; turn++) await content.next();
      assert.ok(read <= 4 * 20_000, `${name} has read ${read} rows for four pieces`);
      await content.return(undefined);
    }
  });
});
