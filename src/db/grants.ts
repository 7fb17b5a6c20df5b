/**
 * The rights in Postgres of each role of the service, as SQL. The file grants.json has been generated from the statements in the sources
 * (`make generated`).
 */
import { readFileSync } from 'node:fs';

/** `lock` stands for locking rows that are read, for which Postgres requires the right to update one column. */
export type Right = 'select' | 'insert' | 'update' | 'delete' | 'lock';

export interface RoleGrants {
  /** By table: its rights, separated by `, `. */
  tables: Readonly<Record<string, string>>;
  /** By table: the secret columns that the role reads and writes. */
  secrets: Readonly<Record<string, readonly string[]>>;
  sequences: readonly string[];
}

export interface Grants {
  /** By table: the columns that are granted only to roles that need them. */
  secrets: Readonly<Record<string, readonly string[]>>;
  roles: Readonly<Record<string, RoleGrants>>;
}

/** Returns what grants.json has. */
const readGrants = () => JSON.parse(readFileSync(new URL('./grants.json', import.meta.url), 'utf8')) as Grants;

const RIGHTS: readonly Exclude<Right, 'lock'>[] = ['select', 'insert', 'update', 'delete'];

/**
 * Returns the statements that create one Postgres role for each role of the service, without a login, and give it its rights. They can be
 * repeated, and run in one transaction.
 * @param prefix of the names, such as `touchline_`, which need no quotes
 * @param isExact takes rights away that the roles no longer need. Processes of an earlier release may still need these.
 */
export function grantStatements(prefix: string, isExact: boolean): string[] {
  const { secrets, roles } = readGrants();
  const all = [...new Set(Object.values(roles).flatMap(({ tables }) => Object.keys(tables)))].sort();
  return Object.entries(roles).flatMap(([name, grants]) => {
    const role = `${prefix}${name}`;
    return [
      `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${role}', current_schema());
END $$`,
      ...(isExact ? [`REVOKE ALL ON ${all.join(', ')} FROM ${role}`] : []),
      ...tableGrants(role, grants, secrets),
      ...(grants.sequences.length > 0
        ? [`GRANT USAGE, SELECT ON SEQUENCE ${grants.sequences.join(', ')} TO ${role}`]
        : []),
    ];
  });
}

function tableGrants(role: string, { tables, secrets: own }: RoleGrants, secrets: Grants['secrets']): string[] {
  const listed = Object.entries(tables).map(([table, rights]) => ({ table, rights: rights.split(', ') }));
  /** Whether the role may see all columns. */
  const isWhole = (table: string) => (secrets[table] ?? []).every((column) => own[table]?.includes(column));
  const whole = RIGHTS.flatMap((right) => {
    const given = listed.filter(
      ({ table, rights }) => rights.includes(right) && (right === 'delete' || isWhole(table)),
    );
    return given.length > 0
      ? [`GRANT ${right.toUpperCase()} ON ${given.map(({ table }) => table).join(', ')} TO ${role}`]
      : [];
  });
  const partial = listed
    .filter(({ table }) => !isWhole(table))
    .map(({ table, rights }) => {
      const kept = secrets[table]!.filter((column) => !own[table]?.includes(column));
      const columns = RIGHTS.filter((right) => right !== 'delete' && rights.includes(right)).map(
        (one) => `${one.toUpperCase()} (%1$s)`,
      );
      return forColumns(
        table,
        `attname <> ALL ('{${kept.join(',')}}')`,
        `GRANT ${columns.join(', ')} ON ${table} TO ${role}`,
      );
    });
  const locked = listed
    .filter(({ rights }) => rights.includes('lock') && !rights.includes('update'))
    .map(({ table }) => forColumns(table, 'attnum = 1', `GRANT UPDATE (%1$s) ON ${table} TO ${role}`));
  return [...whole, ...partial, ...locked];
}

/** Returns a statement that fills the names of a table's columns into another one. Later releases may have more columns. */
const forColumns = (table: string, condition: string, statement: string) => `DO $$ BEGIN
  EXECUTE (SELECT format('${statement}', string_agg(quote_ident(attname), ', ')) FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND ${condition});
END $$`;
