/**
 * A client that sends as many requests to /mcp as it can. Each connection sends the next POST as soon as the previous one has been
 * answered.
 */
import { Agent, request } from 'node:http';
import { answer } from '../child.ts';

const CONNECTIONS = 20;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Post {
  headers: Record<string, string>;
  body: Buffer;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const batch = (method: string, params?: object): Post => ({
  headers: { 'mcp-protocol-version': '2025-06-18' },
  body: Buffer.from(JSON.stringify(numbers(20).map((id) => ({ jsonrpc: '2.0', id, method, params })))),
});
const single = (name: string, args: object): Post => ({
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  body: Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: META },
    }),
  ),
});

const POSTS = {
  calls: batch('tools/call', { name: 'event', arguments: { id: numbers(10) } }),
  arguments: single('events', Object.fromEntries(numbers(20_000).map((n) => [`a${n}`, 1]))),
  lists: batch('tools/list'),
};
export type FloodKind = keyof typeof POSTS;

export interface Flooded {
  /** Number of answers by HTTP status. */
  statuses: Record<number, number>;
  bytes: number;
}

function send(url: string, key: string, agent: Agent, { headers, body }: Post, flooded: Flooded): Promise<void> {
  const sent = {
    ...headers,
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/mcp`, { method: 'POST', agent, headers: sent }, (reply) => {
      flooded.statuses[reply.statusCode!] = (flooded.statuses[reply.statusCode!] ?? 0) + 1;
      reply.on('data', (chunk: Buffer) => (flooded.bytes += chunk.length)).once('end', resolve);
      reply.once('error', reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const api = {
  async flood(url: string, key: string, kind: FloodKind, ms: number): Promise<Flooded> {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const flooded: Flooded = { statuses: {}, bytes: 0 };
    const until = performance.now() + ms;
    await Promise.all(
      numbers(CONNECTIONS).map(async () => {
        while (performance.now() < until) await send(url, key, agent, POSTS[kind], flooded).catch(() => {});
      }),
    );
    agent.destroy();
    return flooded;
  },
};
export type FloodApi = typeof api;
answer(api);
