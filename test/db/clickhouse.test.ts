import assert from 'node:assert/strict';
import { type OpenClickHouse, openClickHouse } from '../../src/db/clickhouse.ts';
import { type ClickHouseServer, clickhouseAt, startClickHouseServer } from '../support/clickhouse-server.ts';

describe('ClickHouse by address', function () {
  this.timeout(60_000);
  let server: ClickHouseServer;
  let clickhouse: OpenClickHouse;
  before(async () => {
    server = await startClickHouseServer();
    clickhouse = await openClickHouse(clickhouseAt(server.url));
  });
  after(async () => {
    await clickhouse?.close();
    await server?.stop();
  });

  it('the client knows the version of the engine', () => {
    assert.match(clickhouse.version, /^\d+\.\d+\.\d+/);
  });

  it('rows are stored, and queries take parameters', async () => {
    await clickhouse.command('CREATE TABLE player (id UInt32, name String) ENGINE = MergeTree ORDER BY id');
    await clickhouse.insert('player', `1\tЖё"\\n\\\\\n2\tO'Neil\n`);
    const values = [
      { id: 1, name: 'Жё"\n\\' },
      { id: 2, name: "O'Neil" },
    ];
    const ask = (parameters: Record<string, unknown>) =>
      clickhouse.query(
        'SELECT * FROM player WHERE id >= {from: UInt32} AND name != {not: String} ORDER BY id',
        parameters,
      );
    assert.deepEqual(await ask({ from: 1, not: '' }), values);
    assert.deepEqual(await ask({ from: 1, not: "O'Neil" }), values.slice(0, 1));
  });

  it('a value that is no integer is refused where one is expected', async () => {
    for (const id of ['1 OR 1', 1.5, Number.NaN, 2 ** 60, null, undefined])
      await assert.rejects(clickhouse.query('SELECT {id: Int64} AS id', { id }), TypeError, String(id));
    assert.deepEqual(await clickhouse.query('SELECT 3 - {id: Int64} AS id', { id: -4 }), [{ id: 7 }]);
  });

  it('what the server lacks makes it unavailable', async () => {
    await assert.rejects(clickhouse.query('SELECT 1 FROM missing'), { code: 'CLICKHOUSE_AWAY' });
  });

  it('a mistake in a query is an error of ours', async () => {
    await assert.rejects(clickhouse.query('SELECT missing FROM player'), { type: 'UNKNOWN_IDENTIFIER' });
    await assert.rejects(clickhouse.query('SELECT FROM FROM'), { type: 'SYNTAX_ERROR' });
  });

  it('an address where nobody listens fails in one line', async () => {
    await assert.rejects(openClickHouse(clickhouseAt('http://127.0.0.1:1')), /ECONNREFUSED/);
  });
});
