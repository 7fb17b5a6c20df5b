/**
 * Compares the statements that tests have recorded with what the sources say of their rows: each is described by a migrated Postgres, and
 * the row type of its call must have its columns, by name, by type, and by whether they may be null. run.js runs it after the last test.
 *
 * Arguments: the folder of the records; `--all` after a run of all tests, which have to reach nearly all calls.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// How the driver converts values is set there.
import '../../../src/db/postgres.ts';
import { startTestServer } from '../postgres-server.ts';
import { rowFaults } from './compare.ts';
import { type Described, Describer } from './describe.ts';
import { RowTypes } from './row-types.ts';

/** Of the calls that name a row type, how many have to be compared. What is missing is run in processes of its own only. */
const LEAST_COMPARED = 0.9;

interface Recorded {
  text: string;
  /** Places of `query` in the sources, and of its callers: `src/file.ts:line:column …` */
  calls: string[];
}

/** @returns by text the places that have sent it */
function readRecords(folder: string): Map<string, Set<string>> {
  const statements = new Map<string, Set<string>>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.statements.json')))
    for (const { text, calls } of JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded[]) {
      const places = statements.get(text) ?? new Set();
      for (const call of calls) places.add(call.split(' ', 1)[0]!);
      statements.set(text, places);
    }
  return statements;
}

const shorten = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 100);

async function describeAll(url: string, texts: Iterable<string>) {
  const describer = await Describer.open(url);
  const described = new Map<string, Described>();
  const failed: string[] = [];
  for (const text of texts)
    try {
      described.set(text, await describer.describe(text));
    } catch (error) {
      failed.push(`${(error as Error).message}: ${shorten(text)}`);
    }
  await describer.close();
  return { described, failed };
}

async function check(folder: string, isWhole: boolean): Promise<number> {
  const statements = readRecords(folder);
  const shared = process.env.TEST_POSTGRES_URL;
  const server = shared === undefined ? await startTestServer() : null;
  const { described, failed } = await describeAll(shared ?? server!.url, statements.keys());
  await server?.stop();
  const calls = RowTypes.read();
  const faults = new Set<string>();
  const compared = new Set<string>();
  const unknown = new Set<string>();
  for (const [text, places] of statements)
    for (const place of places) {
      const call = calls.at(place);
      if (call === undefined) unknown.add(place);
      const columns = described.get(text)?.columns;
      if (columns === undefined || call === undefined || typeof call.row === 'string') continue;
      compared.add(call.place);
      for (const fault of rowFaults(call.row, columns)) faults.add(`${call.place}: ${fault}`);
    }
  const all = calls.all();
  const typed = all.filter(({ row }) => typeof row !== 'string').map(({ place }) => place);
  const missing = typed.filter((place) => !compared.has(place));
  console.log(
    `Statements: ${statements.size} recorded, ${described.size} described; row types: ${compared.size} of ${typed.length} compared; ${all.length - typed.length} calls name none, ${unknown.size} are not known to the compiler`,
  );
  for (const text of failed) console.log(`  not described: ${text}`);
  if (isWhole) for (const place of missing) console.log(`  not compared: ${place}`);
  if (isWhole && compared.size < LEAST_COMPARED * typed.length)
    faults.add(`only ${compared.size} of ${typed.length} row types were compared`);
  for (const fault of [...faults].sort()) console.log(`FAILED ${fault}`);
  return faults.size;
}

const [folder, ...flags] = process.argv.slice(2);
process.exitCode = (await check(folder!, flags.includes('--all'))) === 0 ? 0 : 1;
