/** The query of a stream: which events, and the client's own name. */
import { z } from 'zod';
import { requireStream } from '../accounts/plans.ts';
import { type EventFilter, FilterFault, parseFilter, within } from '../events/filter.ts';
import type { Principal } from '../http/auth.ts';
import { invalidParameter } from '../http/errors.ts';
import { text } from '../http/query.ts';
import { SPORT_SLUGS } from '../wire/sports.ts';

const SPORTS = new Set<string>(SPORT_SLUGS);

export const filterQuery = {
  sport: z.string().optional().meta({ description: 'Sports by slug, comma-separated' }),
  league: z.string().optional().meta({ description: 'Tournament ids, comma-separated' }),
  event_type: z.string().optional().meta({ description: 'Event types, comma-separated; `match.*` for all of a kind' }),
};
export const clientName = text(8, 64).refine(
  (value) => /^[A-Za-z0-9_-]+$/.test(value),
  'may have letters, digits, _ and - only',
);

/**
 * The requested filter within the access of the plan.
 * @throws {Problem} plan_required, invalid_parameter
 */
export function readFilter(principal: Principal, query: Parameters<typeof parseFilter>[0]): EventFilter {
  const { access } = requireStream(principal);
  try {
    return within(parseFilter(query, SPORTS), access);
  } catch (error) {
    if (error instanceof FilterFault) throw invalidParameter(error.parameter, 'invalid_filter', error.message);
    throw error;
  }
}
