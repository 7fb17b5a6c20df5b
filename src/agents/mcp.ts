/**
 * Serves the Model Context Protocol, revision 2026-07-28 and older, by the official SDK. Each POST is answered
 * independently.
 */
import type { Logger } from 'pino';
import { type AnyRoute, type Ask, type Reply, toProblem } from '../http/index.ts';
import { VERSION } from '../runtime/version.ts';
import { type Allowance, MOST_REPLY_BYTES } from './allowance.ts';
import { callTool } from './call-tool.ts';
import { createTools } from './tool.ts';

/** How long clients may cache the tool list. It changes only with the service version. */
const LIST_MS = 3_600_000;
/** Maximum number of messages in one body. Older clients may send several. Each is charged. */
const MOST_MESSAGES = 20;

const INSTRUCTIONS = `Sports data: matches (REST calls them events), teams and players (participants), tournaments, standings, \
and statistics and models computed from history.
Find ids with participants_search, tournaments and events. events_live lists matches in progress. For the chances of matches, \
before and during play, call event_probabilities with up to 10 ids in \`id\` and \`fields\` ["event_id","minute","current"]; \
in sports without them, and for what they rest on, event_analytics with \`fields\` ["event_id","model","rating"].
For one part of a match, call event with its name in \`fields\`, such as ["incidents"].
Any tool with \`id\` takes one or up to 10; one POST makes at most 20 requests. Results are a short form: \
a missing member is null or empty. Times are UTC.
Each request is charged to the plan of the key, and waits its turn for up to 5 s; on rate_limited wait \`retry_after_seconds\`.`;

/** A POST with one or several messages. */
export interface McpRequest {
  /** The parsed body. */
  body: unknown;
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  ask: Ask;
  allowance: Allowance;
  /** Called before the tools are listed. @throws {Problem} rate_limited */
  list(): Promise<void>;
}

const error = (status: number, code: number, message: string, id: unknown = null): Reply => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message } },
});
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const PARSE_ERROR = -32_700;
/** Error code for a POST that has reached a limit of this service. */
const LIMITED = -32_000;
const TOO_LONG = `The replies to one POST may have at most ${MOST_REPLY_BYTES} bytes in total. Send the remaining calls in another POST.`;
/** Longest name that an error repeats in full. */
const LONGEST_NAME = 100;

/** @param status HTTP status */
export const parseError = (status: number, detail: string): Reply => error(status, PARSE_ERROR, detail);

/** Refuses messages that the SDK would serve but this service does not. */
function refusal(body: unknown): Reply | null {
  if (Array.isArray(body) && body.length > MOST_MESSAGES)
    return error(400, INVALID_REQUEST, `At most ${MOST_MESSAGES} messages in one request.`);
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    if (typeof message !== 'object' || message === null) continue;
    // The tools never change while the service runs, so the stream would have nothing to send, and would never end.
    if ('method' in message && message.method === 'subscriptions/listen') {
      const id = 'id' in message ? message.id : undefined;
      return error(404, METHOD_NOT_FOUND, 'Method not found: there are no subscriptions.', id);
    }
  }
  return null;
}

/** Headers that the SDK reads. */
function protocolHeaders(headers: McpRequest['headers']): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && (name === 'accept' || name === 'content-type' || name.startsWith('mcp-')))
      passed.append(name, value);
  return passed;
}

function listTools(routes: readonly AnyRoute[]) {
  const tools = createTools(routes);
  const list = [...tools.values()].map(({ definition }) => definition);
  return { tools, list, listBytes: Buffer.byteLength(JSON.stringify(list)) };
}

/**
 * @param routes the process's routes; the data routes among them become tools
 * @returns a function that answers one request
 */
export function createMcp(routes: readonly AnyRoute[]): (request: McpRequest, logger: Logger) => Promise<Reply> {
  let made: ReturnType<typeof listTools> | undefined;

  async function answer(
    { body, url, headers, ask, allowance, list: countList }: McpRequest,
    logger: Logger,
  ): Promise<Response> {
    made ??= listTools(routes);
    const { tools, list, listBytes } = made;
    // Imported here, because loading it takes longer than a command may take to start.
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
      server.setRequestHandler('tools/list', () =>
        allowance.inTurn(async () => {
          if (!allowance.spendBytes(listBytes)) throw new ProtocolError(LIMITED, TOO_LONG);
          try {
            await countList();
          } catch (error) {
            const { message, options } = toProblem(error);
            throw new ProtocolError(LIMITED, message, {
              retry_after_seconds: Number(options.headers?.['Retry-After']),
            });
          }
          return { tools: list };
        }),
      );
      server.setRequestHandler('tools/call', ({ params }) => {
        const tool = tools.get(params.name);
        if (tool === undefined)
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            `Unknown tool: ${params.name.slice(0, LONGEST_NAME)}`,
          );
        return allowance.inTurn(() => callTool(tool, params.arguments ?? {}, { ask, allowance }));
      });
      return server;
    };
    const handler = createMcpHandler(createServer, { onerror: (err) => logger.debug({ err }, 'MCP request refused') });
    const request = new Request(url, { method: 'POST', headers: protocolHeaders(headers) });
    return handler.fetch(request, { parsedBody: body });
  }

  return async (request, logger) => {
    const refused = refusal(request.body);
    if (refused !== null) return refused;
    const response = await answer(request, logger);
    const text = await response.text();
    // An error reply of the SDK repeats ids and faults from the body, so it may be too long.
    if (Buffer.byteLength(text) > MOST_REPLY_BYTES) return error(400, LIMITED, TOO_LONG);
    return {
      status: response.status,
      body: text === '' ? null : text,
      ...(text !== '' && { contentType: response.headers.get('content-type') ?? 'application/json' }),
    };
  };
}
