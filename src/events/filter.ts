/** Event filters by sport, tournament and type. Shared by streams, replay and webhooks. */
import { isWithin, type MatchAccess } from '../wire/access.ts';
import { EVENT_TYPES } from '../wire/event-types.ts';
import {
  type Condition,
  ConditionError,
  meetsConditions,
  parseConditions,
  splitConditions,
  writeCondition,
} from './conditions.ts';
import type { LogRecord } from './event-log.ts';

export interface EventFilter {
  /** Slugs. Empty for all sports. */
  sports: readonly string[];
  /** Tournament ids. */
  leagues: readonly number[];
  /** Types, or prefixes that end with a dot, such as `match.` for `match.*`. */
  types: readonly string[];
  /** Conditions on fields, which an event has to meet all. Absent if there are none. */
  conditions?: readonly Condition[];
  /** The access that the plan gives, which applies whatever the filter requests. Absent for full access. */
  access?: MatchAccess;
}

export const EVERYTHING: EventFilter = { sports: [], leagues: [], types: [] };

export class FilterError extends Error {
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** Maximum number of values in a filter parameter. */
export const MAX_VALUES = 200;
/** Maximum number of characters of an invalid value that the reply shows. */
const SHOWN_CHARACTERS = 60;

function values(parameter: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === '')) throw new FilterError(parameter, 'has an empty value');
  if (parts.length > MAX_VALUES) throw new FilterError(parameter, `has more than ${MAX_VALUES} values`);
  return parts;
}

const sorted = <T extends string | number>(list: readonly T[]): T[] =>
  [...new Set(list)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

function league(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new FilterError('league', `${text.slice(0, SHOWN_CHARACTERS)} is not a tournament id`);
  }
  return id;
}

/** @returns the type, or the prefix for a pattern such as `match.*` */
function eventType(text: string): string {
  if (Object.hasOwn(EVENT_TYPES, text)) return text;
  const prefix = text.endsWith('.*') ? text.slice(0, -1) : null;
  if (prefix === null || !Object.keys(EVENT_TYPES).some((type) => type.startsWith(prefix))) {
    throw new FilterError('event_type', `unknown event type ${text.slice(0, SHOWN_CHARACTERS)}`);
  }
  return prefix;
}

const covers = (wanted: string, type: string) => (wanted.endsWith('.') ? type.startsWith(wanted) : type === wanted);

/** Reads the conditions of a filter, as a list or separated by commas. */
function conditionsFrom(where: string | readonly string[] | undefined): Pick<EventFilter, 'conditions'> {
  const texts = typeof where === 'string' ? splitConditions(where) : (where ?? []);
  if (texts.length === 0) return {};
  try {
    return { conditions: parseConditions(texts) };
  } catch (error) {
    if (error instanceof ConditionError) throw new FilterError('where', error.message);
    throw error;
  }
}

/** A filter as it is written in a query or a subscription. Lists are separated by commas. */
export interface FilterQuery {
  sport?: string | undefined;
  league?: string | undefined;
  event_type?: string | undefined;
  where?: string | readonly string[] | undefined;
}

/** @param sports existing slugs @throws {FilterError} with the parameter's name */
export function parseFilter(query: FilterQuery, sports: ReadonlySet<string>): EventFilter {
  const wanted = values('sport', query.sport);
  const unknown = wanted.find((sport) => !sports.has(sport));
  if (unknown !== undefined) {
    throw new FilterError(
      'sport',
      `unknown sport ${unknown.slice(0, SHOWN_CHARACTERS)}; known sports are ${[...sports].join(', ')}`,
    );
  }
  const types = sorted(values('event_type', query.event_type).map(eventType));
  return {
    sports: sorted(wanted),
    leagues: sorted(values('league', query.league).map(league)),
    types: types.filter((type) => !types.some((other) => other !== type && covers(other, type))),
    ...conditionsFrom(query.where),
  };
}

export type Filterable = Pick<LogRecord, 'sport' | 'tournamentId' | 'type' | 'envelope'>;

/** Restricts a filter to the access that a plan gives. @param access null for full access */
export const within = (filter: EventFilter, access: MatchAccess | null): EventFilter =>
  access === null ? filter : { ...filter, access };

export function passes(filter: EventFilter, event: Filterable): boolean {
  const { access } = filter;
  if (access !== undefined && !isWithin(access, event.sport, event.tournamentId)) return false;
  if (filter.sports.length > 0 && !filter.sports.includes(event.sport)) return false;
  if (filter.leagues.length > 0 && !filter.leagues.includes(event.tournamentId)) return false;
  if (filter.types.length > 0 && !filter.types.some((wanted) => covers(wanted, event.type))) return false;
  return filter.conditions === undefined || meetsConditions(filter.conditions, event);
}

/** Returns a key that is equal for filters with the same values, however they were written. */
export const filterKey = ({ sports, leagues, types, conditions = [], access }: EventFilter) =>
  JSON.stringify([
    ...[sports, leagues, types, conditions.map(writeCondition).sort()],
    ...(access ? [access.sports, access.tournaments] : []),
  ]);
