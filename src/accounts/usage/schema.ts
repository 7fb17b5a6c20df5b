/** The reply of `GET /v1/account/usage`. */
import { z } from 'zod';
import { WINDOW_NAMES } from '../plans/plan-file.ts';

export const GROUPS = ['day', 'key', 'endpoint', 'status'] as const;

const count = z.int().min(0);
const counts = {
  requests: count,
  billable: count.meta({ description: 'Requests that count towards day and month' }),
  not_modified: count.meta({ description: 'Answered with 304' }),
  rejected: count.meta({ description: 'Answered with 429' }),
};
const day = z.string().meta({ format: 'date', description: 'UTC' });

const windows = z.array(
  z.strictObject({
    name: z.enum(WINDOW_NAMES),
    limit: z.int(),
    used: count.nullable().meta({ description: 'Null for a burst, which is over within a second' }),
    remaining: count.nullable(),
    resets_at: z.string().meta({ format: 'date-time' }).nullable(),
  }),
);

export const usage = z
  .strictObject({
    from: day,
    to: day,
    group: z.array(z.enum(GROUPS)),
    plan: z.string(),
    windows: windows.meta({ description: 'All secret keys together' }),
    publishable_windows: windows.meta({ description: 'All publishable keys together, which are counted separately' }),
    totals: z.strictObject(counts),
    count,
    usage: z.array(
      z.strictObject({
        day: day.optional(),
        key_id: z.int().optional(),
        endpoint: z.string().optional().meta({ description: 'Path of the endpoint, as in this document' }),
        status: z.int().optional(),
        ...counts,
      }),
    ),
    activity: z.array(
      z.strictObject({
        day,
        streams_peak: count.meta({ description: 'Maximum number of concurrent streams' }),
        events_delivered: count,
        webhook_attempts: count,
        webhook_deliveries: count.meta({ description: 'Successful attempts' }),
      }),
    ),
    complete: z.boolean().meta({ description: 'False if older days cannot be read at the moment' }),
  })
  .meta({ id: 'Usage' });
