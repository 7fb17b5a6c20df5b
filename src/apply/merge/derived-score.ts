/** The score of a match whose provider states none: it follows from the incidents, and a match that has begun without any is 0:0. */
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchState } from '../match-state.ts';
import type { Provenance } from '../provenance.ts';
import { type ScoringIncident, scoreOfIncidents } from './incident-score.ts';

const isStated = (owner: Provenance[string] | undefined): owner is Provenance[string] =>
  owner?.[2] === undefined && !!owner;

/** Whether the incidents say more of the score than any provider: none states one, or a live one that the incidents' outranks. */
export function followsFromIncidents({ isLive, rankOf }: Precedence, { score, incidents }: Provenance): boolean {
  if (incidents === undefined || !isLive(incidents[0])) return false;
  return !isStated(score) || (isLive(score[0]) && rankOf(incidents[0], 'state') < rankOf(score[0], 'state'));
}

/**
 * Sets the score of a match that is live or finished, where it does not come from a statement. The stated score of a better-ranked
 * provider, or of the same one, replaces it later.
 * @param state is changed
 * @param provenance is changed
 * @param incidents all of the match
 * @param wasLive whether the provider of the status has just reported that the match was live before its present status
 */
export function deriveScore(
  precedence: Precedence,
  state: MatchState,
  provenance: Provenance,
  incidents: () => readonly ScoringIncident[],
  wasLive: boolean,
): void {
  if (state.status === 'scheduled' || state.status_detail === 'cancelled') return;
  const owner = provenance.score;
  const set = (home: number, away: number) => {
    state.home_score = home;
    state.away_score = away;
  };
  if (followsFromIncidents(precedence, provenance)) {
    const derived = scoreOfIncidents(state.sport, incidents());
    const [provider] = provenance.incidents!;
    if (derived !== null) {
      set(derived.home, derived.away);
      const isOwn = owner?.[0] === provider;
      if (!isOwn || owner[2] !== 'derived') provenance.score = [provider, isOwn ? owner[1] : NEVER, 'derived'];
      return;
    }
    if (owner?.[2] === 'derived') {
      // Its last goal was cancelled.
      set(0, 0);
      if (owner[1] === NEVER) delete provenance.score;
      else provenance.score = [owner[0], owner[1], 'none'];
    }
  }
  if (wasLive && !isStated(provenance.score) && state.home_score === null) set(0, 0);
}

/** When a provider that has stated no score at all observed it, ms. */
const NEVER = 0;
