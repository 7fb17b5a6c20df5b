/**
 * Records the statements that the sources send during a test, with the calls that sent them, for check.ts. It wraps the
 * driver, so the service does not know about it. It is active only if STATEMENTS_FILE names the output. Stacks show the
 * right positions only if Node runs the sources directly; with tsx they are often wrong.
 */
import { writeFileSync } from 'node:fs';
import pg from 'pg';

/** Maximum number of recorded calls for each text. Further calls with the same text are recorded in other tests. */
const CALLS_PER_TEXT = 8;
/**
 * A stack frame in this project. It is recognised by the path below the project, since source maps in packages have
 * similar names.
 */
const FRAME = /\/(src|operators|test|bench)\/([^():]+\.[jt]s:\d+:\d+)/;

/** Module that passes calls on for handlers, so that its frames are skipped. */
const GATE = 'http/load-shedding.ts';

/** Places of the calls by text, as `file:line:column`. */
const calls = new Map();
/** Names of prepared statements by text. */
const names = new Map();
const counts = new Map();

/**
 * Returns the place of the call in the sources. Null for a call by a test, and for the call by which the pool passes a
 * statement to a client.
 */
function placeOf(caller) {
  const stack = {};
  Error.captureStackTrace(stack, caller);
  for (const line of stack.stack.split('\n')) {
    // If a statement had to wait for a client, the pool sends it later. Its real caller was recorded before.
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
  if (typeof given.name === 'string') names.set(text, (names.get(text) ?? new Set()).add(given.name));
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
    const recorded = [...calls].map(([text, places]) => ({
      text,
      places: [...places],
      names: [...(names.get(text) ?? [])],
    }));
    writeFileSync(file, JSON.stringify(recorded));
  });
}
