/** Works out which rights each role needs in Postgres: those of all SQL in the declarations that the role can run. */
import type { Node } from 'typescript/unstable/ast';
import { isNoSubstitutionTemplateLiteral, isStringLiteral, isTemplateExpression } from 'typescript/unstable/ast/is';
import { ROLES } from '../../../src/all-roles.ts';
import type { Right, RoleGrants } from '../../../src/db/grants.ts';
import { type Declaration, type Modules, reached } from './reach.ts';
import { DYNAMIC, DYNAMIC_SEQUENCES, leftOut, ROOTS, SECRETS } from './rules.ts';
import { addRight, addSqlRights, isLocking, type Rights, readSchema, type Schema } from './sql-rights.ts';

export interface RoleRights {
  grants: RoleGrants;
  /** What the role can run. */
  declarations: readonly Declaration[];
}

const RIGHTS: readonly Right[] = ['select', 'insert', 'update', 'delete', 'lock'];
/** SQL, or a part of it such as `match m` or `m.status = 'live'`. */
const SQL = /\b(?:FROM|JOIN|INTO|UPDATE|SELECT|WITH|WHERE)\b|^\w+ \w+\b|\b\w\.\w+/;
/** A table whose name the code puts together, in a statement that needs more than reading. */
const UNKNOWN_TABLE = /\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+\S*\$\{/;
const READS_UNKNOWN_TABLE = /\b(?:FROM|JOIN)\s+\S*\$\{/;

/** Returns the texts in a declaration. In a template, an expression stands as `${…}`. */
function textsIn(root: Node): string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    else if (isTemplateExpression(node)) texts.push(node.getText().slice(1, -1));
    node.forEachChild(visit);
  };
  visit(root);
  return texts;
}

/** Collects what one role needs. */
class Collector {
  readonly rights: Rights = new Map();
  readonly sequences = new Set<string>();
  readonly faults: string[] = [];
  readonly #schema: Schema;
  /** Words of the SQL in each file, and words after an alias, as in `m.password`. */
  readonly #words = new Map<string, Set<string>>();
  readonly #qualified = new Set<string>();
  readonly #tables = new Map<string, Set<string>>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  add({ file, name, node }: Declaration): void {
    const place = `${file}#${name}`;
    const texts = textsIn(node);
    const words = this.#words.get(file) ?? new Set();
    const own: Rights = new Map();
    for (const text of texts) {
      if (/^\w+$/.test(text)) words.add(text);
      if (!SQL.test(text)) continue;
      addSqlRights(own, text, this.#schema);
      for (const word of text.match(/\w+/g) ?? []) words.add(word);
      for (const [, word] of text.matchAll(/\b\w\.(\w+)/g)) this.#qualified.add(word!);
      this.#addSequences(text);
      const isUnknown = UNKNOWN_TABLE.test(text) || (READS_UNKNOWN_TABLE.test(text) && isLocking(text));
      if (isUnknown && DYNAMIC[place] === undefined)
        this.faults.push(`${place}: writes a table that DYNAMIC does not list`);
    }
    // A table that the code names in one place and reads in another.
    if (texts.some((text) => READS_UNKNOWN_TABLE.test(text)))
      for (const text of texts) if (this.#schema.relations.has(text)) addRight(own, text, 'select');
    for (const [, table] of node.getText().matchAll(/createLease\(\s*'(\w+)'/g))
      addRight(own, table!, 'select', 'update');
    for (const right of RIGHTS)
      for (const table of DYNAMIC[place]?.[right] ?? []) addRight(own, table, 'select', right);
    for (const sequence of DYNAMIC_SEQUENCES[place] ?? []) this.sequences.add(sequence);
    for (const [table, rights] of own) addRight(this.rights, table, ...rights);
    this.#words.set(file, words);
    this.#tables.set(file, new Set([...(this.#tables.get(file) ?? []), ...own.keys()]));
  }

  #addSequences(text: string): void {
    for (const [, sequence] of text.matchAll(/nextval\('(\w+)'/g)) this.sequences.add(sequence!);
    if (text.includes('nextval('))
      for (const [, table] of text.matchAll(/pg_get_serial_sequence\('(\w+)', 'id'/g))
        this.sequences.add(`${table}_id_seq`);
  }

  /** Adds what triggers and column defaults need. */
  finish(): void {
    for (const { table, event, body } of this.#schema.triggers)
      if (this.rights.get(table)?.has(event)) addSqlRights(this.rights, body, this.#schema);
    for (const [table, sequence] of this.#schema.sequences)
      if (this.rights.get(table)?.has('insert')) this.sequences.add(sequence);
    addRight(this.rights, 'schema_migration', 'select');
  }

  /** Returns the secret columns of a table that the role's statements name. */
  secrets(table: string): string[] {
    const files = [...this.#tables].filter(([, tables]) => tables.has(table)).map(([file]) => file);
    return (SECRETS[table] ?? []).filter(
      (column) => this.#qualified.has(column) || files.some((file) => this.#words.get(file)!.has(column)),
    );
  }
}

/** @returns the rights by role, and what is wrong with the rules */
export function roleRights(modules: Modules): { roles: Map<string, RoleRights>; faults: string[] } {
  const schema = readSchema();
  const roles = new Map<string, RoleRights>();
  const faults = new Set<string>();
  for (const [role, roots] of Object.entries(ROOTS)) {
    const definition = ROLES[role as keyof typeof ROLES];
    const out = leftOut(definition);
    const all = definition === undefined ? roots : [...roots, 'src/main.ts#serve'];
    // ClickHouse has other tables, and the texts of pages have no SQL.
    const declarations = [...reached(modules, all, (one) => out.has(one)).keys()].filter(
      ({ file }) => file !== 'src/db/clickhouse.ts' && !file.includes('/texts/'),
    );
    const collector = new Collector(schema);
    for (const declaration of declarations) collector.add(declaration);
    collector.finish();
    for (const fault of collector.faults) faults.add(fault);
    const tables = [...collector.rights].sort(([one], [other]) => (one < other ? -1 : 1));
    roles.set(role, {
      declarations,
      grants: {
        tables: Object.fromEntries(
          tables.map(([table, rights]) => [table, RIGHTS.filter((right) => rights.has(right)).join(', ')]),
        ),
        secrets: Object.fromEntries(
          tables
            .map(([table]) => [table, collector.secrets(table)] as const)
            .filter(([, columns]) => columns.length > 0),
        ),
        sequences: [...collector.sequences].sort(),
      },
    });
  }
  return { roles, faults: [...faults] };
}
