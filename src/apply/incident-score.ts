/** The score by the incidents of a match. */
import { findSport } from '../sports/sports.ts';
import type { INCIDENT_KINDS } from '../wire/incident-kinds.ts';
import type { Incident } from '../wire/match.ts';

export type ScoringIncident = Pick<Incident, 'kind' | 'side' | 'period' | 'payload'>;

/** Kinds of incidents that change the score. */
const SCORING: readonly string[] = ['goal', 'point', 'set_end'] satisfies (keyof typeof INCIDENT_KINDS)[];

/** Returns the points that an incident adds to its side's score; null if they depend on rules of the sport. */
export function worth({ kind, payload }: ScoringIncident, sport: string): number | null {
  if (!SCORING.includes(kind)) return 0;
  if (typeof payload.points === 'number') return payload.points;
  const known = findSport(sport);
  return kind !== 'goal' ? null : known === undefined ? 1 : known.score.goalPoints;
}

/** A shoot-out does not count in the score. */
const SHOOT_OUTS: readonly (string | null)[] = ['PEN', 'SO'];

/**
 * Adds up a complete list of incidents.
 * @returns null if no incident scores, or one lacks its side or its points
 */
export function scoreOfIncidents(
  sport: string,
  incidents: readonly ScoringIncident[],
): { home: number; away: number } | null {
  const bySets = findSport(sport)?.score.countedBy === 'set_end';
  const score = { home: 0, away: 0 };
  let scored = false;
  for (const incident of incidents) {
    const { kind, side, period } = incident;
    if (!SCORING.includes(kind) || SHOOT_OUTS.includes(period) || (kind === 'set_end') !== bySets) continue;
    const points = bySets ? 1 : worth(incident, sport);
    if (points === null || side === null || !Number.isInteger(points) || points < 0) return null;
    score[side] += points;
    scored = true;
  }
  return scored && Math.max(score.home, score.away) <= MAX_SCORE ? score : null;
}

/** As in a feed update. */
const MAX_SCORE = 32_767;
