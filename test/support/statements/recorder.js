/**
 * Records the statements that the sources send while a test runs, each with its calls, for check.ts. It wraps the driver, so that the
 * service knows nothing of it, and only where STATEMENTS_FILE says where they go. Stacks have the places of the sources where Node runs
 * these as they are: those of tsx are often wrong.
 */
import { writeFileSync } from 'node:fs';
import pg from 'pg';

/** Of each text; more calls of one text, made elsewhere, are seen in other tests. */
const CALLS_PER_TEXT = 8;
/** Of a stack, by its path below the project: packages have source maps with such names too. */
const FRAME = /\/(src|operators|test|bench)\/([^():]+\.[jt]s:\d+:\d+)/;

/** By text: places of calls, `file:line:column` */
const calls = new Map();
const counts = new Map();

/** @returns where the sources make the call; null for that of a test, and for the pool's own of its client */
function placeOf(caller) {
  const stack = {};
  Error.captureStackTrace(stack, caller);
  for (const line of stack.stack.split('\n')) {
    const at = line.indexOf(process.cwd());
    const found = at === -1 ? null : FRAME.exec(line.slice(at + process.cwd().length));
    if (found?.index !== 0) continue;
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
