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
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { OPEN, PLANS, scoreUpdate } from '../support/replicated-service.ts';
import { until } from '../support/until.ts';

const SEED = 5_902;
const CLIENTS = 8;
const APIS = 2;
const FAULTS = 120;
/** Number of reads after each write. */
const READS = 4;
const PATIENCE_MS = 60_000;

interface Item {
  id: number;
  participants: [{ score: number }, unknown];
}

describe('a ledger of writes and reads, on a primary with a standby', function suite() {
  this.timeout(900_000);
  const random = randomNumbers(SEED);
  let servers: ReplicatedPostgres;
  let env: Record<string, string>;
  let key: string;
  let ingest: Pod;
  let ports: number[];
  const pods = new Set<Pod>();
  const apis: Pod[] = [];
  /** The goals of each client's match, by our id, and the newest position that the client has received. */
  const ledger: { id: number; goals: number; position: string }[] = [];

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
    [ingest] = await Promise.all([begin('ingest'), begin('relay')]);
    for (const port of ports) apis.push(await begin('api', { PORT: `${port}` }));
    const pool = openPool(servers.url, pino({ level: 'silent' }), 1);
    ({ key } = await createKey(pool, systemClock, { email: 'ledger@example.com', plan: 'open' }, OPEN));
    await pool.end();
    for (let match = 0; match < CLIENTS; match += 1) {
      const position = await score(match, 0);
      ledger.push({ id: await idOf(match), goals: 0, position });
    }
  });
  after(async () => {
    await killAll(pods);
    await servers?.close();
  });

  const authorized = { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' };
  /** Sends goals as a provider does. @returns the position in the answer */
  async function score(match: number, goals: number): Promise<string> {
    const observed = Date.now();
    const start = new Date(observed - 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = scoreUpdate({ match, goals, observed, start });
    const answer = await fetch(`${ingest.url}/feed/v1/updates`, { method: 'POST', headers: authorized, body });
    const text = await answer.text();
    assert.equal(JSON.parse(text).accepted, 1, text);
    return answer.headers.get('touchline-position')!;
  }
  async function idOf(match: number): Promise<number> {
    const answer = await fetch(`${ingest.url}/feed/v1/match?provider=live&id=m${match}`, { headers: authorized });
    return ((await answer.json()) as { match_id: number }).match_id;
  }

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
  /** Returns the goals of a match as a card or a list shows them, and the position of the reply. */
  async function read(id: number, needed?: string) {
    const isList = random() < 0.4;
    const { text, position } = await ask(isList ? '/v1/events/live?limit=100' : `/v1/event/${id}`, needed);
    const body = JSON.parse(text);
    const item: Item = isList ? body.events.find((one: Item) => one.id === id) : body;
    return { goals: item?.participants[0].score, position, from: isList ? 'list' : 'card' };
  }

  /** Writes goals and reads them until the faults have ended. @returns the number of reads */
  async function keep(match: number, isOver: () => boolean): Promise<number> {
    const own = ledger[match]!;
    const steps: string[] = [];
    let reads = 0;
    while (!isOver()) {
      own.position = await score(match, own.goals + 1);
      own.goals += 1;
      steps.push(`wrote ${own.goals} at ${own.position}`);
      for (let count = 0; count < READS; count += 1) {
        const { goals, position, from } = await read(own.id, own.position);
        steps.push(`asked for ${own.position}, read ${goals} from a ${from} at ${position}`);
        assert.equal(goals, own.goals, `match ${match}:\n${steps.slice(-10).join('\n')}`);
        own.position = position;
        reads += 1;
      }
    }
    return reads;
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
    const clients = Promise.all(ledger.map((_, match) => keep(match, () => isOver)));
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
    const [reads] = await Promise.all([clients, causing]);
    const sum = reads.reduce((all, one) => all + one, 0);
    const goals = ledger.reduce((all, one) => all + one.goals, 0);
    console.log(`    ${goals} writes and ${sum} reads`);
    assert.ok(goals >= CLIENTS && sum >= CLIENTS * READS);
  });

  it('agrees with what both servers have in the end', async () => {
    await servers.delay(0);
    await servers.caughtUp();
    for (const { id, goals } of ledger) assert.equal((await read(id)).goals, goals);
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
      ledger.map(({ id, goals }) => ({ id, goals })).sort((a, b) => a.id - b.id),
    );
  });
});
