/**
 * Compares the statements recorded by tests with the row types in the sources: a migrated Postgres describes each, and
 * the row type of its call must have its columns, by name, by type, and by nullability. Each table must be written by one
 * room, or by the rooms that src/table-writers.json lists. run.js runs it after the last test.
 *
 * Arguments: the folder of the records; `--all` after a run of all tests, which have to reach nearly all calls.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Sets how the driver converts values.
import '../../../src/db/postgres.ts';
import { refusedStatements } from '../grants/refused.ts';
import { startTestServer } from '../postgres-server.ts';
import { rowFaults } from './compare.ts';
import { type Described, Describer } from './describe.ts';
import { rowTypes } from './row-types.ts';
import { type Exceptions, writerFaults } from './table-writers.ts';

/** Minimum share of the calls with a row type that have to be compared. The rest run only in separate processes. */
const LEAST_COMPARED = 0.85;

interface Recorded {
  text: string;
  /** Places in the sources that call `query`, as `src/file.ts:line:column`. */
  places: string[];
  /** The names under which connections keep it prepared. */
  names: string[];
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, values: readonly V[]): void {
  const all = sets.get(key) ?? new Set();
  for (const value of values) all.add(value);
  sets.set(key, all);
}

/** Returns the places that send each statement, by text, and the texts of prepared statements, by name. */
function readRecords(folder: string) {
  const [statements, named] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.statements.json')))
    for (const { text, places, names } of JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded[]) {
      addTo(statements, text, places);
      for (const name of names) addTo(named, name, [text]);
    }
  return { statements, named };
}

/** A connection refuses a name that it knows for a different text, so that a page fails if it follows the wrong one. */
const nameFaults = (named: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...named].flatMap(([name, texts]) =>
    texts.size > 1 ? `the name ${JSON.stringify(name)} stands for ${[...texts].map(shorten).join(' AND ')}` : [],
  );

const shorten = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 120);

/** Errors about tables that only tests create. */
const OF_TESTS = /^relation "(tested_lease|work)" does not exist$/;
/** Statements that would insert null into a column that the next version adds. */
const INSERTS_ALL = /\bINSERT INTO \w+( AS \w+)?\s+SELECT\s+(\w+\.)?\*\s+FROM\s+jsonb?_populate_record/;

interface DescribedAll {
  described: Map<string, Described>;
  /** Statements that work only in a test. */
  skipped: string[];
  faults: string[];
}

/**
 * Describes all statements. Describes them again for the next version's database, in which every table has one more
 * column.
 */
async function describeAll(url: string, texts: Iterable<string>): Promise<DescribedAll> {
  const describer = await Describer.open(url);
  const described = new Map<string, Described>();
  const skipped: string[] = [];
  const faults: string[] = [];
  for (const text of texts)
    try {
      described.set(text, await describer.describe(text));
      if (INSERTS_ALL.test(text)) faults.push(`names no columns to insert into: ${shorten(text)}`);
    } catch (error) {
      const { message } = error as Error;
      (OF_TESTS.test(message) ? skipped : faults).push(`${message}: ${shorten(text)}`);
    }
  await describer.expand();
  for (const [text, { columns }] of described) {
    const { columns: next } = await describer.describe(text);
    if (next.length > columns.length) faults.push(`returns columns that the next version adds: ${shorten(text)}`);
  }
  await describer.close();
  return { described, skipped, faults };
}

async function check(folder: string, isWhole: boolean): Promise<number> {
  const { statements, named } = readRecords(folder);
  const shared = process.env.TEST_POSTGRES_URL;
  const server = shared === undefined ? await startTestServer() : null;
  const { described, skipped, faults: found } = await describeAll(shared ?? server!.url, statements.keys());
  const refused = await refusedStatements(shared ?? server!.url, statements);
  await server?.stop();
  const rows = rowTypes();
  const exceptions = JSON.parse(readFileSync('src/table-writers.json', 'utf8')) as Exceptions;
  const faults = new Set([...found, ...nameFaults(named), ...writerFaults(statements, exceptions), ...refused]);
  const compared = new Set<string>();
  const unnamed = new Set<string>();
  for (const [text, { columns }] of described)
    for (const place of statements.get(text)!) {
      const row = rows.get(place);
      if (row === undefined) faults.add(`${place}: the compiler knows no such call`);
      else if (typeof row !== 'string') {
        compared.add(place);
        for (const fault of rowFaults(row, columns)) faults.add(`${place}: ${fault}`);
      } else if (columns.length > 0) unnamed.add(place);
    }
  const typed = [...rows].filter(([, row]) => typeof row !== 'string').map(([place]) => place);
  const missing = typed.filter((place) => !compared.has(place));
  console.log(
    `Statements: ${statements.size} recorded, ${described.size} described. Row types: ${compared.size} of ${typed.length} compared; ${unnamed.size} calls get columns and name no type`,
  );
  for (const text of skipped) console.log(`  not described: ${text}`);
  for (const place of unnamed) console.log(`  names no type: ${place}`);
  if (isWhole) for (const place of missing) console.log(`  not compared: ${place}`);
  if (isWhole && compared.size < LEAST_COMPARED * typed.length)
    faults.add(`only ${compared.size} of ${typed.length} row types were compared`);
  for (const fault of [...faults].sort()) console.log(`FAULT ${fault}`);
  return faults.size;
}

const [folder, ...flags] = process.argv.slice(2);
process.exitCode = (await check(folder!, flags.includes('--all'))) === 0 ? 0 : 1;
