/** The match situation that the chances depend on, from status, clock, score and incidents. Pure. */
import { cardCounts } from '../wire/card-counts.ts';
import type { Incident, StatusDetail } from '../wire/match.ts';
import { type BySide, REGULAR_MINUTES } from './chances.ts';
import type { InPlayParameters } from './parameters.ts';
import type { Kick } from './shoot-out.ts';

export interface InPlayMatch {
  status: 'scheduled' | 'live' | 'finished';
  status_detail: StatusDetail;
  minute: number | null;
  home_score: number | null;
  away_score: number | null;
  period_scores: readonly { period: string; home: number; away: number }[];
  incidents: readonly Incident[];
}

/** The match phase. `void` means that the match has no result and will not get one. */
export type Phase = 'before' | 'regular' | 'extra' | 'shoot_out' | 'over' | 'void';

/** A goal or a sending-off. */
export interface Turn {
  kind: 'goal' | 'sent_off';
  side: 'home' | 'away';
  minute: number | null;
  minute_plus: number | null;
  isExtra: boolean;
}

export interface Situation {
  phase: Phase;
  /** Minutes played, up to 90 or 120. Added time is part of a half's last minute. */
  played: number;
  score: BySide;
  /** Extra-time goals. */
  extra: BySide;
  sentOff: BySide;
  /** A shoot-out's kicks, in the order in which they were taken. */
  kicks: Kick[];
  /** Shoot-out goals; null if there was no shoot-out, or if the goals are unknown. */
  shootOut: BySide | null;
}

const HALF = REGULAR_MINUTES / 2;
/** Until a half is over, at least this fraction of its last minute counts as still to be played. */
const LEAST_LEFT = 0.1;
const NO_RESULT: readonly StatusDetail[] = ['abandoned', 'cancelled'];
const AFTER_REGULAR: readonly StatusDetail[] = ['extra_time', 'penalties', 'after_extra_time', 'after_penalties'];

const isShootOut = ({ kind, period }: Incident) => kind === 'penalty_shootout' || period === 'PEN';
const isExtraPeriod = (period: string | null) => period?.startsWith('ET') === true;

/** True if extra time or a shoot-out has begun. */
export const isBeyondRegular = ({ status_detail, incidents, period_scores }: InPlayMatch): boolean =>
  AFTER_REGULAR.includes(status_detail) ||
  incidents.some((incident) => isExtraPeriod(incident.period) || isShootOut(incident)) ||
  period_scores.some(({ period }) => isExtraPeriod(period) || period === 'PEN');

/**
 * Returns the minutes played when the clock shows a given minute. Added time belongs to the last minute of the half. The
 * parameters say how many ordinary minutes that minute is worth.
 */
export function playedAt(
  minute: number,
  minute_plus: number | null,
  isExtra: boolean,
  { first_half_end, second_half_end }: InPlayParameters,
): number {
  if (isExtra) return Math.min(Math.max(minute, REGULAR_MINUTES), 120);
  const end = minute >= REGULAR_MINUTES ? REGULAR_MINUTES : HALF;
  const added = (minute_plus ?? 0) + (minute > REGULAR_MINUTES ? minute - REGULAR_MINUTES : 0);
  if (minute !== HALF && minute < REGULAR_MINUTES) return Math.max(0, minute);
  const length = Math.exp(end === HALF ? first_half_end : second_half_end);
  return end - 1 + Math.min(1 - LEAST_LEFT, added / length);
}

/** Returns goals, without shoot-outs, and players sent off. */
export function readTurns(incidents: readonly Incident[]): Turn[] {
  const turns: Turn[] = [];
  const counts = cardCounts(incidents, 'football');
  for (const incident of incidents) {
    const { kind, side, minute, minute_plus, period, payload } = incident;
    if (side === null || isShootOut(incident)) continue;
    const turn = { side, minute, minute_plus, isExtra: isExtraPeriod(period) };
    if (kind === 'goal') turns.push({ kind, ...turn });
    if (counts.get(incident) === 'red_cards' && payload.role !== 'coach') turns.push({ kind: 'sent_off', ...turn });
  }
  return turns;
}

/** Counts each side's turns of one kind. */
export function countTurns(turns: readonly Turn[], kind: Turn['kind']): BySide {
  const count = { home: 0, away: 0 };
  for (const turn of turns) if (turn.kind === kind) count[turn.side] += 1;
  return count;
}

export function readSituation(match: InPlayMatch, parameters: InPlayParameters): Situation {
  const { incidents } = match;
  const phase = readPhase(match);
  const turns = readTurns(incidents);
  const score = { home: match.home_score ?? 0, away: match.away_score ?? 0 };
  const hasBegun = phase !== 'before';
  const kicks = incidents.flatMap(({ kind, side, payload }) =>
    kind === 'penalty_shootout' && side !== null ? [{ side, scored: payload.scored === true }] : [],
  );
  return {
    phase,
    played: playedIn(match, phase, turns, parameters),
    score: hasBegun ? score : { home: 0, away: 0 },
    extra: extraGoals(match, turns, score),
    sentOff: hasBegun ? countTurns(turns, 'sent_off') : { home: 0, away: 0 },
    kicks,
    shootOut:
      match.period_scores.find(({ period }) => period === 'PEN') ?? (kicks.length > 0 ? countScored(kicks) : null),
  };
}

const countScored = (kicks: readonly Kick[]): BySide => ({
  home: kicks.filter(({ side, scored }) => side === 'home' && scored).length,
  away: kicks.filter(({ side, scored }) => side === 'away' && scored).length,
});

function readPhase(match: InPlayMatch): Phase {
  const { status, status_detail, home_score, away_score } = match;
  if (status === 'scheduled') return 'before';
  if (status === 'finished')
    return NO_RESULT.includes(status_detail) || home_score === null || away_score === null ? 'void' : 'over';
  if (status_detail === 'penalties') return 'shoot_out';
  if (!isBeyondRegular(match)) return 'regular';
  return match.incidents.some(isShootOut) ? 'shoot_out' : 'extra';
}

/** Returns the minutes played. Without a clock, this is the last incident's minute, but at least 46 in the second half. */
function playedIn(match: InPlayMatch, phase: Phase, turns: readonly Turn[], parameters: InPlayParameters): number {
  if (phase === 'before') return 0;
  if (phase === 'over' || phase === 'void') return isBeyondRegular(match) ? 120 : REGULAR_MINUTES;
  if (phase === 'shoot_out') return 120;
  const known = [...match.incidents, ...turns].map(({ minute }) => minute ?? 0);
  const minute = match.minute ?? Math.max(hasSecondHalf(match) ? HALF + 1 : 0, ...known);
  if (phase === 'extra') return playedAt(minute, null, true, parameters);
  if (match.status_detail === 'break')
    return hasSecondHalf(match) || minute >= REGULAR_MINUTES ? REGULAR_MINUTES : HALF;
  return playedAt(minute, null, false, parameters);
}

const hasSecondHalf = ({ period_scores, incidents }: InPlayMatch): boolean =>
  period_scores.some(({ period }) => period === '2H') || incidents.some(({ period }) => period === '2H');

/**
 * Returns the extra-time goals from the incidents or the period scores. If no source has them, they follow from the score,
 * since extra time begins with a level score (assuming that there was no first leg).
 */
function extraGoals(match: InPlayMatch, turns: readonly Turn[], score: BySide): BySide {
  if (!isBeyondRegular(match)) return { home: 0, away: 0 };
  const goals = countTurns(turns, 'goal');
  if (goals.home === score.home && goals.away === score.away)
    return countTurns(
      turns.filter(({ isExtra }) => isExtra),
      'goal',
    );
  const period = match.period_scores.filter((one) => isExtraPeriod(one.period));
  if (period.length > 0)
    return {
      home: period.reduce((sum, { home }) => sum + home, 0),
      away: period.reduce((sum, { away }) => sum + away, 0),
    };
  const level = Math.min(score.home, score.away);
  return { home: score.home - level, away: score.away - level };
}
