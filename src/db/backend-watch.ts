/**
 * Watches a Postgres backend that works for this process. Uses a second connection for that. Reports what blocks the
 * backend and how far its work has progressed, and cancels its statement on an abort.
 */
import { firstRow, type Queryable } from './postgres.ts';

/** Poll interval. It is a fraction of a migration's lock_timeout, so that a wait is seen before the timeout ends it. */
const POLL_MS = 200;
/** How often a progress line is printed for the user. */
const SAY_EVERY_MS = 10_000;

export interface BackendWatch {
  /** What was last seen blocking the backend. Null if it was never blocked. */
  blockers(): string | null;
  stop(): void;
}

interface Seen {
  /** Null if the backend waits for nothing. */
  blockers: string | null;
  /** Current phase and progress of an index build. */
  phase: string | null;
  percent: number | null;
}

const LOOK = `
  SELECT b.blockers, p.phase, round(100 * p.blocks_done / nullif(p.blocks_total, 0)::numeric) AS percent
  FROM (SELECT string_agg(format('pid %s (%s, in a transaction for %s s)', s.pid, coalesce(nullif(s.application_name, ''), s.backend_type, 'unknown'),
      coalesce(extract(epoch FROM clock_timestamp() - s.xact_start)::int::text, '?')), ', ') AS blockers
    FROM unnest(pg_blocking_pids($1)) blocker (pid) LEFT JOIN pg_stat_activity s USING (pid)) b
  LEFT JOIN pg_stat_progress_create_index p ON p.pid = $1`;

/** @param pool must have a connection besides the watched one */
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
    // The cancellation is repeated on each poll, because the first one may arrive between two statements.
    if (signal?.aborted) await pool.query('SELECT pg_cancel_backend($1)', [pid]);
    const { rows } = await pool.query<Seen>(LOOK, [pid]);
    const now = firstRow(rows);
    if (now.blockers !== null) seen = now;
    if (performance.now() - said < SAY_EVERY_MS || (now.blockers === null && now.phase === null)) return;
    said = performance.now();
    const progress = now.phase === null ? '' : `${now.phase}${now.percent === null ? '' : `, ${now.percent} %`}`;
    say([progress, now.blockers === null ? '' : `waits for ${now.blockers}`].filter((part) => part !== '').join(': '));
  }
  // A failed poll is ignored, because the watched statement will report the failure itself.
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
