/** Applies a filter to the newest events, so that its owner sees what it lets through before saving it. */
import type { Plan } from '../../accounts/plans/index.ts';
import type { EventLog, LogRecord } from '../../events/index.ts';
import { checkSettings, type FilterSettings, wants } from './event-filter.ts';
import { toFilter } from './subscription.ts';

/**
 * Returns a function that tells whether an event passes a filter, within the plan's access.
 * @throws {Problem} invalid_parameter
 */
export function eventFilter(settings: FilterSettings, plan: Plan): (record: LogRecord) => boolean {
  checkSettings(settings);
  const filter = toFilter(settings, plan);
  return (record) => wants(filter, record);
}

const only = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** Like `eventFilter`, with at most one value of each kind. @throws {Problem} invalid_parameter */
export const eventSearch = (
  wanted: {
    eventType: string | undefined;
    sport: string | undefined;
    league: number | undefined;
    matchId: number | undefined;
  },
  plan: Plan,
): ((record: LogRecord) => boolean) =>
  eventFilter(
    {
      eventTypes: only(wanted.eventType),
      sports: only(wanted.sport),
      leagues: only(wanted.league),
      matchIds: only(wanted.matchId),
    },
    plan,
  );

/** Maximum number of events that a preview examines. */
const PREVIEWED_EVENTS = 100;
const PREVIEWED_BYTES = 16 * 1024 * 1024;

export interface PreviewedEvent {
  record: LogRecord;
  passes: boolean;
}

/**
 * @returns the newest events that the plan gives access to, newest first, and whether each passes the filter
 * @throws {Problem} invalid_parameter
 */
export async function previewFilter(
  log: Pick<EventLog, 'range' | 'read'>,
  settings: FilterSettings,
  plan: Plan,
): Promise<PreviewedEvent[]> {
  const passes = eventFilter(settings, plan);
  const isVisible = eventFilter({}, plan);
  const { head, oldest } = await log.range();
  const records = await log.read(Math.max(oldest, head - PREVIEWED_EVENTS), {
    records: PREVIEWED_EVENTS,
    bytes: PREVIEWED_BYTES,
  });
  return records
    .filter(isVisible)
    .map((record) => ({ record, passes: passes(record) }))
    .reverse();
}
