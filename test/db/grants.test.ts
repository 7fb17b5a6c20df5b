import assert from 'node:assert/strict';
import pg from 'pg';
import { correctMatch } from '../../src/corrections/index.ts';
import { grantStatements } from '../../src/db/grants.ts';
import { decidePair } from '../../src/pairs/pairs.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

/** Names are those of the whole server, which other tests use too. */
const PREFIX = `granted_${process.pid}_`;
const DENIED = { code: '42501', message: /^permission denied for / };
const ANNA = { kind: 'member', name: 'anna@example.com', id: null, ip: null } as never;

describe('the rights of roles in Postgres', function () {
  this.timeout(60_000);
  let bench: FeedBench;
  let match: number;
  const pools = new Map<string, pg.Pool>();
  /** Returns connections of a user who has only the rights of a role. */
  function as(role: string): pg.Pool {
    const url = bench.db.url.replace(/user=\w+/, `user=${PREFIX}${role}_login`);
    const pool = pools.get(role) ?? new pg.Pool({ connectionString: url, max: 2 });
    pools.set(role, pool);
    return pool;
  }
  const grant = async (isExact: boolean) => {
    for (const statement of grantStatements(PREFIX, isExact)) await bench.db.pool.query(statement);
  };
  const names = async () =>
    (
      await bench.db.pool.query<{ name: string }>('SELECT rolname AS name FROM pg_roles WHERE rolname LIKE $1', [
        `${PREFIX}%`,
      ])
    ).rows.map(({ name }) => name);
  before(async () => {
    bench = await openFeedBench();
    bench.nextMatch();
    match = await bench.accept({ status: 'live', score: { home: 1, away: 0 } });
    await grant(true);
    for (const name of await names()) await bench.db.pool.query(`CREATE ROLE ${name}_login LOGIN IN ROLE ${name}`);
  });
  after(async () => {
    for (const pool of pools.values()) await pool.end();
    const all = (await names()).join(', ');
    await bench.db.pool.query(`DROP OWNED BY ${all}; DROP ROLE ${all}`);
    await bench.db.drop();
  });

  const isDenied = (role: string, sql: string) => assert.rejects(as(role).query(sql), DENIED, `${role}: ${sql}`);
  const isAllowed = (role: string, sql: string) => as(role).query(`EXPLAIN ${sql}`);

  it('keep password hashes from every role except api', async () => {
    for (const role of ['stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator', 'jobs', 'corrections']) {
      await isDenied(role, 'SELECT password FROM member');
      await isDenied(role, 'SELECT * FROM member');
      await isDenied(role, "UPDATE member SET password = 'x'");
    }
    await isAllowed('api', 'SELECT password FROM member');
    await isAllowed('stream', 'SELECT id, email FROM member');
  });

  it('let only those roles write matches that apply updates, or that number events again', async () => {
    for (const role of ['api', 'stream', 'loader', 'dispatcher', 'operator']) {
      await isDenied(role, 'UPDATE match SET minute = 1');
      await isDenied(role, 'DELETE FROM match');
      await isDenied(role, 'INSERT INTO match DEFAULT VALUES');
      await isDenied(role, 'UPDATE match_card SET detail = item');
    }
    await isDenied('relay', 'DELETE FROM match');
    await isDenied('relay', 'UPDATE match_card SET detail = item');
    for (const role of ['ingest', 'jobs', 'corrections']) await isAllowed(role, 'UPDATE match SET minute = 1');
    await isAllowed('relay', 'UPDATE match SET sequence = sequence + 1');
  });

  it('let only the relay write the event log, and nobody change the schema', async () => {
    for (const role of ['api', 'stream', 'ingest', 'loader', 'dispatcher', 'operator', 'jobs', 'corrections']) {
      await isDenied(role, 'INSERT INTO event_log (match_id) VALUES (1)');
      await isDenied(role, 'DELETE FROM event_log');
      await isDenied(role, 'UPDATE relay SET expires_at = now()');
    }
    await isAllowed('relay', 'DELETE FROM event_log');
    for (const role of ['api', 'relay', 'jobs']) {
      await assert.rejects(as(role).query('DROP TABLE match'), /must be owner of table match/);
      await isDenied(role, 'CREATE TABLE more (id int)');
      await isDenied(role, 'DELETE FROM schema_migration');
    }
  });

  it('keep the secrets of webhooks, factors and providers from roles that only read their rows', async () => {
    await isDenied('stream', 'SELECT totp_pending FROM member');
    await isDenied('stream', 'SELECT secret FROM webhook_subscription');
    await isDenied('stream', 'SELECT client_secret FROM single_sign_on');
    await isDenied('jobs', 'SELECT secret FROM webhook_subscription');
    await isDenied('ingest', 'SELECT private_key FROM push_keys');
    await isAllowed('dispatcher', 'SELECT secret FROM webhook_subscription');
  });

  it('let operators correct matches with the login for corrections, and not with that of api', async () => {
    const deps = { clock: bench.deps.clock, changes: bench.deps.changes };
    const given = {
      score: '2:0',
      periods: '',
      status: '',
      kickOff: '',
      venue: '',
      goal: '',
      scorer: '',
      reason: 'report',
    };
    await assert.rejects(correctMatch({ ...deps, pool: as('api') }, match, given, ANNA), DENIED);
    const { outcome } = await correctMatch({ ...deps, pool: as('corrections') }, match, given, ANNA);
    assert.equal(outcome, 'corrected');
    const { rows } = await bench.db.pool.query('SELECT home_score FROM match WHERE id = $1', [match]);
    assert.deepEqual(rows, [{ home_score: 2 }]);
    await assert.rejects(
      decidePair({ ...deps, pool: as('corrections') } as never, 999_999, 'same', ANNA),
      /no pair 999999/,
    );
  });

  it('may be given again, which takes further rights away, unless an earlier release may need them', async () => {
    const further = `${PREFIX}stream`;
    await bench.db.pool.query(`GRANT SELECT ON member TO ${further}`);
    await grant(false);
    await isAllowed('stream', 'SELECT password FROM member');
    await grant(true);
    await isDenied('stream', 'SELECT password FROM member');
    await isAllowed('stream', 'SELECT id FROM member');
  });
});
