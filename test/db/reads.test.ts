import assert from 'node:assert/strict';
import { type Read, readAll } from '../../src/db/reads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const numbers = (name: string, values: number[]): Read<number[]> => ({
  statement: {
    name,
    text: `SELECT n FROM unnest(ARRAY[${values.map((_, index) => `$${index + 1}::bigint`)}]::bigint[]) n ORDER BY n DESC`,
    values,
  },
  toValue: (rows: { n: number }[]) => rows.map(({ n }) => n),
});
const nothing: Read<object[]> = {
  statement: { name: 'nothing', text: 'WITH none AS (SELECT 1 AS n WHERE $1) SELECT * FROM none', values: [false] },
  toValue: (rows: object[]) => rows,
};

describe('reads in one statement', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  it('each get their own parameters, and keep the order of the rows', async () => {
    const read = () =>
      readAll(db.pool, {
        first: numbers('twelve', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        none: nothing,
        last: numbers('two', [20, 21]),
      });
    const expected = { first: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], none: [], last: [21, 20] };
    assert.deepEqual(await read(), expected);
    assert.deepEqual(await read(), expected, 'the prepared statement gives the same');
  });

  it('stay apart if different statements have the same name, on the same connection', async () => {
    const client = await db.pool.connect();
    const read = (text: string) =>
      readAll(client, { found: { ...nothing, statement: { name: 'same', text, values: [] } } });
    assert.deepEqual(await read('SELECT 1 AS n'), { found: [{ n: 1 }] });
    assert.deepEqual(await read('SELECT 2 AS n'), { found: [{ n: 2 }] });
    client.release();
  });

  it('give ids up to 2^53 as numbers, and JSON columns as values', async () => {
    const { values } = await readAll(db.pool, {
      values: {
        statement: {
          name: 'types',
          text: `SELECT $1::bigint AS id, 0.1::float8 AS figure, $2::text AS text, '{"a": [1]}'::json AS json, NULL::text AS missing`,
          values: [Number.MAX_SAFE_INTEGER, `quotes "' and \\ $1`],
        },
        toValue: (rows: object[]) => rows,
      },
    });
    assert.deepEqual(values, [
      { id: 9007199254740991, figure: 0.1, text: `quotes "' and \\ $1`, json: { a: [1] }, missing: null },
    ]);
  });

  it('fail with the error of the statement, or of the function that reads its rows', async () => {
    const broken: Read<unknown> = { ...nothing, statement: { name: 'broken', text: 'SELECT 1 / 0', values: [] } };
    await assert.rejects(readAll(db.pool, { broken }), /division by zero/);
    const refused: Read<unknown> = {
      ...nothing,
      toValue: () => {
        throw new Error('refused');
      },
    };
    await assert.rejects(readAll(db.pool, { refused }), /refused/);
    assert.deepEqual(await readAll(db.pool, { nothing }), { nothing: [] });
  });
});
