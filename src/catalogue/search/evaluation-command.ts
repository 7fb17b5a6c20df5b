/** `touchline search-eval <file>`: runs search queries with known answers, and prints the scores. */
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { PoolAndClock } from '../../db/postgres.ts';
import { type EvalQuery, expectedIds, readEvalFile } from './evaluation-file.ts';
import { type Answer, missLines, scoreLines } from './evaluation-scores.ts';
import { refreshSearch } from './refresh.ts';
import { searchParticipants, searchTournaments } from './search.ts';

/** A right answer after this place counts as not found. */
const PLACES = 20;
/** Number of queries that run before the measurement, so that the index pages are in memory. */
const WARM_UP = 50;
/** Number of lines printed for each list. `misses` prints all. */
const SHOWN = 20;

export interface EvalOptions {
  /** Prints every query whose right answer was not first, and every unknown entity in the lists. */
  misses?: boolean;
}

/**
 * Runs the command.
 * @throws Error with one line if the file cannot be read or names an entity that is not in the catalogue
 */
export async function evalCommand(
  { pool, clock }: PoolAndClock,
  file: string,
  { misses = false }: EvalOptions,
  say: (line: string) => void,
): Promise<Answer[]> {
  const queries = readEvalFile(await readFile(file, 'utf8'));
  const unknown = await refreshSearch(pool, clock);
  const shown = (lines: readonly string[]) => (misses ? lines : lines.slice(0, SHOWN));
  if (unknown !== null && unknown.length > 0) {
    say(`${unknown.length} lines of the lists of aliases name an entity that the catalogue does not have:`);
    say(`  ${shown(unknown).join(', ')}`);
  }
  const wanted = await expectedIds(pool, queries);
  const known = queries.map((query, index) => ({ query, ids: wanted[index] ?? [] }));
  const [lacking, ...alsoLacking] = known.filter(({ ids }) => ids.length === 0);
  const asked = known.filter(({ ids }) => ids.length > 0);
  const now = new Date(clock.now());
  for (const { query } of asked.slice(0, WARM_UP)) await ask(pool, query, now);
  const answers: Answer[] = [];
  for (const { query, ids } of asked) answers.push(await answer(pool, query, ids, now));
  for (const line of scoreLines(answers)) say(line);
  const missed = missLines(answers);
  if (missed.length > 0) say(`${missed.length} queries whose answer was not first:`);
  for (const line of shown(missed)) say(`  ${line}`);
  if (lacking !== undefined) {
    const { line, type, expected } = lacking.query;
    const names = expected.map(({ name }) => name).join(' or ');
    const first = `line ${line}: the catalogue has no ${type} ${names}`;
    const further = alsoLacking.length;
    throw new Error(further === 0 ? first : `${first}; further lines without an answer in the catalogue: ${further}`);
  }
  return answers;
}

interface Found {
  id: number;
  name: string | null;
}

async function ask(pool: pg.Pool, { query, type }: EvalQuery, now: Date): Promise<Found[]> {
  if (type === 'tournament') return (await searchTournaments(pool, { q: query })).map(({ id }) => ({ id, name: null }));
  const found = await searchParticipants(pool, { q: query, limit: PLACES }, now);
  return found.map(({ id, name_i18n }) => ({ id, name: name_i18n.en }));
}

async function answer(pool: pg.Pool, query: EvalQuery, ids: readonly number[], now: Date): Promise<Answer> {
  const begun = performance.now();
  const found = await ask(pool, query, now);
  const milliseconds = performance.now() - begun;
  const at = found.slice(0, PLACES).findIndex(({ id }) => ids.includes(id));
  const [first] = found;
  return {
    query: query.query,
    category: query.category,
    place: at < 0 ? null : at + 1,
    found: found.length,
    first: first === undefined ? null : (first.name ?? (await tournamentName(pool, first.id))),
    expected: query.expected.map(({ name }) => name).join(' or '),
    milliseconds,
  };
}

async function tournamentName(pool: pg.Pool, id: number): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM tournament WHERE id = $1', [id]);
  return rows[0]?.name ?? String(id);
}
