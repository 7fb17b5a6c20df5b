/**
 * Reads a match's goals. A goal is identified by the running score, because its id changes if a user enters it again.
 * Pure.
 */
import type { IncidentInput } from '../../wire/feed-update.ts';
import type { Score } from '../side.ts';
import type { GoalReply } from './replies.ts';

export interface Goals {
  incidents: IncidentInput[];
  /** The running score after the last goal. */
  score: Score | null;
  /** The running score after each goal, such as "2:1". */
  keys: string[];
  /** Whether the entries include shoot-out kicks. */
  hasKicks: boolean;
}

export const total = ({ home, away }: Score): number => home + away;
export const scoreKey = ({ home, away }: Score): string => `${home}:${away}`;

const runningScore = ({ scoreTeam1, scoreTeam2 }: GoalReply): Score => ({ home: scoreTeam1, away: scoreTeam2 });

/** Matches comments on shoot-out kicks, which are entered as goals. */
const SHOOT_OUT = /elfmeterschie(?:ß|ss)en|elferschie|shoot-?out/iu;

/**
 * @param played the score before the shoot-out, if the match had one; entries with more goals are kicks
 * @param hasExtraTime whether minutes after the 90th are extra time, not stoppage time
 */
export function readGoals(replies: readonly GoalReply[], hasExtraTime: boolean, played?: Score): Goals {
  const isKick = (goal: GoalReply) =>
    SHOOT_OUT.test(goal.comment ?? '') || (played !== undefined && total(runningScore(goal)) > total(played));
  const byScore = new Map<string, GoalReply>();
  // If a goal has two entries, the newer one is the correction.
  for (const goal of [...replies].sort((a, b) => (a.goalID ?? 0) - (b.goalID ?? 0)))
    if (!isKick(goal) && total(runningScore(goal)) > 0) byScore.set(scoreKey(runningScore(goal)), goal);
  const goals = [...byScore.values()].sort(
    (a, b) => total(runningScore(a)) - total(runningScore(b)) || (a.matchMinute ?? 0) - (b.matchMinute ?? 0),
  );
  const incidents: IncidentInput[] = [];
  let before: Score = { home: 0, away: 0 };
  for (const goal of goals) {
    const after = runningScore(goal);
    incidents.push(goalIncident(goal, before, hasExtraTime));
    before = after;
  }
  return {
    incidents,
    score: goals.length === 0 ? null : before,
    keys: [...byScore.keys()],
    hasKicks: replies.some(isKick),
  };
}

function goalIncident(goal: GoalReply, before: Score, hasExtraTime: boolean): IncidentInput {
  const after = runningScore(goal);
  return {
    id: scoreKey(after),
    kind: 'goal',
    side: scoringSide(before, after),
    ...goalMinute(goal, hasExtraTime),
    ...(goal.goalGetterName ? { player: { name: goal.goalGetterName.slice(0, 200) } } : {}),
    payload: {
      goal_type: goal.isOwnGoal ? 'own_goal' : goal.isPenalty ? 'penalty' : 'regular',
      score: after,
    },
  };
}

/** Returns the side whose running score rose, or null if the goals in between are missing. */
function scoringSide(before: Score, after: Score): 'home' | 'away' | null {
  const home = after.home - before.home;
  const away = after.away - before.away;
  if (home > 0 && away <= 0) return 'home';
  return away > 0 && home <= 0 ? 'away' : null;
}

const HALF = 45;
const FULL = 90;
/**
 * Longest stoppage time in the first half, in minutes. A goal after more than this counts as one in the second half.
 */
const LONGEST_STOPPAGE = 15;

function goalMinute({ matchMinute, isOvertime }: GoalReply, hasExtraTime: boolean): Partial<IncidentInput> {
  if (!matchMinute) return {};
  if (matchMinute > FULL && hasExtraTime) return { minute: matchMinute, period: 'ET' };
  if (matchMinute > FULL) return { minute: FULL, minute_plus: matchMinute - FULL, period: '2H' };
  // In league play the flag means stoppage time.
  if (isOvertime && matchMinute > HALF && matchMinute <= HALF + LONGEST_STOPPAGE)
    return { minute: HALF, minute_plus: matchMinute - HALF, period: '1H' };
  return { minute: matchMinute, period: matchMinute > HALF ? '2H' : '1H' };
}
