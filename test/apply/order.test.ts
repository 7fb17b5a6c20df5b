import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { countPendingUpdates } from '../../src/apply/resolve/pending-updates.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { BUILT_IN_NAMES } from '../../src/importers/names/names.ts';
import { runImport } from '../../src/importers/run.ts';
import { exportCatalogue } from '../support/catalogue-export.ts';
import { createTestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

const DATASETS = new URL('../../../shared/datasets/', import.meta.url).pathname;

/** Seasons of a league and a World Cup, each from as many sources as have it. One season's formations have no dates. */
const FILES = [
  'football-datasets/premier-league/season-1819.csv.gz',
  'football-datasets/premier-league/season-1920.csv.gz',
  'football-datasets/premier-league/season-2324.csv.gz',
  'openfootball/football.json/2023-24/en.1.json.gz',
  'openfootball/champions-league/2023-24/cl.txt.gz',
  'openfootball/worldcup.json/2022/worldcup.json.gz',
  'openfootball/worldcup.json/2026/worldcup.squads.json.gz',
  'openfootball/clubs/europe/england/eng.clubs.txt.gz',
  'schochastics/formations/formations_1920_premier_league.csv.gz',
  'schochastics/formations/lineups_1920_premier_league.csv.gz',
  'schochastics/incidents/england_premier-league-2023-2024.json.gz',
  'venues/stadiums-with-GPS-coordinates.csv.gz',
];
/** Additional files, from which only matching lines are imported. */
const FILTERED: Record<string, RegExp> = {
  'international-results/results.csv.gz': /^2022-1[12]-/,
  'international-results/goalscorers.csv.gz': /^2022-1[12]-/,
  'international-results/shootouts.csv.gz': /^2022-1[12]-/,
  'international-results/former_names.csv.gz': /./,
  'fivethirtyeight/spi_matches_2016-2019.csv.gz': /^2018-0[89].*Barclays Premier League/,
  'fivethirtyeight/nfl_games.csv.gz': /^202(0-12|1-)/,
  ...Object.fromEntries(
    [
      'bookings',
      'goals',
      'manager_appearances',
      'matches',
      'penalty_kicks',
      'player_appearances',
      'referee_appearances',
      'substitutions',
    ].map((table) => [`fjelstul-worldcup/${table}.csv.gz`, /WC-2022/]),
  ),
  ...Object.fromEntries(
    [
      'managers',
      'players',
      'referees',
      'stadiums',
      'teams',
      'tournaments',
      'squads',
      'group_standings',
      'groups',
      'tournament_stages',
      'tournament_standings',
      'qualified_teams',
      'award_winners',
    ].map((table) => [`fjelstul-worldcup/${table}.csv.gz`, /./]),
  ),
};

const IMPORTS: readonly (readonly [format: string, path: string])[] = [
  ['tournaments', ''],
  ...(existsSync(BUILT_IN_NAMES) ? [['names', ''] as const] : []),
  ['openfootball-clubs', 'openfootball/clubs'],
  ['venues', 'venues'],
  ['football-data', 'football-datasets'],
  ['openfootball-json', 'openfootball/football.json'],
  ['openfootball-json', 'openfootball/worldcup.json'],
  ['football-txt', 'openfootball/champions-league'],
  ['fjelstul', 'fjelstul-worldcup'],
  ['international-results', 'international-results'],
  ['schochastics', 'schochastics'],
  ['fivethirtyeight', 'fivethirtyeight'],
  ['nfl', 'fivethirtyeight'],
];

/** Sorts by a hash, to get a third fixed order. */
const spread = (format: string) => createHash('sha1').update(format).digest()[0]!;

describe('imports in different orders', function () {
  this.timeout(400_000);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-order-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(function () {
    if (!existsSync(DATASETS)) {
      console.log('        SKIPPED: ../shared/datasets is not there');
      this.skip();
    }
    for (const file of FILES) cpSync(join(DATASETS, file), place(file));
    for (const [file, wanted] of Object.entries(FILTERED)) {
      if (!existsSync(join(DATASETS, file))) continue;
      const [head, ...lines] = gunzipSync(readFileSync(join(DATASETS, file)))
        .toString('utf8')
        .split('\n');
      writeFileSync(place(file.replace(/\.gz$/, '')), [head, ...lines.filter((line) => wanted.test(line))].join('\n'));
    }
  });

  function place(file: string): string {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  async function catalogueOf(order: typeof IMPORTS): Promise<string[]> {
    const db = await createTestDatabase();
    const deps = {
      pool: db.pool,
      clock: { now: () => Date.parse('2026-11-21T00:00:00Z') },
      changes: { publish: () => {} },
      entities: new EntityCache(),
    };
    for (const [format, path] of order) {
      const importer = findImporter(format);
      assert.ok(importer, format);
      const summary = await runImport(deps, importer, path === '' ? builtIn(format) : join(folder, path), {
        progress: false,
      });
      assert.deepEqual([format, summary.faults], [format, []]);
    }
    // A second import does not change any data.
    for (const [format, path] of order) {
      const summary = await runImport(deps, findImporter(format)!, path === '' ? builtIn(format) : join(folder, path), {
        progress: false,
      });
      assert.deepEqual([format, summary.changed], [format, 0]);
    }
    assert.equal(await countPendingUpdates(db.pool), 0);
    const lines = await exportCatalogue(db.pool);
    await db.drop();
    return lines;
  }

  let first: string[];
  it('put everything into the catalogue exactly once', async () => {
    first = await catalogueOf(IMPORTS);
    const cards = first.filter((line) => line.startsWith('card '));
    assert.equal(cards.filter((line) => line.includes('2023/24 premier league')).length, 380);
    assert.equal(cards.filter((line) => line.includes('2022 fifa world cup')).length, 64);
    const season = cards.filter((line) => line.includes('2019/20 premier league'));
    assert.equal(season.filter((line) => line.includes('"lineups":[{')).length, 380);
    assert.ok(
      cards.some((line) => line.includes('"Corner kicks"') && line.includes('Expected goals (FiveThirtyEight)')),
    );
  });

  const orders = {
    reversed: IMPORTS.toReversed(),
    ...(LONG_FORMS && { shuffled: IMPORTS.toSorted(([one], [two]) => spread(one) - spread(two)) }),
  };
  for (const [name, order] of Object.entries(orders)) {
    it(`produce the same catalogue in the order ${name}`, async () => {
      const other = await catalogueOf(order);
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

/** Returns the data that ships with the importer. */
const builtIn = (format: string) => (format === 'names' ? BUILT_IN_NAMES : '.');
