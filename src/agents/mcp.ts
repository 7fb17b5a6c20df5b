/** The Model Context Protocol, revision 2026-07-28 and older ones, by the official SDK: each POST is answered alone. */
import type { Logger } from 'pino';
import type { Ask } from '../http/inner-request.ts';
import type { AnyRoute, Reply } from '../http/route.ts';
import { VERSION } from '../runtime/version.ts';
import { callTool } from './call.ts';
import { createTools } from './tool.ts';

/** The tools change with the version of the service only. */
const LIST_MS = 3_600_000;
/** Calls in one body: older clients may send several, and each is charged. */
const MOST_MESSAGES = 20;

const INSTRUCTIONS = `Sports data: matches (REST calls them events), teams and players (participants), tournaments, standings, and statistics and models computed from history.
Find ids with participants_search, tournaments and events. events_live lists matches in progress. For what the model says about matches, call event_analytics with up to 10 ids in \`id\` and \`fields\` ["event_id","home","away","model","rating"].
Any tool with \`id\` takes one or up to 10. Results are a short form: a missing member is null or empty. Times are UTC.
Each request is charged to the plan of the key; on rate_limited wait \`retry_after_seconds\`.`;

/** One message, or several, as they were sent. */
export interface McpRequest {
  /** The parsed body. */
  body: unknown;
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  ask: Ask;
}

const error = (status: number, code: number, message: string, id: unknown = null): Reply => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message } },
});
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const PARSE_ERROR = -32_700;

/** @param status of HTTP */
export const parseError = (status: number, detail: string): Reply => error(status, PARSE_ERROR, detail);

/** Refuses what the SDK would serve, but this service does not. */
function refusal(body: unknown): Reply | null {
  if (Array.isArray(body) && body.length > MOST_MESSAGES)
    return error(400, INVALID_REQUEST, `At most ${MOST_MESSAGES} messages in one request.`);
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    if (typeof message !== 'object' || message === null) continue;
    const { method, id } = message as { method?: unknown; id?: unknown };
    // The tools never change while the service runs, so an endless stream would be silent.
    if (method === 'subscriptions/listen')
      return error(404, METHOD_NOT_FOUND, 'Method not found: there are no subscriptions.', id);
  }
  return null;
}

/** Headers that the SDK reads. */
function protocolHeaders(headers: McpRequest['headers']): Headers {
  const passed = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && (name === 'accept' || name === 'content-type' || name.startsWith('mcp-')),
  );
  return new Headers(passed as [string, string][]);
}

/**
 * @param routes of the process; the data routes among them become tools
 * @returns a function that answers one request
 */
export function createMcp(routes: readonly AnyRoute[]): (request: McpRequest, logger: Logger) => Promise<Reply> {
  let made: ReturnType<typeof createTools> | undefined;

  async function answer({ body, url, headers, ask }: McpRequest, logger: Logger): Promise<Response> {
    made ??= createTools(routes);
    const tools = made;
    const list = [...tools.values()].map(({ definition }) => definition);
    // Loading it takes longer than a command may take to start.
    const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server');
    const createServer = () => {
      const server = new Server(
        { name: 'touchline', title: 'Touchline sports data', version: VERSION },
        {
          capabilities: { tools: {} },
          instructions: INSTRUCTIONS,
          cacheHints: { 'tools/list': { ttlMs: LIST_MS, cacheScope: 'public' } },
        },
      );
      server.setRequestHandler('tools/list', () => ({ tools: list }));
      server.setRequestHandler('tools/call', ({ params }) => {
        const tool = tools.get(params.name);
        if (tool === undefined)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
        return callTool(tool, params.arguments ?? {}, ask);
      });
      return server;
    };
    const handler = createMcpHandler(createServer, { onerror: (err) => logger.debug({ err }, 'MCP request refused') });
    const request = new Request(url, { method: 'POST', headers: protocolHeaders(headers), body: JSON.stringify(body) });
    return handler.fetch(request, { parsedBody: body });
  }

  return async (request, logger) => {
    const refused = refusal(request.body);
    if (refused !== null) return refused;
    const response = await answer(request, logger);
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : text,
      ...(text !== '' && { contentType: response.headers.get('content-type') ?? 'application/json' }),
    };
  };
}
