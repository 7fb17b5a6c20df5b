/**
 * Clients keep a ledger of what they have written and seen, while the standby lags, stops replaying or ends, and processes are killed.
 * No reply may be older than its client's ledger.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { freePorts } from '../support/free-ports.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { randomNumbers } from '../support/random.ts';
import { ReplicaLedger } from '../support/replica-ledger.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { OPEN, PLANS } from '../support/replicated-service.ts';
import { until } from '../support/until.ts';

const SEED = 5_902;
const CLIENTS = 8;
const APIS = 2;
const FAULTS = 120;
const PATIENCE_MS = 60_000;

describe('a ledger of writes and reads, on a primary with a standby', function suite() {
  this.timeout(900_000);
  const random = randomNumbers(SEED);
  let servers: ReplicatedPostgres;
  let env: Record<string, string>;
  let key: string;
  let ledger: ReplicaLedger;
  let ports: number[];
  const pods = new Set<Pod>();
  const apis: Pod[] = [];

  async function begin(role: 'api' | 'ingest' | 'relay', more: Record<string, string> = {}): Promise<Pod> {
    const pod = await startPod(role, { ...env, ...more });
    pods.add(pod);
    return pod;
  }
  before(async function () {
    // Takes 2 minutes, so only `make test-long` runs it.
    if (!LONG_FORMS) this.skip();
    servers = await startReplicatedPostgres();
    env = podEnv(servers.url, { DATABASE_READ_URL: servers.readUrl, PLANS });
    ports = await freePorts(APIS);
    const [ingest] = await Promise.all([begin('ingest'), begin('relay')]);
    for (const port of ports) apis.push(await begin('api', { PORT: `${port}` }));
    const pool = openPool(servers.url, pino({ level: 'silent' }), 1);
    ({ key } = await createKey(pool, systemClock, { email: 'ledger@example.com', plan: 'open' }, OPEN));
    await pool.end();
    ledger = new ReplicaLedger({ feed: { url: ingest.url, token: FEED_TOKEN }, ask, random });
    for (let client = 0; client < CLIENTS; client += 1) await ledger.addClient();
  });
  after(async () => {
    await killAll(pods);
    await servers?.close();
  });

  /** Requests a path from any process that answers. */
  async function ask(path: string, position?: string): Promise<{ text: string; position: string }> {
    for (;;) {
      const port = ports[Math.floor(random() * APIS)]!;
      const headers = { 'X-API-Key': key, ...(position !== undefined && { 'Touchline-Position': position }) };
      try {
        const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        const text = await reply.text();
        if (reply.status === 200) return { text, position: reply.headers.get('touchline-position')! };
        assert.equal(reply.status, 503, text);
      } catch (error) {
        // A process that was killed refuses connections, and one that has just started answers 503.
        if (error instanceof assert.AssertionError) throw error;
      }
      await sleep(20);
    }
  }
  const faults: readonly (() => Promise<void>)[] = [
    () => servers.delay(20),
    () => servers.delay(400),
    () => servers.delay(0),
    async () => {
      await servers.pause();
      await sleep(200 + random() * 600);
      await servers.resume();
    },
    async () => {
      await servers.stopStandby();
      await sleep(random() * 500);
      await servers.startStandby();
    },
    async () => {
      const index = Math.floor(random() * APIS);
      await apis[index]!.kill();
      apis[index] = await begin('api', { PORT: `${ports[index]}` });
    },
  ];

  it(`is never contradicted by a reply, with ${FAULTS} faults of the standby and of processes`, async () => {
    let isOver = false;
    const keeping = ledger.keep(() => isOver);
    const causing = (async () => {
      for (let count = 0; count < FAULTS; count += 1) {
        // Each kind comes once before they are drawn.
        const index = count < faults.length ? count : Math.floor(random() * faults.length);
        await faults[index]!();
        await sleep(100 + random() * 400);
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([keeping, causing]);
    console.log(`    ${ledger.goals} writes and ${ledger.reads} reads`);
    assert.ok(ledger.goals >= CLIENTS && ledger.reads >= 4 * CLIENTS);
  });

  it('agrees with what both servers have in the end', async () => {
    await servers.delay(0);
    await servers.caughtUp();
    for (const entry of ledger.entries) assert.equal(await ledger.card(entry), entry.goals);
    const served = async () =>
      (await (await fetch(`${apis[0]!.adminUrl}/metrics`)).text()).match(/target="replica".* (\d+)/)?.[1];
    await until(
      'the standby answers again',
      async () => {
        await ask('/v1/search?q=home');
        return Number(await served()) > 0;
      },
      PATIENCE_MS,
    );
    const rows = await servers.onStandby<{ id: number; goals: number }>('SELECT id, home_score AS goals FROM match');
    assert.deepEqual(
      rows.sort((a, b) => a.id - b.id),
      ledger.entries.map(({ id, goals }) => ({ id, goals })).sort((a, b) => a.id - b.id),
    );
  });
});
