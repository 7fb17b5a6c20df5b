/**
 * Tests a source's poller in two processes. After kill -9 the second one continues, and no event is lost or repeated.
 */
import assert from 'node:assert/strict';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type EnteredMatch,
  enterGoal,
  enterMatch,
  enterResult,
  type OpenLigaDbServer,
  startOpenLigaDb,
} from '../support/openligadb.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 60_000;
const MINUTE = 60_000;

describe('polling in two processes', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  let source: OpenLigaDbServer;
  let match: EnteredMatch;
  const pods: Pod[] = [];
  before(async () => {
    db = await createTestDatabase();
    source = await startOpenLigaDb(Date.now);
    const year = new Date().getUTCFullYear();
    match = enterMatch(['FC Bayern München', 'VfB Stuttgart'], Date.now() - 30 * MINUTE, { leagueSeason: year });
    source.matches = [match];
    enterGoal(match, '1:0', 20, 'H. Kane');
    source.touch(match);
    const env = podEnv(db.url, {
      WEATHER_URL: 'off',
      PROVIDERS: `openligadb:bl1/${year}`,
      PROVIDERS_URLS: `openligadb=${source.url}`,
    });
    pods.push(...(await Promise.all([startPod('jobs', env), startPod('jobs', env)])));
  });
  after(async () => {
    await killAll(pods);
    await source.close();
    await db.drop();
  });

  const events = async () => {
    const { rows } = await db.pool.query<{ shown: string }>(
      "SELECT type || coalesce(' ' || (envelope::json #>> '{data,match,home,score}'), '') AS shown FROM outbox ORDER BY id",
    );
    return rows.map(({ shown }) => shown);
  };
  const holder = async (): Promise<Pod> => {
    const { rows } = await db.pool.query<{ holder: string }>("SELECT holder FROM job WHERE name = 'poll_openligadb'");
    const pid = rows[0]!.holder.split(' ')[1];
    return pods.find(({ started }) => String(started.child.pid) === pid)!;
  };

  it('is done by one process at a time, and the second one continues from the same point after a kill -9', async () => {
    await until('the match is live', async () => (await events()).length > 1, PATIENCE_MS);
    assert.deepEqual(await events(), ['match.created 1', 'match.goal 1']);
    const first = await holder();
    const asked = source.asked.length;
    // The process is killed while the reply with the next goal is on its way.
    enterGoal(match, '2:0', 29, 'J. Musiala');
    enterResult(match, 2, '2:0');
    source.touch(match);
    first.started.child.kill('SIGKILL');
    await until('the other one has read the goal', async () => (await events()).length > 2, PATIENCE_MS);
    assert.deepEqual(await events(), ['match.created 1', 'match.goal 1', 'match.goal 2']);
    assert.notEqual(await holder(), first);
    const calendar = source.asked.slice(asked).filter((path) => path.startsWith('/getcurrentgroup'));
    assert.ok(calendar.length <= 1, 'the calendar is known');
  });

  it('does not start for a source whose terms are not accepted', async () => {
    const { rows } = await db.pool.query<{ requests: number }>('SELECT requests FROM source_budget');
    assert.ok(rows[0]!.requests > 0 && rows[0]!.requests < 20, JSON.stringify(rows));
    await assert.rejects(
      startPod('jobs', podEnv(db.url, { PROVIDERS: 'nhl' })),
      /PROVIDERS: .* is off until you accept its terms with PROVIDERS_ACCEPT=nhl/,
    );
  });
});
