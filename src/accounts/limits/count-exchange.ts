/** Adds a process's counts to the windows in the database, and reads the totals for all processes. */
import { columns, type Queryable } from '../../db/postgres.ts';
import type { KeyKind, LimitReport, LimitState } from './account-limit.ts';

/** Shares are computed from the demand of the processes that have reported within this time. */
const DEMAND_SECONDS = 1;
/** A process counts as serving an account for this long after a report. */
const PODS_SECONDS = 15;

interface Tables {
  /** Table for the usage in days and months. */
  window: string;
  /** Table for the burst token buckets. */
  bucket: string;
  /** Table for each process's requests per second. */
  demand: string;
}

const TABLES: Readonly<Record<KeyKind, Tables>> = {
  sk: { window: 'account_window', bucket: 'account_bucket', demand: 'account_demand' },
  pk: { window: 'publishable_window', bucket: 'publishable_bucket', demand: 'publishable_demand' },
};

/**
 * Returns the statement for one exchange. Accounts are sorted so that every process locks rows in the same order. Times
 * come from the database, since process clocks may differ.
 */
const exchangeText = ({ window, bucket, demand }: Tables) => `WITH given AS (
    SELECT * FROM unnest($1::bigint[], $2::float8[], $3::float8[], $4::float8[]) AS g (account_id, quota, spent, demand)
  ), bucket AS (
    INSERT INTO ${bucket} AS b (account_id, quota, tokens, at)
    SELECT account_id, quota, quota - spent, clock_timestamp() FROM given WHERE quota > 0 ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET quota = excluded.quota, at = greatest(b.at, excluded.at),
      tokens = least(excluded.quota, b.tokens + excluded.quota * extract(epoch FROM greatest(b.at, excluded.at) - b.at))
        - (excluded.quota - excluded.tokens)
    RETURNING account_id, tokens
  ), demand AS (
    INSERT INTO ${demand} (account_id, pod, demand, seen_at)
    SELECT account_id, $5, demand, clock_timestamp() FROM given ORDER BY account_id
    ON CONFLICT (account_id, pod) DO UPDATE SET demand = excluded.demand, seen_at = excluded.seen_at
  ), used AS (
    INSERT INTO ${window} AS w (account_id, kind, starts, used)
    SELECT * FROM unnest($6::bigint[], $7::text[], $8::date[], $9::bigint[]) AS u (account_id, kind, starts, used)
    ORDER BY account_id, kind, starts
    ON CONFLICT (account_id, kind, starts) DO UPDATE SET used = w.used + excluded.used
    RETURNING account_id, kind, starts, used
  )
  SELECT g.account_id, b.tokens, o.demand, o.pods,
    (SELECT json_object_agg(kind || ' ' || starts, used) FROM used WHERE used.account_id = g.account_id) AS used
  FROM given g LEFT JOIN bucket b USING (account_id), LATERAL (
    SELECT coalesce(sum(d.demand) FILTER (WHERE d.seen_at > clock_timestamp() - interval '${DEMAND_SECONDS} s'), 0) AS demand,
      count(*)::int + 1 AS pods
    FROM ${demand} d
    WHERE d.account_id = g.account_id AND d.pod <> $5 AND d.seen_at > clock_timestamp() - interval '${PODS_SECONDS} s'
  ) o`;
const EXCHANGE = { sk: exchangeText(TABLES.sk), pk: exchangeText(TABLES.pk) };

interface ExchangeRow {
  account_id: number;
  tokens: number | null;
  demand: number;
  pods: number;
  used: Record<string, number> | null;
}

/**
 * Exchanges all reports in one statement.
 * @param keys the kind of keys in all reports
 * @param pod the process that reports
 * @returns states by account
 */
export async function exchange(
  db: Queryable,
  keys: KeyKind,
  pod: string,
  reports: readonly LimitReport[],
): Promise<Map<number, LimitState>> {
  const sorted = [...reports].sort((a, b) => a.accountId - b.accountId);
  const periods = sorted.flatMap(({ accountId, periods }) => periods.map((one) => ({ ...one, accountId })));
  const { rows } = await db.query<ExchangeRow>({
    name: `limits_exchange_${keys}`,
    text: EXCHANGE[keys],
    values: [
      ...columns(sorted, 'accountId', 'burstQuota'),
      sorted.map(({ burst }) => burst.spent),
      sorted.map(({ burst }) => burst.demand),
      pod,
      ...columns(periods, 'accountId', 'kind', 'starts', 'used'),
    ],
  });
  const found = new Map(rows.map((row) => [row.account_id, row]));
  return new Map(
    sorted.map((report) => {
      const { tokens = null, demand = 0, pods = 1, used = null } = found.get(report.accountId) ?? {};
      const state: LimitState = {
        burst: tokens === null ? null : { tokens, othersDemand: demand },
        used: report.periods.map(({ kind, starts }) => used?.[`${kind} ${starts}`] ?? 0),
        pods,
      };
      return [report.accountId, state] as const;
    }),
  );
}

/** Removes this process's demand when it shuts down, so that others get its share. */
export async function leave(db: Queryable, pod: string): Promise<void> {
  for (const { demand } of Object.values(TABLES)) await db.query(`DELETE FROM ${demand} WHERE pod = $1`, [pod]);
}

/** Removes rows that no process reads any more. Locked rows are left to a later run. */
export async function removeOldWindows(db: Queryable, now: number): Promise<void> {
  const locked = (where: string) => `(SELECT ctid FROM ${where} FOR UPDATE SKIP LOCKED)`;
  for (const { window, bucket, demand } of Object.values(TABLES)) {
    await db.query(
      `DELETE FROM ${window} WHERE ctid = ANY (ARRAY ${locked(`${window} WHERE kind = 'day' AND starts < $1::date - 2 OR kind = 'month' AND starts < $1::date - 62`)})`,
      [new Date(now)],
    );
    for (const [table, column, age] of [
      [demand, 'seen_at', '1 minute'],
      [bucket, 'at', '1 hour'],
    ])
      await db.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY ${locked(`${table} WHERE ${column} < clock_timestamp() - interval '${age}'`)})`,
      );
  }
}

/** A window in which an account has passed a threshold. */
export interface PassedThreshold {
  accountId: number;
  kind: string;
  starts: string;
  percent: number;
}

/**
 * @returns the thresholds that this process has to announce. Each threshold is returned to exactly one process, once.
 */
export async function acquireNotices(
  db: Queryable,
  keys: KeyKind,
  passed: readonly PassedThreshold[],
): Promise<PassedThreshold[]> {
  const { rows } = await db.query<PassedThreshold>(
    `UPDATE ${TABLES[keys].window} w SET noticed = p.percent
     FROM (SELECT * FROM unnest($1::bigint[], $2::text[], $3::date[], $4::smallint[]) AS p (account_id, kind, starts, percent)
           ORDER BY account_id, kind, starts) p
     WHERE w.account_id = p.account_id AND w.kind = p.kind AND w.starts = p.starts AND w.noticed < p.percent
     RETURNING w.account_id AS "accountId", w.kind, w.starts::text AS starts, p.percent`,
    columns(passed, 'accountId', 'kind', 'starts', 'percent'),
  );
  return rows;
}
