/** Watches one of our own Postgres backends from another connection: what it waits for, how far it is; and cancels it when told to. */
import type { Queryable } from './postgres.ts';

/** Several times within the lock_timeout of a migration, so that a wait that it ends has been seen. */
const POLL_MS = 200;
/** Between two lines for whoever is waiting. */
const SAY_EVERY_MS = 10_000;

export interface BackendWatch {
  /** Whoever the backend was last seen waiting for, in words; null: nobody. */
  blockers(): string | null;
  stop(): void;
}

interface Seen {
  /** null: it waits for nobody */
  blockers: string | null;
  /** Of an index that it builds: what it is doing, and how much of that is done. */
  phase: string | null;
  percent: number | null;
}

const LOOK = `
  SELECT b.blockers, p.phase, round(100 * p.blocks_done / nullif(p.blocks_total, 0)::numeric) AS percent
  FROM (SELECT string_agg(format('pid %s (%s, in a transaction for %s s)', s.pid, coalesce(nullif(s.application_name, ''), s.backend_type, 'unknown'),
      coalesce(extract(epoch FROM clock_timestamp() - s.xact_start)::int::text, '?')), ', ') AS blockers
    FROM unnest(pg_blocking_pids($1)) blocker (pid) LEFT JOIN pg_stat_activity s USING (pid)) b
  LEFT JOIN pg_stat_progress_create_index p ON p.pid = $1`;

/** @param pool must not be the one connection that is watched */
export function watchBackend(
  pool: Queryable,
  pid: number,
  say: (line: string) => void,
  signal?: AbortSignal,
): BackendWatch {
  let seen: Seen | null = null;
  let isLooking = false;
  let said = performance.now();

  async function look(): Promise<void> {
    // Again at each look: the first may come between two statements.
    if (signal?.aborted) await pool.query('SELECT pg_cancel_backend($1)', [pid]);
    const { rows } = await pool.query<Seen>(LOOK, [pid]);
    const now = rows[0]!;
    if (now.blockers !== null) seen = now;
    if (performance.now() - said < SAY_EVERY_MS || (now.blockers === null && now.phase === null)) return;
    said = performance.now();
    const progress = now.phase === null ? '' : `${now.phase}${now.percent === null ? '' : `, ${now.percent} %`}`;
    say([progress, now.blockers === null ? '' : `waits for ${now.blockers}`].filter((part) => part !== '').join(': '));
  }
  // A look that fails is of no interest: the statement itself will fail.
  const lookOnce = () => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  };
  const timer = setInterval(lookOnce, POLL_MS);
  signal?.addEventListener('abort', lookOnce);
  return {
    blockers: () => seen?.blockers ?? null,
    stop() {
      clearInterval(timer);
      signal?.removeEventListener('abort', lookOnce);
    },
  };
}
