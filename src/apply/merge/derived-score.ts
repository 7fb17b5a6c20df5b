/** The score of a match whose provider states none: it follows from the incidents; a match that has begun without any is 0:0. */
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { Entry, Provenance } from '../stored/provenance.ts';
import { type ScoringIncident, scoreOfIncidents } from '../stored/score.ts';

const isStated = (owner: Entry | undefined): owner is Entry => owner !== undefined && owner.hidden === undefined;

/**
 * Whether the score follows from the incidents: no provider states it, or only a live one that the provider of the incidents
 * outranks.
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
 * Returns a match that is live or finished with its derived score, if no statement gives one. The stated score of a better-ranked
 * provider, or of the same one, replaces it later.
 * @param incidents all of the match
 * @param wasLive whether the provider of the status has just reported that the match was live before its present status
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
    // Its last goal was cancelled.
    if (owner?.hidden === 'derived') {
      const { score: _cancelled, ...others } = provenance;
      return owner.observedAt === NEVER
        ? { ...withScore(LEVEL), provenance: others }
        : withScore(LEVEL, { ...owner, hidden: 'none' });
    }
  }
  return wasLive && !isStated(owner) && state.home_score === null ? withScore(LEVEL) : match;
}

interface Score {
  home: number;
  away: number;
}
const LEVEL: Score = { home: 0, away: 0 };

/** Time of observation of a score that the provider has never stated, ms. */
const NEVER = 0;
