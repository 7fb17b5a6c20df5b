import assert from 'node:assert/strict';
import { type ClickHouse, openClickHouse } from '../../src/db/clickhouse.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';

describe('ClickHouse by address', function () {
  this.timeout(60_000);
  let server: ClickHouseServer;
  let clickhouse: ClickHouse;
  before(async () => {
    server = await startClickHouseServer();
    clickhouse = await openClickHouse(server.url, '/nowhere');
  });
  after(async () => {
    await clickhouse?.close();
    await server?.stop();
  });

  it('the client knows the version of the engine', () => {
    assert.match(clickhouse.version, /^\d+\.\d+\.\d+/);
  });

  it('rows are stored, and queries take parameters', async () => {
    const { client } = clickhouse;
    await client.command({ query: 'CREATE DATABASE tried' });
    await client.command({
      query: 'CREATE TABLE tried.player (id UInt32, name String) ENGINE = MergeTree ORDER BY id',
    });
    const values = [
      { id: 1, name: 'Жё"\n\\' },
      { id: 2, name: "O'Neil" },
    ];
    await client.insert({ table: 'tried.player', values, format: 'JSONEachRow' });
    const ask = async (query_params: Record<string, unknown>) => {
      const query = 'SELECT * FROM tried.player WHERE id >= {from: UInt32} AND name != {not: String} ORDER BY id';
      return (await client.query({ query, query_params, format: 'JSONEachRow' })).json();
    };
    assert.deepEqual(await ask({ from: 1, not: '' }), values);
    assert.deepEqual(await ask({ from: 1, not: "O'Neil" }), values.slice(0, 1));
  });

  it('an invalid query is refused with the code of its error', async () => {
    await assert.rejects(clickhouse.client.query({ query: 'SELECT missing FROM tried.player' }), {
      type: 'UNKNOWN_IDENTIFIER',
    });
  });

  it('an address where nobody listens fails in one line', async () => {
    await assert.rejects(openClickHouse('http://127.0.0.1:1', '/nowhere'), /ECONNREFUSED/);
  });
});
