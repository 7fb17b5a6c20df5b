/** The query of a stream: the filter, the delay, and the name that the client chose. */
import { z } from 'zod';
import type { OfferedPlans } from '../accounts/plans/index.ts';
import {
  type EventFilter,
  FilterError,
  type FilterQuery,
  MAX_CONDITIONS,
  MAX_DELAY,
  MAX_VALUES,
  parseFilter,
  within,
} from '../events/index.ts';
import { integer, invalidParameter, MAX_INTEGER, type Principal, text } from '../http/index.ts';
import { SPORT_SLUGS } from '../sports/sports.ts';
import { EVENT_TYPES } from '../wire/event-types.ts';

const SPORTS = new Set<string>(SPORT_SLUGS);

const TYPES = Object.keys(EVENT_TYPES);
const GROUPS = [...new Set(TYPES.map((type) => `${type.split('.')[0]}.*`))];

/**
 * A list parameter. It stays text here, because `parseFilter` reads the list, for streams, replay and webhooks alike.
 * The API document describes it as a list.
 */
const list = (items: Record<string, unknown>, description: string, maxItems = MAX_VALUES) =>
  z
    .string()
    .optional()
    .meta({ type: 'array', items, minItems: 1, maxItems, description: `${description}, comma-separated` });

export const filterQuery = {
  sport: list({ type: 'string', enum: SPORT_SLUGS }, 'Sports by slug'),
  league: list({ type: 'integer', minimum: 1, maximum: MAX_INTEGER }, 'Tournament ids'),
  event_type: list({ type: 'string', enum: [...GROUPS, ...TYPES] }, 'Event types; `match.*` for all of a kind'),
  where: list(
    { type: 'string', format: 'condition' },
    'Conditions on fields that an event has to meet all, such as `data.match.minute>=80` or `data.incident.kind in goal|card` (`=`, `in`, `>=`, `<=`, `exists`)',
    MAX_CONDITIONS,
  ),
};

export const delayQuery = integer(0, MAX_DELAY).default(0).meta({
  description:
    'How many seconds after an event you get it, so that a score does not arrive before the television shows it',
});
export const clientName = text(8, 64)
  .refine((value) => /^[A-Za-z0-9_-]+$/.test(value), 'may have letters, digits, _ and - only')
  .meta({
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'Your name for this client, with letters, digits, _ and -. A connection with the same name takes over, and the older one is closed',
  });

/** Returns the requested filter, limited to the plan's access. @throws {Problem} plan_required, invalid_parameter */
export function readFilter(plans: OfferedPlans, principal: Principal, query: FilterQuery): EventFilter {
  const { access } = plans.requireStream(principal);
  try {
    return within(parseFilter(query, SPORTS), access);
  } catch (error) {
    if (error instanceof FilterError) throw invalidParameter(error.parameter, 'invalid_filter', error.message);
    throw error;
  }
}
