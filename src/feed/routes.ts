/** The routes for providers, which send feed updates by POST and look up our match ids by their own. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { type CallerTrace, invalidParameters, Problem, text } from '../http/index.ts';
import { errorMessage } from '../runtime/unknown-values.ts';
import { feedUpdate } from '../wire/feed-update.ts';
import { POSITION_HEADER, positionText } from '../wire/position.ts';
import { type FeedDeps, route } from './deps.ts';
import { chunksOf, SourceAborted } from './ndjson-lines.ts';
import {
  decode,
  type FeedDocument,
  type ReceiverDeps,
  readDocument,
  receiveDocument,
  receiveLines,
  type Tally,
  UPDATE_MAX_BYTES,
} from './receive.ts';
import { type FeedWriter, findWriter } from './token-check.ts';

/**
 * Maximum size of a body that is read as a whole, which is every JSON body and every signed body. Larger input must be
 * unsigned NDJSON.
 */
const WHOLE_MAX_BYTES = 16 * UPDATE_MAX_BYTES;

const fault = z.strictObject({ path: z.string(), code: z.string(), detail: z.string() });
const feedReply = z.strictObject({
  accepted: z.int().min(0),
  unchanged: z.int().min(0),
  rejected: z.array(z.strictObject({ index: z.int().min(0), errors: z.array(fault) })),
  more_rejected: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Number of rejected updates that are not listed, if there are too many' }),
  left_out: z
    .array(fault.extend({ index: z.int().min(0) }))
    .optional()
    .meta({
      description: 'Prices of 1 and less, which were left out; the rest of each update was kept. At most 1,000',
    }),
});

/** Reading may stop early. That must not destroy the request, because the response still has to be sent. */
const requestBytes = (request: IncomingMessage): AsyncIterable<Buffer> => request.iterator({ destroyOnReturn: false });

async function readWhole(source: AsyncIterable<Buffer>, hint: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    bytes += chunk.length;
    if (bytes <= WHOLE_MAX_BYTES) chunks.push(chunk);
    // A limited excess is read and discarded, so that the client receives the response.
    else if (bytes > 4 * WHOLE_MAX_BYTES) break;
  }
  if (bytes > WHOLE_MAX_BYTES) throw new Problem('payload_too_large', `${hint} at most ${WHOLE_MAX_BYTES} bytes.`);
  return Buffer.concat(chunks);
}

async function readJson(source: AsyncIterable<Buffer>): Promise<string> {
  const text = decode(await readWhole(source, 'Send more as NDJSON: a JSON body has'));
  if (text === null) throw new Problem('bad_request', 'The body is not UTF-8.');
  return text;
}

async function parseText(text: string): Promise<FeedDocument> {
  try {
    return await readDocument(text);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Problem('payload_too_large', `In the array ${error.message}; send them as NDJSON.`);
    throw new Problem('bad_request', `The body is not JSON: ${errorMessage(error)}`);
  }
}

async function receiveJson(deps: ReceiverDeps, source: AsyncIterable<Buffer>): Promise<Tally> {
  const document = await parseText(await readJson(source));
  const tally = await receiveDocument(deps, document);
  const [rejection] = tally.rejected;
  if (document.isArray || rejection === undefined) return tally;
  if (rejection.errors[0]?.code === 'too_large') throw new Problem('payload_too_large', rejection.errors[0].detail);
  throw invalidParameters(rejection.errors.map(({ path, code, detail }) => ({ parameter: path, code, detail })));
}

async function receive(
  deps: FeedDeps,
  request: IncomingMessage,
  writer: FeedWriter,
  areLines: boolean,
  trace: CallerTrace | null,
): Promise<Tally> {
  const limited = { ...deps, limit: writer.faults };
  try {
    const source = await admitted(writer, requestBytes(request));
    const work = () => (areLines ? receiveLines(limited, source) : receiveJson(limited, source));
    return await (trace === null ? work() : trace.continued(work));
  } catch (error) {
    if (!(error instanceof SourceAborted)) throw error;
    throw error.cause instanceof Problem ? error.cause : new Problem('bad_request', 'The body ended early.');
  }
}

/** Returns the body. If the writer signs, the signature has been checked. */
async function admitted(writer: FeedWriter, body: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  if (!writer.signs) return writer.whileUsable(body);
  const whole = await readWhole(body, 'Split it into several requests: a signed body has');
  await writer.verify(whole);
  return Readable.from([whole], { objectMode: true });
}

/** Headers that a signing token needs instead of Authorization. */
const SIGNATURE_HEADERS = {
  'X-Service-Token': {
    description: "A signing token's SHA-256, in hex",
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  'X-Service-Timestamp': {
    description: "The request's Unix time in seconds, at most 5 minutes away from the service's clock",
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Service-Signature': {
    description: '`v1=` and the hex of HMAC-SHA256 over `<timestamp>.<body>`, with the token as key',
    schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
  },
};
const NO_BODY = Buffer.alloc(0);

const updateLines = z.string().meta({ description: 'One FeedUpdate as JSON on each line; empty lines are skipped' });

const updates = route({
  method: 'POST',
  path: '/feed/v1/updates',
  summary: 'Feed updates',
  description:
    'One update or an array as JSON, or NDJSON of any length. An update states what the provider knows now; the service finds the differences. A single invalid update is 422; among several, the invalid ones are listed and do not affect the others. A JSON body has at most 16 MiB and 100,000 updates, NDJSON has no limit.',
  tag: 'Feed',
  access: 'feed',
  cost: 0,
  cache: 'no-store',
  rawBody: {
    // The schema has only the array, because openapi-generator's TypeScript does not compile for a choice between one
    // update and an array.
    'application/json': z
      .array(feedUpdate)
      .meta({ description: 'One update may be sent without the array; if it is invalid, the reply is 422' }),
    'application/x-ndjson': updateLines,
    'application/ndjson': updateLines,
  },
  response: feedReply,
  requestHeaders: SIGNATURE_HEADERS,
  errors: ['bad_request', 'payload_too_large', 'unsupported_media_type', 'invalid_parameter'],
  handler: async ({ rawBody, headers, trace }, deps) => {
    const areLines = headers['content-type']?.toLowerCase().includes('ndjson') ?? false;
    const writer = await findWriter(deps, headers);
    const { accepted, unchanged, rejected, rejectedCount, leftOut } = await receive(
      deps,
      rawBody!,
      writer,
      areLines,
      trace,
    );
    const more = rejectedCount - rejected.length;
    const position = await deps.router?.committed();
    return {
      body: {
        accepted,
        unchanged,
        rejected,
        ...(more > 0 && { more_rejected: more }),
        ...(leftOut.length > 0 && { left_out: leftOut }),
      },
      ...(position && { headers: { [POSITION_HEADER]: positionText(position) } }),
    };
  },
});

const match = route({
  method: 'GET',
  path: '/feed/v1/match',
  example: { provider: 'acme', id: 'm-4711' },
  summary: 'Match id by the id at the provider',
  tag: 'Feed',
  access: 'feed',
  cost: 0,
  cache: 'no-store',
  query: z.object({ provider: text(1, 50), id: text(1, 200) }),
  response: z.strictObject({ match_id: z.int().min(1) }),
  errors: ['not_found'],
  requestHeaders: SIGNATURE_HEADERS,
  handler: async ({ query, headers }, deps) => {
    const { pool } = deps;
    const writer = await findWriter(deps, headers);
    await writer.verify(NO_BODY);
    if (writer.provider !== null && writer.provider !== query.provider)
      throw new Problem('key_not_permitted', `This token may only look up ids of ${writer.provider}.`);
    const { rows } = await pool.query<{ match_id: number }>(
      "SELECT entity_id AS match_id FROM external_ref WHERE entity = 'match' AND provider = $1 AND external_id = $2",
      [query.provider, query.id],
    );
    if (rows[0] === undefined)
      throw new Problem('not_found', `Provider ${query.provider} has not sent a match ${query.id}.`);
    return { body: rows[0] };
  },
});

export const routes = [updates, match];
