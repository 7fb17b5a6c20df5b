/**
 * Applies corrections by hand as an overlay. Providers continue to update the match as if there were no corrections, and the
 * corrected fields are then put over the result. When a correction is withdrawn, the match therefore shows the best
 * provider's current value. The match row has the shown values. The `correction` entry in the provenance has the corrected
 * fields and the values that they cover. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { OPERATOR_PROVIDER } from '../../identity/precedence.ts';
import type { Incident } from '../../wire/match.ts';
import { belongs, DEFAULT_DETAIL, type FieldGroup, type MatchState } from './match-state.ts';
import { CORRECTION, type Correction, type Covered, type IncidentPlayers, type Provenance } from './provenance.ts';

const isEmpty = ({ fields, players }: Correction): boolean =>
  Object.keys(fields).length + Object.keys(players).length === 0;

export const readCovered = (provenance: Provenance): Covered | null => provenance[CORRECTION]?.covered ?? null;

/** Returns the match with the providers' values, without corrections. */
export function uncorrected<M extends MatchState & { provenance: Provenance }>(match: M): M {
  const covered = readCovered(match.provenance);
  if (covered === null) return match;
  const below = { ...match, ...covered.below };
  return { ...below, finalized: match.finalized && below.status === 'finished' };
}

/** Returns a state with the correction applied according to the match status rules. Finality is not decided here. */
function covered(below: MatchState, { fields }: Correction): MatchState {
  const state: MatchState = { ...below, ...(fields as Partial<MatchState>) };
  const isCorrected = (field: keyof MatchState) => fields[field] !== undefined;
  if (!isCorrected('status_detail') && !belongs(state.status_detail, state.status))
    state.status_detail = DEFAULT_DETAIL[state.status];
  const hasOtherScore = below.home_score !== state.home_score || below.away_score !== state.away_score;
  // Period scores belong to the covered score, and the written time belongs to the covered start.
  if (hasOtherScore && !isCorrected('period_scores'))
    Object.assign(state, { period_scores: [], shootout_winner: null, given_winner: null });
  if (state.scheduled_start !== below.scheduled_start) state.start_time = null;
  const hasNoScore = state.status_detail === 'cancelled' || (state.status === 'scheduled' && below.home_score === null);
  if (hasNoScore)
    Object.assign(state, {
      home_score: null,
      away_score: null,
      period_scores: [],
      shootout_winner: null,
      given_winner: null,
    });
  else if (state.status === 'live' && state.home_score === null) Object.assign(state, { home_score: 0, away_score: 0 });
  if (state.status !== 'live') state.minute = null;
  return state;
}

/**
 * Applies a correction to a state.
 * @param shown the match as it was shown until now; null for a new match
 * @param isExplicit true if a provider states finality now
 */
export function cover(
  below: MatchState,
  shown: MatchState | null,
  correction: Correction,
  isExplicit = false,
): { state: MatchState; below: FieldGroup } {
  const state = covered(below, correction);
  state.finalized = state.status === 'finished' && below.finalized;
  // A change to a covered value does not end finality if the shown values stay the same.
  const isSame = shown !== null && isDeepStrictEqual({ ...state, finalized: true }, { ...shown, finalized: true });
  if (isSame && !isExplicit) state.finalized = shown.finalized;
  const differing = (Object.keys(below) as (keyof MatchState)[]).filter(
    (field) => !UNCOVERED.includes(field) && !isDeepStrictEqual(below[field], state[field]),
  );
  return { state, below: Object.fromEntries(differing.map((field) => [field, below[field]])) };
}

/** Fields that are never corrected, because they follow from what is shown. */
const UNCOVERED: readonly (keyof MatchState)[] = ['finalized', 'awaiting_data'];

/** Returns the provenance with a correction, or without one if the correction is empty. @param at ms; if absent, the stored time stays */
export function withCorrection(provenance: Provenance, covered: Covered, at?: number): Provenance {
  const { [CORRECTION]: former, ...others } = provenance;
  if (isEmpty(covered)) return others;
  if (former !== undefined && isDeepStrictEqual(former.covered, covered)) return provenance;
  return {
    ...others,
    [CORRECTION]: { provider: OPERATOR_PROVIDER, observedAt: at ?? former?.observedAt ?? 0, covered },
  };
}

/** Returns incidents with some players replaced. */
export const withPlayers = (incidents: readonly Incident[], players: IncidentPlayers): Incident[] =>
  incidents.map((incident) => ({ ...incident, ...players[incident.id] }));

/** Returns the providers' players in the incidents that a correction covers. */
export const playersBelow = (incidents: readonly Incident[], { players }: Correction): IncidentPlayers =>
  Object.fromEntries(
    incidents.flatMap(({ id, player_name, player_participant_id }) =>
      players[id] === undefined ? [] : [[id, { player_name, player_participant_id }]],
    ),
  );
