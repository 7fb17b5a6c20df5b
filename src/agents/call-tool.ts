/** Runs a tool call: requests the tool's routes, shortens the replies, and says how to get the rest. */
import { type Answer, type Ask, type Charge, type ParameterError, Problem, toProblem } from '../http/index.ts';
import { type Allowance, MOST_REPLY_BYTES } from './allowance.ts';
import { shortForm } from './omitted-members.ts';
import {
  ASIDE_CHARS,
  fit,
  LEAST_CHARS,
  MOST_BYTES_OF_CHAR,
  MOST_CHARS,
  MOST_NOTE_CHARS,
  PART_CHARS,
} from './reply-length.ts';
import type { Call, Target, Tool } from './tool.ts';

export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  /** What the first text has: the reply, or the replies to several ids as `results`. Absent from an error. */
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

interface Failure {
  status: number;
  code: string;
  detail: string;
  errors?: readonly ParameterError[];
  retry_after_seconds?: number;
}

/** The state that all calls in a POST share. */
export interface Caller {
  ask: Ask;
  allowance: Allowance;
}

const texts = (...given: string[]): ToolResult['content'] =>
  given.filter((text) => text !== '').map((text) => ({ type: 'text', text }));

const failure = (
  { status, code, detail, errors }: Failure,
  retryAfter: string | string[] | number | undefined,
): Failure => ({
  status,
  code,
  detail,
  ...(errors !== undefined && { errors }),
  ...(retryAfter !== undefined && { retry_after_seconds: Number(retryAfter) }),
});

/** A route's problem, with the time after which a new attempt can succeed. */
const failureOf = ({ headers, body }: Answer): Failure => failure(JSON.parse(body) as Failure, headers['retry-after']);

/** Describes a problem that occurred before the inner request was sent. @throws any error that is not a Problem */
function failureBefore(error: unknown): Failure {
  if (!(error instanceof Problem)) throw error;
  const { status, code, message: detail, options } = toProblem(error);
  return failure(
    { status, code, detail, ...(options.errors && { errors: options.errors }) },
    options.headers?.['Retry-After'],
  );
}

const NO_ROOM: Failure = {
  status: 429,
  code: 'rate_limited',
  detail: `The replies to one POST may have at most ${MOST_REPLY_BYTES} bytes in total. Send the remaining calls in another POST.`,
  retry_after_seconds: 1,
};

const failed = (error: Failure): ToolResult => ({ content: texts(JSON.stringify(error)), isError: true });

type Reply = Record<string, unknown>;

/** Returns the parts of a reply that the call asks for. */
function select(reply: Reply, { fields, full }: Call): Reply {
  const chosen =
    fields === null
      ? reply
      : Object.fromEntries(fields.filter((name) => name in reply).map((name) => [name, reply[name]]));
  const short = full ? chosen : (shortForm(chosen) as Reply);
  if (fields === null || full) return short;
  // A member that the call names is shown even if it is null or empty.
  return Object.fromEntries(fields.map((name) => [name, short[name] ?? chosen[name] ?? null]));
}

/** Says how to get the items that follow. Empty if there are none. */
function nextPage(reply: Reply, shown: ReadonlyMap<string, number>, { query }: Tool, call: Call): string {
  const list = Object.entries(reply).find((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  if (call.limit === null || list === undefined) return '';
  const [name, items] = list;
  const left = shown.get(name);
  if (left !== undefined && (call.offset === null || !query.has('offset')))
    return `Ask with \`limit\` ${left} to get shorter pages.`;
  for (const [parameter, value] of [
    ['after', reply.next_after],
    ['cursor', reply.next_cursor],
  ] as const) {
    if (left === undefined && query.has(parameter) && typeof value === 'string')
      return reply.has_more === false ? '' : `More: the same call with \`${parameter}\` ${JSON.stringify(value)}.`;
  }
  if (call.offset === null) return '';
  const end = call.offset + (left ?? items.length);
  const isLast = typeof reply.total === 'number' ? end >= reply.total : items.length < call.limit && left === undefined;
  if (isLast || items.length === 0) return '';
  return query.has('offset')
    ? `More: the same call with \`offset\` ${end}.`
    : 'There may be more items: ask with a higher `limit`, or with filters.';
}

/** Says how to get what was cut from a reply without pages. Empty if nothing was cut. */
function wholeMembers(selected: Reply, cut: readonly string[], call: Call): string {
  if (cut.length === 0 || call.limit !== null) return '';
  const isAlone = call.targets.length === 1 && call.fields?.length === 1;
  if (isAlone) return call.full ? '' : 'The rest: the same call with `full_reply` true.';
  const ways = cut.map((name) => {
    const isLong = call.full || JSON.stringify(selected[name]).length > MOST_CHARS.short;
    return `\`fields\` ${JSON.stringify([name])}${isLong ? ' and `full_reply` true' : ''}`;
  });
  return `The rest: a call for one id with ${ways.join(', or ')}.`;
}

interface Part {
  id: unknown;
  body: { reply: Reply } | { error: Failure };
  notes: readonly string[];
}

async function run(
  tool: Tool,
  call: Call,
  { id, url }: Target,
  ask: (url: string) => Promise<Answer>,
  maxChars: number,
): Promise<Part> {
  let answer: Answer;
  try {
    answer = await ask(url);
  } catch (error) {
    return { id, body: { error: failureBefore(error) }, notes: [] };
  }
  if (answer.status !== 200) return { id, body: { error: failureOf(answer) }, notes: [] };
  const reply = JSON.parse(answer.body) as Reply;
  const selected = select(reply, call);
  const { value, cuts, shown, members } = fit(selected, maxChars);
  const notes = [...cuts, wholeMembers(selected, members, call), nextPage(reply, shown, tool, call)];
  return { id, body: { reply: value as Reply }, notes };
}

const SHORT =
  'Short form: members that are empty or null, pictures and details of listed matches are left out (`full_reply` shows them).';

/** Makes the result from the parts of a call. */
function makeResult(parts: readonly Part[], { isList, full }: Call): ToolResult {
  const isError = parts.every(({ body }) => 'error' in body);
  const notes = [...new Set(parts.flatMap((part) => part.notes))].filter((note) => note !== '').join(' ');
  const about = notes.length > MOST_NOTE_CHARS ? `${notes.slice(0, MOST_NOTE_CHARS)} …` : notes;
  const shown = isList
    ? parts.map(({ id, body }) => ({ id, ...body }))
    : parts.map(({ body }) => ('error' in body ? body.error : body.reply))[0];
  const content = texts(JSON.stringify(shown), [about, full || isError ? '' : SHORT].join(' ').trim());
  if (isError) return { content, isError };
  return { content, structuredContent: Array.isArray(shown) ? { results: shown } : { ...shown } };
}

/**
 * @returns the reply as JSON text and as a value, and a second text that says what was left out. If the call has several ids, the JSON is a
 *   list of replies. A problem with the arguments, the key, the plan or the service is a result with `isError`.
 */
export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { ask, allowance }: Caller,
): Promise<ToolResult> {
  const room = Math.floor(allowance.bytes / MOST_BYTES_OF_CHAR) - ASIDE_CHARS;
  if (room < LEAST_CHARS) return failed(NO_ROOM);
  let call: Call;
  let first: { charge: Charge | undefined } | null;
  try {
    // A call with wrong arguments is charged like a wrong request.
    first = { charge: await allowance.charge(tool.cost) };
    call = tool.read(args);
  } catch (error) {
    return failed(failureBefore(error));
  }
  const charged = async (url: string) => {
    const { charge } = first ?? { charge: await allowance.charge(tool.cost) };
    first = null;
    return ask(url, charge);
  };
  const parts: Part[] = [];
  let chars = Math.min(MOST_CHARS[call.full ? 'full' : 'short'], room);
  // Sends requests one by one, so that a call puts no more load on the service than the same requests by a client
  // would.
  for (const target of call.targets) {
    // Characters that a short reply does not use can be used by later replies.
    const share = Math.floor(chars / (call.targets.length - parts.length)) - PART_CHARS;
    const part = await run(tool, call, target, charged, Math.max(share, 2));
    parts.push(part);
    chars -= JSON.stringify(part.body).length + PART_CHARS;
  }
  const result = makeResult(parts, call);
  return allowance.spendBytes(Buffer.byteLength(JSON.stringify(result))) ? result : failed(NO_ROOM);
}
