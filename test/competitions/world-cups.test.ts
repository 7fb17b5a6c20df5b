import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { findSeason } from '../../src/competitions/queries.ts';
import { seasonTable } from '../../src/competitions/standings.ts';
import { fjelstul } from '../../src/importers/fjelstul.ts';
import { runImport } from '../../src/importers/run.ts';
import { tournaments } from '../../src/importers/tournaments.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A row of the official tables. */
type Official = Record<
  | 'tournament_id'
  | 'tournament_name'
  | 'stage_name'
  | 'group_name'
  | 'position'
  | 'played'
  | 'wins'
  | 'draws'
  | 'losses'
  | 'goals_for'
  | 'goals_against'
  | 'points',
  string
>;

const folder = fileURLToPath(new URL('../../../shared/datasets/fjelstul-worldcup', import.meta.url));

describe('standings of every World Cup', function () {
  this.timeout(120_000);
  let db: TestDatabase | undefined;
  before(async function () {
    if (!existsSync(folder)) {
      console.warn(`      SKIPPED: ${folder} is not there`);
      this.skip();
    }
    db = await createTestDatabase();
    const deps = { pool: db.pool, clock: { now: () => Date.now() }, changes: { publish: () => {} } };
    await runImport(deps, tournaments, '', { progress: false });
    await runImport(deps, fjelstul, folder, { progress: false });
  });
  after(() => db?.drop());

  const official = () =>
    parse(gunzipSync(readFileSync(`${folder}/group_standings.csv.gz`)), { columns: true }) as Official[];

  /** As our importer and our tables name a group of the official ones. */
  function namesOf({ stage_name, group_name }: Official): string[] {
    const group = group_name.replace(/ ([a-z])$/, (letter) => letter.toUpperCase());
    if (stage_name === 'final round') return ['Final round'];
    if (stage_name !== 'second group stage') return [group, `Group stage, ${group}`];
    // In 1982 the matches number the groups of the second stage, the tables letter them.
    const number = `Group ${'ABCD'.indexOf(group.at(-1)!) + 1}`;
    return [`Second group stage, ${number}`, group];
  }

  it('the standings of every World Cup equal the official ones, including positions', async () => {
    const { rows } = await db!.pool.query<{ id: number; season: number; label: string; gender: string }>(
      `SELECT t.id, s.id AS season, s.season_label AS label, t.gender FROM tournament t JOIN season s ON s.tournament_id = t.id
       WHERE t.name LIKE '%World Cup%' ORDER BY s.season_label`,
    );
    const tables = new Map<string, Map<string | null, number[][]>>();
    for (const { id, season, label, gender } of rows) {
      const found = await findSeason(db!.pool, id, season, '2024-01-01');
      const groups = new Map<string | null, number[][]>();
      for (const row of await seasonTable(db!.pool, found!, 'total')) {
        const { position, played, wins, draws, losses, scores_for, scores_against, points } = row;
        const line = [position, played, wins, draws, losses, scores_for, scores_against, points];
        groups.set(row.group, [...(groups.get(row.group) ?? []), line]);
      }
      tables.set(`${label} ${gender}`, groups);
    }
    const expected = official();
    assert.ok(expected.length > 600);
    for (const row of expected) {
      const cup = `${row.tournament_id.slice(-4)} ${row.tournament_name.includes('Women') ? 'women' : 'men'}`;
      const groups = tables.get(cup);
      const table = namesOf(row)
        .map((name) => groups?.get(name))
        .find((lines) => lines !== undefined);
      const { position, played, wins, draws, losses, goals_for, goals_against, points } = row;
      const line = [position, played, wins, draws, losses, goals_for, goals_against, points].map(Number);
      assert.deepEqual(table?.[Number(position) - 1], line, `${cup}, ${row.stage_name}, ${row.group_name}`);
    }
  });

  it('the standings of World Cups without groups are empty', async () => {
    const { rows } = await db!.pool.query<{ id: number; season: number }>(
      "SELECT tournament_id AS id, id AS season FROM season WHERE season_label IN ('1934', '1938')",
    );
    assert.equal(rows.length, 2);
    for (const { id, season } of rows) {
      const found = await findSeason(db!.pool, id, season, '2024-01-01');
      assert.deepEqual(await seasonTable(db!.pool, found!, 'total'), []);
    }
  });
});
