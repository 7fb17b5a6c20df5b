import assert from 'node:assert/strict';
import { hasEndedSql, type LivenessLock, openLivenessLock } from '../../src/db/liveness-lock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('a process’s liveness lock', () => {
  let db: TestDatabase;
  const open: LivenessLock[] = [];
  const warnings: string[] = [];
  const logger = { warn: (text: string) => void warnings.push(text) };
  before(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((session) => session.close()));
    warnings.length = 0;
  });
  after(() => db.drop());

  async function begin(): Promise<LivenessLock> {
    const session = await openLivenessLock(db.url, logger);
    open.push(session);
    return session;
  }
  const hasEnded = async (id: number | null) => {
    const { rows } = await db.pool.query<{ ended: boolean }>(
      `SELECT ${hasEndedSql('session')} AS ended FROM (SELECT $1::bigint) AS row (session)`,
      [id],
    );
    return rows[0]!.ended;
  };
  /** Cuts the session, as a crashed backend or a firewall does. */
  const cut = () =>
    db.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% session'",
    );

  it('shows a process as alive until it ends, and a session that cannot be found does not count as ended', async () => {
    const [one, two] = [await begin(), await begin()];
    assert.notEqual(one.id, two.id);
    assert.deepEqual([await hasEnded(one.id), await hasEnded(two.id)], [false, false]);
    await one.close();
    await until('it has ended', () => hasEnded(one.id));
    assert.equal(await hasEnded(two.id), false);
    assert.equal(await hasEnded(null), false);
    // The check itself does not take the lock.
    assert.equal(await hasEnded(one.id), true);
  });

  it('judges processes only after 2 s, because a Postgres restart ends all sessions at once', async () => {
    const session = await begin();
    assert.equal(session.judges(), false);
    await until('it judges', () => session.judges());
    await cut();
    await until('it is lost, or new', () => !session.judges());
    await until('its lock is back', async () => !(await hasEnded(session.id)));
    assert.equal(session.judges(), false);
    assert.deepEqual(warnings, ['Postgres connection of the liveness lock lost, reconnecting']);
    await until('it judges again', () => session.judges());
  });
});
