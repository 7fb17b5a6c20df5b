import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { migrationFiles, NO_TRANSACTION, readMigration } from '../../src/db/migration-files.ts';
import { migrationFaults, releasesOf } from '../support/migration-rules.ts';

const RELEASES = ['0.1.0', '0.2.0'];
const CONTRACT = '-- contract: no longer read since 0.2.0\n';
const ALONE = `${NO_TRANSACTION}\n`;

const faultsOf = (sql: string, file = '0030_new.sql') =>
  migrationFaults([{ file, sql, inTransaction: !sql.startsWith(NO_TRANSACTION) }], RELEASES);

describe('the migration rules', () => {
  it('allow all existing files', async () => {
    const files = migrationFiles().map((file) => readMigration(file));
    assert.deepEqual(await migrationFaults(files, releasesOf(readFileSync('CHANGELOG.md', 'utf8'))), []);
  });

  const refused: [string, string, RegExp][] = [
    [
      'an index that stops writers',
      'CREATE INDEX a ON match (minute);',
      /CREATE INDEX on match stops its writers: CONCURRENTLY, in a file of its own that begins with -- no-transaction/,
    ],
    ['the same under another name for the table', 'CREATE INDEX a ON public.match (minute);', /stops its writers/],
    [
      'a concurrent index in a transaction',
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON match (minute);',
      /in a file of its own that begins/,
    ],
    [
      'an index of a table that was there already',
      'CREATE TABLE IF NOT EXISTS match (id int); CREATE INDEX a ON match (id);',
      /stops its writers/,
    ],
    [
      'dropping an index under a lock',
      `${CONTRACT}DROP INDEX a;`,
      /DROP INDEX stops everybody on its table: CONCURRENTLY/,
    ],
    [
      'dropping an index that the old version uses',
      `${ALONE}DROP INDEX CONCURRENTLY IF EXISTS a;`,
      /first release code without it/,
    ],
    [
      'an index that cannot be repeated',
      `${ALONE}CREATE INDEX CONCURRENTLY a ON match (minute);`,
      /IF NOT EXISTS, and a plain name/,
    ],
    [
      'an index that is not concurrent after all',
      `${ALONE}CREATE INDEX IF NOT EXISTS a ON match (minute);`,
      /is for CREATE INDEX CONCURRENTLY/,
    ],
    ['an index without a name', `${ALONE}CREATE INDEX CONCURRENTLY ON match (minute);`, /and a plain name/],
    [
      'a name that the runner does not see',
      `${ALONE}CREATE INDEX CONCURRENTLY IF NOT EXISTS "a b" ON match (minute);`,
      /a plain name/,
    ],
    ['a drop that cannot be repeated', `${ALONE}${CONTRACT}DROP INDEX CONCURRENTLY a;`, /IF EXISTS: it is repeated/],
    [
      'two statements without a transaction',
      `${ALONE}${CONTRACT}DROP INDEX CONCURRENTLY IF EXISTS a; DROP INDEX CONCURRENTLY IF EXISTS b;`,
      /exactly one statement/,
    ],
    ['no statement', `${ALONE}-- nothing`, /exactly one statement/],
    [
      'another statement without a transaction',
      `${ALONE}ALTER TABLE match ADD a int;`,
      /is for CREATE INDEX CONCURRENTLY/,
    ],
    [
      'the marker at a line that the runner skips',
      `-- An index.\n${NO_TRANSACTION}\nCREATE TABLE a (id int);`,
      /is the first line, or none/,
    ],
    ['a misspelt marker', '-- no transaction\nCREATE TABLE a (id int);', /is the first line, or none/],
    ['SET NOT NULL', 'ALTER TABLE match ALTER minute SET NOT NULL;', /match: SET NOT NULL reads the whole table/],
    [
      'a constraint that is checked at once',
      'ALTER TABLE match ADD CONSTRAINT a CHECK (minute > 0);',
      /ADD CONSTRAINT a NOT VALID/,
    ],
    [
      'a foreign key that is checked at once',
      'ALTER TABLE match ADD CONSTRAINT a FOREIGN KEY (minute) REFERENCES sport;',
      /NOT VALID/,
    ],
    ['a unique constraint', 'ALTER TABLE match ADD CONSTRAINT a UNIQUE (minute);', /ADD CONSTRAINT … USING INDEX/],
    [
      'validating in the same file',
      'ALTER TABLE match ADD CONSTRAINT a CHECK (minute > 0) NOT VALID; ALTER TABLE match VALIDATE CONSTRAINT a;',
      /VALIDATE CONSTRAINT in a later file of its own/,
    ],
    ['another type', 'ALTER TABLE match ALTER minute TYPE bigint;', /add another column/],
    ['a renamed column', 'ALTER TABLE match RENAME minute TO a;', /RENAME: the version that runs knows the old name/],
    ['a renamed table', 'ALTER TABLE match RENAME TO a;', /RENAME: /],
    [
      'dropping a column',
      'ALTER TABLE match DROP COLUMN minute;',
      /DROP COLUMN minute: the version that runs still reads it/,
    ],
    ['dropping a table', 'DROP TABLE IF EXISTS match_claim;', /DROP TABLE: the version/],
    ['dropping a view', 'DROP VIEW season_dates;', /DROP VIEW: the version/],
    ['dropping a constraint', 'ALTER TABLE match DROP CONSTRAINT a;', /DROP CONSTRAINT a: /],
    [
      'a contract step of a release that does not exist',
      '-- contract: no longer read since 0.3.0\nDROP TABLE match_claim;',
      /0.3.0 is not in CHANGELOG.md/,
    ],
    [
      'a contract step without its release',
      '-- Contract: not used.\nDROP TABLE match_claim;',
      /has this line at its head/,
    ],
    [
      'a column that the old version does not write',
      'ALTER TABLE match ADD a int NOT NULL;',
      /NOT NULL needs a DEFAULT/,
    ],
    [
      'a default that rewrites the table',
      'ALTER TABLE match ADD a uuid DEFAULT gen_random_uuid();',
      /rewrites the table: a constant, or now/,
    ],
    [
      'a generated column',
      'ALTER TABLE match ADD a int GENERATED ALWAYS AS (minute + 1) STORED;',
      /a generated column rewrites/,
    ],
    [
      'a column with a check',
      'ALTER TABLE match ADD a int CHECK (a > 0);',
      /its constraint by ADD CONSTRAINT … NOT VALID/,
    ],
    ['a unique column', 'ALTER TABLE match ADD a int UNIQUE;', /build a unique index/],
    ['a statement that moves a table', 'ALTER TABLE match SET LOGGED;', /AT_SetLogged is not known to be short/],
    ['two tables', 'ALTER TABLE match ADD a int; ALTER TABLE season ADD a int;', /match, season: a file for each/],
    [
      'copying under a lock',
      'ALTER TABLE match ADD a int; INSERT INTO card_refresh SELECT id FROM match;',
      /in a file of its own, or it holds the lock/,
    ],
    ['changing all rows', 'UPDATE match SET minute = 1;', /UPDATE: rows are locked until the file ends/],
    ['deleting rows', 'DELETE FROM match;', /DELETE: rows/],
    ['truncating', 'TRUNCATE match;', /TruncateStmt is not known/],
    ['a block that cannot be read', 'DO $$ BEGIN DROP TABLE match; END $$;', /DoStmt is not known/],
    [
      'a transaction of its own',
      'BEGIN; CREATE TABLE a (id int); COMMIT;',
      /BEGIN, COMMIT: a file is one transaction already/,
    ],
    ['another lock_timeout', "SET lock_timeout = '1h';", /SET: settings are those of the runner/],
    ['a statement that Postgres cannot parse', 'ALTER TABEL match ADD a int;', /syntax error/],
  ];
  for (const [what, sql, fault] of refused)
    it(`refuse ${what}`, async () => {
      const faults = await faultsOf(sql);
      assert.ok(faults.length > 0, 'it is not refused');
      assert.match(faults.join('\n'), fault);
      for (const line of faults) assert.match(line, /^0030_new\.sql: [^\n]+$/);
    });

  for (const sql of [
    `${ALONE}CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a ON match (minute) WHERE minute > 0;`,
    `${ALONE}${CONTRACT}DROP INDEX CONCURRENTLY IF EXISTS a;`,
    "ALTER TABLE match ADD a int, ADD b text NOT NULL DEFAULT 'x', ADD c timestamptz DEFAULT now(), ADD d bigint REFERENCES sport;",
    'ALTER TABLE match ADD CONSTRAINT a CHECK (minute IS NOT NULL) NOT VALID;',
    'ALTER TABLE match VALIDATE CONSTRAINT a;',
    'ALTER TABLE match DROP CONSTRAINT a, ADD CONSTRAINT a CHECK (minute > 1) NOT VALID;',
    'ALTER TABLE match ADD CONSTRAINT a UNIQUE USING INDEX b;',
    'ALTER TABLE match SET (fillfactor = 70);',
    'CREATE TABLE a (id int PRIMARY KEY, b text UNIQUE); CREATE INDEX c ON a (b); INSERT INTO a VALUES (1); UPDATE a SET b = 1;',
    'CREATE TABLE a (id int); ALTER TABLE a ALTER id SET NOT NULL; ALTER TABLE match ADD b int;',
    'INSERT INTO card_refresh SELECT id FROM match ON CONFLICT DO NOTHING;',
    'CREATE OR REPLACE VIEW a AS SELECT 1;',
    `${CONTRACT}ALTER TABLE match DROP COLUMN minute, DROP CONSTRAINT a;`,
    `-- Why.\n${CONTRACT}DROP TABLE match_claim;`,
  ])
    it(`allow ${sql.replaceAll('\n', ' ').slice(0, 80)}`, async () => {
      assert.deepEqual(await faultsOf(sql), []);
    });

  it('refuse gaps, duplicates and names without a number', async () => {
    const file = (name: string) => ({ file: name, sql: 'CREATE TABLE a (id int);', inTransaction: true });
    const faults = await migrationFaults(
      ['0029_old.sql', '0030_a.sql', '0030_b.sql', '0033_c.sql', 'd.sql'].map(file),
      RELEASES,
    );
    assert.deepEqual(
      faults.map((line) => line.slice(0, line.indexOf('_what'))),
      ['0030_b.sql: is to be called 0031', '0033_c.sql: is to be called 0032', 'd.sql: is to be called 0033'],
    );
  });
});
