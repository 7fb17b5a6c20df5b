/**
 * Measures how long `touchline import football-data` takes for football-datasets and an empty database, from the start of the command to
 * its end. For comparison, the same run measures COPY of the same rows into tables with the same indexes.
 * DATA=../shared/datasets/football-datasets, or any files in that format.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { pino } from 'pino';
import { readConfig } from '../src/config/config.ts';
import { openStores } from '../src/db/stores.ts';
import { median, printRow } from './report.ts';

/** Goal for the whole command, as a multiple of the time that COPY takes. */
const GOAL = 5;
const DATA = process.env.DATA ?? fileURLToPath(new URL('../../shared/datasets/football-datasets', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../bin/touchline.js', import.meta.url));
/** Number of COPY measurements. The median is used. */
const ROUNDS = 3;
/** The tables that an import fills. Tables that get only a few hundred rows, such as tournament, are left out. */
const TABLES = [
  'participant',
  'participant_alias',
  'external_ref',
  'match',
  'match_card',
  'match_block',
  'match_change',
];

const seconds = (since: number) => (performance.now() - since) / 1_000;

function importAll(dataDir: string): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [LAUNCHER, 'import', 'football-data', DATA], {
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`the import ended with ${status}`);
  return seconds(started);
}

/**
 * Copies a table's rows into an empty table with the same columns, checks and indexes.
 * @returns seconds
 */
async function copyInto(client: pg.PoolClient, table: string, file: string): Promise<number> {
  await client.query(`DROP TABLE IF EXISTS bench_${table}`);
  await client.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`);
  const started = performance.now();
  await pipeline(
    createReadStream(file, { highWaterMark: 1024 * 1024 }),
    client.query(copyFrom(`COPY bench_${table} FROM STDIN (FORMAT binary)`)),
  );
  return seconds(started);
}

async function measureCopy(dataDir: string): Promise<{ rows: number; megabytes: number; rounds: number[] }> {
  const stores = await openStores(readConfig({ DATA_DIR: dataDir }, {}, []), pino({ level: 'silent' }));
  const client = await stores.pool.connect();
  try {
    const files = new Map(TABLES.map((table) => [table, join(dataDir, `${table}.copy`)]));
    let rows = 0;
    let bytes = 0;
    for (const [table, file] of files) {
      await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT (FORMAT binary)`)), createWriteStream(file));
      rows += Number((await client.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n);
      bytes += statSync(file).size;
    }
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let total = 0;
      for (const [table, file] of files) total += await copyInto(client, table, file);
      rounds.push(total);
    }
    return { rows, megabytes: bytes / 1e6, rounds };
  } finally {
    client.release();
    await stores.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
chmodSync(folder, 0o755);
try {
  const dataDir = join(folder, 'data');
  const imported = importAll(dataDir);
  const { rows, megabytes, rounds } = await measureCopy(dataDir);
  const copied = median(rounds);
  printRow(
    {
      path: 'import of football-datasets',
      ours: `${imported.toFixed(1)} s`,
      bound: `COPY, same rows: ${copied.toFixed(1)} s`,
      ratio: imported / copied,
      goal: GOAL,
    },
    `${rows} rows, ${megabytes.toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
