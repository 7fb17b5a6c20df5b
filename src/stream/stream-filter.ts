/**
 * Decides which events a connection gets. They have to pass the client's filter and, if the service sets a rule, the
 * rule too.
 */
import { type EventFilter, filterKey, type LogRecord, passes } from '../events/index.ts';

export interface EventRule {
  /** Identifies the rule. Rules with the same name must admit the same events. */
  readonly name: string;
  admits(record: LogRecord): boolean;
}

export interface StreamFilter extends EventFilter {
  rule?: EventRule;
}

export const wants = (filter: StreamFilter, record: LogRecord): boolean =>
  passes(filter, record) && filter.rule?.admits(record) !== false;

/** Returns a key that is equal for equivalent filters. */
export const streamFilterKey = (filter: StreamFilter): string =>
  filter.rule === undefined ? filterKey(filter) : `${filter.rule.name} ${filterKey(filter)}`;
