/**
 * Imports files in several orders, and kills and repeats some of the imports. All orders give the same catalogue. Each
 * import ends as the command does.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { pino } from 'pino';
import { drainCardRefresh } from '../../src/apply/write/card-refresh.ts';
import { refreshSearch } from '../../src/catalogue/search/refresh.ts';
import { openPool } from '../../src/db/postgres.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { linkLines } from '../../src/importers/link-players.ts';
import { BUILT_IN_NAMES } from '../../src/importers/names/names.ts';
import { runImport } from '../../src/importers/run.ts';
import { zipFiles } from '../../src/importers/zip.ts';
import { exportCatalogue } from '../support/catalogue-export.ts';
import { createTestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { randomNumbers } from '../support/random.ts';

const DATASETS = new URL('../../../shared/datasets/', import.meta.url).pathname;

/**
 * Files for a European Championship with surnames only, a league's month with abbreviated names, some nations' players, and
 * some weeks of four other sports.
 */
const FILES = [
  'openfootball/euro/2024--germany/euro.txt.gz',
  'openfootball/clubs/europe/england/eng.clubs.txt.gz',
  ...['england', 'scotland', 'switzerland', ...(LONG_FORMS ? ['spain', 'germany', 'netherlands'] : [])].map(
    (nation) => `openfootball/players/europe/${nation}`,
  ),
];
const FILTERED: Record<string, (text: string) => string> = {
  'football-datasets/premier-league/season-2324.csv.gz': keepLines(/^Date|^2023-08/),
  'international-results/results.csv.gz': keepLines(/^date|^2024-06/),
  'international-results/goalscorers.csv.gz': keepLines(/^date|^2024-06/),
  'international-results/former_names.csv.gz': keepLines(/./),
  'afl-akareen/afl_matches_1980-2024.csv': keepLines(/^round_num|,2024-09/),
  'volleystat/volleyball_bundesliga_2013-2019.csv': keepLines(/^league|,2018-10-/),
  'nhl-data/nhl_1979-2016.csv': keepLines(/^season|^2015-16,2016-06/),
  'schochastics/incidents/england_premier-league-2023-2024.json.gz': (text) =>
    JSON.stringify((JSON.parse(text) as { date: string }[]).filter(({ date }) => date.startsWith('2023-08'))),
};

function keepLines(wanted: RegExp) {
  return (text: string) =>
    text
      .split('\n')
      .filter((line) => wanted.test(line))
      .join('\n');
}

const IMPORTS: readonly (readonly [format: string, path: string])[] = [
  ['tournaments', '.'],
  ['names', 'names.csv'],
  ['openfootball-clubs', 'openfootball/clubs'],
  ['openfootball-players', 'openfootball/players'],
  ['football-data', 'football-datasets'],
  ['football-txt', 'openfootball/euro'],
  ['international-results', 'international-results'],
  ['schochastics', 'schochastics'],
  ['afl-tables-csv', 'afl-akareen'],
  ['volleystat', 'volleystat'],
  ['nhl-data', 'nhl-data'],
  ['cricsheet', 'ipl-cricsheet'],
];
/** The last matches of the Indian Premier League in 2016, in Cricsheet's archive. */
const CRICKET = /^98101[579]\.json$/;
const SEEDS = LONG_FORMS ? [1, 2, 3, 4, 5, 6] : [1, 2, 3];
/** Number of imports that are killed in each order, after a random statement. */
const KILLS = 7;
const LATEST_STATEMENT = 120;

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

describe('imports in different orders with interruptions', function () {
  this.timeout(400_000);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-orders-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(async function () {
    if (!existsSync(DATASETS)) {
      console.log('        SKIPPED: ../shared/datasets is not there');
      this.skip();
    }
    for (const file of FILES) cpSync(join(DATASETS, file), place(file), { recursive: true });
    for (const [file, cut] of Object.entries(FILTERED)) {
      const bytes = readFileSync(join(DATASETS, file));
      writeFileSync(
        place(file.replace(/\.gz$/, '')),
        cut((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()),
      );
    }
    for await (const file of zipFiles({ path: join(DATASETS, 'ipl-cricsheet/ipl_json.zip') }, (name) =>
      CRICKET.test(name),
    ))
      if ('text' in file) writeFileSync(place(`ipl-cricsheet/${file.name}`), file.text);
    const names = keepLines(/^entity|,GB-|,football,[^,]*,(?:CH|DE|ES|FR|IT|INT),/)(
      readFileSync(BUILT_IN_NAMES, 'utf8'),
    );
    writeFileSync(place('names.csv'), names);
  });

  function place(file: string): string {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  /**
   * Imports as the command does.
   * @param statements after this many statements, the process is killed
   */
  async function importOne(url: string, [format, path]: (typeof IMPORTS)[number], statements: number): Promise<void> {
    const pool = openPool(url, pino({ level: 'silent' }));
    if (Number.isFinite(statements)) killAfter(pool, statements);
    const clock = { now: () => Date.parse('2026-11-21T00:00:00Z') };
    const deps = { pool, clock, changes: { publish: () => {} }, entities: new EntityCache() };
    try {
      await runImport(deps, findImporter(format)!, join(folder, path), { progress: false });
      await linkLines(deps);
      await refreshSearch(pool, clock);
      await drainCardRefresh(deps);
    } finally {
      await pool.end();
    }
  }

  async function catalogueOf(order: typeof IMPORTS, random: () => number, kills: number): Promise<string[]> {
    const db = await createTestDatabase();
    const killed = new Set(shuffled(order, random).slice(0, kills));
    for (const one of order) {
      if (killed.has(one)) await importOne(db.url, one, 1 + Math.floor(random() * LATEST_STATEMENT)).catch(() => {});
      // Ends the killed process's lease, so that nobody has to wait for it.
      await db.pool.query("UPDATE search_refresh SET expires_at = '-infinity'");
      await importOne(db.url, one, Number.POSITIVE_INFINITY);
    }
    const lines = await exportCatalogue(db.pool);
    await db.drop();
    return lines;
  }

  let first: string[];
  it('give a catalogue with Russian names and identified players in the usual order', async () => {
    first = await catalogueOf(IMPORTS, randomNumbers(0), 0);
    const cards = first.filter((line) => line.startsWith('card '));
    assert.ok(cards.length > 80, String(cards.length));
    for (const sport of ['aussie-rules', 'cricket', 'ice-hockey', 'volleyball'])
      assert.ok(
        cards.some((line) => line.includes(`"sport":"${sport}"`)),
        sport,
      );
    assert.deepEqual(
      cards.filter((line) => line.includes('"name_ru":null')),
      [],
    );
  });

  const orders: Record<string, [order: typeof IMPORTS, seed: number]> = {
    'the reverse order, killed seven times': [IMPORTS.toReversed(), 8],
    ...Object.fromEntries(
      SEEDS.map((seed) => [`order ${seed}, killed seven times`, [shuffled(IMPORTS, randomNumbers(seed)), seed]]),
    ),
  };
  for (const [name, [order, seed]] of Object.entries(orders)) {
    it(`give the same catalogue: ${name}`, async () => {
      const other = await catalogueOf(order, randomNumbers(seed), KILLS);
      const [one, two] = [new Set(first), new Set(other)];
      const differences = [
        ...first.filter((line) => !two.has(line)).map((line) => `- ${line}`),
        ...other.filter((line) => !one.has(line)).map((line) => `+ ${line}`),
      ];
      assert.deepEqual(
        differences.slice(0, 6).map((line) => line.slice(0, 400)),
        [],
        `${differences.length} lines differ`,
      );
    });
  }
});

/**
 * After this many statements, ends all of a pool's connections, as the kernel does when a process ends. Later
 * statements fail at once.
 */
function killAfter(pool: pg.Pool, statements: number): void {
  const clients = new Set<pg.PoolClient>();
  let left = statements;
  const end = (client: pg.PoolClient) =>
    (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  pool.on('connect', (client) => {
    clients.add(client);
    if (left <= 0) end(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      left -= 1;
      if (left === 0) for (const one of clients) end(one);
      return query(...args);
    }) as typeof client.query;
  });
}
