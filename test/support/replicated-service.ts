/** An ingest process and api processes on a primary with a standby, as a provider and its own client use them. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { createKey } from './accounts.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';

const FEED_TOKEN = 'feed-token-of-the-replicas';
export const PLANS = JSON.stringify({ default: 'open', plans: [{ name: 'open', title: 'Open' }] });
export const OPEN = new OfferedPlans(plansText.parse(PLANS));
const START = Date.parse('2026-03-01T12:00:00Z');

export interface ReplicatedService {
  servers: ReplicatedPostgres;
  /** The api processes. */
  apis: readonly Running[];
  /** The key with which `get` sends requests. */
  key: string;
  /**
   * Sends a goal of the match as a provider does.
   * @returns the position in the answer
   */
  score(match: number, goals: number): Promise<string>;
  /** Returns our id for a match. */
  idOf(match: number): Promise<number>;
  /** Requests a path of an api process with a key. @param position the header, if any */
  get(api: number, path: string, position?: string): Promise<Response>;
  /** Returns the text of an api process's metrics. */
  metrics(api: number): Promise<string>;
  close(): Promise<void>;
}

interface LiveScore {
  match: number;
  goals: number;
  /** ms since 1970 */
  observed: number;
  start: string;
}

/** Returns the body of a feed request that says how many goals the home side of a live match has. */
export const scoreUpdate = ({ match, goals, observed, start }: LiveScore): string =>
  JSON.stringify({
    schema: 1,
    kind: 'match',
    provider: 'live',
    observed_at: new Date(observed).toISOString(),
    match: {
      id: `m${match}`,
      sport: 'football',
      tournament: { id: 'l1', name: 'First League', country: 'GB-ENG' },
      season: { label: '2025/26' },
      home: { id: `h${match}`, name: `Home ${match}`, country: 'GB-ENG' },
      away: { id: `a${match}`, name: `Away ${match}`, country: 'GB-ENG' },
      scheduled_start: start,
      status: 'live',
      score: { home: goals, away: 0 },
    },
  });

export async function startReplicatedService(apiProcesses = 2): Promise<ReplicatedService> {
  const servers = await startReplicatedPostgres();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: servers.url,
    DATABASE_READ_URL: servers.readUrl,
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    SECRET_KEY: 'secret-of-the-replicas',
    DRAIN_DELAY_SECONDS: '0',
    DRAIN_SPREAD_SECONDS: '0',
    FEED_TOKEN,
    PLANS,
  };
  let now = START;
  const clock = { now: () => now };
  const start = async (role: 'api' | 'ingest' | 'relay') =>
    serve(await readRoleConfig(env, role), pino({ level: 'silent' }), { role, clock });
  const ingest = await start('ingest');
  const relay = await start('relay');
  const apis: Running[] = [];
  for (let count = 0; count < apiProcesses; count += 1) apis.push(await start('api'));
  const { key } = await createKey(ingest.deps.pool, clock, { email: 'replicas@example.com', plan: 'open' }, OPEN);
  return {
    servers,
    apis,
    key,
    async score(match, goals) {
      now += 1_000;
      const answer = await fetch(`${ingest.address}/feed/v1/updates`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
        body: scoreUpdate({ match, goals, observed: now, start: '2026-03-01T12:00:00Z' }),
      });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      assert.equal(JSON.parse(text).rejected.length, 0, text);
      return answer.headers.get('touchline-position')!;
    },
    async idOf(match) {
      const answer = await fetch(`${ingest.address}/feed/v1/match?provider=live&id=m${match}`, {
        headers: { Authorization: `Bearer ${FEED_TOKEN}` },
      });
      return ((await answer.json()) as { match_id: number }).match_id;
    },
    get: (api, path, position) =>
      fetch(`${apis[api]!.address}${path}`, {
        headers: { 'X-API-Key': key, ...(position !== undefined && { 'Touchline-Position': position }) },
      }),
    metrics: async (api) => (await fetch(`${apis[api]!.adminAddress}/metrics`)).text(),
    async close() {
      for (const one of [...apis, relay, ingest]) await one.stop();
      await servers.close();
    },
  };
}
