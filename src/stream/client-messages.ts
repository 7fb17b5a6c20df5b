/** The messages that a WebSocket client sends, and how they are answered. */
import { CursorExpired, type EventFilter, FilterError, type FilterQuery, writeCondition } from '../events/index.ts';
import { type ProblemCode, toProblem } from '../http/index.ts';
import { readMember } from '../runtime/unknown-values.ts';
import type { LiveConnection } from './connection-owner.ts';
import { clientMessage, ref } from './message-schemas.ts';
import type { ReplayPage } from './replay-page.ts';
import { jsonFrame, textFrame } from './websocket-frames.ts';

type Ref = string | number | null;

interface Conversation {
  connection: LiveConnection;
  /** @throws {FilterError} */
  parseFilter(query: FilterQuery): EventFilter;
  /** Reads a page of events that pass the connection's filter. */
  replay(since: number, limit: number): Promise<ReplayPage>;
}

/** Returns the values that the filter asks for, sorted and without duplicates. */
const toValues = ({ sports, leagues, types, conditions }: EventFilter) => ({
  sport: sports,
  league: leagues,
  event_type: types.map((type) => (type.endsWith('.') ? `${type}*` : type)),
  ...(conditions && { where: conditions.map(writeCondition) }),
});

/** Formats a list for the stream query. */
const list = (values: readonly (string | number)[]) => (values.length === 0 ? undefined : values.join());

function problemCode(error: unknown): ProblemCode {
  if (error instanceof FilterError) return 'invalid_parameter';
  return error instanceof CursorExpired ? 'cursor_expired' : toProblem(error).code;
}

/** Answers one message. An invalid message is answered too, and the connection stays open. */
export async function answerMessage(text: string, { connection, parseFilter, replay }: Conversation): Promise<void> {
  let given: Ref = null;
  const refuse = (code: ProblemCode) =>
    connection.send(jsonFrame({ type: 'error', ref: given, code, cursor: connection.cursor() }));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse('bad_request');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('bad_request');
  const named = ref.safeParse(readMember(body, 'ref'));
  given = named.data ?? null;
  const parsed = clientMessage.safeParse(body);
  if (!parsed.success) return refuse('invalid_parameter');
  try {
    if (parsed.data.type === 'ping') {
      connection.send(jsonFrame({ type: 'pong', ref: given, cursor: connection.cursor() }));
    } else if (parsed.data.type === 'subscribe') {
      const { sport, league, event_type, where } = parsed.data.filters;
      const filter = parseFilter({ sport: list(sport), league: list(league), event_type: list(event_type), where });
      const { delay = connection.delay } = parsed.data;
      if (delay === connection.delay) connection.subscribe(filter);
      else await connection.subscribeWithDelay(filter, delay);
      const answer = { filters: toValues(filter), ...(delay > 0 && { delay }), cursor: connection.cursor() };
      connection.send(jsonFrame({ type: 'subscribed', ref: given, ...answer }));
    } else {
      const { events, nextCursor, hasMore } = await replay(parsed.data.since, parsed.data.limit);
      const head = `"ref":${JSON.stringify(given)},"events":[${events.join()}]`;
      const tail = `"next_cursor":${nextCursor},"has_more":${hasMore},"cursor":${connection.cursor()}`;
      connection.send(textFrame(`{"type":"replay",${head},${tail}}`));
    }
  } catch (error) {
    refuse(problemCode(error));
  }
}
