/**
 * Finds recorded statements that a role sends and may not run. Postgres plans each of them with the rights of that role, which checks the
 * rights on tables and columns as a run would.
 */
import pg from 'pg';
import { grantStatements } from '../../../src/db/grants.ts';
import { statementsOf } from '../statements/describe.ts';
import { writtenTables } from '../statements/table-writers.ts';
import { type Declaration, withModules } from './reach.ts';
import { roleRights } from './role-rights.ts';
import { isSent } from './rules.ts';

const PREFIX = 'checked_';
const INSUFFICIENT_PRIVILEGE = '42501';
/** The first version of Postgres that plans a statement without the values of its parameters. */
const PLANS_STATEMENTS = 160_000;

/** @returns by role, whether it can run the code at a place such as `src/file.ts:line:column` */
function placesOfRoles(): Map<string, (place: string) => boolean> {
  return withModules((modules) => {
    const { roles } = roleRights(modules);
    return new Map([...roles].map(([role, { declarations }]) => [role, coverage(declarations)]));
  });
}

function coverage(declarations: readonly Declaration[]): (place: string) => boolean {
  const ranges = new Map<string, [number, number][]>();
  for (const { file, node } of declarations) {
    const source = node.getSourceFile();
    const line = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
    ranges.set(file, [...(ranges.get(file) ?? []), [line(node.getStart(source)), line(node.end)]]);
  }
  return (place) => {
    const [file, line] = place.split(':') as [string, string];
    return (ranges.get(file) ?? []).some(([first, last]) => first <= Number(line) && Number(line) <= last);
  };
}

/**
 * @param url a migrated database, as a superuser
 * @param statements by text, the places that send the statement
 * @returns a text for each statement that a role may not run
 */
export async function refusedStatements(
  url: string,
  statements: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const roles = placesOfRoles();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const faults: string[] = [];
  try {
    const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version");
    if (rows[0].version < PLANS_STATEMENTS) return [];
    // Everything is rolled back, and the roles with it.
    await client.query(['BEGIN', ...grantStatements(PREFIX, false), 'SAVEPOINT before'].join('; '));
    for (const [text, places] of statements)
      for (const [role, covers] of roles) {
        const place = [...places].find((one) => covers(one) && isSent(role, one, writtenTables(text)));
        const fault = place === undefined ? null : await refusal(client, `${PREFIX}${role}`, text);
        if (fault !== null) faults.push(`${role}: ${fault}: ${place}`);
      }
  } finally {
    await client.end();
  }
  return faults;
}

/** Returns why the role may not run a statement; null if it may. */
async function refusal(client: pg.Client, role: string, text: string): Promise<string | null> {
  for (const statement of statementsOf(text)) {
    if (!/^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH)\b/i.test(statement)) continue;
    try {
      await client.query(`SET LOCAL ROLE ${role}; EXPLAIN (GENERIC_PLAN) ${statement}`);
    } catch (error) {
      const { code, message } = error as pg.DatabaseError;
      if (code === INSUFFICIENT_PRIVILEGE) return message;
    } finally {
      await client.query('ROLLBACK TO before; RESET ROLE');
    }
  }
  return null;
}
