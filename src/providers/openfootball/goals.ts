/** Converts goals in openfootball's World Cup files to incidents, ordered by minute and with the score after each. */
import type { IncidentInput } from '../../wire/feed-update.ts';

interface Goal {
  side: 'home' | 'away';
  name: string;
  minute: number;
  plus: number | null;
  goal_type: 'regular' | 'penalty' | 'own_goal';
}

/** @returns undefined if the file has no goals at all */
export function readGoals(match: Record<string, unknown>): IncidentInput[] | undefined {
  if (!Array.isArray(match.goals1) || !Array.isArray(match.goals2)) return undefined;
  const goals = [
    ...match.goals1.map((goal) => readGoal('home', goal)),
    ...match.goals2.map((goal) => readGoal('away', goal)),
  ];
  return goalIncidents(goals.filter((goal) => goal !== undefined));
}

function readGoal(side: 'home' | 'away', written: Record<string, unknown>): Goal | undefined {
  const minutes = /^(\d+)(?:\s*\+\s*(\d+))?/u.exec(String(written.minute ?? ''));
  if (!minutes || typeof written.name !== 'string' || written.name.trim() === '') return undefined;
  const plus = minutes[2] ?? written.offset;
  return {
    side,
    name: written.name.trim(),
    minute: Number(minutes[1]),
    plus: plus === undefined ? null : Number(plus),
    goal_type: written.owngoal ? 'own_goal' : written.penalty ? 'penalty' : 'regular',
  };
}

/** Returns the period for a minute of play. Added time belongs to the period before it. */
export function periodAt(minute: number): '1H' | '2H' | 'ET' {
  if (minute <= 45) return '1H';
  return minute <= 90 ? '2H' : 'ET';
}

/** @param goals both sides' goals; `side` is the side for which the goal counts */
export function goalIncidents(goals: readonly Goal[]): IncidentInput[] {
  const score = { home: 0, away: 0 };
  return [...goals]
    .sort((a, b) => a.minute - b.minute || (a.plus ?? 0) - (b.plus ?? 0))
    .map((goal) => {
      score[goal.side]++;
      return {
        minute: goal.minute,
        minute_plus: goal.plus,
        period: periodAt(goal.minute),
        kind: 'goal',
        side: goal.side,
        player: { name: goal.name },
        payload: { goal_type: goal.goal_type, score: { ...score } },
      };
    });
}
