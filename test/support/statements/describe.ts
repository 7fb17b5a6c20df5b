/** Asks Postgres to describe a statement without running it: the types of parameters and of columns. */
import { loadModule, parseSync } from 'libpg-query';
import pg from 'pg';
import type { Kind } from './row-types.ts';

export interface Column {
  name: string;
  /**
   * Kind of the driver's values: string, number, boolean, Date, Buffer or json. For a list, [] follows. Null for an
   * unknown type.
   */
  kind: Kind | null;
  /** True for a nullable table column to which the statement gives no value and for which it does not exclude null. */
  isNullable: boolean;
}

export interface Described {
  /** Type names for $1, $2, … */
  parameters: string[];
  columns: Column[];
}

/**
 * A value of each type as Postgres writes it, to be passed to the driver's parser. The driver treats all other types as
 * text.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  bool: 't',
  bytea: '\\x00',
  date: '2026-01-01',
  float4: '1',
  float8: '1',
  int2: '1',
  int4: '1',
  int8: '1',
  interval: '01:00:00',
  numeric: '1',
  oid: '1',
  timestamp: '2026-01-01 00:00:00',
  timestamptz: '2026-01-01 00:00:00+00',
};
const TEXTS = new Set([
  'text',
  'varchar',
  'bpchar',
  'char',
  'name',
  'uuid',
  'inet',
  'cidr',
  'regclass',
  'void',
  'pg_lsn',
  'xid8',
]);
const JSONS = new Set(['json', 'jsonb']);

interface TypeRow {
  oid: number;
  name: string;
  /** Element type of a list type. */
  element: string | null;
}

/** Parses and describes a statement without executing it. */
class Description implements pg.Submittable {
  parameters: number[] = [];
  fields: pg.FieldDef[] = [];
  readonly done: Promise<this>;
  readonly #text: string;
  #settle!: { resolve(value: Description): void; reject(error: Error): void };

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve: resolve as (value: Description) => void, reject };
    });
  }

  submit(connection: pg.Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      this.parameters = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }
  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.fields = fields;
  }
  handleError(error: Error): void {
    this.#settle.reject(error);
  }
  handleReadyForQuery(): void {
    this.#settle.resolve(this);
  }
}

export class Describer {
  readonly #client: pg.Client;
  readonly #types: ReadonlyMap<number, TypeRow>;
  /** Names of nullable table columns, first by `table.column`, then by table oid and column number. */
  readonly #nullable: ReadonlyMap<string, string>;

  private constructor(
    client: pg.Client,
    types: readonly TypeRow[],
    nullable: readonly { column: string; name: string }[],
  ) {
    this.#client = client;
    this.#types = new Map(types.map((type) => [type.oid, type]));
    this.#nullable = new Map(nullable.map(({ column, name }) => [column, name]));
  }

  /** @param url a migrated database */
  static async open(url: string): Promise<Describer> {
    await loadModule();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows: types } = await client.query<TypeRow>(
      `SELECT t.oid, coalesce(b.typname, t.typname) AS name, e.typname AS element FROM pg_type t
       LEFT JOIN pg_type b ON b.oid = t.typbasetype LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typlen = -1 AND t.typcategory = 'A'`,
    );
    const { rows: nullable } = await client.query<{ column: string; name: string }>(
      `SELECT attrelid || '.' || attnum AS column, attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relkind IN ('r', 'p') AND NOT a.attnotnull AND a.attnum > 0`,
    );
    return new Describer(client, types, nullable);
  }

  /**
   * @param text one statement, or several that are sent together; the columns are then the last statement's
   * @throws Postgres's error for an invalid statement
   */
  async describe(text: string): Promise<Described> {
    let described: Described = { parameters: [], columns: [] };
    for (const statement of statementsOf(text)) {
      const description = new Description(statement);
      this.#client.query(description);
      const { parameters, fields } = await description.done;
      const given = givenColumns(statement);
      described = {
        parameters: parameters.map((oid) => this.#types.get(oid)?.name ?? String(oid)),
        columns: fields.map((field) => this.#column(field, given)),
      };
    }
    return described;
  }

  #column({ name, dataTypeID, tableID, columnID }: pg.FieldDef, given: ReadonlySet<string>): Column {
    const type = this.#types.get(dataTypeID);
    const column = this.#nullable.get(`${tableID}.${columnID}`);
    const isNullable = column !== undefined && !given.has(column);
    return { name, kind: type === undefined ? null : kindOf(type), isNullable };
  }

  /** Adds a column to every table, visible only to this connection. */
  async expand(): Promise<void> {
    const { rows } = await this.#client.query<{ sql: string }>(
      `SELECT format('ALTER TABLE %s ADD COLUMN of_next_version integer NOT NULL DEFAULT 0', oid::regclass) AS sql
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    await this.#client.query(['BEGIN', ...rows.map(({ sql }) => sql)].join('; '));
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** Describes the query inside COPY, since Postgres would not even analyse COPY. */
const COPY = /^COPY \((.*)\) TO STDOUT( \(FORMAT binary\))?$/s;

/** Splits a text into statements, because Postgres describes one statement at a time. */
export function statementsOf(text: string): string[] {
  const copied = COPY.exec(text)?.[1];
  if (copied !== undefined) return [copied];
  const bytes = Buffer.from(text);
  const statements = parseSync(text).stmts ?? [];
  if (statements.length === 1) return [text];
  return statements.map(({ stmt_location: from = 0, stmt_len: length }) =>
    bytes.toString('utf8', from, length === undefined ? bytes.length : from + length),
  );
}

const columnOf = (node?: { ColumnRef?: { fields: { String?: { sval: string } }[] } }): string | undefined =>
  node?.ColumnRef?.fields.at(-1)?.String?.sval;

/**
 * Returns the result columns that are never null, because the statement requires IS NOT NULL, compares them with a
 * parameter, or sets them.
 */
function givenColumns(statement: string): Set<string> {
  const given = new Set<string | undefined>();
  JSON.stringify(parseSync(statement), (key, node) => {
    if (key === 'NullTest' && node.nulltesttype === 'IS_NOT_NULL') given.add(columnOf(node.arg));
    if (key === 'A_Expr' && node.name?.[0]?.String?.sval === '=' && JSON.stringify(node.rexpr).includes('"ParamRef"'))
      given.add(columnOf(node.lexpr));
    if (key === 'UpdateStmt') for (const { ResTarget } of node.targetList) given.add(ResTarget.name);
    return node;
  });
  given.delete(undefined);
  return given as Set<string>;
}

function kindOf({ oid, name, element }: TypeRow): Kind | null {
  const one = element ?? name;
  const value = JSONS.has(one) ? '1' : (SAMPLES[one] ?? (TEXTS.has(one) ? 'x' : null));
  if (value === null) return null;
  const parsed: unknown = pg.types.getTypeParser(oid as never)(
    element === null ? value : `{"${value.replaceAll('\\', '\\\\')}"}`,
  );
  if (JSONS.has(one)) return element === null ? 'json' : 'json[]';
  return Array.isArray(parsed) ? `${kindOfValue(parsed[0])}[]` : kindOfValue(parsed);
}

function kindOfValue(value: unknown): Kind {
  if (Buffer.isBuffer(value)) return 'Buffer';
  return value instanceof Date ? 'Date' : typeof value;
}
