/**
 * The file for `touchline search-eval` is CSV with columns query, type (team, player, tournament) and expected, the right
 * answer's English name. Optional columns are category, sport (football), gender (men), country, birth_date. If there are
 * several right answers, the names are separated by "|", and so are the countries and birth dates, in the same order. An
 * expectation gives the entity's name instead of an id, and is therefore valid for any import.
 */
import { foldName } from '../../db/fold-name.ts';
import type { Queryable } from '../../db/postgres.ts';
import { identifyParticipant, identifyTournament, storedKey } from '../../identity/entity-keys.ts';
import { csvRows } from '../../wire/csv-rows.ts';

const TYPES = ['team', 'player', 'tournament'] as const;
export type ExpectedType = (typeof TYPES)[number];

interface Expected {
  name: string;
  country: string | null;
  birthDate: string | null;
}
export interface EvalQuery {
  line: number;
  query: string;
  category: string;
  type: ExpectedType;
  sport: string;
  gender: string;
  expected: Expected[];
}

const REQUIRED = ['query', 'type', 'expected'];
const SEPARATOR = '|';

/** @throws an Error that names the line */
export function readEvalFile(text: string): EvalQuery[] {
  return csvRows(text).map(({ record, info: { lines } }) => evalQuery(record, lines));
}

function evalQuery(row: Record<string, string>, line: number): EvalQuery {
  for (const column of REQUIRED) if (!row[column]) throw new Error(`line ${line}: ${column} is missing`);
  const type = TYPES.find((one) => one === row.type);
  if (type === undefined) throw new Error(`line ${line}: ${row.type} is not a type: ${TYPES.join(', ')}`);
  const split = (column: string) => (row[column] ?? '').split(SEPARATOR).map((value) => value.trim());
  const [names, countries, dates] = [split('expected'), split('country'), split('birth_date')];
  return {
    line,
    query: row.query!,
    category: row.category || type,
    type,
    sport: row.sport || 'football',
    gender: row.gender || 'men',
    expected: names.map((name, index) => ({
      name,
      country: countries[index] || null,
      birthDate: dates[index] || null,
    })),
  };
}

/** Returns the ids of each query's right answers. Empty if they are not in the catalogue. */
export async function expectedIds(db: Queryable, queries: readonly EvalQuery[]): Promise<number[][]> {
  const ids: number[][] = [];
  for (const query of queries) {
    const found = await Promise.all(query.expected.map((one) => findExpected(db, query, one)));
    ids.push(found.flat());
  }
  return ids;
}

async function findExpected(db: Queryable, query: EvalQuery, expected: Expected): Promise<number[]> {
  const { sport, gender, type } = query;
  const { name, country, birthDate } = expected;
  const find = async (sql: string, values: unknown[]) =>
    (await db.query<{ id: number }>(sql, values)).rows.map(({ id }) => id);
  if (type === 'tournament') {
    const { key } = identifyTournament({ sport, country: country ?? 'INT', gender, name });
    return find('SELECT id FROM tournament WHERE sport = $1 AND gender = $2 AND key = $3 AND country = $4', [
      sport,
      gender,
      key,
      country ?? 'INT',
    ]);
  }
  if (type === 'player')
    return find(
      `SELECT DISTINCT p.id FROM participant_alias a JOIN participant p ON p.id = a.participant_id
       WHERE p.type = 'player' AND p.sport = $1 AND string_to_array(a.key, ' ') @> string_to_array($2, ' ') AND a.key = $2
         AND ($3::date IS NULL OR p.birth_date = $3) AND ($4::text IS NULL OR p.country = $4)`,
      [sport, foldName(name), birthDate, country],
    );
  const key = storedKey(identifyParticipant({ type, sport, country, name }));
  return find(`SELECT id FROM participant WHERE type = 'team' AND sport = $1 AND gender = $2 AND key = $3`, [
    sport,
    gender,
    key,
  ]);
}
