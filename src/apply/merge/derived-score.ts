/** The score of a match whose provider states none: it follows from the incidents; a match that has begun without any is 0:0. */
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { Provenance } from '../stored/provenance.ts';
import { type ScoringIncident, scoreOfIncidents } from '../stored/score.ts';

const isStated = (owner: Provenance[string] | undefined): owner is Provenance[string] =>
  owner?.[2] === undefined && !!owner;

/**
 * Whether the score follows from the incidents: no provider states it, or only a live one that the provider of the incidents
 * outranks.
 */
export function followsFromIncidents({ isLive, rankOf }: Precedence, { score, incidents }: Provenance): boolean {
  if (incidents === undefined || !isLive(incidents[0])) return false;
  return !isStated(score) || (isLive(score[0]) && rankOf(incidents[0], 'state') < rankOf(score[0], 'state'));
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
  const withScore = ({ home, away }: Score, score = owner): ScoredMatch => ({
    state: { ...state, home_score: home, away_score: away },
    provenance: score === owner ? provenance : { ...provenance, score: score! },
  });
  if (followsFromIncidents(precedence, provenance)) {
    const derived = scoreOfIncidents(state.sport, incidents());
    const [provider] = provenance.incidents!;
    const isOwn = owner?.[0] === provider;
    if (derived !== null)
      return withScore(
        derived,
        isOwn && owner[2] === 'derived' ? owner : [provider, isOwn ? owner[1] : NEVER, 'derived'],
      );
    // Its last goal was cancelled.
    if (owner?.[2] === 'derived') {
      const { score: _cancelled, ...others } = provenance;
      return owner[1] === NEVER
        ? { ...withScore(LEVEL), provenance: others }
        : withScore(LEVEL, [owner[0], owner[1], 'none']);
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
