/**
 * `touchline feed` and `touchline feed check`, which do what POST /feed/v1/updates does, but for a file or standard
 * input.
 */
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { ApplyDeps } from '../apply/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { checkDocument, checkLines, explain } from './explain-faults.ts';
import { chunksOf, SourceAborted } from './ndjson-lines.ts';
import { decode, readDocument, receiveDocument, receiveLines, type Tally } from './receive.ts';

/** Maximum number of rejections to print. All rejections are stored. */
const SHOWN = 20;
/** Maximum size of a JSON document, which is read as a whole. Larger input must be NDJSON. */
const DOCUMENT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param file JSON (one update or an array) or NDJSON, or `-` for standard input
 * @throws {Error} with one line if the file cannot be read or an update was rejected.
 */
export async function feedFile(deps: ApplyDeps, file: string, say: (line: string) => void): Promise<void> {
  const tally = await withInput(file, (input) => receiveInput(deps, input));
  for (const { index, errors } of tally.rejected.slice(0, SHOWN)) {
    say(`rejected ${index}: ${errors.map(({ path, detail }) => `${path || 'update'}: ${detail}`).join('; ')}`);
  }
  const more = tally.rejectedCount - Math.min(tally.rejected.length, SHOWN);
  if (more > 0) say(`and ${more} more rejected; all are stored in the table feed_rejection`);
  for (const { index, path } of tally.leftOut.slice(0, SHOWN))
    say(`left out ${index}: ${path}: a price must be more than 1`);
  say(`${tally.accepted} accepted, ${tally.unchanged} unchanged, ${tally.rejectedCount} rejected`);
  if (tally.rejectedCount > 0) throw new Error(`${tally.rejectedCount} updates were rejected`);
}

/** The whole text if the input is a JSON document, or the lines as they are read if it is NDJSON. */
type Input = { text: string } | { lines: AsyncIterable<Buffer> };

/** Finds out what the input is. It is NDJSON unless the first line begins an array or a multi-line object. */
async function openInput(source: AsyncIterable<Buffer>): Promise<Input> {
  const chunks = chunksOf(source);
  const first = await chunks.next();
  if (first.done) return { lines: chunks };
  const rest = concatenated(first.value, chunks);
  return /^\uFEFF?\s*(\[|\{\s*\n)/.test(first.value.toString('utf8'))
    ? { text: await readWhole(rest) }
    : { lines: rest };
}

async function* concatenated(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function readWhole(source: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > DOCUMENT_MAX_BYTES) throw new Error('a JSON document of this size must be sent as NDJSON');
    chunks.push(chunk);
  }
  const text = decode(Buffer.concat(chunks));
  if (text === null) throw new Error('the file is not UTF-8');
  return text;
}

async function receiveInput(deps: ApplyDeps, input: Input): Promise<Tally> {
  if ('lines' in input) return receiveLines(deps, input.lines);
  const document = await readDocument(input.text).catch((error: Error) => {
    if (error instanceof RangeError) throw new Error(`the file must be sent as NDJSON: in its array ${error.message}`);
    throw new Error(`the file is not JSON: ${error.message}`);
  });
  return receiveDocument(deps, document);
}

/** Opens a file, or standard input. @throws {Error} with one line if it cannot be read */
async function withInput<T>(file: string, work: (input: Input) => Promise<T>): Promise<T> {
  if (file !== '-') {
    await access(file).catch(() => {
      throw new Error(`cannot read ${file}`);
    });
  }
  try {
    return await work(await openInput(file === '-' ? process.stdin : createReadStream(file)));
  } catch (error) {
    throw error instanceof SourceAborted ? new Error(`cannot read ${file}: ${(error.cause as Error).message}`) : error;
  }
}

/**
 * Validates updates without writing any.
 * @param file as for `feedFile`
 * @throws {Error} with one line if the file cannot be read or an update has a fault
 */
export async function checkFile(file: string, clock: Clock, say: (line: string) => void): Promise<void> {
  let count = 0;
  let faulty = 0;
  await withInput(file, async (input) => {
    for await (const update of 'lines' in input
      ? checkLines(input.lines, clock.now)
      : checkWhole(input.text, clock.now())) {
      count += 1;
      if (update.faults.length > 0) faulty += 1;
      for (const line of explain(update)) say(line);
    }
  });
  say(`${count} updates, ${count - faulty} valid`);
  if (faulty > 0) throw new Error(`${faulty} updates would be rejected`);
}

function* checkWhole(text: string, now: number) {
  try {
    yield* checkDocument(text, now);
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`the file is not JSON: ${error.message}`) : error;
  }
}
