/**
 * Records the statements that the sources send while a test runs, each with its calls, for check.ts. It wraps the driver, so that the
 * service knows nothing of it, and only where STATEMENTS_FILE says where they go.
 */
import { writeFileSync } from 'node:fs';
import pg from 'pg';

/** Of each text; more calls of one text, made elsewhere, are seen in other tests. */
const CALLS_PER_TEXT = 4;
/** Frames of the sources above a call: enough to leave a function that passes a statement on. */
const FRAMES = 3;
/** Not those of packages, whose source maps have such names too. */
const FRAME = new RegExp(
  `${RegExp.escape?.(process.cwd()) ?? process.cwd()}/((?:src|operators)/[^():]+\\.ts):(\\d+):(\\d+)`,
);

/** By text: `file:line:column file:line:column …`, the call first */
const calls = new Map();
const counts = new Map();

function record(given, caller) {
  const text = typeof given === 'string' ? given : given?.text;
  if (typeof text !== 'string') return;
  const count = counts.get(text) ?? 0;
  if (count >= CALLS_PER_TEXT) return;
  const stack = {};
  Error.captureStackTrace(stack, caller);
  const frames = stack.stack
    .split('\n')
    .map((line) => FRAME.exec(line))
    .filter((found) => found !== null)
    .slice(0, FRAMES);
  // The pool's own call of its client, or a test's.
  if (frames.length === 0) return;
  counts.set(text, count + 1);
  const call = frames.map(([, file, line, column]) => `${file}:${line}:${column}`).join(' ');
  calls.set(text, (calls.get(text) ?? new Set()).add(call));
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
    const statements = [...calls].map(([text, found]) => ({ text, calls: [...found] }));
    writeFileSync(file, JSON.stringify(statements));
  });
}
