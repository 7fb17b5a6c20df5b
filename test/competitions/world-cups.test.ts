import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { sidesOf } from '../../src/competitions/meetings.ts';
import { findSeason, seasonMatches } from '../../src/competitions/queries.ts';
import { buildTables } from '../../src/competitions/season-tables.ts';
import { seasonTables } from '../../src/competitions/standings.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { fjelstul } from '../../src/importers/fjelstul/fjelstul.ts';
import { runImport } from '../../src/importers/run.ts';
import { tournaments } from '../../src/importers/tournaments/tournaments.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A row in the official tables. */
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

const NOW = Date.parse('2024-01-01T00:00:00Z');
const folder = fileURLToPath(new URL('../../../shared/datasets/fjelstul-worldcup', import.meta.url));

describe('every World Cup’s standings', function () {
  this.timeout(120_000);
  let db: TestDatabase | undefined;
  before(async function () {
    if (!existsSync(folder)) {
      console.warn(`      SKIPPED: ${folder} is not there`);
      this.skip();
    }
    db = await createTestDatabase();
    const deps = {
      pool: db.pool,
      clock: { now: () => Date.now() },
      changes: { publish: () => {} },
      entities: new EntityCache(),
    };
    await runImport(deps, tournaments, '', { progress: false });
    await runImport(deps, fjelstul, folder, { progress: false });
  });
  after(() => db?.drop());

  const official = () =>
    parse(gunzipSync(readFileSync(`${folder}/group_standings.csv.gz`)), { columns: true }) as Official[];

  /** Returns the names that an official group has in our importer and in our tables. */
  function namesOf({ stage_name, group_name }: Official): string[] {
    const group = group_name.replace(/ ([a-z])$/, (letter) => letter.toUpperCase());
    if (stage_name === 'final round') return ['Final round'];
    if (stage_name !== 'second group stage') return [group, `Group stage, ${group}`];
    // For the second stage in 1982, the matches have numbers for the groups and the tables have letters.
    const number = `Group ${'ABCD'.indexOf(group.at(-1)!) + 1}`;
    return [`Second group stage, ${number}`, group];
  }

  it('equal the official standings, including positions', async () => {
    const { rows } = await db!.pool.query<{ id: number; season: number; label: string; gender: string }>(
      `SELECT t.id, s.id AS season, s.season_label AS label, t.gender FROM tournament t JOIN season s ON s.tournament_id = t.id
       WHERE t.name LIKE '%World Cup%' ORDER BY s.season_label`,
    );
    const tables = new Map<string, Map<string | null, number[][]>>();
    for (const { id, season, label, gender } of rows) {
      const found = await findSeason(db!.pool, id, season, '2024-01-01');
      const groups = new Map<string | null, number[][]>();
      const { table, complete } = await seasonTables(db!.pool, found!, 'total', NOW);
      assert.equal(complete, true, `${label} ${gender}`);
      for (const row of table) {
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

  it('show the historical side names for every match', async () => {
    /** Countries that we spell differently. */
    const SPELLINGS: Record<string, string> = { 'United States': 'USA', 'Republic of Ireland': 'Ireland' };
    const expected = parse(gunzipSync(readFileSync(`${folder}/matches.csv.gz`)), { columns: true }) as Official[];
    const { rows } = await db!.pool.query<{ external_id: string; sides: { name: string }[] }>(
      `SELECT r.external_id, c.item::json -> 'participants' AS sides FROM external_ref r JOIN match_card c ON c.match_id = r.entity_id
       WHERE r.entity = 'match' AND r.provider = 'fjelstul'`,
    );
    const shown = new Map(rows.map((row) => [row.external_id, row.sides.map(({ name }) => name).sort()]));
    assert.equal(shown.size, 1_248);
    const different: string[] = [];
    for (const row of expected as unknown as Record<string, string>[]) {
      const names = [row.home_team_name!, row.away_team_name!].map((name) => SPELLINGS[name] ?? name).sort();
      const [first, second] = shown.get(row.match_id!) ?? [];
      if (first !== names[0] || second !== names[1]) different.push(`${row.match_id} ${first} ${second}`);
    }
    // FIFA used the short name for the Federal Republic of Yugoslavia.
    assert.deepEqual(different.sort(), [
      'M-1998-12 FR Yugoslavia Iran',
      'M-1998-28 FR Yugoslavia Germany',
      'M-1998-44 FR Yugoslavia USA',
      'M-1998-54 FR Yugoslavia Netherlands',
    ]);
  });

  it('are empty for World Cups without groups', async () => {
    const { rows } = await db!.pool.query<{ id: number; season: number }>(
      "SELECT tournament_id AS id, id AS season FROM season WHERE season_label IN ('1934', '1938')",
    );
    assert.equal(rows.length, 2);
    for (const { id, season } of rows) {
      const found = await findSeason(db!.pool, id, season, '2024-01-01');
      assert.deepEqual((await seasonTables(db!.pool, found!, 'total', NOW)).table, []);
    }
  });

  it('have the official groups even if groups are inferred from the fixtures', async () => {
    const { rows } = await db!.pool.query<{ season: number; cup: string }>(
      `SELECT s.id AS season, s.season_label || ' ' || t.gender AS cup FROM season s JOIN tournament t ON t.id = s.tournament_id
       WHERE t.name LIKE '%World Cup%' AND EXISTS (SELECT FROM match m WHERE m.season_id = s.id) ORDER BY 2`,
    );
    const without: string[] = [];
    for (const { season, cup } of rows) {
      const matches = await seasonMatches(db!.pool, season, new Date(NOW).toISOString());
      const nameless = matches.map((match) => ({
        ...match,
        ...{ group: null, stage: '', matchday: null },
        round: '',
      }));
      const groups = (tables: ReturnType<typeof buildTables>) =>
        tables.map((table) => [...sidesOf(table.matches)].sort((a, b) => a - b).join()).sort();
      const inferred = groups(buildTables(nameless, false, String));
      if (inferred.length === 0) without.push(cup);
      else assert.deepEqual(inferred, groups(buildTables(matches, false, String)), cup);
    }
    // 1934 and 1938 had only knock-out rounds. In 1950, two groups had fewer than three sides. In 1954, seeds did not meet.
    assert.deepEqual(without, ['1934 men', '1938 men', '1950 men', '1954 men']);
    assert.ok(rows.length >= 30);
  });
});
