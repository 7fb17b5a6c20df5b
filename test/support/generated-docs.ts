/**
 * Generates the tables in the documentation. Variables and roles come from the roles' code, credentials and secrets'
 * forms from their lists, and the chart's values from values.yaml and the comments in it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, type Pair, parseDocument } from 'yaml';
import { planVariables } from '../../src/accounts/config.ts';
import { CREDENTIALS, OCCASIONS, type Occasion } from '../../src/accounts/credentials/credentials.ts';
import { ROLES } from '../../src/all-roles.ts';
import type { Variable, Variables } from '../../src/config/variable.ts';
import { commonVariables } from '../../src/config/variables.ts';
import type { Resources } from '../../src/role.ts';
import { SECRETS, type SecretName, secretPattern } from '../../src/wire/secret-formats.ts';

const ROOT = new URL('../../', import.meta.url);
const CHART = new URL('charts/touchline/', ROOT);

export interface Value {
  path: string;
  default: string;
  /** The comment in values.yaml; empty if there is none. */
  comment: string;
}

/** Maps that have defaults but allow any keys. */
const FREE_MAPS = ['behavior', 'resources', 'labels'];

/** Returns every value that can be set. A map that allows any keys counts as one value. */
export function values(): Value[] {
  const document = parseDocument(readFileSync(new URL('values.yaml', CHART), 'utf8'));
  const found: Value[] = [];
  const walk = (pairs: Pair[], prefix: string, before: string | null | undefined) => {
    for (const [index, pair] of pairs.entries()) {
      const { key, value } = pair;
      if (!isScalar(key)) continue;
      const path = `${prefix}${key.value}`;
      // The parser gives the first key's comment to the map that begins with it. A comment above an empty line belongs to no value.
      const paragraph = (key.commentBefore ?? (index === 0 ? before : null) ?? '').split('\n\n').at(-1)!;
      const comment = paragraph.trim().replace(/\s+/g, ' ');
      const leaf = !isMap(value) || value.items.length === 0 || FREE_MAPS.includes(String(key.value));
      if (leaf) found.push({ path, default: JSON.stringify((value as { toJSON(): unknown }).toJSON()), comment });
      else walk(value.items as Pair[], `${path}.`, value.commentBefore);
    }
  };
  const { contents } = document;
  if (isMap(contents)) walk(contents.items as Pair[], '', contents.commentBefore);
  return found;
}

const OTHER_ROLES = /^roles\.(?!api\.)\w+\./;

/** Returns the table of values. All roles have the same values, so the table lists one role and the differences. */
function valuesTable(): string {
  const all = values();
  const rows = all
    .filter(({ path }) => !OTHER_ROLES.test(path))
    .map(({ path, default: text, comment }) => {
      const others = all.filter((one) => one.path.replace(/^roles\.\w+/, 'roles.api') === path && one.default !== text);
      const differing = others.map((one) => `${one.path.split('.')[1]}: \`${one.default}\``).join(', ');
      return [
        `\`${path.replace(/^roles\.api/, 'roles.<role>')}\``,
        `\`${text}\`${differing && `; ${differing}`}`,
        comment,
      ];
    });
  return table(['Value', 'Default', 'Meaning'], rows);
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');

const roles = Object.values(ROLES);
/** Variables that every role and command reads. */
const shared: Variables = { ...commonVariables, ...planVariables };
const isCommon = (variable: Variable) => Object.values(shared).includes(variable);
/** All variables, each once. */
export const variables: Variable[] = [
  ...new Set([shared, ...roles.map((role) => role.variables)].flatMap((all) => Object.values(all))),
];
const readersOf = (variable: Variable) =>
  roles.filter((role) => Object.values(role.variables).includes(variable)).map(({ name }) => name);
const nameOf = (secret: keyof typeof commonVariables) => commonVariables[secret].name;

/** Describes a variable's default in words. */
export function describeDefault({ schema, unset }: Variable): string {
  if (unset !== undefined) return unset;
  const value = schema.parse(undefined) ?? [];
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'object' ? 'none' : String(value);
}

function variablesTable(): string {
  const rows = variables.map((variable) => {
    const requiring = roles.filter(({ secrets }) => secrets.some((secret) => nameOf(secret) === variable.name));
    const required =
      requiring.length === 0 ? '' : `; required with \`DATABASE_URL\` by ${code(requiring.map(({ name }) => name))}`;
    return [
      `\`${variable.name}\``,
      describeDefault(variable) + required,
      isCommon(variable) ? 'all' : code(readersOf(variable)),
      variable.meaning,
    ];
  });
  return table(['Variable', 'Default', 'Read by', 'Meaning'], rows);
}

/** What a role needs for each resource. The liveness lock needs only Postgres. */
const NEED: Partial<Record<keyof Resources, string>> = {
  eventLog: 'the event log',
  lateEventLog: 'the event log, if it is used: the role starts without it',
  clickhouse: 'ClickHouse',
};

function rolesTable(): string {
  const rows = roles.map(({ name, summary, secrets, needs, connections }) => [
    `\`${name}\``,
    summary,
    [...secrets.map((secret) => `\`${nameOf(secret)}\``), ...needs.flatMap((need) => NEED[need] ?? [])].join(', ') ||
      'nothing',
    `${connections}`,
  ]);
  return table(['Role', 'Task', 'Needs besides Postgres', 'Pool'], rows);
}

/** Converts links in the variables' texts, which are relative to docs/, so that they work from the chart. */
const fromChart = (text: string) =>
  text.replace(/\]\((?=[\w-]+\.md)/g, '](../../docs/').replace(/\]\(#/g, '](../../docs/configuration.md#');

function credentialsTable(): string {
  const occasions = Object.keys(OCCASIONS) as Occasion[];
  const rows = CREDENTIALS.map(({ name, opens, revokedBy, outcome }) => [
    name,
    opens,
    revokedBy,
    ...occasions.map((occasion) => (outcome as Partial<Record<Occasion, string>>)[occasion] ?? '–'),
  ]);
  return table(['Credential', 'Opens', 'A single one ends by', ...Object.values(OCCASIONS)], rows);
}

function secretsTable(): string {
  const rows = Object.entries(SECRETS).map(([name, { opens, letters }]) => [
    `\`touchline_${name}\``,
    `\`${secretPattern(name as SecretName)}\``,
    letters === null ? 'no' : 'yes',
    opens,
  ]);
  return table(['Type', 'Pattern', 'Checksum', 'Opens'], rows);
}

/** The generated tables. Each has a file, the name between the marks in it, and a function that returns the text. */
const TABLES: readonly [file: URL, name: string, text: () => string][] = [
  [new URL('docs/configuration.md', ROOT), 'variables', variablesTable],
  [new URL('docs/roles.md', ROOT), 'roles', rolesTable],
  [new URL('docs/accounts.md', ROOT), 'credentials', credentialsTable],
  [new URL('docs/security.md', ROOT), 'secrets', secretsTable],
  [new URL('README.md', CHART), 'values', valuesTable],
  [new URL('README.md', CHART), 'variables', () => fromChart(variablesTable())],
];

/** Returns each file's text with current tables. */
export function documents(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, name, text] of TABLES) {
    const before = texts.get(file.pathname) ?? readFileSync(file, 'utf8');
    const begin = `<!-- generated: ${name} -->\n`;
    const end = '<!-- end generated -->\n';
    const [head, rest] = before.split(begin);
    if (rest === undefined || !rest.includes(end)) throw new Error(`${file.pathname} has no table ${name}`);
    const tail = rest.slice(rest.indexOf(end) + end.length);
    texts.set(file.pathname, `${head}${begin}\n${text()}\n${end}${tail}`);
  }
  return texts;
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, text] of documents()) {
    if (readFileSync(file, 'utf8') === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${file} does not fit its sources: run \`make generated\``);
      process.exitCode = 1;
    } else writeFileSync(file, text);
  }
}
