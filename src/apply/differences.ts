/** From two states of a match to the events that tell the difference: one change, one event, of the most specific type. */
import { isDeepStrictEqual } from 'node:util';
import type { MatchEventType } from '../wire/event-types.ts';
import { INCIDENT_KINDS, type IncidentKindName } from '../wire/incident-kinds.ts';
import type { Incident } from '../wire/match.ts';
import type { IncidentChanges } from './incidents.ts';
import type { MatchState } from './match-state.ts';

export interface Happening {
  type: MatchEventType;
  incident?: Incident & { action: 'insert' | 'update' | 'delete' };
  changes?: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

export interface Difference {
  before: MatchState | null;
  after: MatchState;
  incidents: IncidentChanges | null;
  /** Blocks other than incidents that differ now. */
  blocks: ReadonlySet<string>;
}

const STOPPED = ['suspended', 'interrupted'];
/** What makes another fixture of a match to be played. */
const FIXTURE = ['scheduled_start', 'status_detail', 'home_id', 'away_id', 'tournament_id'] as const;
const PLAYED: readonly string[] = ['in_play', 'extra_time', 'penalties'];

/** Fields whose change in a finished match is a correction. */
const CORRECTED = [
  'status',
  'status_detail',
  'home_score',
  'away_score',
  'period_scores',
  'home_id',
  'away_id',
  'tournament_id',
  'scheduled_start',
] as const;

export function happenings(difference: Difference): Happening[] {
  const { before, incidents } = difference;
  const found: Happening[] = before === null ? [{ type: 'match.created' }] : [];
  found.push(...lineupHappenings(difference));
  if (before !== null) found.push(...openingHappenings(before, difference));
  if (incidents !== null) found.push(...incidentHappenings(incidents));
  if (before !== null) found.push(...scoreHappenings(before, difference));
  if (difference.blocks.has('statistics')) found.push({ type: 'match.statistics_updated' });
  if (difference.blocks.has('odds')) found.push({ type: 'match.odds_changed' });
  if (before !== null) found.push(...closingHappenings(before, difference));
  return found;
}

function lineupHappenings({ before, after, blocks }: Difference): Happening[] {
  if (after.lineup_confirmed === true && before?.lineup_confirmed !== true) return [{ type: 'match.lineup_confirmed' }];
  return blocks.has('lineups') || (before?.lineup_confirmed ?? null) !== after.lineup_confirmed
    ? [{ type: 'match.lineup_updated' }]
    : [];
}

/** What happens before play and what lets it go on. */
function openingHappenings(before: MatchState, { after, incidents }: Difference): Happening[] {
  if (before.status === 'scheduled' && after.status === 'scheduled') {
    if (before.status_detail !== after.status_detail && after.status_detail === 'postponed')
      return [{ type: 'match.postponed', ...differing(before, after, FIXTURE) }];
    const moved = differing(before, after, FIXTURE);
    return Object.keys(moved.changes).length > 0 ? [{ type: 'match.rescheduled', ...moved }] : [];
  }
  if (after.status !== 'live' || before.status === 'finished') return [];
  if (STOPPED.includes(before.status_detail) && !STOPPED.includes(after.status_detail))
    return [{ type: 'match.resumed' }];
  if (before.status === 'scheduled') return [{ type: 'match.started' }];
  // Where the feed has no period incidents, the state says it.
  const told = (kind: string) => incidents?.added.some((incident) => incident.kind === kind) ?? false;
  if (before.status_detail === after.status_detail) return [];
  if (after.status_detail === 'break') return told('period_end') ? [] : [{ type: 'match.period_ended' }];
  const begins =
    before.status_detail === 'break' || after.status_detail === 'extra_time' || after.status_detail === 'penalties';
  return begins && PLAYED.includes(after.status_detail) && !told('period_start')
    ? [{ type: 'match.period_started' }]
    : [];
}

function incidentHappenings({ added, edited, removed }: IncidentChanges): Happening[] {
  return [
    ...removed.map(
      (incident): Happening => ({
        type: incident.kind === 'goal' ? 'match.goal_cancelled' : 'match.incident_deleted',
        incident: { ...incident, action: 'delete' },
        previous: { incident },
      }),
    ),
    ...edited.map(
      ({ before, after }): Happening => ({
        type: 'match.incident_updated',
        incident: { ...after, action: 'update' },
        ...incidentDifference(before, after),
      }),
    ),
    ...added.map(
      (incident): Happening => ({
        type: INCIDENT_KINDS[incident.kind as IncidentKindName].event,
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

function scoreHappenings(before: MatchState, { after, incidents }: Difference): Happening[] {
  // A correction tells of a finished match; a cancellation has its own event, and so has the kick-off of a match without goals.
  if (before.status === 'finished' || after.home_score === null) return [];
  const moved = {
    home: after.home_score - (before.home_score ?? 0),
    away: after.away_score! - (before.away_score ?? 0),
  };
  if ((moved.home === 0 && moved.away === 0) || isExplained(moved, incidents, after.sport)) return [];
  return [{ type: 'match.score_changed', ...differing(before, after, ['home_score', 'away_score']) }];
}

/** Kinds that move the score. */
const SCORING: readonly string[] = ['goal', 'point', 'set_end'];

/** What an incident adds to its side's score; null where only its sport knows. */
function worth({ kind, payload }: Incident, sport: string): number | null {
  if (!SCORING.includes(kind)) return 0;
  if (typeof payload.points === 'number') return payload.points;
  return kind === 'goal' && sport !== 'aussie-rules' ? 1 : null;
}

/** Whether the incidents that came, went and were edited account for a move of the score. */
function isExplained(moved: { home: number; away: number }, incidents: IncidentChanges | null, sport: string): boolean {
  if (incidents === null) return false;
  const told = { home: 0, away: 0 };
  const unsure = new Set<'home' | 'away' | null>();
  const count = (incident: Incident, sign: 1 | -1) => {
    const points = worth(incident, sport);
    if (points === null || (points !== 0 && incident.side === null)) unsure.add(incident.side);
    else if (incident.side !== null) told[incident.side] += sign * points;
  };
  for (const incident of incidents.added) count(incident, 1);
  for (const incident of incidents.removed) count(incident, -1);
  for (const { before, after } of incidents.edited) {
    count(before, -1);
    count(after, 1);
  }
  return (['home', 'away'] as const).every(
    (side) => moved[side] === told[side] || unsure.has(side) || (unsure.has(null) && moved[side] !== 0),
  );
}

/** What stops or ends play, and what is put right afterwards. */
function closingHappenings(before: MatchState, { after }: Difference): Happening[] {
  const found: Happening[] = [];
  if (before.status === 'finished') {
    const correction = differing(before, after, CORRECTED);
    if (Object.keys(correction.changes).length > 0) found.push({ type: 'match.correction', ...correction });
  } else if (after.status === 'finished') {
    const type =
      ({ cancelled: 'match.cancelled', abandoned: 'match.abandoned' } as const)[after.status_detail as string] ??
      'match.finished';
    found.push({ type });
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

function differing(before: MatchState, after: MatchState, fields: readonly (keyof MatchState)[]) {
  const differ = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return {
    changes: Object.fromEntries(differ.map((field) => [field, after[field]])),
    previous: Object.fromEntries(differ.map((field) => [field, before[field]])),
  };
}
