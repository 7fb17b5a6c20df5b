/** The events that report the difference between two match states. Each change gives one event, of the most specific type. */
import { isDeepStrictEqual } from 'node:util';
import type { MatchEventType } from '../../wire/event-types.ts';
import { INCIDENT_KINDS, isIncidentKind } from '../../wire/incident-kinds.ts';
import { AWAITING_DATA, type Incident, type ShownStatusDetail } from '../../wire/match.ts';
import { worth } from '../stored/derived-score.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { IncidentChanges } from './incidents.ts';

/** A match event without the envelope. */
export interface MatchEvent {
  type: MatchEventType;
  incident?: Incident & { action: 'insert' | 'update' | 'delete' };
  changes?: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

export interface Difference {
  before: MatchState | null;
  after: MatchState;
  incidents: IncidentChanges | null;
  /** Names of changed blocks, without `incidents`. */
  blocks: ReadonlySet<string>;
}

/** A state as clients see it. */
type ShownState = Omit<MatchState, 'status_detail'> & { status_detail: ShownStatusDetail };
type ShownDifference = Omit<Difference, 'before' | 'after'> & { after: ShownState };

const shown = (state: MatchState): ShownState =>
  state.awaiting_data ? { ...state, status_detail: AWAITING_DATA } : state;

const STOPPED: readonly string[] = ['suspended', 'interrupted'];
/** Fields whose change before the start reschedules a match. */
const FIXTURE = ['scheduled_start', 'status_detail', 'home_id', 'away_id', 'tournament_id'] as const;
/** Details that mean that play is in progress. */
const IN_PLAY: readonly string[] = ['in_play', 'extra_time', 'penalties'];

/** Fields whose change in a finished match is a correction. */
const CORRECTED = [
  'status',
  'status_detail',
  'home_score',
  'away_score',
  'period_scores',
  'shootout_winner',
  'given_winner',
  'home_id',
  'away_id',
  'tournament_id',
  'scheduled_start',
] as const;

export function matchEvents(stored: Difference): MatchEvent[] {
  const { incidents } = stored;
  const before = stored.before && shown(stored.before);
  const difference = { ...stored, before, after: shown(stored.after) };
  const found: MatchEvent[] = before === null ? [{ type: 'match.created' }] : [];
  found.push(...lineupEvents(difference));
  if (before !== null) found.push(...openingEvents(before, difference));
  if (incidents !== null) found.push(...incidentEvents(incidents));
  if (before !== null) found.push(...scoreEvents(before, difference));
  if (difference.blocks.has('statistics')) found.push({ type: 'match.statistics_updated' });
  if (difference.blocks.has('odds')) found.push({ type: 'match.odds_changed' });
  if (before !== null) found.push(...closingEvents(before, difference));
  return found;
}

/** Fields whose change is a correction if an operator makes it. */
const CORRECTED_BY_HAND = [...CORRECTED, 'time_tbd', 'venue_id'] as const;

/**
 * Returns the events when an operator makes or withdraws a correction. One `match.correction` has all differences. Other
 * events say what the change starts, ends, moves or cancels. `match.incident_updated` is added for clients that store
 * incidents.
 */
export function correctionEvents(difference: Difference & { before: MatchState }): MatchEvent[] {
  const { before, after, incidents } = difference;
  const { changes, previous } = differing(shown(before), shown(after), CORRECTED_BY_HAND);
  const edited = incidents?.edited ?? [];
  if (edited.length > 0) {
    const scorer = ({ id, player_name, player_participant_id }: Incident) => ({
      id,
      player_name,
      player_participant_id,
    });
    changes.incidents = edited.map(({ after: incident }) => scorer(incident));
    previous.incidents = edited.map(({ before: incident }) => scorer(incident));
  }
  const others = matchEvents(difference).filter(({ type }) => !COVERED_BY_CORRECTION.includes(type));
  return Object.keys(changes).length === 0 ? others : [{ type: 'match.correction', changes, previous }, ...others];
}
/** Event types that repeat a part of the correction. */
const COVERED_BY_CORRECTION: readonly MatchEventType[] = ['match.correction', 'match.score_changed'];

function lineupEvents({ before, after, blocks }: ShownDifference & { before: ShownState | null }): MatchEvent[] {
  if (after.lineup_confirmed === true && before?.lineup_confirmed !== true) return [{ type: 'match.lineup_confirmed' }];
  return blocks.has('lineups') || (before?.lineup_confirmed ?? null) !== after.lineup_confirmed
    ? [{ type: 'match.lineup_updated' }]
    : [];
}

/** Returns the events for changes before the start, and for the start or resumption of play. */
function openingEvents(before: ShownState, { after, incidents }: ShownDifference): MatchEvent[] {
  if (before.status === 'scheduled' && after.status === 'scheduled') {
    if (before.status_detail !== after.status_detail && after.status_detail === 'postponed')
      return [{ type: 'match.postponed', ...differing(before, after, FIXTURE) }];
    const moved = differing(before, after, FIXTURE);
    return Object.keys(moved.changes).length > 0 ? [{ type: 'match.rescheduled', ...moved }] : [];
  }
  if (after.status !== 'live' || before.status === 'finished') return [];
  if (before.status === 'live' && before.awaiting_data !== after.awaiting_data)
    return STOPPED.includes(after.status_detail)
      ? []
      : [{ type: 'match.correction', ...differing(before, after, ['status_detail']) }];
  if (STOPPED.includes(before.status_detail) && !STOPPED.includes(after.status_detail))
    return [{ type: 'match.resumed' }];
  if (before.status === 'scheduled') return [{ type: 'match.started' }];
  // If the feed gives no period incidents, the period's event follows from the status detail.
  const isReported = (kind: string) => incidents?.added.some((incident) => incident.kind === kind) ?? false;
  if (before.status_detail === after.status_detail) return [];
  if (after.status_detail === 'break') return isReported('period_end') ? [] : [{ type: 'match.period_ended' }];
  const begins =
    before.status_detail === 'break' || after.status_detail === 'extra_time' || after.status_detail === 'penalties';
  return begins && IN_PLAY.includes(after.status_detail) && !isReported('period_start')
    ? [{ type: 'match.period_started' }]
    : [];
}

function incidentEvents({ added, edited, removed }: IncidentChanges): MatchEvent[] {
  return [
    ...removed.map(
      (incident): MatchEvent => ({
        type: incident.kind === 'goal' ? 'match.goal_cancelled' : 'match.incident_deleted',
        incident: { ...incident, action: 'delete' },
        previous: { incident },
      }),
    ),
    ...edited.map(
      ({ before, after }): MatchEvent => ({
        type: 'match.incident_updated',
        incident: { ...after, action: 'update' },
        ...incidentDifference(before, after),
      }),
    ),
    ...added.map(
      (incident): MatchEvent => ({
        type: INCIDENT_KINDS[isIncidentKind(incident.kind) ? incident.kind : 'other'].event,
        incident: { ...incident, action: 'insert' },
      }),
    ),
  ];
}

function incidentDifference(before: Incident, after: Incident) {
  const fields = (Object.keys(after) as (keyof Incident)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
  return {
    changes: Object.fromEntries(fields.map((field) => [field, after[field]])),
    previous: Object.fromEntries(fields.map((field) => [field, before[field]])),
  };
}

function scoreEvents(before: ShownState, { after, incidents }: ShownDifference): MatchEvent[] {
  // A finished match gets a correction instead of `match.score_changed`. A cancelled match, and a match that starts without
  // goals, get events of their own.
  if (before.status === 'finished' || after.home_score === null) return [];
  const moved = {
    home: after.home_score - (before.home_score ?? 0),
    away: after.away_score! - (before.away_score ?? 0),
  };
  if ((moved.home === 0 && moved.away === 0) || isExplained(moved, incidents, after.sport)) return [];
  return [{ type: 'match.score_changed', ...differing(before, after, ['home_score', 'away_score']) }];
}

/** True if the added, removed and edited incidents account for a score change. */
function isExplained(moved: { home: number; away: number }, incidents: IncidentChanges | null, sport: string): boolean {
  if (incidents === null) return false;
  const counted = { home: 0, away: 0 };
  const uncertain = new Set<'home' | 'away' | null>();
  const count = (incident: Incident, sign: 1 | -1) => {
    const points = worth(incident, sport);
    if (points === null || (points !== 0 && incident.side === null)) uncertain.add(incident.side);
    else if (incident.side !== null) counted[incident.side] += sign * points;
  };
  for (const incident of incidents.added) count(incident, 1);
  for (const incident of incidents.removed) count(incident, -1);
  for (const { before, after } of incidents.edited) {
    count(before, -1);
    count(after, 1);
  }
  return (['home', 'away'] as const).every(
    (side) => moved[side] === counted[side] || uncertain.has(side) || (uncertain.has(null) && moved[side] !== 0),
  );
}

/** Events for matches that are cancelled or abandoned. */
const ENDED: Partial<Record<ShownStatusDetail, MatchEventType>> = {
  cancelled: 'match.cancelled',
  abandoned: 'match.abandoned',
};

/** Returns the events for the suspension or end of play, and for corrections after the end. */
function closingEvents(before: ShownState, { after }: ShownDifference): MatchEvent[] {
  const found: MatchEvent[] = [];
  if (before.status === 'finished') {
    const correction = differing(before, after, CORRECTED);
    if (Object.keys(correction.changes).length > 0) found.push({ type: 'match.correction', ...correction });
  } else if (after.status === 'finished') {
    found.push({ type: ENDED[after.status_detail] ?? 'match.finished' });
  } else if (before.status === 'live' && after.status === 'scheduled') {
    const type = after.status_detail === 'postponed' ? 'match.postponed' : 'match.suspended';
    found.push({ type, ...differing(before, after, FIXTURE) });
  } else if (
    after.status === 'live' &&
    STOPPED.includes(after.status_detail) &&
    before.status_detail !== after.status_detail
  ) {
    found.push({ type: 'match.suspended' });
  }
  if (after.finalized && !before.finalized) found.push({ type: 'match.finalized' });
  return found;
}

interface Differing {
  changes: Record<string, unknown>;
  previous: Record<string, unknown>;
}

function differing(before: ShownState, after: ShownState, fields: readonly (keyof ShownState)[]): Differing {
  const differ = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return {
    changes: Object.fromEntries(differ.map((field) => [field, after[field]])),
    previous: Object.fromEntries(differ.map((field) => [field, before[field]])),
  };
}
