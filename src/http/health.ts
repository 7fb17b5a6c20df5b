/** The admin port with liveness, readiness and metrics. It is never exposed at the public address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { within } from '../runtime/time-limit.ts';

export interface HealthOptions {
  /**
   * Conditions for readiness. A check that has passed is not run again, because otherwise a store that fails later
   * would make all pods unready at once.
   */
  checks: Record<string, () => boolean | Promise<boolean>>;
  registry: Registry;
  /** While the process starts, returns the stores that cannot be reached, with the reasons. */
  waitingFor?(): Record<string, string>;
  /**
   * Returns more information for operators, as values or promises, for `/readyz?verbose`. It does not affect readiness.
   */
  details?(): Promise<Record<string, unknown>>;
}

export interface Health {
  /** Request handler for `listen`. */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Makes the process unready for good. Called when the process stops, so that no more requests are sent to it. */
  drain(): void;
}

const CHECK_TIMEOUT_MS = 1_000;

const passes = (check: () => boolean | Promise<boolean>): Promise<boolean> =>
  within(
    CHECK_TIMEOUT_MS,
    (async () => check())().catch(() => false),
    false,
  );

/** Returns the details that are known in time. Readiness must not wait for the rest. */
async function answered(details: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  await passes(async () => {
    const reading = Object.entries(await details()).map(async ([name, value]) => {
      found[name] = await value;
    });
    await Promise.all(reading);
    return true;
  });
  return { ...found };
}

export function createHealth({
  checks,
  registry,
  waitingFor = () => ({}),
  details = async () => ({}),
}: HealthOptions): Health {
  const passed = new Set<string>();
  let draining = false;

  async function readiness() {
    const waiting = Object.entries(checks).filter(([name]) => !passed.has(name));
    await Promise.all(
      waiting.map(async ([name, check]) => {
        if (await passes(check)) passed.add(name);
      }),
    );
    const results = Object.fromEntries(Object.keys(checks).map((name) => [name, passed.has(name)]));
    const waiting_for = waitingFor();
    return {
      ready: !draining && Object.values(results).every(Boolean),
      draining,
      checks: results,
      ...(Object.keys(waiting_for).length > 0 && { waiting_for }),
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, contentType: string, body: string) => {
      response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return reply(405, 'text/plain', 'method not allowed\n');
    }
    const [path, query = ''] = (request.url ?? '').split('?');
    if (path === '/livez') return reply(200, 'text/plain', 'ok\n');
    if (path === '/metrics') return reply(200, registry.contentType, await registry.metrics());
    if (path !== '/readyz') return reply(404, 'text/plain', 'not found\n');
    const more = new URLSearchParams(query).has('verbose') ? await answered(details) : {};
    const state = { ...(await readiness()), ...more };
    return reply(state.ready ? 200 : 503, 'application/json', `${JSON.stringify(state)}\n`);
  }

  return {
    handler: (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
    drain: () => {
      draining = true;
    },
  };
}
