/** An account's usage over REST. */
import { z } from 'zod';
import type { ClickHouse } from '../../db/clickhouse.ts';
import type { Deps } from '../../deps.ts';
import { commaList, date, invalidParameter, oneValue, routeFor } from '../../http/index.ts';
import { DAY_MS, utcDay } from '../../wire/time.ts';
import { accountIdOf } from '../audit.ts';
import type { OfferedPlans } from '../plans/plans.ts';
import { readUsage, readWindows } from './read-usage.ts';
import * as schema from './schema.ts';
import { KEPT_DAYS } from './usage-queries.ts';

/** Default range in days, without `from`. */
const DEFAULT_DAYS = 30;
const FIRST_DAY = '0001-01-01';

export interface UsageDeps extends Deps {
  clickhouse: ClickHouse;
  plans: OfferedPlans;
}

/** @throws {Problem} invalid_parameter */
function parseRange(query: { from?: string | undefined; to?: string | undefined }, now: number) {
  if (query.from !== undefined && query.to !== undefined && query.from > query.to)
    throw invalidParameter('from', 'after_to', `must not be after ${query.to}`);
  const to = query.to ?? utcDay(now);
  const from = query.from ?? utcDay(Math.max(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS, Date.parse(FIRST_DAY)));
  return { from, to };
}

const usage = routeFor<UsageDeps>()({
  method: 'GET',
  path: '/v1/account/usage',
  permission: 'view',
  example: { group: 'endpoint,status' },
  summary: 'Usage by day, key, endpoint and status',
  description: `Requests, grouped as requested, for the days from \`from\` to \`to\` (UTC, both inclusive; by default the last ${DEFAULT_DAYS}). \`windows\` are the limits of the secret keys and their current use, \`publishable_windows\` the same for publishable keys. Requests appear after a few seconds and are kept for ${KEPT_DAYS} days.`,
  tag: 'Account',
  access: 'account',
  cost: 0,
  cache: 'no-store',
  query: z.object({
    from: date.optional(),
    to: date.optional(),
    group: commaList(oneValue(schema.GROUPS))
      .default(['day'])
      .meta({ description: 'Members by which the rows are grouped' }),
  }),
  response: schema.usage,
  handler: async ({ principal, query }, { pool, clickhouse, clock, plans }) => {
    const now = clock.now();
    const accountId = accountIdOf(principal);
    const { from, to } = parseRange(query, now);
    const group = schema.GROUPS.filter((one) => query.group.includes(one));
    const { rows: accounts } = await pool.query<{ plan: string; awaits_verification: boolean }>(
      'SELECT plan, awaits_verification FROM account WHERE id = $1',
      [accountId],
    );
    const plan = plans.for(accounts[0] ?? { plan: '', awaits_verification: false });
    const [used, windows] = await Promise.all([
      readUsage({ pool, clickhouse }, { accountId, from, to, groups: group }),
      readWindows(pool, accountId, plan, now),
    ]);
    const { rows, totals, activity, complete } = used;
    return {
      body: {
        from,
        to,
        group,
        plan: plan.name,
        windows: windows.secret,
        publishable_windows: windows.publishable,
        totals,
        count: rows.length,
        usage: rows,
        activity,
        complete,
      },
    };
  },
});

export const usageRoutes = [usage];
