/**
 * Checks that the running version can continue during a migration. A migration may expand the schema, and may remove
 * only parts that no release reads. `make check` checks each new file. CONTRIBUTING.md describes how to write one.
 */
import { readFileSync } from 'node:fs';
import { type AlterTableCmd, type ColumnDef, type Constraint, loadModule, type Node, parseSync } from 'libpg-query';
import {
  builtIndex,
  type Migration,
  migrationFiles,
  NO_TRANSACTION,
  oldestRelease,
  readMigration,
} from '../../src/db/migration-files.ts';

/** Number of the last file that is older than these rules. */
const LAST_UNCHECKED = 29;
const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const ALONE = `in a file of its own that begins with ${NO_TRANSACTION}`;
const FOR_CONTRACT =
  'the version that runs still reads it: first release code without it, then begin the file with "-- contract: no longer read since <that release>"';

/** Statements that are allowed because they do not lock a table for long, rewrite it, or remove anything. */
const STATEMENTS = new Set([
  'AlterTableStmt',
  'CommentStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateFunctionStmt',
  'CreateSeqStmt',
  'CreateStatsStmt',
  'CreateStmt',
  'CreateTrigStmt',
  'DropStmt',
  'IndexStmt',
  'InsertStmt',
  'ViewStmt',
]);
const COMMANDS = new Set([
  'AT_AddColumn',
  'AT_AddConstraint',
  'AT_ColumnDefault',
  'AT_DropColumn',
  'AT_DropConstraint',
  'AT_DropNotNull',
  'AT_ReplicaIdentity',
  'AT_ResetRelOptions',
  'AT_SetRelOptions',
  'AT_SetStatistics',
  'AT_ValidateConstraint',
]);
/** Refused statements, with an alternative for each. */
const REFUSED: Readonly<Record<string, string>> = {
  AT_AlterColumnType:
    'the type of a column: add another column, let a release write both, and drop this one when no release reads it',
  AT_SetNotNull:
    'SET NOT NULL reads the whole table under a lock: add CHECK (… IS NOT NULL) NOT VALID, and VALIDATE it in a later file',
  DeleteStmt: 'DELETE: rows are locked until the file ends: let the service delete them, in small slices',
  MergeStmt: 'MERGE: rows are locked until the file ends: let the service change them, in small slices',
  RenameStmt:
    'RENAME: the version that runs knows the old name: add what has the new one, and drop the old when no release reads it',
  TransactionStmt: 'BEGIN, COMMIT: a file is one transaction already',
  UpdateStmt:
    'UPDATE: rows are locked until the file ends: let the service change them, in small slices, as card_refresh does',
  VariableSetStmt: 'SET: settings are those of the runner, lock_timeout among them',
};

interface File {
  migration: Migration;
  isContract: boolean;
  statements: readonly Node[];
  /** Tables that the file creates. No process waits for them. */
  created: ReadonlySet<string>;
}

const kindOf = (node: Node): string => Object.keys(node)[0]!;
/** Returns the table that a statement changes; null for all other statements. */
function tableOf(node: Node): string | null {
  const { relation } = Object.values(node)[0] as { relation?: { relname?: string } };
  return relation?.relname ?? null;
}

/**
 * @param releases versions that have been released
 * @returns a line for each fault
 */
export async function migrationFaults(
  migrations: readonly Migration[],
  releases: readonly string[],
): Promise<string[]> {
  await loadModule();
  const faults: string[] = [];
  let last = LAST_UNCHECKED;
  for (const migration of migrations) {
    const number = Number(NAME.exec(migration.file)?.[1]);
    if (number <= LAST_UNCHECKED) continue;
    last += 1;
    const found =
      number === last
        ? faultsOf(migration, releases)
        : [
            `is to be called ${String(last).padStart(4, '0')}_what_it_does.sql: numbers have no gaps and no repetitions`,
          ];
    faults.push(...found.map((fault) => `${migration.file}: ${fault}`));
  }
  return faults;
}

function faultsOf(migration: Migration, releases: readonly string[]): string[] {
  let statements: Node[];
  try {
    statements = (parseSync(migration.sql).stmts ?? []).map(({ stmt }) => stmt!);
  } catch (error) {
    return [(error as Error).message];
  }
  const creates = (node: Node) => 'CreateStmt' in node && !node.CreateStmt.if_not_exists;
  const created = new Set(statements.filter(creates).map((node) => tableOf(node)!));
  const since = oldestRelease(migration);
  const file = { migration, isContract: since !== null, statements, created };
  return [
    ...headerFaults(migration.sql, since, releases),
    ...(migration.inTransaction ? transactionFaults(file) : aloneFaults(file)),
  ];
}

function headerFaults(sql: string, since: string | null, releases: readonly string[]): string[] {
  const faults: string[] = [];
  if (since !== null && !releases.includes(since))
    faults.push(
      `${since} is not in CHANGELOG.md: a contract step names the release whose code no longer reads what it drops`,
    );
  if (since === null && /^--\s*contract/im.test(sql))
    faults.push('a contract step has this line at its head: -- contract: no longer read since <release>');
  if (/^--\s*no[- ]?transaction/im.test(sql.replace(NO_TRANSACTION, '')) || sql.indexOf(NO_TRANSACTION) > 0)
    faults.push(`${NO_TRANSACTION} is the first line, or none`);
  return faults;
}

/**
 * Returns faults in a file whose statement runs outside a transaction, so that an earlier attempt may have been
 * interrupted anywhere.
 */
function aloneFaults({ migration, isContract, statements }: File): string[] {
  if (statements.length !== 1)
    return [`${NO_TRANSACTION}: exactly one statement, or those before a failure would be repeated`];
  const [node] = statements as [Node];
  if ('IndexStmt' in node && node.IndexStmt.concurrent) {
    const { if_not_exists: isRepeatable, idxname } = node.IndexStmt;
    if (isRepeatable && builtIndex(migration) === idxname) return [];
    return ['CREATE INDEX CONCURRENTLY IF NOT EXISTS, and a plain name: it is repeated where it was interrupted'];
  }
  if ('DropStmt' in node && node.DropStmt.removeType === 'OBJECT_INDEX' && node.DropStmt.concurrent) {
    const { missing_ok: isRepeatable } = node.DropStmt;
    return [
      ...(isRepeatable ? [] : ['DROP INDEX CONCURRENTLY IF EXISTS: it is repeated where it was interrupted']),
      ...(isContract ? [] : [FOR_CONTRACT]),
    ];
  }
  return [`${NO_TRANSACTION} is for CREATE INDEX CONCURRENTLY and DROP INDEX CONCURRENTLY`];
}

function transactionFaults(file: File): string[] {
  const { statements, created } = file;
  const faults = statements.flatMap((node) => statementFaults(file, node));
  const locked = new Set(
    statements
      .filter((node) => 'AlterTableStmt' in node || 'CreateTrigStmt' in node)
      .map((node) => tableOf(node)!)
      .filter((table) => !created.has(table)),
  );
  if (locked.size > 1)
    faults.push(`${[...locked].join(', ')}: a file for each, or the lock of one is held while another is waited for`);
  if (locked.size > 0 && statements.some(isCopy))
    faults.push('INSERT … SELECT in a file of its own, or it holds the lock of the table');
  return faults;
}

function isCopy(node: Node): boolean {
  const select = 'InsertStmt' in node ? node.InsertStmt.selectStmt : undefined;
  return select !== undefined && 'SelectStmt' in select && select.SelectStmt.fromClause !== undefined;
}

function statementFaults(file: File, node: Node): string[] {
  const kind = kindOf(node);
  const table = tableOf(node);
  const isNew = table !== null && file.created.has(table);
  if ((kind === 'UpdateStmt' || kind === 'DeleteStmt') && isNew) return [];
  if (REFUSED[kind] !== undefined) return [REFUSED[kind]];
  if (!STATEMENTS.has(kind)) return [`${kind} is not known to leave the version that runs alone`];
  if ('IndexStmt' in node) {
    if (node.IndexStmt.concurrent) return [`CREATE INDEX CONCURRENTLY ${ALONE}`];
    return isNew ? [] : [`CREATE INDEX on ${table} stops its writers: CONCURRENTLY, ${ALONE}`];
  }
  if ('DropStmt' in node) {
    const { removeType } = node.DropStmt;
    if (removeType === 'OBJECT_INDEX') return [`DROP INDEX stops everybody on its table: CONCURRENTLY, ${ALONE}`];
    return file.isContract ? [] : [`DROP ${String(removeType).replace('OBJECT_', '')}: ${FOR_CONTRACT}`];
  }
  if (!('AlterTableStmt' in node) || isNew) return [];
  const commands = node.AlterTableStmt.cmds!.map((one) => (one as { AlterTableCmd: AlterTableCmd }).AlterTableCmd);
  return commands.flatMap((command) => commandFaults(file, command, commands).map((fault) => `${table}: ${fault}`));
}

function commandFaults(file: File, command: AlterTableCmd, all: readonly AlterTableCmd[]): string[] {
  const { subtype, name, def } = command;
  if (REFUSED[subtype!] !== undefined) return [REFUSED[subtype!]!];
  if (!COMMANDS.has(subtype!)) return [`${subtype} is not known to be short`];
  switch (subtype) {
    case 'AT_AddColumn':
      return columnFaults((def as { ColumnDef: ColumnDef }).ColumnDef);
    case 'AT_AddConstraint':
      return constraintFaults((def as { Constraint: Constraint }).Constraint);
    case 'AT_ValidateConstraint':
      return file.statements.length === 1 && all.length === 1
        ? []
        : ['VALIDATE CONSTRAINT in a later file of its own, or the table is read under the locks of the others'];
    case 'AT_DropColumn':
      return file.isContract ? [] : [`DROP COLUMN ${name}: ${FOR_CONTRACT}`];
    case 'AT_DropConstraint': {
      const added = all.filter((one) => one.subtype === 'AT_AddConstraint');
      const isReplaced = added.some(({ def }) => (def as { Constraint: Constraint }).Constraint.conname === name);
      return file.isContract || isReplaced ? [] : [`DROP CONSTRAINT ${name}: ${FOR_CONTRACT}`];
    }
    default:
      return [];
  }
}

/** Returns faults in a constraint. Checking existing rows would read all of them under a lock. */
function constraintFaults({ contype, skip_validation, indexname, conname }: Constraint): string[] {
  const isKey = contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY';
  if (isKey)
    return indexname
      ? []
      : [`${conname ?? contype}: build a unique index CONCURRENTLY, then ADD CONSTRAINT … USING INDEX`];
  return skip_validation ? [] : [`ADD CONSTRAINT ${conname ?? ''} NOT VALID, and VALIDATE it in a later file`];
}

function columnFaults({ colname, constraints = [] }: ColumnDef): string[] {
  const kinds = constraints.map((one) => (one as { Constraint: Constraint }).Constraint);
  const has = (kind: string) => kinds.some(({ contype }) => contype === kind);
  const value = kinds.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const faults: string[] = [];
  if (has('CONSTR_NOTNULL') && !has('CONSTR_DEFAULT'))
    faults.push(`column ${colname}: NOT NULL needs a DEFAULT, since the version that runs does not write it`);
  if (value !== undefined && isComputed(value))
    faults.push(`column ${colname}: a DEFAULT that is computed for each row rewrites the table: a constant, or now()`);
  if (has('CONSTR_GENERATED') || has('CONSTR_IDENTITY'))
    faults.push(`column ${colname}: a generated column rewrites the table: a plain one, filled by the service`);
  if (has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY'))
    faults.push(`column ${colname}: build a unique index CONCURRENTLY, then ADD CONSTRAINT … USING INDEX`);
  if (has('CONSTR_CHECK') || (has('CONSTR_FOREIGN') && has('CONSTR_DEFAULT')))
    faults.push(`column ${colname}: its constraint by ADD CONSTRAINT … NOT VALID, and VALIDATE it in a later file`);
  return faults;
}

/** Whether an expression calls a function. now() does not count, since it is the same for all rows. */
function isComputed(expression: Node): boolean {
  let found = false;
  JSON.stringify(expression, (key, value) => {
    if (key === 'FuncCall') found ||= value.funcname.at(-1)?.String.sval !== 'now';
    return value;
  });
  return found;
}

/** Returns the versions that have a heading in the changelog. */
export const releasesOf = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version!);

if (process.argv.includes('--check')) {
  const releases = releasesOf(readFileSync('CHANGELOG.md', 'utf8'));
  const faults = await migrationFaults(
    migrationFiles().map((file) => readMigration(file)),
    releases,
  );
  for (const fault of faults) console.error(`src/db/migrations/postgres/${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
