/** The event types that the service emits, with their meanings. Filters accept each type, and also `match.*`. */
export const EVENT_TYPES = {
  'match.created': 'A match has entered the catalogue',
  'match.rescheduled': 'The start, the sides or the state of a match that has not begun has changed',
  'match.postponed': 'Moved to a date that may not be known yet',
  'match.cancelled': 'Will not be played',
  'match.deleted': 'The match was a mistake or a duplicate and is gone',
  'match.lineup_confirmed': 'The official line-ups are available',
  'match.lineup_updated': 'A line-up has changed',
  'match.started': 'The match has kicked off',
  'match.period_started': 'A half, quarter, set or extra time has begun',
  'match.period_ended': 'A half, quarter, set or extra time is over',
  'match.score_changed': 'The score has changed without an incident that explains it',
  'match.goal': 'A goal, with the score after it',
  'match.goal_cancelled': 'A goal is taken back',
  'match.penalty_missed': 'A penalty in play was not scored',
  'match.penalty_shootout': 'A kick of a shoot-out',
  'match.card': 'A card was shown',
  'match.substitution': 'A player was replaced',
  'match.var': 'A video review',
  'match.injury_time': 'Added time was announced',
  'match.point': 'A point, basket or try was scored',
  'match.set_ended': 'A set, frame or leg is over',
  'match.wicket': 'In cricket, a batter is out',
  'match.boundary': 'In cricket, a four or a six',
  'match.over_ended': 'In cricket, an over is over',
  'match.incident': 'An incident of a kind without a type of its own',
  'match.incident_updated': 'An incident was edited; `previous` is what it was',
  'match.incident_deleted': 'An incident was removed; `previous` is what it was',
  'match.statistics_updated': 'The statistics have changed',
  'match.odds_changed': 'Prices have changed',
  'match.suspended': 'Play was stopped',
  'match.resumed': 'Play was resumed',
  'match.abandoned': 'Stopped for good; the score does not count',
  'match.finished': 'The match is over',
  'match.finalized': 'No more changes are expected',
  'match.correction':
    'A finished match was corrected, an operator has corrected a match by hand, or a live match awaits data or has news again; `changes` and `previous` say what has changed',
  'account.changed': 'A change in the account, as its audit log has it',
  'webhook.challenge': 'Asks whether a new webhook URL wants events; the reply has to repeat `data.challenge`',
  'webhook.disabled': 'Another webhook subscription of the account has been disabled',
  'webhook.failing': 'Deliveries to another webhook subscription of the account have failed for some minutes',
  'webhook.ping': 'A keep-alive on a quiet webhook subscription',
  'webhook.recovered': 'Deliveries to that subscription succeed again',
  'webhook.test': 'A test that the user asked for',
} as const;

export type EventType = keyof typeof EVENT_TYPES;
/** Notices about a subscription, which only the account's other subscriptions get, if they ask for them. */
export const NOTICE_TYPES = ['webhook.failing', 'webhook.disabled', 'webhook.recovered'] as const satisfies EventType[];
export type NoticeType = (typeof NOTICE_TYPES)[number];

/** Events that subscriptions get only if they name them. */
export const NAMED_TYPES = [...NOTICE_TYPES, 'account.changed'] as const satisfies EventType[];
export type NamedType = (typeof NAMED_TYPES)[number];

export type MatchEventType = Extract<EventType, `match.${string}`>;
