/**
 * Runs a whole service with two live matches, plans with few rights, and a clock that tests advance, and calls it as an
 * agent does.
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { readRoleConfig, serve } from '../../src/main.ts';
import { createKey } from '../support/accounts.ts';
import type { TestDatabase } from '../support/database.ts';

const TOKEN = 'feed-token-of-the-tests';
export const PLANS = JSON.stringify({
  default: 'all',
  plans: [
    { name: 'all', title: 'All', windows: { burst: 10_000, day: 100_000 } },
    { name: 'few', title: 'Few', windows: { burst: 2, day: 1_000 } },
    { name: 'once', title: 'Once', windows: { burst: 10, day: 2 } },
    { name: 'tennis', title: 'Tennis', access: { sports: ['tennis'], tournaments: [] } },
  ],
});

/** Returns a message in the protocol's current revision, with everything that the protocol requires in each message. */
export const message = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

type NewKey = Parameters<typeof createKey>[2];
export type AgentService = Awaited<ReturnType<typeof startAgentService>>;

/** The fields of a reply that tests read, from JSON-RPC or from the service's problems. */
interface Answer {
  id?: string | number;
  result?: { content?: { type: string; text: string }[]; isError?: boolean };
  error?: { code: number; message: string };
  code?: string;
}

/** @param more additional environment variables */
export async function startAgentService(db: TestDatabase, more: Record<string, string> = {}) {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  const config = await readRoleConfig(
    {
      DATABASE_URL: db.url,
      CLICKHOUSE_URL: 'http://127.0.0.1:1',
      SECRET_KEY: 'a-secret-key-of-the-tests',
      FEED_TOKEN: TOKEN,
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      PLANS,
      ...more,
    },
    'all',
  );
  const plans = new OfferedPlans(config.plans);
  const running = await serve(config, pino({ level: 'silent' }), { role: 'all', clock });
  const url = running.address!;
  const makeKey = (input: Partial<NewKey> = {}) =>
    createKey(running.deps.pool, clock, { email: `${input.plan ?? 'all'}@example.com`, plan: 'all', ...input }, plans);
  const { key } = await makeKey();

  /** Sends a body unchanged. */
  async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'x-api-key': key,
        ...headers,
      },
      body,
    });
    const text = await answer.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Answer;
    return { status: answer.status, headers: answer.headers, text, json };
  }
  return {
    running,
    url,
    key,
    clock: {
      now: clock.now,
      advance(ms: number) {
        now += ms;
      },
    },
    makeKey,
    post,
    /** Returns how many requests for matches were answered, including those that tools sent. */
    async requests(): Promise<number> {
      const text = await (await fetch(`${running.adminAddress}/metrics`)).text();
      const counts = text.matchAll(
        /^touchline_http_request_duration_seconds_count\{[^}]*"\/v1\/event\/\{id\}"[^}]*\} (\d+)$/gm,
      );
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    /** Advances the clock at the same rate as the database's clock until the work is done. */
    async meanwhile<T>(work: Promise<T>): Promise<T> {
      let last = performance.now();
      const timer = setInterval(() => {
        const passed = Math.floor(performance.now() - last);
        last += passed;
        now += passed;
      }, 20);
      return work.finally(() => clearInterval(timer));
    },
    /** Sends several messages in one body, as older clients do. */
    async batch(messages: readonly object[], headers: Record<string, string> = {}) {
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          'x-api-key': key,
          ...headers,
        },
        body: JSON.stringify(messages),
      });
      const text = await answer.text();
      const answers = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line!) as Answer);
      const results = answers.map(({ result }) => ({
        reply: result?.content === undefined ? null : JSON.parse(result.content[0]!.text),
        isError: result?.isError === true,
      }));
      return { text, results };
    },
    list: (headers: Record<string, string> = {}) =>
      post(JSON.stringify(message('tools/list')), { 'mcp-method': 'tools/list', ...headers }),
    /** Calls a tool. */
    async call(name: string, args: object, headers: Record<string, string> = {}) {
      const body = JSON.stringify(message('tools/call', { name, arguments: args }));
      const answer = await post(body, { 'mcp-method': 'tools/call', 'mcp-name': name, ...headers });
      const { content, isError } = answer.json.result ?? {};
      const reply = content === undefined ? null : JSON.parse(content[0]!.text);
      return { ...answer, reply, isError: isError === true };
    },
    /** Feeds a live match in each sport. */
    async feedMatches() {
      const updates = ['football', 'tennis'].map((sport) => ({
        schema: 1,
        kind: 'match',
        provider: 'tests',
        observed_at: new Date(now).toISOString(),
        match: {
          id: `m-${sport}`,
          sport,
          tournament: { id: `t-${sport}`, name: `The ${sport} cup`, country: 'INT' },
          season: { label: '2026' },
          home: { id: `h-${sport}`, name: `Home of ${sport}`, country: 'INT' },
          away: { id: `a-${sport}`, name: `Away of ${sport}`, country: 'INT' },
          scheduled_start: new Date(now).toISOString(),
          status: 'live',
        },
      }));
      const answer = await fetch(`${url}/feed/v1/updates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(updates),
      });
      const { accepted, rejected } = (await answer.json()) as { accepted: number; rejected: object[] };
      assert.deepEqual([accepted, rejected], [updates.length, []]);
    },
    stop: () => running.stop(),
  };
}
