import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { killAll, type Pod, podEnv, startPod } from '../support/pods.ts';
import { until } from '../support/until.ts';

const WRITERS = 4;
const READERS = 4;
/** Pause between a reader's requests, which stays within the plan. */
const PAUSE_MS = 15;
/** How long the server is away, and how long the test continues after that. */
const AWAY_MS = 700;
const BACK_MS = 300;

const FEED = { Authorization: `Bearer ${FEED_TOKEN}` };
const PATHS = [
  '/v1/events?limit=1000',
  '/v1/events/live',
  '/v1/event/1',
  '/v1/event/1?blocks=incidents',
  '/v1/sync?limit=500',
  '/v1/tournaments',
  '/v1/participants/search?q=home',
  '/v1/participant/1/events',
  '/v1/stream/replay?since=0',
  '/v1/account',
  '/v1/account/usage',
  '/v1/account/webhooks',
  '/v1/countries',
  '/v1/tournament/1/standings',
];

const updateOf = (id: string) => ({
  schema: 1,
  kind: 'match',
  provider: 'live',
  observed_at: new Date().toISOString(),
  match: {
    id,
    sport: 'football',
    tournament: { id: 'l1', name: 'First League', country: 'GB-ENG' },
    season: { label: '2026/27' },
    home: { id: `h-${id}`, name: `Home ${id}`, country: 'GB-ENG' },
    away: { id: `a-${id}`, name: `Away ${id}`, country: 'GB-ENG' },
    scheduled_start: '2027-05-01T14:00:00Z',
  },
});

describe('a service whose Postgres stops and restarts under load', function () {
  this.timeout(120_000);
  let postgres: OwnPostgres;
  let pod: Pod;
  let keys: string[];
  /** Number of replies by status, and number of requests to a path. */
  let answers: Map<string, number>;
  let faults: string[];
  let accepted: Set<string>;
  let isLoaded = false;
  let run = 0;
  let load: Promise<unknown>;

  before(async () => {
    postgres = await startOwnPostgres();
    const pool = openPool(postgres.url, pino({ level: 'silent' }), 1);
    keys = [];
    for (let n = 0; n < READERS; n += 1)
      keys.push((await createKey(pool, systemClock, { email: `r${n}@example.com`, plan: 'business' })).key);
    await pool.end();
    // Logs only fatal errors, since the others are expected and have one line each.
    pod = await startPod('all', podEnv(postgres.url, { DEMO: '0', LOG_LEVEL: 'fatal' }));
  });
  after(async () => {
    await killAll(pod === undefined ? [] : [pod]);
    await postgres?.close();
  });

  async function ask(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const response = await fetch(pod.url + path, init);
    const { status, headers } = response;
    const text = await response.text();
    answers.set(`${status}`, (answers.get(`${status}`) ?? 0) + 1);
    const isExpected = [200, 404, 503].includes(status);
    if (!isExpected) faults.push(`${path}: ${status} ${text}`);
    if (status === 503 && !/^[1-9]\d*$/.test(headers.get('Retry-After') ?? '')) faults.push(`${path}: no Retry-After`);
    return { status, text };
  }

  async function write(writer: number): Promise<void> {
    for (let n = 0; isLoaded; n += 1) {
      const ids = Array.from({ length: writer % 2 === 0 ? 1 : 5 }, (_, index) => `m-${run}-${writer}-${n}-${index}`);
      const lines = ids.map((id) => JSON.stringify(updateOf(id)));
      const [type, body] =
        lines.length === 1 ? ['application/json', lines[0]!] : ['application/x-ndjson', lines.join('\n')];
      const headers = { ...FEED, 'Content-Type': type };
      const { status, text } = await ask('/feed/v1/updates', { method: 'POST', headers, body });
      if (status !== 200) continue;
      const { rejected, ...counts } = JSON.parse(text) as { accepted: number; rejected: unknown[] };
      if (counts.accepted !== ids.length) faults.push(`accepted ${counts.accepted}: ${JSON.stringify(rejected)}`);
      for (const id of ids) accepted.add(id);
    }
  }

  async function read(reader: number): Promise<void> {
    for (let n = reader * 3; isLoaded; n += 1) {
      const path = PATHS[n % PATHS.length]!;
      await ask(path, { headers: { 'X-API-Key': keys[reader]! } });
      await sleep(PAUSE_MS);
    }
  }

  beforeEach(async () => {
    answers = new Map();
    faults = [];
    accepted = new Set();
    isLoaded = true;
    run += 1;
    load = Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
      ...Array.from({ length: READERS }, (_, reader) => read(reader)),
    ]);
    load.catch(() => {});
    await until('it is at work', () => accepted.size > 20 && (answers.get('200') ?? 0) > 60, 20_000);
  });

  afterEach(async () => {
    isLoaded = false;
    await load;
  });

  const unavailable = () => answers.get('503') ?? 0;
  /** Asserts that all replies have status 200 or 503, and that all accepted updates are stored. */
  async function assertNothingLost(): Promise<void> {
    const before = accepted.size;
    await until('it accepts again', () => accepted.size > before + 10, 20_000);
    await sleep(BACK_MS);
    isLoaded = false;
    await load;
    assert.deepEqual(faults.slice(0, 5), [], `${faults.length} faults; ${JSON.stringify([...answers])}`);
    assert.ok(unavailable() > 0, 'nobody has noticed');
    const pool = openPool(postgres.url, pino({ level: 'silent' }), 1);
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM unnest($1::text[]) AS a (id)
       WHERE NOT EXISTS (SELECT FROM external_ref r JOIN match m ON m.id = r.entity_id
                         WHERE r.entity = 'match' AND r.provider = 'live' AND r.external_id = a.id)`,
      [[...accepted]],
    );
    await pool.end();
    assert.deepEqual(rows, [], `of ${accepted.size} accepted`);
  }

  it('answers 503, never 500, and loses no accepted update if the server is killed', async () => {
    await postgres.crash();
    await sleep(AWAY_MS);
    await postgres.start();
    await assertNothingLost();
  });

  it('also answers 503 and loses no update if one backend is killed and the server ends the rest', async () => {
    await postgres.crashBackend();
    await until('that is noticed', () => unavailable() > 0);
    await assertNothingLost();
  });

  it('also answers 503 and loses no update if the server is stopped properly and restarted', async () => {
    await postgres.stop();
    await sleep(AWAY_MS);
    await postgres.start();
    await assertNothingLost();
  });
});
