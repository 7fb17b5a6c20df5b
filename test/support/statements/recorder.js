/**
 * Records the statements that the sources send during a test, each with its calls, for check.ts. It wraps the driver,
 * so that the
 * service needs no knowledge of it, and only if STATEMENTS_FILE names the output. Stacks have the positions of the
 * sources if Node runs
 * them directly: with tsx they are often wrong.
 */
import { writeFileSync } from 'node:fs';
import pg from 'pg';

/** Recorded calls per text; more calls of one text, made elsewhere, appear in other tests. */
const CALLS_PER_TEXT = 8;
/** Frame of a stack, by its path below the project: packages have source maps with such names too. */
const FRAME = /\/(src|operators|test|bench)\/([^():]+\.[jt]s:\d+:\d+)/;

/** Passes the calls of handlers on. */
const GATE = 'http/load-shedding.ts';

/** Places of calls by text, `file:line:column` */
const calls = new Map();
const counts = new Map();

/** Returns the place of the call in the sources; null for a test's call, and for the pool's call of its client. */
function placeOf(caller) {
  const stack = {};
  Error.captureStackTrace(stack, caller);
  for (const line of stack.stack.split('\n')) {
    // A statement that waited for a client is sent when another one is released: its own call is recorded.
    if (line.includes('/node_modules/pg-pool/')) return null;
    const at = line.indexOf(process.cwd());
    const found = at === -1 ? null : FRAME.exec(line.slice(at + process.cwd().length));
    if (found?.index !== 0 || found[2].startsWith(GATE)) continue;
    return found[1] === 'src' || found[1] === 'operators' ? `${found[1]}/${found[2]}` : null;
  }
  return null;
}

function record(given, caller) {
  const text = typeof given === 'string' ? given : given?.text;
  if (typeof text !== 'string') return;
  const count = counts.get(text) ?? 0;
  if (count >= CALLS_PER_TEXT) return;
  counts.set(text, count + 1);
  const place = placeOf(caller);
  if (place === null) return;
  calls.set(text, (calls.get(text) ?? new Set()).add(place));
}

function wrap(prototype) {
  const { query } = prototype;
  prototype.query = function recorded(...given) {
    record(given[0], recorded);
    return query.apply(this, given);
  };
}

const file = process.env.STATEMENTS_FILE;
if (file !== undefined) {
  wrap(pg.Client.prototype);
  wrap(pg.Pool.prototype);
  process.once('exit', () => {
    writeFileSync(file, JSON.stringify([...calls].map(([text, places]) => ({ text, places: [...places] }))));
  });
}
