import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { openLivenessLock } from '../../src/db/liveness-lock.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPool } from '../../src/db/postgres.ts';
import { PostgresAddress } from '../../src/db/postgres-address.ts';
import { openStores } from '../../src/db/stores.ts';
import { isStoreUnavailable } from '../../src/http/unavailable-store.ts';
import { tlsError } from '../../src/runtime/tls-error.ts';
import { type Authority, makeAuthority } from '../support/certificates.ts';
import { freePorts } from '../support/free-ports.ts';
import { start, temporaryFolder } from '../support/process.ts';
import { MACHINE, type SecuredPostgres, securePostgres } from '../support/secured-postgres.ts';
import { until } from '../support/until.ts';

const SECRET_KEY = '0123456789abcdef';
/** Two names for the server. The certificate is valid only for the first. */
const [HOST, OTHER_HOST] = ['127.0.0.1', 'localhost'];
const NOT_TRUSTED = (error: Error) => /is not trusted/.test(tlsError('It', error) ?? '');
const silent = { warn: () => {}, info: () => {}, debug: () => {} } as never;

describe('Postgres with TLS', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  const undo: (() => Promise<unknown> | unknown)[] = [];
  let authority: Authority;
  let secured: SecuredPostgres;
  let [ca, other] = ['', ''];
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  before(async () => {
    authority = makeAuthority();
    undo.push(() => authority.remove());
    const stranger = makeAuthority();
    [ca, other] = [file('ca.pem', authority.ca), file('other.pem', stranger.ca)];
    stranger.remove();
    const [port] = (await freePorts(1)) as [number];
    // The server and its clients use the same port.
    const { PGPORT } = process.env;
    process.env.PGPORT = String(port);
    undo.push(() => {
      if (PGPORT === undefined) delete process.env.PGPORT;
      else process.env.PGPORT = PGPORT;
    });
    const settings = ['fsync=off', 'shared_buffers=64MB', `listen_addresses=${HOST}`];
    const server = await startPostgres(folder.path, settings);
    undo.push(() => server.stop());
    const at = { folder: folder.path, host: HOST, port, network: '127.0.0.1/32', authority, ca };
    secured = await securePostgres(server.url, at);
  });
  after(async () => {
    for (const step of undo.reverse()) await step();
    folder.remove();
  });

  const configured = (url: string) => readConfig({ DATABASE_URL: url, SECRET_KEY });
  /** Connects, and returns whether the connection is encrypted. */
  async function connect(parameters: Record<string, string>, host = HOST): Promise<boolean> {
    const { databaseUrl } = configured(secured.url(parameters).replace(`@${HOST}:`, `@${host}:`));
    const pool = openPool(databaseUrl!, silent, 1);
    try {
      const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return rows[0].ssl;
    } finally {
      await pool.end();
    }
  }

  describe('a password that changes', () => {
    const admin = (statement: string) => withAdmin((client) => client.query(statement));
    async function withAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
      const client = new pg.Client({ connectionString: secured.admin });
      await client.connect();
      await work(client);
      await client.end();
    }
    const url = (password: string, user = 'rotated', parameters?: Record<string, string>) =>
      secured.url(parameters).replace(/\/\/[^@]*@/, `//${user}:${encodeURIComponent(password)}@`);
    /** Writes the file as a whole, since an address may be read at any time. */
    const write = (text: string) => {
      const next = file('url.next', `${text}\n`);
      renameSync(next, join(folder.path, 'url'));
      return join(folder.path, 'url');
    };
    const setPassword = (password: string) => admin(`ALTER ROLE rotated PASSWORD '${password}'`);
    let pool: pg.Pool;
    beforeEach(async () => {
      await admin("CREATE ROLE rotated LOGIN PASSWORD 'first'");
      const { databaseUrl, databaseUrlFile } = readConfig({ DATABASE_URL_FILE: write(url('first')), SECRET_KEY });
      pool = openPool(new PostgresAddress(databaseUrl!, databaseUrlFile), silent, 4, { idleTimeoutMillis: 1 });
    });
    afterEach(async () => {
      await pool.end();
      await admin('DROP ROLE IF EXISTS rotated');
    });

    const user = async () => (await pool.query('SELECT current_user AS name')).rows[0].name;
    const fourAtOnce = () => Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT pg_sleep(0.02)')));

    it('is read again for each connection', async () => {
      assert.equal(await user(), 'rotated');
      await setPassword('second');
      write(url('second'));
      await fourAtOnce();
    });

    it('may be in the file before Postgres has it, and the earlier one is used meanwhile', async () => {
      await user();
      write(url('second'));
      await fourAtOnce();
      await setPassword('second');
      await fourAtOnce();
      await setPassword('third');
      await assert.rejects(pool.query('SELECT 1'), { code: '28P01' });
      write(url('third'));
      await fourAtOnce();
    });

    it('belongs to a user who may change, too', async () => {
      await user();
      write(url('other', 'successor'));
      await admin("CREATE ROLE successor LOGIN PASSWORD 'other'; ALTER ROLE rotated NOLOGIN");
      assert.equal(await user(), 'successor');
      await pool.end();
      await admin('DROP ROLE successor');
      pool = openPool(secured.url(), silent);
    });

    it('is not read from a file that is missing, damaged, or names another database', async () => {
      await user();
      for (const text of [
        '',
        'no address',
        url('first').replace(/\/[^/?]*\?/, '/other?'),
        url('first').replace(HOST, '127.0.0.2'),
      ]) {
        write(text);
        await fourAtOnce();
      }
      rmSync(join(folder.path, 'url'));
      await fourAtOnce();
    });

    it('is read again for a connection outside the pool', async () => {
      const address = new PostgresAddress(configured(url('first')).databaseUrl!, join(folder.path, 'url'));
      const changes = await openMatchChanges(address, silent);
      await setPassword('second');
      write(url('second'));
      await admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'");
      await until('the connection is back', async () => {
        let count = 0;
        await withAdmin(async (client) => {
          const { rows } = await client.query("SELECT FROM pg_stat_activity WHERE usename = 'rotated'");
          count = rows.length;
        });
        return count === 1;
      });
      await changes.close();
    });

    it('is refused at once if it was never right', async () => {
      const wrong = openPool(new PostgresAddress(configured(url('wrong')).databaseUrl!, write(url('wrong'))), silent);
      await assert.rejects(wrong.query('SELECT 1'), { code: '28P01' });
      await wrong.end();
    });
  });

  it('encrypts and verifies every connection in a process, and the database owner can migrate the database', async () => {
    const { databaseUrl, ...rest } = configured(secured.url());
    const stores = await openStores({ ...rest, databaseUrl }, silent);
    const changes = await openMatchChanges(databaseUrl!, silent);
    const session = await openLivenessLock(databaseUrl!, silent);
    const client = new pg.Client({ connectionString: secured.admin });
    await client.connect();
    const { rows } = await client.query(
      `SELECT a.application_name AS name, s.ssl FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.usename = 'touchline'`,
    );
    await client.end();
    for (const name of [/^touchline \d+$/, / changes$/, / session$/])
      assert.ok(
        rows.some((one) => name.test(one.name)),
        String(name),
      );
    assert.ok(rows.every(({ ssl }) => ssl));
    await session.close();
    await changes.close();
    await stores.close();
  });

  it('gives sslmode the same meaning as libpq', async () => {
    assert.equal(await connect({ sslmode: 'require' }), true);
    assert.equal(await connect({ sslmode: 'require', sslrootcert: ca }), true);
    assert.equal(await connect({ sslmode: 'verify-ca', sslrootcert: ca }, OTHER_HOST), true);
    assert.equal(await connect({ sslmode: 'verify-full', sslrootcert: ca }), true);
    assert.equal(await connect({ sslmode: 'require', channel_binding: 'require' }), true);
    await assert.rejects(connect({ sslmode: 'disable' }), /no encryption/);
    await assert.rejects(connect({}), /no encryption/);
    // If an authority is given, `require` checks as much as `verify-ca`.
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      await assert.rejects(connect({ sslmode, sslrootcert: other }), NOT_TRUSTED);
    await assert.rejects(connect({ sslmode: 'verify-full' }), NOT_TRUSTED);
    await assert.rejects(connect({ sslmode: 'verify-full', sslrootcert: ca }, OTHER_HOST), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('accepts a client certificate instead of a password', async () => {
    const { cert, key } = authority.sign('DNS:machine');
    const parameters = {
      sslmode: 'verify-full',
      sslrootcert: ca,
      sslcert: file('own.pem', cert),
      sslkey: file('own.key', key),
    };
    const url = secured.url(parameters).replace(/\/\/.*@/, `//${MACHINE}@`);
    const pool = openPool(configured(url).databaseUrl!, silent, 1);
    assert.equal((await pool.query('SELECT current_user AS name')).rows[0].name, MACHINE);
    await pool.end();
  });

  it('uses a renewed certificate for the next connection', async () => {
    const renewed = file('renewed.pem', authority.ca);
    const pool = openPool(
      configured(secured.url({ sslmode: 'verify-full', sslrootcert: renewed })).databaseUrl!,
      silent,
    );
    const first = await pool.connect();
    file('renewed.pem', makeOther());
    await assert.rejects(pool.query('SELECT 1'), NOT_TRUSTED);
    file('renewed.pem', authority.ca);
    await pool.query('SELECT 1');
    first.release();
    await pool.end();
  });
  const makeOther = () => {
    const one = makeAuthority();
    one.remove();
    return one.ca;
  };

  it('makes a command print one line about a certificate error, while a role answers 503 and waits', async () => {
    const run = async (url: string) => {
      const { code, err } = await start(['migrate'], { env: { DATABASE_URL: url, SECRET_KEY } }).finished;
      assert.equal(code, 1);
      return err;
    };
    const wrong = secured.url({ sslmode: 'verify-full', sslrootcert: other });
    assert.match(await run(wrong), /^touchline: Postgres's certificate is not trusted: .*\n$/);
    const renamed = secured.url().replace(`@${HOST}:`, `@${OTHER_HOST}:`);
    assert.match(await run(renamed), /^touchline: Postgres's certificate is for another host: Host: localhost.*\n$/);
    const error = await openStores(configured(wrong), silent).then(
      () => null,
      (fault) => fault,
    );
    assert.equal(isStoreUnavailable(error), true);
  });

  it('refuses a contradictory URL before using it', () => {
    const refuses = (query: string, expected: RegExp) =>
      assert.throws(() => configured(`postgresql://user@host/db?${query}`), { name: 'Error', message: expected });
    const empty = file('empty.pem', '\n');
    const key = file('key.pem', authority.sign('DNS:x').key);
    const cert = file('cert.pem', authority.sign('DNS:y').cert);
    refuses('sslmode=prefer', /DATABASE_URL: sslmode=prefer allows an unencrypted connection/);
    refuses(
      'sslmode=full',
      /DATABASE_URL: sslmode=full is unknown: use one of disable, require, verify-ca, verify-full$/,
    );
    refuses(`sslrootcert=${ca}`, /DATABASE_URL: sslrootcert is not used without sslmode/);
    refuses('sslmode=verify-ca', /DATABASE_URL: sslmode=verify-ca needs sslrootcert=<file>/);
    refuses('sslmode=require&sslrootcert=system', /sslrootcert=system needs sslmode=verify-full/);
    refuses('sslmode=verify-full&sslrootcert=/none', /DATABASE_URL: sslrootcert: cannot read \/none \(ENOENT\)/);
    refuses(`sslmode=verify-full&sslrootcert=${empty}`, /sslrootcert: .*empty\.pem is empty/);
    refuses(`sslmode=verify-full&sslrootcert=${key}`, /sslrootcert: .*key\.pem holds no certificate in PEM/);
    refuses(`sslmode=verify-full&sslcert=${cert}`, /sslcert and sslkey must be given together/);
    refuses(`sslmode=verify-full&sslcert=${cert}&sslkey=${key}`, /sslkey is not the key of sslcert/);
    assert.match(configured('postgresql://u@h/d?sslmode=verify-full&sslrootcert=system').databaseUrl!, /verify-full/);
  });
});
