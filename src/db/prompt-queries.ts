/**
 * Queries that must not wait for a free pool connection, such as checks for revoked keys. They use the connection for
 * notices. If it is lost, busy or slow, the pool is asked as well.
 */
import { within } from '../runtime/time-limit.ts';
import type { MatchChanges } from './notices.ts';
import type { Queryable } from './postgres.ts';

/** Time without an answer after which the pool is asked as well. */
const POOL_AFTER_MS = 1_000;

export function promptQueries(pool: Queryable, notices: Partial<Pick<MatchChanges, 'ask'>> = {}): Queryable {
  const query = (text: string, values: unknown[]) => {
    const answer = notices.ask?.(text, values) ?? null;
    const ask = () => pool.query(text, values);
    return answer === null ? ask() : Promise.any([answer, whenLate(answer, ask)]);
  };
  return { query } as Queryable;
}

/** Asks a second time as soon as the first answer is late or has failed. */
async function whenLate<T>(first: Promise<T>, ask: () => Promise<T>): Promise<T> {
  const answered = first.then(
    () => true,
    () => false,
  );
  return (await within(POOL_AFTER_MS, answered, false)) ? first : ask();
}
