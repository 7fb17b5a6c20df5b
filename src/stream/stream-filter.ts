/** The events that a connection gets, which are those that pass the client's filter within a rule that the service sets. */
import { type EventFilter, filterKey, type LogRecord, passes } from '../events/index.ts';

export interface EventRule {
  /** Rules with the same name are the same rule. */
  readonly name: string;
  admits(record: LogRecord): boolean;
}

export interface StreamFilter extends EventFilter {
  rule?: EventRule;
}

export const wants = (filter: StreamFilter, record: LogRecord): boolean =>
  passes(filter, record) && filter.rule?.admits(record) !== false;

/** Equal for equivalent filters. */
export const streamFilterKey = (filter: StreamFilter): string =>
  filter.rule === undefined ? filterKey(filter) : `${filter.rule.name} ${filterKey(filter)}`;
