/**
 * Upgrades a service from 0.2.0 to this version and rolls it back, while 200 streams are open and events are fed. The
 * processes of 0.2.0 run the release's own code, which comes from the history of this repository. Helm does the same on a
 * cluster: it migrates first, starts new processes beside old ones, and then stops the old ones.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { stringify } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openStream } from '../../src/client/stream.ts';
import type { SocketConstructor } from '../../src/client/stream-connection.ts';
import { type Balancer, openBalancer } from '../support/balancer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type EarlierRelease, earlierRelease } from '../support/earlier-release.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from '../support/pods.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { eventSource } from '../support/stream-client.ts';
import { until } from '../support/until.ts';

const ACCOUNTS = 4;
/** Number of streams for each key. Every account has two keys, so there are 200 streams. */
const STREAMS = 25;
const MATCHES = 3;
const FEED_PAUSE_MS = 200;
const PASSWORD = 'correct horse battery';
const PATIENCE_MS = 120_000;
/** Each account has as many streams as its plan allows, so a slot that both releases counted would refuse a stream. */
const PLANS = `default: load
plans:
  - name: load
    title: Load
    windows: { burst: 100000, day: 10000000 }
    stream: true
    connections: ${STREAMS}
    publishable_connections: ${STREAMS}
`;

interface Client {
  name: string;
  /** Cursors in order of arrival. */
  cursors: number[];
  /** The events' ids, in the same order. */
  ids: string[];
  /** How often the client has been connected. */
  connects: number;
  /** What the client could not recover from. */
  failures: string[];
  close(): void;
}

/** Opens a stream over SSE as a browser does, without any filter for repeated events. */
function browser(url: string, key: string, name: string): Client {
  const source = eventSource(`${url}/v1/stream?key=${key}`, { hurry: 10 });
  const events = () => source.events.filter(({ type }) => type.startsWith('match.'));
  return {
    name,
    get cursors() {
      return events().map(({ id }) => Number(id));
    },
    get ids() {
      return events().map(({ data }) => JSON.parse(data).id);
    },
    get connects() {
      return source.lastEventId === '' ? 0 : source.connects;
    },
    get failures() {
      const gaps = source.events.filter(({ type }) => !type.startsWith('match.')).map(({ type }) => type);
      return source.failed === null ? gaps : [`status ${source.failed}`, ...gaps];
    },
    close: source.close,
  };
}

/** Opens a stream over a WebSocket with our client. */
function program(url: string, key: string, name: string): Client {
  const client: Client = { name, cursors: [], ids: [], connects: 0, failures: [], close: () => handle.close() };
  const handle = openStream({
    url,
    key,
    transport: 'websocket',
    WebSocket: WebSocket as unknown as SocketConstructor,
    onEvent: ({ cursor, id }) => {
      client.cursors.push(cursor);
      client.ids.push(id);
    },
    onState: ({ phase }) => {
      if (phase === 'live') client.connects += 1;
      if (phase === 'skipped' || phase === 'failed' || phase === 'syncing') client.failures.push(phase);
    },
  });
  return client;
}

/** The roles that have an address for clients. Each has a load balancer. */
const FRONTS = ['api', 'ingest', 'stream'] as const;
type Front = (typeof FRONTS)[number];
const ROLES: PodRole[] = ['relay', 'ingest', 'api', 'stream', 'stream'];

interface Person {
  /** The session cookie that 0.2.0 has set. */
  cookie: string;
  secret: string;
  publishable: string;
}

describe('an upgrade from 0.2.0 with 200 streams, and a rollback', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const pods: Pod[] = [];
  const clients: Client[] = [];
  const people: Person[] = [];
  const ports: Record<Front, number[]> = { api: [], ingest: [], stream: [] };
  const lines = {} as Record<Front, Balancer>;
  let release: EarlierRelease;
  let db: TestDatabase;
  let env: Record<string, string>;
  let feeding: { stop(): Promise<void> } | null = null;
  let old: Pod[];
  let present: Pod[];

  before(async function () {
    const found = earlierRelease();
    if (found === null) return this.skip();
    release = found;
    const plans = `${folder.path}/plans.yaml`;
    writeFileSync(plans, PLANS);
    db = await createTestDatabase('template0');
    for (const front of FRONTS) lines[front] = await openBalancer(ports[front]);
    env = podEnv(db.url, {
      PLANS_FILE: plans,
      SIGNUP: 'open',
      BASE_URL: lines.api.url,
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_DELAY_SECONDS: '0.5',
      DRAIN_SPREAD_SECONDS: '2',
    });
    await migrate(release.launcher);
    old = await startAll(release.launcher);
    lead(old);
    for (let n = 0; n < ACCOUNTS; n += 1) people.push(await signUp(n));
    for (const [n, { secret, publishable }] of people.entries())
      for (let stream = 0; stream < STREAMS; stream += 1) {
        clients.push(browser(lines.stream.url, publishable, `SSE ${stream} of account ${n}`));
        clients.push(program(lines.stream.url, secret, `WebSocket ${stream} of account ${n}`));
      }
    await connected(1);
    feeding = feed();
  });
  after(async () => {
    await feeding?.stop();
    for (const client of clients) client.close();
    await killAll(pods);
    for (const line of Object.values(lines)) await line.close();
    await db?.drop();
    release?.remove();
    folder.remove();
  });

  async function migrate(launcher?: string, ...options: string[]): Promise<string> {
    const done = await run(['migrate', ...options], { env, ...(launcher !== undefined && { launcher }) });
    assert.equal(done.code, 0, done.out + done.err);
    return done.out;
  }

  async function startAll(launcher?: string): Promise<Pod[]> {
    const started = await Promise.all(ROLES.map((role) => startPod(role, env, launcher)));
    pods.push(...started);
    return started;
  }

  /** Leads new connections to these processes. */
  function lead(to: readonly Pod[]): void {
    for (const front of FRONTS)
      ports[front].splice(0, ports[front].length, ...to.filter(({ role }) => role === front).map(({ port }) => port));
  }

  /** Stops the processes one after the other, as soon as new connections go to the others. */
  async function roll(from: readonly Pod[], to: readonly Pod[]): Promise<void> {
    lead(to);
    for (const pod of from) assert.equal((await pod.stop()).code, 0, `${pod.role}: ${pod.started.errors()}`);
  }

  async function visit(path: string, { cookie = '', ...init }: RequestInit & { cookie?: string } = {}) {
    const headers = { Origin: lines.api.url, Connection: 'close', Cookie: cookie, ...(init.headers as object) };
    const reply = await fetch(lines.api.url + path, { redirect: 'manual', ...init, headers });
    return { status: reply.status, cookie: reply.headers.getSetCookie()[0]?.split(';')[0], text: await reply.text() };
  }

  const post = (path: string, form: Record<string, string>, address: string) =>
    visit(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address },
      body: stringify(form),
    });

  async function createKey(cookie: string, kind: 'sk' | 'pk'): Promise<string> {
    const { status, text } = await visit('/v1/account/keys', {
      cookie,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Upgrade', kind }),
    });
    assert.equal(status, 201, text);
    return JSON.parse(text).key;
  }

  async function signUp(n: number): Promise<Person> {
    const form = { email: `person${n}@example.com`, password: PASSWORD };
    const { status, cookie, text } = await post('/account/sign-up', form, `192.0.2.${n + 1}`);
    assert.equal(status, 200, text);
    return {
      cookie: cookie!,
      secret: await createKey(cookie!, 'sk'),
      publishable: await createKey(cookie!, 'pk'),
    };
  }

  /** Adds goals until it is stopped. A provider repeats an update that was not answered, and so does this one. */
  function feed() {
    let isStopped = false;
    const send = (goals: number) =>
      fetch(`${lines.ingest.url}/feed/v1/updates`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json', Connection: 'close' },
        body: JSON.stringify(liveMatches('upgrade', MATCHES, goals)),
      }).then(
        ({ status }) => status === 200,
        () => false,
      );
    const running = (async () => {
      for (let goals = 1; !isStopped; goals += 1) {
        await until(`goal ${goals} is accepted`, () => send(goals), PATIENCE_MS);
        await sleep(FEED_PAUSE_MS);
      }
    })();
    return {
      async stop() {
        isStopped = true;
        await running;
      },
    };
  }

  /** Waits until each client has been connected this often. */
  async function connected(times: number): Promise<void> {
    const missing = () => clients.filter(({ connects }) => connects < times).map(({ name }) => name);
    await until(`all are connected ${times} times`, () => missing().length === 0, PATIENCE_MS).catch((error) => {
      throw new Error(`${error.message}; missing: ${missing()}`);
    });
    checkConnects(times);
  }
  function checkConnects(times: number): void {
    const others = clients.filter(({ connects }) => connects !== times);
    assert.deepEqual(others.map(({ name, connects }) => `${name}: ${connects}`).slice(0, 5), []);
  }

  /** Waits until every client has got events that were made after the call. */
  async function allGetEvents(): Promise<void> {
    const { rows } = await db.pool.query<{ events: number }>('SELECT sum(sequence)::int AS events FROM match');
    const count = rows[0]!.events + MATCHES;
    await until(`all have ${count} events`, () => clients.every(({ cursors }) => cursors.length >= count), PATIENCE_MS);
  }

  /** Checks that the sessions and keys of all people are accepted. */
  async function checkAccess(): Promise<void> {
    for (const { cookie, secret, publishable } of people) {
      assert.equal((await visit('/account', { cookie })).status, 200, 'session');
      for (const key of [secret, publishable])
        assert.equal((await visit('/v1/sports', { headers: { 'X-API-Key': key } })).status, 200, 'key');
    }
  }

  it('ends no stream while the database is migrated', async () => {
    await allGetEvents();
    assert.match(await migrate(), /0073_/);
    await allGetEvents();
    checkConnects(1);
    await checkAccess();
  });

  it('ends no stream when the present processes start beside those of 0.2.0', async () => {
    present = await startAll();
    await allGetEvents();
    checkConnects(1);
  });

  it('moves each stream once when the processes of 0.2.0 stop', async () => {
    await roll(old, present);
    await connected(2);
    await allGetEvents();
    checkConnects(2);
    await checkAccess();
  });

  it('moves each stream once when it is rolled back to 0.2.0, where sessions and keys of the present version work', async () => {
    const form = { email: 'person0@example.com', password: PASSWORD };
    const { cookie } = await post('/account/sign-in', form, '192.0.2.1');
    people.push({
      cookie: cookie!,
      secret: await createKey(cookie!, 'sk'),
      publishable: await createKey(cookie!, 'pk'),
    });
    // A rollback by Helm begins with this check.
    await migrate(release.launcher, '--check');
    old = await startAll(release.launcher);
    await allGetEvents();
    checkConnects(2);
    await roll(present, old);
    await connected(3);
    await allGetEvents();
    checkConnects(3);
    await checkAccess();
  });

  it('has lost and repeated no event', async () => {
    await feeding!.stop();
    const { rows } = await db.pool.query<{ events: number }>('SELECT sum(sequence)::int AS events FROM match');
    const { events } = rows[0]!;
    await until('all have all events', () => clients.every(({ cursors }) => cursors.length >= events), PATIENCE_MS);
    // Waits, since a repeated event may come late.
    await sleep(500);
    const [{ cursors, ids }] = clients as [Client, ...Client[]];
    assert.equal(cursors.length, events);
    assert.deepEqual(
      cursors,
      [...new Set(cursors)].sort((one, other) => one - other),
    );
    assert.equal(new Set(ids).size, events);
    for (const client of clients) {
      assert.deepEqual(client.failures, [], client.name);
      assert.deepEqual(client.cursors, cursors, client.name);
      assert.deepEqual(client.ids, ids, client.name);
    }
  });

  it('has logged no error', () => {
    const errors = pods.flatMap(({ role, started }) =>
      `${started.output()}\n${started.errors()}`
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
        .map((line) => `${role}: ${line}`),
    );
    assert.deepEqual(errors, []);
  });
});
