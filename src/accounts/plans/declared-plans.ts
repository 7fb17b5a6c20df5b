/** Plans that are declared in the database. A service offers them beside the configured ones. */
import { firstRow, type PoolAndClock, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, invalidParameters, Problem } from '../../http/index.ts';
import { MAX_PLANS, type Plan, type Plans, parsePlan } from './plan-file.ts';

export interface DeclaredPlan {
  name: string;
  /** The stored definition as JSON. */
  definition: string;
  /** Null if this version cannot read the definition, because a newer version has stored it. */
  plan: Plan | null;
}

interface DeclaringDeps extends PoolAndClock {
  /** The plans of PLANS_FILE, whose names cannot be declared. */
  configured: Plans;
}

function readPlan(definition: string): Plan | null {
  const parsed = parsePlan(JSON.parse(definition));
  return Array.isArray(parsed) ? null : parsed;
}

const isIn = ({ list }: Plans, name: string): boolean => list.some((plan) => plan.name === name);

/**
 * Reads the declared plans by name, including plans that this version cannot read.
 * @param known the result of an earlier read; a plan whose definition is the same stays the same object
 */
export async function readDeclaredPlans(db: Queryable, known: readonly DeclaredPlan[] = []): Promise<DeclaredPlan[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    'SELECT name, definition::text AS definition FROM declared_plan ORDER BY name',
  );
  return rows.map(
    ({ name, definition }) =>
      known.find((one) => one.name === name && one.definition === definition) ?? {
        name,
        definition,
        plan: readPlan(definition),
      },
  );
}

/**
 * Keeps a declared plan from being withdrawn until the transaction ends.
 * @returns false if no plan with this name is declared, or if this version cannot read it
 */
export async function lockDeclaredPlan(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query<{ definition: string }>(
    'SELECT definition::text AS definition FROM declared_plan WHERE name = $1 FOR SHARE',
    [name],
  );
  return rows[0] !== undefined && readPlan(rows[0].definition) !== null;
}

/**
 * Declares a plan, or changes its definition. Every process offers the plan within seconds.
 * @param given the plan as an entry of the list `plans` in PLANS_FILE
 * @returns whether something was written; false if the plan is declared with this definition already
 * @throws {Problem} invalid_parameter for a wrong definition, and for the name of a configured plan; conflict if there are
 * too many plans
 */
export async function declarePlan({ pool, clock, configured }: DeclaringDeps, given: unknown): Promise<boolean> {
  const parsed = parsePlan(given);
  if (Array.isArray(parsed))
    throw invalidParameters(
      parsed.map(({ path, message }) => ({ parameter: path.join('.') || 'plan', code: 'invalid', detail: message })),
    );
  const { name } = parsed;
  if (isIn(configured, name))
    throw invalidParameter('name', 'configured_plan', `is in PLANS_FILE: names in PLANS_FILE cannot be resources`);
  return transaction(pool, async (client) => {
    // Declarations wait for each other here, so that the count is exact.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('declared plans', 0))");
    const { rows } = await client.query<{ others: number }>(
      'SELECT count(*)::int AS others FROM declared_plan WHERE name <> $1',
      [name],
    );
    if (configured.list.length + firstRow(rows).others >= MAX_PLANS)
      throw new Problem('conflict', `There are already ${MAX_PLANS} plans.`);
    const { rowCount } = await client.query(
      `INSERT INTO declared_plan (name, definition, changed_at) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, changed_at = excluded.changed_at
       WHERE declared_plan.definition <> excluded.definition`,
      [name, JSON.stringify(given), new Date(clock.now())],
    );
    return rowCount === 1;
  });
}

/**
 * Withdraws a declared plan.
 * @returns false if no plan with this name is declared
 * @throws {Problem} conflict while accounts are on the plan, unless PLANS_FILE has a plan with this name, too
 */
export async function withdrawPlan({ pool, configured }: Omit<DeclaringDeps, 'clock'>, name: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    // Waits for the transactions that put accounts on the plan. A transaction that begins later finds no plan.
    const { rowCount } = await client.query('SELECT FROM declared_plan WHERE name = $1 FOR UPDATE', [name]);
    if (rowCount === 0) return false;
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM account WHERE plan = $1',
      [name],
    );
    const { count } = firstRow(rows);
    if (count > 0 && !isIn(configured, name))
      throw new Problem('conflict', count === 1 ? '1 account is on the plan' : `${count} accounts are on the plan`);
    await client.query('DELETE FROM declared_plan WHERE name = $1', [name]);
    return true;
  });
}
