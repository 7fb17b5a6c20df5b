/** The score that incidents add up to. A match shows this score if the provider states none. Pure. */
import type { Precedence } from '../../identity/precedence.ts';
import { findSport } from '../../sports/sports.ts';
import type { INCIDENT_KINDS } from '../../wire/incident-kinds.ts';
import type { Incident } from '../../wire/match.ts';
import type { MatchState } from './match-state.ts';
import type { Entry, Provenance } from './provenance.ts';

interface Score {
  home: number;
  away: number;
}

export type ScoringIncident = Pick<Incident, 'kind' | 'side' | 'period' | 'payload'>;

/** Incident kinds that change the score. */
const SCORING: readonly string[] = ['goal', 'point', 'set_end'] satisfies (keyof typeof INCIDENT_KINDS)[];

/** Returns the points that an incident adds to the side's score. Null if they depend on the sport's rules. */
export function worth({ kind, payload }: ScoringIncident, sport: string): number | null {
  if (!SCORING.includes(kind)) return 0;
  if (typeof payload.points === 'number') return payload.points;
  const known = findSport(sport);
  return kind !== 'goal' ? null : known === undefined ? 1 : known.score.goalPoints;
}

/** A shoot-out does not count in the score. */
const SHOOT_OUTS: readonly (string | null)[] = ['PEN', 'SO'];

/** Returns the score that a whole incident list adds up to. Null if no incident scores, or if one lacks a side or points. */
export function scoreOfIncidents(sport: string, incidents: readonly ScoringIncident[]): Score | null {
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

/** The highest score that a feed update may have. */
const MAX_SCORE = 32_767;

const isStated = (owner: Entry | undefined): owner is Entry => owner !== undefined && owner.hidden === undefined;

/**
 * True if the score follows from the incidents. This is the case if no provider states a score, or if the provider of the
 * incidents outranks a live provider that states one.
 */
export function followsFromIncidents({ isLive, rankOf }: Precedence, { score, incidents }: Provenance): boolean {
  if (incidents === undefined || !isLive(incidents.provider)) return false;
  return (
    !isStated(score) ||
    (isLive(score.provider) && rankOf(incidents.provider, 'state') < rankOf(score.provider, 'state'))
  );
}

interface ScoredMatch {
  state: MatchState;
  provenance: Provenance;
}

/**
 * Returns a live or finished match with the score from the incidents, if the incidents decide the score. If the same or a
 * better-ranked provider states a score later, that score replaces this one.
 * @param incidents all incidents in the match
 * @param wasLive true if the status provider has just reported that the match was live before the present status
 */
export function deriveScore(
  precedence: Precedence,
  match: ScoredMatch,
  incidents: () => readonly ScoringIncident[],
  wasLive: boolean,
): ScoredMatch {
  const { state, provenance } = match;
  if (state.status === 'scheduled' || state.status_detail === 'cancelled') return match;
  const owner = provenance.score;
  const withScore = ({ home, away }: Score, score?: Entry): ScoredMatch => ({
    state: { ...state, home_score: home, away_score: away },
    provenance: score === undefined || score === owner ? provenance : { ...provenance, score },
  });
  if (followsFromIncidents(precedence, provenance)) {
    const derived = scoreOfIncidents(state.sport, incidents());
    const { provider } = provenance.incidents!;
    const own = owner?.provider === provider ? owner : undefined;
    if (derived !== null) {
      const entry: Entry = { provider, observedAt: own?.observedAt ?? NEVER, hidden: 'derived' };
      return withScore(derived, own?.hidden === 'derived' ? own : entry);
    }
    // No goal is left, because the last one was cancelled.
    if (owner?.hidden === 'derived') {
      const { score: _cancelled, ...others } = provenance;
      return owner.observedAt === NEVER
        ? { ...withScore(LEVEL), provenance: others }
        : withScore(LEVEL, { ...owner, hidden: 'none' });
    }
  }
  return wasLive && !isStated(owner) && state.home_score === null ? withScore(LEVEL) : match;
}

const LEVEL: Score = { home: 0, away: 0 };

/** The observation time if the provider has never stated a score, ms. */
const NEVER = 0;
