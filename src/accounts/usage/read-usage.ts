/** Reads an account's usage from Postgres and, for days that have been moved, from ClickHouse. */
import type { z } from 'zod';
import type { ClickHouse } from '../../db/clickhouse.ts';
import type { Queryable } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import { DAY_MS, wireTime } from '../../wire/time.ts';
import { periodAt } from '../limits/periods.ts';
import type { Plan, PlanWindow } from '../plans/plan-file.ts';
import type { GROUPS, usage } from './schema.ts';

type Reply = z.infer<typeof usage>;
type UsageGroup = (typeof GROUPS)[number];
type UsageCounts = Reply['totals'];
/** A row with counts, and the fields by which it is grouped. */
export type UsageRow = Reply['usage'][number];
type ActivityDay = Reply['activity'][number];
export type WindowState = Reply['windows'][number];

interface Usage extends Pick<Reply, 'totals' | 'activity' | 'complete'> {
  rows: UsageRow[];
}

export interface UsageStores {
  pool: Queryable;
  /** Null in a process without ClickHouse. Moved days are then missing. */
  clickhouse: Pick<ClickHouse, 'query'> | null;
}

export interface UsageQuestion {
  accountId: number;
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  groups: readonly UsageGroup[];
}

/** Maximum number of rows in a reply. */
const MAX_ROWS = 10_000;

const COLUMN = {
  day: 'day',
  key: 'key_id',
  endpoint: 'endpoint',
  status: 'status',
} as const satisfies Readonly<Record<UsageGroup, string>>;
type StoredRow = UsageCounts & Partial<Record<'day' | 'endpoint', string> & Record<'key_id' | 'status', number>>;

/**
 * Returns the columns with the counts. They are qualified by the table name, because ClickHouse would otherwise take
 * `requests` for the result column with that name.
 */
const countColumns = (sumIf: (column: string, condition: string) => string) => `sum(u.requests) AS requests,
  sum(u.billable) AS billable, ${sumIf('u.requests', 'u.status = 304')} AS not_modified, ${sumIf('u.requests', 'u.status = 429')} AS rejected`;

async function fromPostgres(db: Queryable, { accountId, from, to, groups }: UsageQuestion): Promise<StoredRow[]> {
  const columns = groups.map((group) => COLUMN[group]);
  const shown = columns.map((column) => (column === 'day' ? 'day::text AS day' : column));
  const { rows } = await db.query<StoredRow>(
    `SELECT ${[...shown, countColumns((column, condition) => `coalesce(sum(${column}) FILTER (WHERE ${condition}), 0)`)].join(', ')}
     FROM account_usage u WHERE account_id = $1 AND day BETWEEN $2 AND $3
     ${columns.length > 0 ? `GROUP BY ${columns.map((_, index) => index + 1).join(', ')}` : 'HAVING count(*) > 0'} LIMIT ${MAX_ROWS + 1}`,
    [accountId, from, to],
  );
  return rows;
}

async function fromClickHouse(
  { pool, clickhouse }: UsageStores,
  { accountId, from, to, groups }: UsageQuestion,
): Promise<StoredRow[]> {
  const { rows: moved } = await pool.query<{ database_id: string | null }>(
    `SELECT (SELECT database_id FROM analytics_loader) AS database_id
     WHERE EXISTS (SELECT FROM usage_moved WHERE day BETWEEN $1 AND $2)`,
    [from, to],
  );
  const database = moved[0]?.database_id;
  if (database == null) return [];
  if (clickhouse === null) throw new Error('this process is not connected to ClickHouse');
  const columns = groups.map((group) => COLUMN[group]);
  const shown = columns.map((column) => (column === 'day' ? 'toString(day) AS day' : column));
  const days = (text: string) => Math.round(Date.parse(text) / DAY_MS);
  return clickhouse.query<StoredRow>(
    `SELECT ${[...shown, countColumns((column, condition) => `sumIf(${column}, ${condition})`)].join(', ')}
     FROM account_usage AS u FINAL WHERE database_id = {database: UUID} AND account_id = {account: UInt64}
       AND toInt32(u.day) BETWEEN {from: Int32} AND {to: Int32}
     ${columns.length > 0 ? `GROUP BY ${columns.map((column) => (column === 'day' ? 'u.day' : column)).join(', ')}` : 'HAVING count() > 0'} LIMIT ${MAX_ROWS + 1}`,
    { database, account: accountId, from: days(from), to: days(to) },
  );
}

/** Merges rows with the same groups, and sorts them by group. */
function merged(rows: readonly StoredRow[], groups: readonly UsageGroup[]): UsageRow[] {
  const byGroup = new Map<string, UsageRow>();
  for (const row of rows) {
    const name = JSON.stringify(groups.map((group) => row[COLUMN[group]]));
    const { requests, billable, not_modified, rejected } = row;
    const same = byGroup.get(name);
    if (same === undefined) {
      const key = Object.fromEntries(groups.map((group) => [COLUMN[group], row[COLUMN[group]]]));
      byGroup.set(name, { ...key, requests, billable, not_modified, rejected });
    } else {
      same.requests += requests;
      same.billable += billable;
      same.not_modified += not_modified;
      same.rejected += rejected;
    }
  }
  const columns = groups.map((group) => COLUMN[group]);
  return [...byGroup.values()].sort((one, other) => {
    for (const column of columns) {
      const [a = '', b = ''] = [one[column], other[column]];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  });
}

const NOTHING: UsageCounts = { requests: 0, billable: 0, not_modified: 0, rejected: 0 };

async function readActivity(db: Queryable, { accountId, from, to }: UsageQuestion): Promise<ActivityDay[]> {
  const { rows } = await db.query<ActivityDay>(
    `SELECT day::text AS day, streams_peak, events_delivered, webhook_attempts, webhook_deliveries
     FROM account_activity WHERE account_id = $1 AND day BETWEEN $2 AND $3 ORDER BY account_activity.day`,
    [accountId, from, to],
  );
  return rows;
}

/**
 * Reads usage for the API and for charts. Usage in the last seconds is not stored yet.
 * @throws {Problem} invalid_parameter if there would be too many rows
 */
export async function readUsage(stores: UsageStores, question: UsageQuestion): Promise<Usage> {
  let complete = true;
  const moved = async (): Promise<StoredRow[]> => {
    try {
      return await fromClickHouse(stores, question);
    } catch {
      complete = false;
      return [];
    }
  };
  const [recent, older, activity] = await Promise.all([
    fromPostgres(stores.pool, question),
    moved(),
    readActivity(stores.pool, question),
  ]);
  const rows = merged([...older, ...recent], question.groups);
  if (rows.length > MAX_ROWS)
    throw new Problem('invalid_parameter', `The reply would have more than ${MAX_ROWS} rows.`, {
      errors: [{ parameter: 'group', code: 'too_many_rows', detail: 'request fewer days or fewer groups' }],
    });
  const totals = { ...NOTHING };
  for (const row of rows) for (const name of Object.keys(NOTHING) as (keyof UsageCounts)[]) totals[name] += row[name];
  return { totals, rows, activity, complete };
}

/**
 * Returns how many requests the given accounts have made today (UTC), by account. An account that has made none is
 * missing. Usage in the last seconds is not included.
 */
export async function requestsToday(
  db: Queryable,
  accountIds: readonly number[],
  now: number,
): Promise<Map<number, number>> {
  const { rows } = await db.query<{ account_id: number; requests: number }>(
    `SELECT account_id, coalesce(sum(requests), 0)::bigint AS requests FROM account_usage
     WHERE account_id = ANY ($1::bigint[]) AND day = $2 GROUP BY account_id`,
    [accountIds, periodAt('day', now).starts],
  );
  return new Map(rows.map(({ account_id, requests }) => [account_id, requests]));
}

/**
 * Reads an account's usage in the plan's current windows, as counted by all processes. Usage in the last seconds is not
 * included.
 */
export async function readWindows(
  db: Queryable,
  accountId: number,
  plan: Plan,
  now: number,
): Promise<{ secret: WindowState[]; publishable: WindowState[] }> {
  const read = async (table: string, windows: readonly PlanWindow[]): Promise<WindowState[]> => {
    const { rows } = await db.query<{ kind: string; starts: string; used: number }>(
      `SELECT kind, starts::text AS starts, used FROM ${table} WHERE account_id = $1 AND starts > $2::date - 62`,
      [accountId, new Date(now)],
    );
    return windows.map(({ name, quota: limit }) => {
      if (name === 'burst') return { name, limit, used: null, remaining: null, resets_at: null };
      const { starts, endsAt } = periodAt(name, now);
      const used = rows.find((row) => row.kind === name && row.starts === starts)?.used ?? 0;
      return { name, limit, used, remaining: Math.max(0, limit - used), resets_at: wireTime(endsAt) };
    });
  };
  const [secret, publishable] = await Promise.all([
    read('account_window', plan.windows),
    read('publishable_window', plan.publishableWindows),
  ]);
  return { secret, publishable };
}
