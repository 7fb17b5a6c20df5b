/** Tests the role `jobs` in two processes. One runs a job, and the second takes over after kill -9. */
import assert from 'node:assert/strict';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 60_000;
/** Jobs that have a lease in the table `job`. */
const JOBS = [
  'analytics_cards',
  'expected_goals',
  'housekeeping',
  'match_rates',
  'participant_pairs',
  'player_links',
  'ratings',
  'referee_figures',
  'season_figures',
  'season_outlook',
];

describe('jobs in two processes', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  const pods: Pod[] = [];
  before(async () => {
    db = await createTestDatabase();
    // The job is due at once, because it has missed a night.
    await db.pool.query("INSERT INTO job (name, added_at) VALUES ('ratings', now() - interval '2 days')");
    const env = podEnv(db.url, { WEATHER_URL: 'off' });
    pods.push(...(await Promise.all([startPod('jobs', env), startPod('jobs', env)])));
  });
  after(async () => {
    await killAll(pods);
    await db.drop();
  });

  /** Returns the names of the jobs whose leases the process holds. */
  const held = async (pod: Pod) => {
    const { rows } = await db.pool.query<{ name: string; holder: string | null }>(
      'SELECT name, holder FROM job ORDER BY name',
    );
    return rows.filter(({ holder }) => holder?.split(' ')[1] === String(pod.started.child.pid)).map(({ name }) => name);
  };
  const heldByEach = () => Promise.all(pods.map(held));
  /** Returns how often each process has run the job with this result. */
  const runs = (name: string, result: string) =>
    Promise.all(
      pods.map(async ({ adminUrl }) => {
        const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
        const line = new RegExp(`touchline_job_runs_total{name="${name}",result="${result}"} (\\d+)`).exec(metrics);
        return Number(line?.[1] ?? 0);
      }),
    );

  it('run each job in only one process', async () => {
    await until('each job has a holder', async () => (await heldByEach()).flat().length === JOBS.length, PATIENCE_MS);
    assert.deepEqual((await heldByEach()).flat().toSorted(), JOBS);
    await until('the ratings are computed', async () => (await runs('ratings', 'done')).includes(1), PATIENCE_MS);
    assert.deepEqual((await runs('ratings', 'done')).toSorted(), [0, 1]);
    assert.deepEqual(await runs('ratings', 'failed'), [0, 0]);
  });

  it('continue in the second process after a kill -9', async () => {
    const holder = (await heldByEach()).findIndex((names) => names.includes('ratings'));
    await pods.splice(holder, 1)[0]!.kill();
    await db.pool.query("UPDATE job SET succeeded_at = now() - interval '2 days' WHERE name = 'ratings'");
    const before = await runs('ratings', 'done');
    await until(
      'it has computed the ratings',
      async () => (await runs('ratings', 'done'))[0]! > before[0]!,
      PATIENCE_MS,
    );
    await until('it has all jobs', async () => (await heldByEach()).flat().length === JOBS.length, PATIENCE_MS);
    const { rows } = await db.pool.query(
      "SELECT FROM job WHERE name = 'ratings' AND succeeded_at > now() - interval '1 day'",
    );
    assert.equal(rows.length, 1);
  });

  it('also run when the whole service is one process', async () => {
    const stopped = await pods.pop()!.stop();
    assert.equal(stopped.code, 0);
    pods.push(await startPod('all', podEnv(db.url, { WEATHER_URL: 'off', DEMO: '0' })));
    await until('it has all jobs', async () => (await heldByEach()).flat().length === JOBS.length, PATIENCE_MS);
  });
});
