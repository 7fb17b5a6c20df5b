/** The state of one match as apply holds it, and the pure step from what is stored and what a provider says to what is true now. */
import { isDeepStrictEqual } from 'node:util';
import { STATUS_DETAILS, type StatusDetail } from '../matches/schema.ts';
import type { MatchUpdate } from './feed.ts';
import type { Block, Precedence } from './precedence.ts';

export interface PeriodScore {
  period: string;
  home: number;
  away: number;
}

/** The columns of `match` that updates change; ids are ours. */
export interface MatchState {
  sport: string;
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
  /** YYYY-MM-DDTHH:MM:SSZ */
  scheduled_start: string;
  time_tbd: boolean;
  start_time: string | null;
  round_num: number | null;
  round_name: string | null;
  group_name: string | null;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: StatusDetail;
  minute: number | null;
  home_score: number | null;
  away_score: number | null;
  period_scores: PeriodScore[];
  venue_id: number | null;
  referee: string | null;
  attendance: number | null;
  importance: number | null;
  lineup_confirmed: boolean | null;
  finalized: boolean;
}

/** Which provider a group of fields or a block is from, and when it saw it (ms). `outranked`: others' words are shown instead. */
export type Provenance = Record<string, [provider: string, observedAt: number, outranked?: 'outranked']>;

export interface Fault {
  path: string;
  code: string;
  detail: string;
}

/** Ids that the references of an update stand for. */
export interface ResolvedRefs {
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
  /** undefined: the update says nothing of it. */
  venue_id: number | null | undefined;
}

type FieldGroup = { [K in keyof MatchState]?: MatchState[K] | undefined };

/** The status that a detail without one means; a repeated detail changes nothing, `suspended` to another day above all. */
function impliedStatus(before: MatchState | null, detail: StatusDetail | undefined): MatchState['status'] | undefined {
  if (detail === undefined) return undefined;
  return before?.status_detail === detail ? before.status : STATUS_DETAILS[detail].status;
}

/** The fields of an update in the groups that are won or lost as a whole; a group that is absent is no news. */
function fieldGroups(
  before: MatchState | null,
  { match }: MatchUpdate,
  refs: ResolvedRefs,
): Partial<Record<Block, FieldGroup>> {
  const groups: Partial<Record<Block, FieldGroup>> = {
    sides: {
      tournament_id: refs.tournament_id,
      season_id: refs.season_id,
      home_id: refs.home_id,
      away_id: refs.away_id,
    },
  };
  const add = (group: Block, fields: FieldGroup) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) groups[group] = given;
  };
  add('start', {
    scheduled_start:
      match.scheduled_start === undefined
        ? undefined
        : `${new Date(match.scheduled_start).toISOString().slice(0, 19)}Z`,
    time_tbd: match.time_tbd ?? (match.scheduled_start === undefined ? undefined : false),
    start_time: match.start_time,
  });
  add('round', { round_num: match.round_num, round_name: match.round_name, group_name: match.group_name });
  const detail = match.status_detail;
  add('state', {
    status: match.status ?? impliedStatus(before, detail),
    status_detail: detail,
    minute: match.minute,
    home_score: match.score === undefined ? undefined : (match.score?.home ?? null),
    away_score: match.score === undefined ? undefined : (match.score?.away ?? null),
    period_scores: match.period_scores,
    finalized: match.finalized,
  });
  add('venue', { venue_id: refs.venue_id });
  add('referee', { referee: match.referee });
  add('attendance', { attendance: match.attendance });
  add('importance', { importance: match.importance });
  add('lineup_confirmed', { lineup_confirmed: match.lineup_confirmed });
  return groups;
}

/** Whether `provider` may write what `owner` wrote: a better rank always, its own and an equal rank's when not older. */
export function mayWrite(
  { rankOf }: Precedence,
  owner: Provenance[string] | undefined,
  provider: string,
  observedAt: number,
  group: Block,
): boolean {
  if (owner === undefined) return true;
  const [holder, heldAt] = owner;
  if (holder === provider) return observedAt >= heldAt;
  const difference = rankOf(provider, group) - rankOf(holder, group);
  return difference < 0 || (difference === 0 && observedAt >= heldAt);
}

/**
 * Notes in `provenance` whose a group is now. An equal that says the `same` confirms it without taking it over, so that two
 * feeds of one match do not take turns as its source.
 */
export function noteOwner(
  { rankOf }: Precedence,
  provenance: Provenance,
  group: Block,
  [provider, observedAt]: Provenance[string],
  same: boolean,
): void {
  const holder = provenance[group]?.[0];
  const confirms = same && holder !== undefined && rankOf(provider, group) === rankOf(holder, group);
  provenance[group] = [confirms ? holder : provider, observedAt];
}

const DEFAULT_DETAIL = { scheduled: 'not_started', live: 'in_play', finished: 'ended' } as const;
/** Details with which a match that has begun goes to another day. */
const TO_ANOTHER_DAY: readonly StatusDetail[] = ['suspended', 'postponed'];

/** A match suspended to another day is `scheduled` again, and still `suspended`. */
const belongs = (detail: StatusDetail, status: MatchState['status']) =>
  STATUS_DETAILS[detail].status === status || (detail === 'suspended' && status === 'scheduled');

const fault = (path: string, code: string, detail: string): Fault => ({ path, code, detail });

/** Faults of the move from `before` to `after`; null before: a new match. */
function moveFaults(before: MatchState | null, after: MatchState, taken: FieldGroup | undefined): Fault[] {
  const faults: Fault[] = [];
  if (!belongs(after.status_detail, after.status)) {
    const detail = `${after.status_detail} does not belong to status ${after.status}`;
    faults.push(fault('match.status_detail', 'status_mismatch', detail));
  }
  if (before?.status === 'finished' && after.status === 'scheduled') {
    faults.push(fault('match.status', 'forbidden_move', 'a finished match cannot be scheduled again'));
  }
  if (before?.status === 'live' && after.status === 'scheduled' && !TO_ANOTHER_DAY.includes(after.status_detail)) {
    const detail = 'a live match goes back to scheduled only as suspended or postponed to another day';
    faults.push(fault('match.status', 'forbidden_move', detail));
  }
  if (before?.lineup_confirmed === true && after.lineup_confirmed !== true) {
    faults.push(fault('match.lineup_confirmed', 'forbidden_move', 'an official line-up stays official'));
  }
  if (taken?.finalized === true && after.status !== 'finished') {
    faults.push(fault('match.finalized', 'not_finished', 'only a finished match can be final'));
  }
  if (after.home_id === after.away_id)
    faults.push(fault('match.away', 'same_sides', 'home and away are the same participant'));
  const begun = after.status !== 'scheduled' || after.status_detail === 'suspended' || before?.status === 'live';
  if (!begun && after.home_score !== null && (before?.home_score ?? null) === null) {
    faults.push(fault('match.score', 'not_started', 'a match has no score before its start'));
  }
  return faults;
}

/**
 * Whether a provider that has not given this group is behind: it says what was true before. From the one who gave it that is a
 * forbidden move; from another it is no reason to refuse all else that it says.
 */
function isBehind(before: MatchState | null, group: string, fields: FieldGroup): boolean {
  if (group === 'lineup_confirmed') return before?.lineup_confirmed === true && fields.lineup_confirmed !== true;
  if (group !== 'state' || fields.status !== 'scheduled') return false;
  const toAnotherDay = fields.status_detail !== undefined && TO_ANOTHER_DAY.includes(fields.status_detail);
  return before?.status === 'finished' || (before?.status === 'live' && !toAnotherDay);
}

export interface Step {
  after: MatchState;
  provenance: Provenance;
  faults: Fault[];
}

/**
 * Lays what an update says of the match's fields over what is stored.
 * @param before null for a match that is not there yet.
 */
export function stepFields(
  precedence: Precedence,
  before: MatchState | null,
  held: Provenance,
  update: MatchUpdate,
  refs: ResolvedRefs,
): Step {
  const observedAt = Date.parse(update.observed_at);
  const provenance = { ...held };
  const taken: Record<string, FieldGroup> = {};
  let merged: MatchState = before ?? {
    sport: update.match.sport,
    ...refs,
    venue_id: null,
    scheduled_start: '',
    time_tbd: true,
    start_time: null,
    round_num: null,
    round_name: null,
    group_name: null,
    status: 'scheduled',
    status_detail: 'not_started',
    minute: null,
    home_score: null,
    away_score: null,
    period_scores: [],
    referee: null,
    attendance: null,
    importance: null,
    lineup_confirmed: null,
    finalized: false,
  };
  for (const [group, fields] of Object.entries(fieldGroups(before, update, refs)) as [Block, FieldGroup][]) {
    if (!mayWrite(precedence, held[group], update.provider, observedAt, group)) continue;
    if (held[group]?.[0] !== update.provider && isBehind(before, group, fields)) continue;
    merged = { ...merged, ...fields };
    const same = Object.entries(fields).every(([field, value]) =>
      isDeepStrictEqual(before?.[field as keyof MatchState], value),
    );
    noteOwner(precedence, provenance, group, [update.provider, observedAt], same);
    taken[group] = fields;
  }
  const after = settle(before, merged, taken.state);
  const faults = moveFaults(before, after, taken.state);
  if (before !== null && before.sport !== update.match.sport) {
    faults.push(fault('match.sport', 'other_sport', `this id is already that of a match of ${before.sport}`));
  }
  if (before === null && update.match.scheduled_start === undefined) {
    faults.push(fault('match.scheduled_start', 'required', 'a new match needs its start'));
  }
  return { after, provenance, faults };
}

/**
 * Fills in what follows from the rest: the default detail, a cancelled match's null scores, a correction's cleared finality.
 * @param taken the fields of state that this update has written
 */
function settle(before: MatchState | null, merged: MatchState, taken: FieldGroup | undefined): MatchState {
  const after = { ...merged };
  // A status without its detail keeps the stored one where it still fits; one that was suspended to another day is played again.
  const begins = before?.status === 'scheduled' && after.status === 'live';
  if (taken?.status_detail === undefined && (begins || !belongs(after.status_detail, after.status)))
    after.status_detail = DEFAULT_DETAIL[after.status];
  if (after.time_tbd) after.scheduled_start = `${after.scheduled_start.slice(0, 10)}T00:00:00Z`;
  if (after.status_detail === 'cancelled') {
    after.home_score = null;
    after.away_score = null;
    after.period_scores = [];
  }
  if (after.status === 'live' && after.home_score === null) {
    after.home_score = 0;
    after.away_score = 0;
  }
  if (after.status !== 'live') after.minute = null;
  if (after.status !== 'finished') after.finalized = false;
  // A later correction clears finality, unless the same update says that it is final.
  if (before?.finalized && taken?.finalized === undefined && !isDeepStrictEqual(before, after)) after.finalized = false;
  return after;
}

/** Whether two JSON texts say the same: key order and spaces aside. */
export function sameJson(a: string, b: string): boolean {
  return a === b || isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
}
