/** Runs a call of a tool: requests its routes, shortens the replies, and says how to get the rest. */
import { type ParameterError, Problem, toProblem } from '../http/errors.ts';
import type { Answer, Ask } from '../http/inner-request.ts';
import { fit } from './fit.ts';
import { shortForm } from './short-form.ts';
import type { Call, Target, Tool } from './tool.ts';

/** Characters of one reply, and of all replies of a call together. A token is about four of them. */
const MOST_CHARS = { short: { one: 16_000, all: 48_000 }, full: { one: 64_000, all: 96_000 } };
const MOST_NOTE_CHARS = 1_000;

export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: true;
}

interface Failure {
  status: number;
  code: string;
  detail: string;
  errors?: readonly ParameterError[];
  retry_after_seconds?: number;
}

const texts = (...given: string[]): ToolResult['content'] =>
  given.filter((text) => text !== '').map((text) => ({ type: 'text', text }));

/** The problem of a route, with the time after which a repeat can succeed. */
function failureOf({ status, headers, body }: Answer): Failure {
  const { code, detail, errors } = JSON.parse(body) as Failure;
  const retryAfter = headers['retry-after'];
  return {
    status,
    code,
    detail,
    ...(errors !== undefined && { errors }),
    ...(retryAfter !== undefined && { retry_after_seconds: Number(retryAfter) }),
  };
}

type Reply = Record<string, unknown>;

/** Returns what the call wants of a reply. */
function select(reply: Reply, { fields, full }: Call): Reply {
  const chosen =
    fields === null
      ? reply
      : Object.fromEntries(fields.filter((name) => name in reply).map((name) => [name, reply[name]]));
  const short = full ? chosen : (shortForm(chosen) as Reply);
  if (fields === null || full) return short;
  // A member that was asked for by name is shown, null and empty too.
  return Object.fromEntries(fields.map((name) => [name, short[name] ?? chosen[name] ?? null]));
}

/** Says how to get the items after the shown ones; empty: these are all. */
function nextPage(reply: Reply, shown: ReadonlyMap<string, number>, { query }: Tool, call: Call): string {
  const list = Object.entries(reply).find(([, value]) => Array.isArray(value));
  if (call.limit === null || list === undefined) return '';
  const [name, items] = list as [string, unknown[]];
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
    : 'There may be more: ask with a higher `limit`, or with filters.';
}

interface Part {
  id: unknown;
  body: { reply: Reply } | { error: Failure };
  notes: readonly string[];
}

async function run(tool: Tool, call: Call, { id, url }: Target, ask: Ask, maxChars: number): Promise<Part> {
  const answer = await ask(url);
  if (answer.status !== 200) return { id, body: { error: failureOf(answer) }, notes: [] };
  const reply = JSON.parse(answer.body) as Reply;
  const { value, cuts, shown } = fit(select(reply, call), maxChars);
  return { id, body: { reply: value as Reply }, notes: [...cuts, nextPage(reply, shown, tool, call)] };
}

const SHORT =
  'Short form: members that are empty or null, pictures and details of listed matches are left out (`full_reply` shows them).';

/**
 * @returns the reply as JSON, and in a text of its own what was left out; with several ids, a list of replies. A
 * problem of the arguments, the key, the plan or the service is a result with `isError`.
 */
export async function callTool(tool: Tool, args: Readonly<Record<string, unknown>>, ask: Ask): Promise<ToolResult> {
  let call: Call;
  try {
    call = tool.read(args);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message: detail, options } = toProblem(error);
    return { content: texts(JSON.stringify({ status, code, detail, errors: options.errors })), isError: true };
  }
  const { targets, full } = call;
  const most = MOST_CHARS[full ? 'full' : 'short'];
  const each = Math.floor(Math.min(most.one, most.all / targets.length));
  const parts: Part[] = [];
  // One after the other: a call takes no more of the service than its client's requests would.
  for (const target of targets) parts.push(await run(tool, call, target, ask, each));
  const isError = parts.every(({ body }) => 'error' in body);
  const notes = [...new Set(parts.flatMap((part) => part.notes))].filter((note) => note !== '').join(' ');
  const about = notes.length > MOST_NOTE_CHARS ? `${notes.slice(0, MOST_NOTE_CHARS)} …` : notes;
  const shown = call.isList
    ? parts.map(({ id, body }) => ({ id, ...body }))
    : parts.map(({ body }) => ('error' in body ? body.error : body.reply))[0];
  const content = texts(JSON.stringify(shown), [about, full || isError ? '' : SHORT].join(' ').trim());
  return isError ? { content, isError } : { content };
}
