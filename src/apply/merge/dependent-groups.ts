/**
 * Groups of fields that make sense only together with the value that their provider has for another group: period scores with
 * their score, a kick-off time as the source writes it with the same kick-off. Where the other group is from a provider of
 * another rank, they are shown only while that provider has the same value.
 */
import type { Precedence } from '../../identity/precedence.ts';
import type { FieldGroup, MatchState } from '../match-state.ts';
import type { Hidden, Provenance } from '../provenance.ts';
import { BLOCK_OF, hasValues } from './field-groups.ts';

/** Each dependent group with the group that it depends on. */
export const DEPENDS_ON = { start_time: 'start', period_scores: 'score' } as const;
type Dependent = keyof typeof DEPENDS_ON;

/** What a dependent group shows while it is hidden. */
const EMPTY = { start_time: { start_time: null }, period_scores: { period_scores: [] } };
const FIELDS = {
  start: ['scheduled_start', 'time_tbd'],
  start_time: ['start_time'],
  score: ['home_score', 'away_score'],
  period_scores: ['period_scores'],
} as const;

const part = (state: MatchState | null, group: keyof typeof FIELDS): FieldGroup =>
  Object.fromEntries(FIELDS[group].map((field) => [field, state?.[field]]));

/**
 * Shows and hides the dependent groups. `provenance` is updated, and stores what is hidden.
 * @param givenNow the value of a dependent group if this update has just written it
 * @returns the merged state
 */
export function mergeDependentGroups(
  { rankOf }: Precedence,
  before: MatchState | null,
  merged: MatchState,
  provenance: Provenance,
  givenNow: (group: Dependent, owner: Provenance[string]) => Hidden | null,
): MatchState {
  let shown = merged;
  for (const [group, head] of Object.entries(DEPENDS_ON) as [Dependent, (typeof DEPENDS_ON)[Dependent]][]) {
    const owner = provenance[group];
    const headOwner = provenance[head];
    if (owner === undefined || headOwner === undefined) continue;
    const [provider, observedAt, hidden] = owner;
    const claim = givenNow(group, owner) ??
      (hidden as Hidden | undefined) ?? { fields: part(before, group), beside: part(before, head) };
    const haveOneRank = rankOf(provider, BLOCK_OF[group]) === rankOf(headOwner[0], BLOCK_OF[head]);
    if ((haveOneRank && hidden === undefined) || (claim.beside !== null && hasValues(shown, claim.beside))) {
      shown = { ...shown, ...claim.fields };
      provenance[group] = [provider, observedAt];
    } else {
      shown = { ...shown, ...EMPTY[group] };
      provenance[group] = [provider, observedAt, claim];
    }
  }
  return shown;
}
