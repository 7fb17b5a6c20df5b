/**
 * A subscription's filter. It has all criteria of a stream's filter, and can also select matches and participants.
 * Pure.
 */
import { type EventFilter, FilterError, type LogRecord, parseFilter, passes } from '../../events/index.ts';
import { invalidParameter } from '../../http/index.ts';
import { SPORT_SLUGS } from '../../sports/sports.ts';

/** Maximum number of ids in `match_ids`, and in `participant_ids`. */
export const MAX_IDS = 1_000;

/** A filter as owners write it. An empty list, like a missing one, lets all events through. */
export interface FilterSettings {
  /** Event types, such as `match.goal` or `match.*`. */
  eventTypes?: readonly string[] | undefined;
  /** Slugs of sports. */
  sports?: readonly string[] | undefined;
  /** Tournament ids. */
  leagues?: readonly number[] | undefined;
  matchIds?: readonly number[] | undefined;
  /** Ids of the home or the away side, which are teams, or players in individual sports. */
  participantIds?: readonly number[] | undefined;
  /** Conditions on fields, such as `data.match.minute >= 80`. */
  conditions?: readonly string[] | undefined;
}

export interface WebhookFilter extends EventFilter {
  /** Match ids. Empty for all matches. */
  matches: ReadonlySet<number>;
  participants: ReadonlySet<number>;
}

const SPORTS = new Set<string>(SPORT_SLUGS);
/** The API's names for the filter parameters. */
const FIELD: Readonly<Record<string, string>> = {
  event_type: 'event_types',
  sport: 'sports',
  league: 'leagues',
  where: 'conditions',
};
export const filterField = ({ parameter }: FilterError): string => FIELD[parameter] ?? parameter;

const joined = (list: readonly (string | number)[] | undefined) => (list?.length ? list.join(',') : undefined);

function idSet(parameter: string, ids: readonly number[] = []): Set<number> {
  if (ids.length > MAX_IDS) throw new FilterError(parameter, `has more than ${MAX_IDS} values`);
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong !== undefined) throw new FilterError(parameter, `${wrong} is not an id`);
  return new Set(ids);
}

/** @throws {FilterError} */
export const parseSettings = (settings: FilterSettings): WebhookFilter => ({
  ...parseFilter(
    {
      event_type: joined(settings.eventTypes),
      sport: joined(settings.sports),
      league: joined(settings.leagues),
      where: settings.conditions,
    },
    SPORTS,
  ),
  matches: idSet('match_ids', settings.matchIds),
  participants: idSet('participant_ids', settings.participantIds),
});

/** @throws {Problem} invalid_parameter with the field name */
export function checkSettings(settings: FilterSettings): void {
  try {
    parseSettings(settings);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw invalidParameter(filterField(error), 'invalid_filter', error.message);
  }
}

const MATCH_AT = '"match":{';
/** Finds both sides' ids. Text in a name cannot match, since quotation marks in names are escaped. */
const SIDES = /"(?:home|away)":\{"id":(\d+)/g;

/** Returns the ids of both sides in an event's match, without parsing the whole envelope. */
export function readParticipants(envelope: string): number[] {
  const at = envelope.indexOf(MATCH_AT);
  if (at === -1) return [];
  SIDES.lastIndex = at;
  const [home, away] = [SIDES.exec(envelope), SIDES.exec(envelope)];
  return [home, away].flatMap((found) => (found === null ? [] : [Number(found[1])]));
}

/** Returns whether an event passes every filter. */
export function wants(filter: WebhookFilter, event: LogRecord): boolean {
  if (!passes(filter, event)) return false;
  if (filter.matches.size > 0 && !filter.matches.has(event.matchId)) return false;
  if (filter.participants.size === 0) return true;
  return readParticipants(event.envelope).some((id) => filter.participants.has(id));
}
