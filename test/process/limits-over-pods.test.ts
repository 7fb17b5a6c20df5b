/**
 * Tests an account's limits over three real processes that get five times as many requests as allowed. The long form
 * takes 30 s.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { temporaryFolder } from '../support/process.ts';

const LIMIT = 20;
const SECONDS = LONG_FORMS ? 30 : 15;
const TIMES = 5;
const DAY = LONG_FORMS ? 400 : 200;
/** Number of requests by which three processes together may miss a day's limit. In the long form it is 1 %. */
const DAY_TOLERANCE = 4;
const PLANS = `
default: second
plans:
  - { name: second, title: Second, windows: { burst: ${LIMIT}, day: 1000000 } }
  - { name: day, title: Day, windows: { burst: ${LIMIT}, day: ${DAY} } }
`;

interface Outcome {
  accepted: number;
  refused: number;
  other: number;
}

describe('limits shared by three processes', function () {
  this.timeout(120_000);
  const plans = new OfferedPlans(plansText.parse(PLANS));
  const folder = temporaryFolder();
  let db: TestDatabase;
  let pods: Pod[] = [];
  before(async () => {
    db = await createTestDatabase();
    const file = join(folder.path, 'plans.yaml');
    writeFileSync(file, PLANS);
    const env = podEnv(db.url, { PLANS_FILE: file });
    pods = await Promise.all([0, 1, 2, 3].map(() => startPod('api', env)));
  });
  after(async () => {
    await killAll(pods);
    folder.remove();
    await db.drop();
  });

  /** Sends `rate` requests a second to the processes in turn. Stopped processes are skipped. */
  async function load(key: string, among: readonly Pod[]): Promise<Outcome> {
    const agent = new Agent({ keepAlive: true });
    const outcome: Outcome = { accepted: 0, refused: 0, other: 0 };
    const gone = new Set<Pod>();
    const asked: Promise<void>[] = [];
    const once = (pod: Pod) =>
      new Promise<void>((resolve) => {
        const request = get(`${pod.url}/v1/sports`, { agent, headers: { 'X-API-Key': key } }, (response) => {
          response.resume().once('end', resolve);
          if (response.statusCode === 200) outcome.accepted += 1;
          else if (response.statusCode === 429 && Number(response.headers['retry-after']) >= 1) outcome.refused += 1;
          else outcome.other += 1;
        });
        request.once('error', () => {
          gone.add(pod);
          resolve();
        });
      });
    const begun = performance.now();
    for (let n = 0; n < LIMIT * TIMES * SECONDS; n += 1) {
      const early = begun + (n * 1_000) / (LIMIT * TIMES) - performance.now();
      if (early > 5) await sleep(early);
      const alive = among.filter((pod) => !gone.has(pod));
      asked.push(once(alive[n % alive.length]!));
    }
    await Promise.all(asked);
    agent.destroy();
    return outcome;
  }

  function within(name: string, { accepted, refused, other }: Outcome): void {
    const whole = LIMIT * SECONDS;
    assert.equal(other, 0, name);
    assert.ok(refused > 0, name);
    assert.ok(accepted <= 1.15 * whole + LIMIT, `${name}: ${accepted} accepted of ${whole}`);
    assert.ok(accepted >= 0.9 * whole, `${name}: ${accepted} accepted of ${whole}`);
    if (process.env.SHOW_LIMITS) console.log(`      ${name}: ${accepted} of ${whole}`);
  }

  it('hold for each second and day, even if one process is killed', async () => {
    const key = async (name: string, plan: string) =>
      (await createKey(db.pool, systemClock, { email: `${name}@example.com`, plan }, plans)).key;
    const [steady, killed, daily] = [await key('a', 'second'), await key('b', 'second'), await key('c', 'day')];
    const ended = sleep((SECONDS / 2) * 1_000).then(() => pods[2]!.kill());
    const [one, two, three, four] = pods as [Pod, Pod, Pod, Pod];
    const [left, all, day] = await Promise.all([
      load(killed, [one, two, three]),
      load(steady, [one, two, four]),
      load(daily, [one, two, three]),
      ended,
    ]);
    within('one of three is killed', left);
    within('three go on', all);
    assert.ok(Math.abs(day.accepted - DAY) <= DAY_TOLERANCE, `${day.accepted} of a day's ${DAY}`);
  });
});
