import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lateClickHouse, type OpenClickHouse, openClickHouse } from '../../src/db/clickhouse.ts';
import { makeAuthority } from '../support/certificates.ts';
import { type ClickHouseServer, clickhouseAt, startClickHouseServer } from '../support/clickhouse-server.ts';
import { temporaryFolder } from '../support/process.ts';

describe('ClickHouse by address, with TLS', function () {
  this.timeout(60_000);
  let server: ClickHouseServer;
  let clickhouse: OpenClickHouse;
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  let [trusted, strange] = ['', ''];
  before(async () => {
    const [authority, other] = [makeAuthority(), makeAuthority()];
    [trusted, strange] = [file('ca.pem', authority.ca), file('strange.pem', other.ca)];
    server = await startClickHouseServer('127.0.0.1', authority.sign('IP:127.0.0.1'));
    for (const one of [authority, other]) one.remove();
    clickhouse = await openClickHouse({ ...clickhouseAt(server.url), clickhouseCaFile: trusted });
  });
  after(async () => {
    await clickhouse?.close();
    await server?.stop();
    folder.remove();
  });

  it('reports the engine version', () => {
    assert.match(clickhouse.version, /^\d+\.\d+\.\d+/);
  });

  it('stores rows, and queries take parameters', async () => {
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

  it('refuses a value that is not an integer if an integer is expected', async () => {
    for (const id of ['1 OR 1', 1.5, Number.NaN, 2 ** 60, null, undefined])
      await assert.rejects(clickhouse.query('SELECT {id: Int64} AS id', { id }), TypeError, String(id));
    assert.deepEqual(await clickhouse.query('SELECT 3 - {id: Int64} AS id', { id: -4 }), [{ id: 7 }]);
  });

  it('counts as unavailable if it lacks a feature', async () => {
    await assert.rejects(clickhouse.query('SELECT 1 FROM missing'), { code: 'CLICKHOUSE_AWAY' });
  });

  it('reports a mistake in a query as an internal error', async () => {
    await assert.rejects(clickhouse.query('SELECT missing FROM player'), { type: 'UNKNOWN_IDENTIFIER' });
    await assert.rejects(clickhouse.query('SELECT FROM FROM'), { type: 'SYNTAX_ERROR' });
  });

  it('counts as unavailable, with a reason in one line, if its certificate is not trusted or names another host', async () => {
    const renamed = server.url.replace('127.0.0.1', 'localhost');
    const plain = server.url.replace('https', 'http');
    for (const [url, clickhouseCaFile, expected] of [
      [server.url, strange, /^ClickHouse's certificate is not trusted: /],
      [server.url, undefined, /^ClickHouse's certificate is not trusted: /],
      [renamed, trusted, /^ClickHouse's certificate is for another host: Host: localhost/],
      [plain, undefined, /^(read ECONNRESET|socket hang up|Client sent an HTTP)/],
    ] as const) {
      const config = { ...clickhouseAt(url), clickhouseCaFile };
      await assert.rejects(openClickHouse(config), { message: expected });
      const warnings: string[] = [];
      const late = lateClickHouse(config, { warn: (text: unknown) => void warnings.push(String(text)) });
      late.open();
      const { fault } = (await late.opened) as { fault: string };
      assert.match(fault, expected);
      assert.deepEqual(warnings, [`ClickHouse cannot be opened, retrying: ${fault}`]);
      await assert.rejects(late.query('SELECT 1'), {
        code: 'CLICKHOUSE_AWAY',
        message: `ClickHouse is not available: ${fault}`,
      });
      await late.close();
    }
  });

  it('fails in one line if nothing listens at the address', async () => {
    await assert.rejects(openClickHouse(clickhouseAt('http://127.0.0.1:1')), /ECONNREFUSED/);
  });

  describe('credentials that change', () => {
    const withUser = (user: string) => server.url.replace('//', `//${user}@`);
    /** Writes a file as a whole, as a kubelet does. */
    const replace = (name: string, text: string) => {
      renameSync(file('next', text), join(folder.path, name));
      return join(folder.path, name);
    };
    let renewed: OpenClickHouse;
    const ask = () => renewed.query('SELECT 1 AS one');
    before(async () => {
      await server.setUsers({ first: ['p 1'], second: ['p2'] });
      renewed = await openClickHouse({
        ...clickhouseAt(withUser('first:p%201')),
        clickhouseUrlFile: replace('url', `${withUser('first:p%201')}\n`),
        clickhouseCaFile: replace('renewed.pem', await readFile(trusted, 'utf8')),
      });
    });
    after(async () => {
      await renewed.close();
    });

    it('are read again for each request', async () => {
      await ask();
      replace('url', withUser('second:p2'));
      await server.setUsers({ second: ['p2'] });
      await ask();
      await renewed.command('SELECT 2');
    });

    it('may be in the file before the server has them, and the earlier ones are used meanwhile', async () => {
      replace('url', withUser('second:p3'));
      await Promise.all(Array.from({ length: 8 }, ask));
      await server.setUsers({ second: ['p3'] });
      await Promise.all(Array.from({ length: 8 }, ask));
      await server.setUsers({ second: ['p4'] });
      await assert.rejects(ask(), { code: 'CLICKHOUSE_AWAY', message: /Authentication failed/ });
      replace('url', withUser('second:p4'));
      await ask();
    });

    it('are not read from a file that is missing, damaged, or names another server', async () => {
      for (const text of ['', 'no address', withUser('second:p4').replace('127.0.0.1', 'localhost')]) {
        replace('url', text);
        await ask();
      }
      rmSync(join(folder.path, 'url'));
      await ask();
    });

    it('include the authorities, without an error while requests are running', async () => {
      replace('renewed.pem', await readFile(strange, 'utf8'));
      await assert.rejects(ask(), { message: /certificate is not trusted/ });
      const running = Array.from({ length: 8 }, () => clickhouse.query('SELECT 1').catch(() => null));
      replace('renewed.pem', await readFile(trusted, 'utf8'));
      await ask();
      rmSync(join(folder.path, 'renewed.pem'));
      await ask();
      await Promise.all(running);
    });
  });
});
