/**
 * Tests the quality of the search, on a catalogue made from the names in the alias lists and from obscure namesakes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { routes } from '../../../src/catalogue/routes.ts';
import { evalCommand } from '../../../src/catalogue/search/evaluation-command.ts';
import { scoreAnswers } from '../../../src/catalogue/search/evaluation-scores.ts';
import { knownTournaments } from '../../../src/identity/canonical-tournaments.ts';
import { EntityCache } from '../../../src/identity/entities.ts';
import { BUILT_IN_NAMES, names as builtInNames } from '../../../src/importers/names/names.ts';
import { runImport } from '../../../src/importers/run.ts';
import { type Fed, startFed } from '../feeding.ts';

const QUERIES = join(import.meta.dirname, 'queries.csv');
const LISTS = new URL('../../../data/search-aliases/', import.meta.url);
const LEAST_QUERIES = 400;
const LEAST_AT_1 = 0.93;
const LEAST_AT_3 = 0.98;

/** Players about whom the catalogue knows only the name. */
const OBSCURE_PLAYERS = [
  'Barna Pál',
  'Tom Holland',
  'Harry Kane 11th',
  'Lionel Enguene',
  'Ronaldo Martínez',
  'Messias Silva',
  'Kun Temenuzhkov',
  'Marco Barça',
  'Mueller Fernandes',
  'Salah Sahraoui',
  'Pele Koljonen',
  'Reale Rossi',
  'Zenit Petrov',
  'Epli Jonas',
];
const OBSCURE_TEAMS: [country: string, name: string][] = [
  ['MK', 'FK Belasica'],
  ['RO', 'FC Brașov'],
  ['AT', 'Deutschlandsberger SC'],
  ['IT', 'Messina'],
  ['ES', 'Barcelona Atlètic'],
  ['EC', 'Barcelona SC'],
  ['BY', 'Arsenal Dzerzhinsk'],
  ['BR', 'Real Noroeste'],
  ['CO', 'Real Cartagena'],
  ['BG', 'Spartak Varna'],
  ['BY', 'Dinamo Brest'],
  ['GB-ENG', 'Manchester Central'],
  ['CL', 'Everton de Viña del Mar'],
  ['UY', 'Liverpool Montevideo'],
  ['UY', 'River Plate Montevideo'],
];
const GREAT = new Set(['GB-ENG', 'ES', 'IT', 'DE', 'FR']);

type Row = Record<string, string>;
const list = (file: string): Row[] =>
  parse(readFileSync(new URL(file, LISTS)), { columns: true, trim: true, comment: '#', comment_no_infix: true });

async function fill(fed: Fed): Promise<void> {
  const deps = {
    pool: fed.db.pool,
    clock: { now: () => fed.now },
    changes: { publish() {} },
    entities: new EntityCache(),
  };
  await runImport(deps, builtInNames, BUILT_IN_NAMES, { progress: false });
  const expected: Row[] = parse(readFileSync(QUERIES), { columns: true, trim: true });
  const each = (row: Row) =>
    row.expected!.split('|').map((name, index) => ({
      name,
      country: row.country!.split('|')[index]!,
      birth_date: row.birth_date!.split('|')[index]!,
      gender: (row.gender || 'men') as 'men',
    }));
  const of = (type: string) => expected.filter((row) => row.type === type).flatMap(each);
  const players = [...list('players.csv'), ...of('player')].map(({ name, birth_date }) => ({ name, birth_date }));
  const teams = [
    ...list('nations.csv').map(({ country, team }) => ({ country, name: team, gender: 'men' as const })),
    ...list('teams.csv').map(({ country, team, gender }) => ({ country, name: team, gender: gender as 'men' })),
    ...of('team').map(({ country, name, gender }) => ({ country, name, gender })),
    ...OBSCURE_TEAMS.map(([country, name]) => ({ country, name, gender: 'men' as const })),
  ];
  await fed.participants(
    ...players.map(({ name, birth_date }) => ({ type: 'player' as const, sport: 'football', name: name!, birth_date })),
    ...OBSCURE_PLAYERS.map((name, index) => ({
      type: 'player' as const,
      sport: 'football',
      name,
      birth_date: `1990-01-${10 + index}`,
    })),
    ...teams.map(({ country, name, gender }) => ({
      type: 'team' as const,
      sport: 'football',
      name: name!,
      country,
      gender,
    })),
  );
  await fed.tournaments(
    ...knownTournaments().all.map(({ sport, country, gender, name, name_ru, importance }) => ({
      sport,
      country,
      gender,
      name,
      ...(name_ru && { name_ru }),
      importance,
    })),
  );
}

/** Prominence by kind, as the open data's matches would give it. Obscure entities have none. */
const PROMINENCE = `INSERT INTO participant_prominence (participant_id, value)
  SELECT id, CASE WHEN type = 'player' THEN 0.75 WHEN gender = 'women' THEN 0.6 WHEN key LIKE '%|national team %' THEN 0.85
    WHEN country = ANY ($1) THEN 0.9 ELSE 0.65 END
  FROM participant WHERE name <> ALL ($2)
  ON CONFLICT (participant_id) DO UPDATE SET value = excluded.value`;

describe('search with queries whose answers are known', function () {
  this.timeout(120_000);
  let fed: Fed;
  const folder = mkdtempSync(join(tmpdir(), 'touchline-search-'));
  const evaluate = (file: string, lines: string[] = []) =>
    evalCommand({ pool: fed.db.pool, clock: { now: () => fed.now } }, file, {}, (line) => lines.push(line));
  /** Takes the lease, so that the command does not recompute prominence without any matches. */
  const settle = () => fed.db.pool.query("UPDATE search_refresh SET holder = 'tests', expires_at = 'infinity'");

  before(async () => {
    fed = await startFed(routes);
    await fill(fed);
    const file = join(folder, 'one.csv');
    writeFileSync(file, 'query,type,expected\nBrazil,team,Brazil\n');
    await evaluate(file);
    const obscure = [...OBSCURE_PLAYERS, ...OBSCURE_TEAMS.map(([, name]) => name)];
    await fed.db.pool.query(PROMINENCE, [[...GREAT], obscure]);
    await settle();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await fed.close();
  });

  it(`finds the intended entity for at least ${LEAST_QUERIES} queries`, async () => {
    const lines: string[] = [];
    const answers = await evaluate(QUERIES, lines);
    const { queries, at1, at3, empty } = scoreAnswers(answers);
    const report = lines.join('\n');
    assert.ok(queries >= LEAST_QUERIES, report);
    assert.ok(at1 >= LEAST_AT_1, report);
    assert.ok(at3 >= LEAST_AT_3, report);
    assert.equal(empty, 0, report);
    assert.match(lines[0]!, /queries +at 1 +at 3 +MRR +empty +p50 ms +p99 ms/);
    assert.match(report, /^all +\d+ +0\.\d{3}/m);
  });

  const first = async (q: string) => {
    const { json } = await fed.app.ask<{ participants: { name_i18n: { en: string }; relevance: number }[] }>(
      `/v1/participants/search?q=${encodeURIComponent(q)}`,
    );
    return json.participants[0]!;
  };
  const FULL_NAMES = [
    'Barna Pál',
    'Tom Holland',
    'FK Belasica',
    'Deutschlandsberger SC',
    'Harry Kane 11th',
    'Real Cartagena',
  ];
  for (const name of FULL_NAMES)
    it(`finds the lesser-known owner of the full name ${name}`, async () => {
      const { name_i18n, relevance } = await first(name);
      assert.equal(name_i18n.en, name);
      assert.equal(relevance, 1);
    });

  it('reports in one clear line a query whose answer is missing from the catalogue, and an invalid file', async () => {
    const file = join(folder, 'wrong.csv');
    const fails = async (text: string, pattern: RegExp) => {
      writeFileSync(file, text);
      await assert.rejects(evaluate(file), pattern);
    };
    await fails(
      'query,type,expected\nfoo,team,Foo\nbar,player,Bar\n',
      /^Error: line 2: the catalogue has no team Foo; further lines without an answer in the catalogue: 1$/,
    );
    await fails('query,type,expected\nfoo,club,Foo\n', /line 2: club is not a type: team, player, tournament/);
    await fails('query,type,expected\n,team,Foo\n', /line 2: query is missing/);
    await fails('name,type\nfoo,team\n', /line 2: query is missing/);
    await assert.rejects(evaluate(join(folder, 'none.csv')), /ENOENT/);
  });
});
