/** Which events a client wants: by sport, tournament and type. Shared by streams, replay and webhooks. */
import { EVENT_TYPES } from './types.ts';

export interface EventFilter {
  /** Empty: every one. */
  sports: readonly string[];
  /** Tournament ids. */
  leagues: readonly number[];
  /** Types, or prefixes that end with a dot for `match.*`. */
  types: readonly string[];
}

export const EVERYTHING: EventFilter = { sports: [], leagues: [], types: [] };

export class FilterFault extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
  }
}

/** Values of one filter parameter; more are no sensible filter. */
const MAX_VALUES = 200;

function values(parameter: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === '')) throw new FilterFault(parameter, 'has an empty value');
  if (parts.length > MAX_VALUES) throw new FilterFault(parameter, `has more than ${MAX_VALUES} values`);
  return [...new Set(parts)].sort();
}

/**
 * @param sports slugs that exist
 * @throws {FilterFault} naming the parameter
 */
export function parseFilter(query: { sport?: string; league?: string; event_type?: string }, sports: ReadonlySet<string>): EventFilter {
  const wanted = values('sport', query.sport);
  const unknown = wanted.find((sport) => !sports.has(sport));
  if (unknown !== undefined) throw new FilterFault('sport', `unknown sport ${unknown}; known are ${[...sports].join(', ')}`);
  const leagues = values('league', query.league).map((text) => {
    const id = Number(text);
    if (!/^\d+$/.test(text) || id < 1 || !Number.isSafeInteger(id)) throw new FilterFault('league', `${text} is no tournament id`);
    return id;
  });
  const types = values('event_type', query.event_type).map((text) => {
    if (Object.hasOwn(EVENT_TYPES, text)) return text;
    const prefix = text.endsWith('.*') ? text.slice(0, -1) : null;
    if (prefix === null || !Object.keys(EVENT_TYPES).some((type) => type.startsWith(prefix))) {
      throw new FilterFault('event_type', `unknown event type ${text}`);
    }
    return prefix;
  });
  return { sports: wanted, leagues: leagues.sort((a, b) => a - b), types };
}

export interface Filterable {
  sport: string;
  tournamentId: number;
  type: string;
}

export function passes(filter: EventFilter, event: Filterable): boolean {
  if (filter.sports.length > 0 && !filter.sports.includes(event.sport)) return false;
  if (filter.leagues.length > 0 && !filter.leagues.includes(event.tournamentId)) return false;
  return filter.types.length === 0 || filter.types.some((type) => (type.endsWith('.') ? event.type.startsWith(type) : event.type === type));
}

/** Equal for filters that let the same events through. */
export const filterKey = (filter: EventFilter) => JSON.stringify([filter.sports, filter.leagues, filter.types]);
