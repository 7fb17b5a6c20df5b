/** A finished ice hockey game's result, as a feed update has it. */
import type { MatchInput } from '../wire/feed-update.ts';

/**
 * @param score the winner of a shoot-out has one goal more, as in most lists of results
 * @returns the score without that goal; an error text if the score cannot follow a shoot-out
 */
export function hockeyResult(
  score: { home: number; away: number },
  { overtime, shootOut }: { overtime: boolean; shootOut: boolean },
): Partial<MatchInput> | string {
  if (!shootOut) return { status: 'finished', status_detail: overtime ? 'after_extra_time' : 'ended', score };
  const lead = score.home - score.away;
  if (Math.abs(lead) !== 1) return `${score.home}:${score.away} cannot be the score after a shoot-out`;
  const level = Math.min(score.home, score.away);
  return {
    status: 'finished',
    status_detail: 'after_penalties',
    score: { home: level, away: level },
    // Only the winner is known.
    period_scores: [{ period: 'SO', home: lead > 0 ? 1 : 0, away: lead < 0 ? 1 : 0 }],
  };
}
