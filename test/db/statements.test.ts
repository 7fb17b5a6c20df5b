import assert from 'node:assert/strict';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { rowFaults } from '../support/statements/compare.ts';
import { Describer } from '../support/statements/describe.ts';
import type { Property } from '../support/statements/row-types.ts';

describe('Postgres’s statement descriptions', () => {
  let db: TestDatabase;
  let describer: Describer;
  before(async () => {
    db = await createTestDatabase();
    describer = await Describer.open(db.url);
  });
  after(async () => {
    await describer.close();
    await db.drop();
  });

  const columns = async (text: string) => (await describer.describe(text)).columns;
  const kinds = async (text: string) => (await columns(text)).map(({ kind }) => kind);
  const nullable = async (text: string) =>
    (await columns(text)).filter(({ isNullable }) => isNullable).map(({ name }) => name);

  it('have parameter types without executing the statement', async () => {
    const text = 'INSERT INTO source_attribution (provider, attribution) VALUES ($1, $2) RETURNING provider';
    assert.deepEqual((await describer.describe(text)).parameters, ['text', 'text']);
    assert.deepEqual((await db.pool.query('SELECT FROM source_attribution')).rowCount, 0);
  });

  it('give columns the types into which the driver converts their values', async () => {
    assert.deepEqual(
      await kinds(
        `SELECT 1::bigint, 1.5::numeric, now(), 'a'::text, true, '{}'::json, 'a'::bytea, '{1}'::bigint[], '{a}'::text[],
           now()::date, interval '1s', ARRAY['{}'::jsonb], 1::smallint, 1.5::real`,
      ),
      [
        'number', 'number', 'Date', 'string', 'boolean', 'json', 'Buffer', 'number[]', 'string[]',
        'Date', 'object', 'json[]', 'number', 'number',
      ], // biome-ignore format: a list
    );
  });

  it('have nullable columns, unless the statement excludes null', async () => {
    assert.deepEqual(await nullable('SELECT id, minute, home_score AS goals, sport FROM match'), ['minute', 'goals']);
    assert.deepEqual(await nullable('SELECT minute FROM match WHERE minute IS NOT NULL'), []);
    assert.deepEqual(await nullable('SELECT minute FROM match WHERE minute IS NULL'), ['minute']);
    assert.deepEqual(await nullable('SELECT minute FROM match WHERE minute = ANY ($1)'), []);
    assert.deepEqual(await nullable('UPDATE match SET minute = 1 RETURNING minute, home_score'), ['home_score']);
    assert.deepEqual(await nullable('SELECT coalesce(minute, 0) AS minute FROM match'), []);
  });

  it('describe the last statement when several are sent together', async () => {
    assert.deepEqual(await kinds("BEGIN; SET LOCAL jit = off; SELECT 'ä'::text; SELECT 1"), ['number']);
  });

  it('cover statements that COPY reads', async () => {
    assert.deepEqual(await kinds('COPY (SELECT id, sport FROM match) TO STDOUT (FORMAT binary)'), ['number', 'string']);
    await assert.rejects(columns('COPY (SELECT nothing FROM match) TO STDOUT'), /column "nothing" does not exist/);
  });

  it('report an invalid statement and continue with the next', async () => {
    await assert.rejects(columns('SELECT nothing FROM match'), /column "nothing" does not exist/);
    await assert.rejects(columns('SELECT FROM nowhere'), /relation "nowhere" does not exist/);
    assert.deepEqual(await kinds('SELECT 1'), ['number']);
  });

  it('include columns from the next version for a statement that selects all columns', async () => {
    const next = await Describer.open(db.url);
    const count = async (text: string) => (await next.describe(text)).columns.length;
    assert.equal(await count('SELECT * FROM country'), 3);
    await next.expand();
    assert.deepEqual([await count('SELECT * FROM country'), await count('SELECT iso, name FROM country')], [4, 2]);
    await next.close();
    assert.equal((await columns('SELECT * FROM country')).length, 3, 'of that connection alone');
  });

  const property = (name: string, ...of: string[]): Property => ({
    name,
    kinds: of,
    isOptional: of.includes('undefined'),
  });
  const column = (name: string, kind: string, isNullable = false) => ({ name, kind, isNullable });

  it('compare a row type with the columns by name, type and nullability', () => {
    const row = [column('id', 'number'), column('minute', 'number', true), column('periods', 'json')];
    assert.deepEqual(rowFaults([property('id', 'number'), property('minute', 'number', 'null')], row), []);
    assert.deepEqual(rowFaults([property('periods', 'object[]'), property('gone', 'string', 'undefined')], row), []);
    assert.deepEqual(rowFaults([property('id', 'any'), property('minute', 'any')], row), []);
    assert.deepEqual(
      rowFaults(
        [
          property('id', 'string'),
          property('minute', 'number'),
          property('periods', 'string'),
          property('gone', 'string'),
        ],
        row,
      ),
      [
        'id is number, not string',
        'minute may be null',
        'periods is json, not string',
        'gone is not among the columns',
      ],
    );
    assert.deepEqual(rowFaults([property('ids', 'string[]')], [column('ids', 'number[]')]), [
      'ids is number[], not string[]',
    ]);
  });
});
