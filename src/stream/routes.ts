/** The stream routes: server-sent events, the WebSocket, and the replay of missed events. */
import { z } from 'zod';
import { CursorExpired } from '../events/index.ts';
import { cursor, invalidParameter, limit, MAX_INTEGER, Problem } from '../http/index.ts';
import { route, type StreamDeps } from './deps.ts';
import { clientName, delayQuery, filterQuery, readFilter } from './filter-query.ts';
import type { GapLinks } from './frame-encoder.ts';
import { REPLAY_COST, REPLAY_EVENTS, readReplayPage, replayPage } from './replay-page.ts';
import { sseEncoder } from './sse-frames.ts';
import { askToRetry, STREAM_HEADERS, takeOver } from './sse-response.ts';
import { webSocket } from './websocket.ts';

/** Returns the cursor to resume from. `Last-Event-ID` takes precedence over `last_event_id`. Null if the client sent neither. */
function presentedCursor(header: string | undefined, query: number | undefined): number | null {
  if (header === undefined || header === '') return query ?? null;
  const parsed = cursor.safeParse(header);
  if (!parsed.success) throw invalidParameter('Last-Event-ID', 'invalid_cursor', 'must be an integer from 0 to 2^53-1');
  return parsed.data;
}

/** Uses no closures, to save memory, since every connection has an instance. */
class Links implements GapLinks {
  readonly #filter: string;

  private readonly baseUrl: string;

  constructor(baseUrl: string, query: Record<string, unknown>, delay: number) {
    this.baseUrl = baseUrl;
    const filter = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (delay > 0) filter.push(['delay', String(delay)]);
    this.#filter = new URLSearchParams(filter).toString();
  }
  get sync(): string {
    return `${this.baseUrl}/v1/sync`;
  }
  replay(from: number): string {
    return `${this.baseUrl}/v1/stream/replay?since=${from}${this.#filter === '' ? '' : `&${this.#filter}`}`;
  }
}

export const stream = route({
  method: 'GET',
  path: '/v1/stream',
  example: { sport: 'football', last_event_id: '0' },
  summary: 'Live events (SSE)',
  description:
    'Server-sent events. A reconnect with the last event id gets up to 500 missed events first, then live events.',
  tag: 'Stream',
  access: 'key',
  scope: 'stream',
  keyInQuery: true,
  cost: 1,
  cache: 'no-store',
  query: z.object({
    ...filterQuery,
    delay: delayQuery,
    last_event_id: cursor.optional(),
    client: clientName.optional(),
  }),
  isStream: true,
  requestHeaders: {
    'Last-Event-ID': {
      description: 'The last event id received; takes precedence over `last_event_id`. Browsers send it themselves.',
      schema: { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
    },
  },
  responseHeaders: {
    'X-Accel-Buffering': { description: '`no`: proxies must not buffer the stream.', required: true },
  },
  response: { contentType: 'text/event-stream; charset=utf-8' },
  responseDescription: 'Lines `id`, `event` and `data` for each event; comment lines in between',
  errors: ['plan_required', 'too_many_connections'],
  unavailable: () => ({ body: null, headers: STREAM_HEADERS, attach: (response) => askToRetry(takeOver(response)) }),
  handler: ({ principal, query, headers, baseUrl }, deps: StreamDeps) => {
    const { last_event_id, client, delay, ...filters } = query;
    const filter = readFilter(deps.plans, principal!, filters);
    const presented = presentedCursor(headers['last-event-id'], last_event_id);
    return {
      body: null,
      headers: STREAM_HEADERS,
      attach: async (response) => {
        const admitted = await deps.admission.admit(principal!, client);
        if (response.destroyed) {
          admitted.left();
          return;
        }
        const socket = takeOver(response);
        deps.hub
          .connect({
            socket,
            encoder: sseEncoder,
            filter,
            cursor: presented,
            delay,
            links: new Links(baseUrl, filters, delay),
            owner: admitted,
          })
          .catch((error: unknown) => {
            deps.logger.warn({ err: error }, 'opening a stream failed, asking its client to retry');
            admitted.left();
            askToRetry(socket);
          });
      },
    };
  },
});

const replay = route({
  method: 'GET',
  path: '/v1/stream/replay',
  isWhole: true,
  example: { since: '0', limit: '2' },
  summary: 'Events after a cursor',
  description:
    'Closes a gap of more than 500 events. Read pages with `next_cursor` while `has_more` is true. A page may be empty although more events follow, because a filtered page examines a limited number of events. Events are stored for 7 days.',
  tag: 'Stream',
  access: 'key',
  scope: 'stream',
  keyInQuery: true,
  cost: REPLAY_COST,
  cache: { maxAge: 0 },
  query: z.object({
    since: cursor.meta({ description: 'The cursor after which events are wanted' }),
    limit: limit(100, REPLAY_EVENTS),
    ...filterQuery,
    delay: delayQuery,
  }),
  response: replayPage,
  errors: ['cursor_expired', 'plan_required'],
  handler: async ({ principal, query, baseUrl }, deps: StreamDeps) => {
    try {
      const page = await readReplayPage(
        deps.eventLog,
        readFilter(deps.plans, principal!, query),
        query.since,
        query.limit,
        { lastDue: await deps.hub.lastDue(query.delay) },
      );
      deps.hub.metrics.examined('replay', page.examined);
      return {
        body: `{"events":[${page.events.join(',')}],"next_cursor":${page.nextCursor},"has_more":${page.hasMore}}`,
      };
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      const { oldest } = error;
      throw new Problem('cursor_expired', `Events up to cursor ${oldest} are no longer stored.`, {
        members: { oldest_cursor: oldest, sync: `${baseUrl}/v1/sync` },
      });
    }
  },
});

export const routes = [stream, webSocket, replay];
