/** A match's chances over time, with a point for each minute and each goal or sending-off. Pure. */
import { type BySide, EXTRA_MINUTES, REGULAR_MINUTES } from './chances.ts';
import type { InPlayParameters } from './parameters.ts';
import { toWinProbability, type WinProbability } from './percent.ts';
import type { MatchProbabilities } from './probabilities.ts';
import {
  countTurns,
  type InPlayMatch,
  isBeyondRegular,
  type Phase,
  playedAt,
  readSituation,
  readTurns,
  type Situation,
  type Turn,
} from './situation.ts';

/** Why a point exists. `period` means that a half or regular time is over, or that a shoot-out begins. */
export const REASONS = ['start', 'minute', 'goal', 'sent_off', 'period', 'now', 'end'] as const;

export interface Point extends WinProbability {
  /** Minutes played: the point's position on an axis of 90 or 120 minutes. */
  played: number;
  minute: number;
  minute_plus: number | null;
  reason: (typeof REASONS)[number];
  home_score: number;
  away_score: number;
}

/** Maximum number of goals and sendings-off. If there are more, the line has only the start and the present. */
const MOST_TURNS = 200;
const HALF = REGULAR_MINUTES / 2;
const FULL = REGULAR_MINUTES + EXTRA_MINUTES;

/** A moment in the match, by minutes played. */
interface Moment {
  played: number;
  minute: number;
  minute_plus: number | null;
  reason: Point['reason'];
  phase: Phase;
}

/**
 * Computes the points. The situation at each moment follows from the incidents, so a correction changes past points, too. If
 * the goals do not add up to the score, or a goal has no minute, only the start and the present have points.
 */
export function timeline(match: InPlayMatch, chances: MatchProbabilities, parameters: InPlayParameters): Point[] {
  const now = readSituation(match, parameters);
  if (now.phase === 'void') return [];
  const start: Situation = {
    ...now,
    phase: now.phase === 'before' ? 'before' : 'regular',
    played: 0,
    score: { home: 0, away: 0 },
    extra: { home: 0, away: 0 },
    sentOff: { home: 0, away: 0 },
  };
  const point = (situation: Situation, moment: Pick<Moment, 'minute' | 'minute_plus' | 'reason'>): Point => ({
    played: situation.played,
    minute: moment.minute,
    minute_plus: moment.minute_plus,
    reason: moment.reason,
    home_score: situation.score.home,
    away_score: situation.score.away,
    ...toWinProbability(chances.result(situation)!),
  });
  const first = point(start, { minute: 0, minute_plus: null, reason: 'start' });
  if (now.phase === 'before') return [first];
  const dated = datedTurns(match, now, parameters);
  const between = dated === null ? [] : moments(match, now, dated);
  const points = between.map((moment) => {
    const turns = dated!.filter(({ played }) => played <= moment.played).map(({ turn }) => turn);
    const score = countTurns(turns, 'goal');
    const extra = countTurns(
      turns.filter(({ isExtra }) => isExtra),
      'goal',
    );
    const sentOff = countTurns(turns, 'sent_off');
    return point({ ...now, phase: moment.phase, played: moment.played, score, extra, sentOff }, moment);
  });
  return [first, ...points, point(now, lastMoment(match, now))];
}

interface DatedTurn {
  turn: Turn;
  played: number;
}

/** Returns null if the goals do not add up to the score. Leaves out players who were sent off at an unknown minute. */
function datedTurns(match: InPlayMatch, now: Situation, parameters: InPlayParameters): DatedTurn[] | null {
  const turns = readTurns(match.incidents);
  const goals: BySide = countTurns(turns, 'goal');
  const isExplained = goals.home === now.score.home && goals.away === now.score.away;
  if (!isExplained || turns.length > MOST_TURNS || turns.some(({ kind, minute }) => kind === 'goal' && minute === null))
    return null;
  return turns
    .flatMap((turn) =>
      turn.minute === null
        ? []
        : [
            {
              turn,
              // If the clock has been set back, it may show an earlier minute than an incident has.
              played: Math.min(now.played, playedAt(turn.minute, turn.minute_plus, turn.isExtra, parameters)),
            },
          ],
    )
    .sort((a, b) => a.played - b.played);
}

/** Returns the moments after the start and before the present. */
function moments(match: InPlayMatch, now: Situation, turns: readonly DatedTurn[]): Moment[] {
  const phaseAt = (played: number): Phase => (played > REGULAR_MINUTES ? 'extra' : 'regular');
  const found: Moment[] = turns.map(({ turn, played }) => ({
    played,
    minute: turn.minute!,
    minute_plus: turn.minute_plus,
    reason: turn.kind,
    phase: turn.isExtra ? 'extra' : 'regular',
  }));
  const taken = new Set(found.map(({ played }) => played));
  const isBeyond = isBeyondRegular(match);
  for (let minute = 1; minute <= Math.min(FULL, now.played); minute += 1) {
    const isPeriod = minute === HALF || (minute === REGULAR_MINUTES && isBeyond) || (minute === FULL && isBeyond);
    if (taken.has(minute) && !isPeriod) continue;
    // The point for the present also stands for the current minute, unless a part of the match ends in this minute.
    if (minute === now.played && !isPeriod) continue;
    found.push({
      played: minute,
      minute,
      minute_plus: null,
      reason: isPeriod ? 'period' : 'minute',
      phase: isPeriod && minute === REGULAR_MINUTES ? 'extra' : phaseAt(minute),
    });
  }
  return found.sort((a, b) => a.played - b.played);
}

function lastMoment(
  { minute }: InPlayMatch,
  { phase, played }: Situation,
): Pick<Moment, 'minute' | 'minute_plus' | 'reason'> {
  const shown = minute ?? Math.ceil(played);
  const isAdded = phase === 'regular' && shown > REGULAR_MINUTES;
  return {
    minute: isAdded ? REGULAR_MINUTES : shown,
    minute_plus: isAdded ? shown - REGULAR_MINUTES : null,
    reason: phase === 'over' ? 'end' : 'now',
  };
}
