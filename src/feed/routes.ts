/** How a provider writes: feed updates by POST, and the match that one of its ids stands for. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { invalidParameters, Problem } from '../http/errors.ts';
import { text } from '../http/query.ts';
import { type FeedDeps, route } from './deps.ts';
import { CutShort, whole } from './lines.ts';
import { decode, receiveDocument, receiveLines, type Tally, UPDATE_MAX_BYTES } from './receive.ts';

/** A JSON array is read whole; more than this comes as NDJSON. */
const JSON_MAX_BYTES = 16 * UPDATE_MAX_BYTES;

const fault = z.strictObject({ path: z.string(), code: z.string(), detail: z.string() });
const feedReply = z.strictObject({
  accepted: z.int().min(0),
  unchanged: z.int().min(0),
  rejected: z.array(z.strictObject({ index: z.int().min(0), errors: z.array(fault) })),
  more_rejected: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Further rejected ones, where they are too many to list' }),
});

/** Where reading stops early, the request must not be destroyed: its answer is still to be sent. */
const bytesOf = (request: IncomingMessage): AsyncIterable<Buffer> => request.iterator({ destroyOnReturn: false });

async function readJson(request: IncomingMessage): Promise<{ value: unknown; text: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of whole(bytesOf(request))) {
    bytes += chunk.length;
    if (bytes <= JSON_MAX_BYTES) chunks.push(chunk);
    // A little more is read and thrown away, so that the client gets to see the answer.
    else if (bytes > 4 * JSON_MAX_BYTES) break;
  }
  if (bytes > JSON_MAX_BYTES) {
    throw new Problem('payload_too_large', `A JSON body has at most ${JSON_MAX_BYTES} bytes; send more as NDJSON.`);
  }
  const text = decode(Buffer.concat(chunks));
  if (text === null) throw new Problem('bad_request', 'The body is not UTF-8.');
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    throw new Problem('bad_request', `The body is not JSON: ${(error as Error).message}`);
  }
}

async function receiveJson(deps: FeedDeps, request: IncomingMessage): Promise<Tally> {
  const { value, text } = await readJson(request);
  const tally = await receiveDocument(deps, value, text);
  const [rejection] = tally.rejected;
  if (Array.isArray(value) || rejection === undefined) return tally;
  if (rejection.errors[0]?.code === 'too_large') throw new Problem('payload_too_large', rejection.errors[0].detail);
  throw invalidParameters(rejection.errors.map(({ path, code, detail }) => ({ parameter: path, code, detail })));
}

async function receive(deps: FeedDeps, request: IncomingMessage, areLines: boolean): Promise<Tally> {
  try {
    return await (areLines ? receiveLines(deps, bytesOf(request)) : receiveJson(deps, request));
  } catch (error) {
    if (error instanceof CutShort) throw new Problem('bad_request', 'The body ended early.');
    throw error;
  }
}

const updates = route({
  method: 'POST',
  path: '/feed/v1/updates',
  summary: 'Feed updates',
  description:
    'One update or an array as JSON, or NDJSON of any length. Says what the provider knows now; the service finds the differences. A single bad update is 422; among several, the bad ones are listed and stop no other.',
  tag: 'Feed',
  access: 'feed',
  cost: 0,
  cache: 'no-store',
  rawBody: ['application/json', 'application/x-ndjson', 'application/ndjson'],
  response: feedReply,
  errors: ['bad_request', 'payload_too_large', 'unsupported_media_type', 'invalid_parameter'],
  handler: async ({ rawBody, headers }, deps) => {
    const areLines = headers['content-type']?.toLowerCase().includes('ndjson') ?? false;
    const { accepted, unchanged, rejected, rejectedCount } = await receive(deps, rawBody!, areLines);
    const more = rejectedCount - rejected.length;
    return { body: { accepted, unchanged, rejected, ...(more > 0 && { more_rejected: more }) } };
  },
});

const match = route({
  method: 'GET',
  path: '/feed/v1/match',
  summary: "The match that a provider's id stands for",
  tag: 'Feed',
  access: 'feed',
  cost: 0,
  cache: 'no-store',
  query: z.object({ provider: text(1, 50), id: text(1, 200) }),
  response: z.strictObject({ match_id: z.int().min(1) }),
  errors: ['not_found'],
  handler: async ({ query }, { pool }) => {
    const { rows } = await pool.query<{ match_id: number }>(
      "SELECT entity_id AS match_id FROM external_ref WHERE entity = 'match' AND provider = $1 AND external_id = $2",
      [query.provider, query.id],
    );
    if (rows[0] === undefined) throw new Problem('not_found', `${query.provider} has given no match ${query.id}.`);
    return { body: rows[0] };
  },
});

export const routes = [updates, match];
