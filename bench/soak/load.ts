/** The constant load during a soak: a provider, REST readers, streams that open and close, and a webhook endpoint. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS } from '../../src/accounts/plans/plan-file.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { BUILT_IN_PLANS } from '../../test/support/accounts.ts';
import { UNBOUNDED } from '../../test/support/webhook-policy.ts';
import { type Clients, startClients } from '../stream/clients.ts';
import type { Stage } from '../stream/stage.ts';

const EVENTS_PER_SECOND = 100;
const CLIENTS = 1_000;
const READS_PER_SECOND = 20;
const SUBSCRIPTIONS = 2;
/** Webhook URLs that the service has to allow. */
export const HOOKS = 'http://127.0.0.1:*';
const MATCHES = 200;
const TOURNAMENTS = 20;
const PROVIDER = 'soak';
/** Number of client groups. One group at a time disconnects and comes back. */
const GROUPS = 4;
const COMES_BACK_EVERY_MS = 5_000;
/** One in this many deliveries fails, so that some are retried. */
const FAILS_EVERY = 100;
/** Number of updates in each of the provider's requests. */
const UPDATES_TOGETHER = 10;
const MOST_UNDER_WAY = 16;

export interface Load {
  /**
   * Stops the load.
   * @throws the first error that occurred in the load
   */
  stop(): Promise<void>;
}

/** Calls `once` `perSecond` times a second until it is stopped, or less often if earlier calls are still running. */
function steadily(perSecond: number, once: (n: number) => Promise<unknown>): Load {
  const underWay = new Set<Promise<unknown>>();
  let isStopped = false;
  let fault: unknown;
  const begun = performance.now();
  const done = (async () => {
    for (let n = 0; !isStopped; n += 1) {
      const wait = begun + (n * 1_000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      if (underWay.size === MOST_UNDER_WAY) await Promise.race(underWay);
      const one: Promise<unknown> = once(n)
        .catch((error) => {
          fault ??= error;
        })
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  })();
  return {
    async stop() {
      isStopped = true;
      await done;
      if (fault !== undefined) throw fault;
    },
  };
}

const updateOf = (n: number): MatchUpdateInput => {
  const match = n % MATCHES;
  const goals = Math.floor(n / MATCHES);
  return {
    schema: 1,
    kind: 'match',
    provider: PROVIDER,
    observed_at: new Date().toISOString(),
    match: {
      id: `m${match}`,
      sport: 'football',
      tournament: { id: `l${match % TOURNAMENTS}`, name: `League ${match % TOURNAMENTS}`, country: 'INT' },
      season: { label: '2026/27' },
      home: { id: `h${match}`, name: `Хозяева ${match}`, country: 'INT' },
      away: { id: `a${match}`, name: `Away ${match}`, country: 'INT' },
      scheduled_start: new Date(Date.now() - 3_600_000).toISOString(),
      status: 'live',
      status_detail: 'in_play',
      score: { home: goals % 2 === 0 ? goals / 2 : (goals + 1) / 2, away: Math.floor(goals / 2) },
    },
  } as MatchUpdateInput;
};

/**
 * Sends updates. Each raises a score and so causes one event.
 * @param counted receives the number of accepted updates
 */
function feed(url: string, token: string, perSecond: number, counted: (accepted: number) => void): Load {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' };
  return steadily(perSecond / UPDATES_TOGETHER, async (n) => {
    const updates = Array.from({ length: UPDATES_TOGETHER }, (_, index) => updateOf(n * UPDATES_TOGETHER + index));
    const response = await fetch(`${url}/feed/v1/updates`, {
      method: 'POST',
      headers,
      body: updates.map((update) => JSON.stringify(update)).join('\n'),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`feed: ${response.status} ${text}`);
    const { accepted, rejected } = JSON.parse(text) as { accepted: number; rejected: unknown[] };
    if (rejected.length > 0) throw new Error(`feed: ${text}`);
    counted(accepted);
  });
}

/** @param ids match ids */
function readRest(url: string, keys: readonly string[], ids: readonly number[], perSecond: number): Load {
  const paths = ['/v1/events/live', '/v1/sync?limit=50', '/v1/events?limit=20', '/v1/tournaments', '/v1/account'];
  return steadily(perSecond, async (n) => {
    const path = n % 2 === 0 ? `/v1/event/${ids[n % ids.length]}` : paths[(n >> 1) % paths.length]!;
    const response = await fetch(url + path, { headers: { 'X-API-Key': keys[n % keys.length]! } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  });
}

/** Opens one client for each protocol, without a filter. Every event is then written over both protocols. */
export async function watchAll(stage: Stage, port: number): Promise<Load> {
  const key = (await stage.keys(CLIENTS + CONNECTIONS)).at(-1)!;
  const watching: Clients[] = [];
  for (const [protocol, path] of [
    ['sse', '/v1/stream'],
    ['ws', '/v1/stream/ws'],
  ] as const) {
    const clients = startClients();
    await clients.open({ port, protocol, count: 1, paths: [path], keys: [key] });
    watching.push(clients);
  }
  return {
    async stop() {
      for (const clients of watching) await clients.kill();
    },
  };
}

/** @param leagues league ids; each client follows one league */
async function comeAndGo(
  port: number,
  keys: readonly string[],
  count: number,
  leagues: readonly number[],
): Promise<Load> {
  const each = count / GROUPS;
  const groups: { clients: Clients; open(): Promise<unknown> }[] = [];
  for (let group = 0; group < GROUPS; group += 1) {
    const clients = startClients();
    const protocol = group % 2 === 0 ? 'sse' : 'ws';
    const path = protocol === 'sse' ? '/v1/stream' : '/v1/stream/ws';
    const paths = Array.from(
      { length: each },
      (_, one) =>
        `${path}?league=${leagues[one % leagues.length]}&client=soak-${group}-${String(one).padStart(4, '0')}`,
    );
    const share = keys.length / GROUPS;
    const own = keys.slice(group * share, (group + 1) * share);
    groups.push({ clients, open: () => clients.open({ port, protocol, count: each, paths, keys: [...own] }) });
    await groups.at(-1)!.open();
  }
  const load = steadily(1_000 / COMES_BACK_EVERY_MS, async (n) => {
    const { clients, open } = groups[n % GROUPS]!;
    await clients.close();
    await open();
  });
  return {
    async stop() {
      await load.stop();
      for (const { clients } of groups) await clients.kill();
    },
  };
}

/** Starts a webhook endpoint that answers some deliveries with an error. */
export async function startEndpoint(): Promise<{ url: string; received(): number; close(): void }> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(received % FAILS_EVERY === 0 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: () => received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Subscribes the endpoint to all match events. */
export async function subscribe({ stores: { pool }, env, keys }: Stage, url: string): Promise<void> {
  await keys(CLIENTS);
  const deps = {
    pool,
    clock: systemClock,
    guard: createGuard({ allow: [HOOKS] }),
    secretKeys: env.SECRET_KEY!.split(','),
    policy: UNBOUNDED,
    plans: BUILT_IN_PLANS,
  };
  for (let hook = 0; hook < SUBSCRIPTIONS; hook += 1)
    await createSubscription(deps, { account: 'bench1@touchline.invalid', url, eventTypes: ['match.*'] });
}

/**
 * Starts the whole load.
 * @param addressOf returns the address of a role's server, without a trailing slash
 * @param counted receives the number of accepted updates
 */
export async function startLoad(
  stage: Stage,
  addressOf: (role: 'ingest' | 'api' | 'stream') => Promise<string>,
  counted: (accepted: number) => void,
): Promise<Load> {
  const keys = await stage.keys(CLIENTS);
  const port = Number(new URL(await addressOf('stream')).port);
  const feeding = feed(await addressOf('ingest'), stage.env.FEED_TOKEN!, EVENTS_PER_SECOND, counted);
  const { pool } = stage.stores;
  let ids: number[] = [];
  while (ids.length < 100) ids = (await pool.query<{ id: number }>('SELECT id FROM match')).rows.map(({ id }) => id);
  const leagues = (await pool.query<{ id: number }>('SELECT DISTINCT tournament_id AS id FROM match')).rows;
  const loads = [
    feeding,
    readRest(await addressOf('api'), keys, ids, READS_PER_SECOND),
    await comeAndGo(
      port,
      keys,
      CLIENTS,
      leagues.map(({ id }) => id),
    ),
  ];
  return {
    async stop() {
      for (const load of loads) await load.stop();
    },
  };
}
