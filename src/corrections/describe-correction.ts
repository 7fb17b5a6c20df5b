/** Describes corrections in short texts, for the command and the page. */
import type { Correction, FieldGroup } from '../apply/index.ts';

/** Returns what is corrected, such as `score 2:1, status finished (after_penalties)`. */
export function correctionText({ fields, players }: Correction): string {
  const scorers = Object.entries(players).map(([goal, { player_name }]) => `scorer of goal ${goal} ${player_name}`);
  return [...fieldTexts(fields), ...scorers].join(', ');
}

function fieldTexts(fields: FieldGroup): string[] {
  const { home_score, away_score, period_scores, status, status_detail, scheduled_start, time_tbd, venue_id } = fields;
  const detail = status_detail === undefined ? '' : ` (${status_detail})`;
  return [
    home_score === undefined ? '' : `score ${home_score}:${away_score}`,
    period_scores === undefined ? '' : `periods ${periodText(period_scores)}`,
    status === undefined ? '' : `status ${status}${detail}`,
    scheduled_start === undefined ? '' : `kick-off ${time_tbd ? scheduled_start.slice(0, 10) : scheduled_start}`,
    venue_id === undefined ? '' : venue_id === null ? 'no venue' : `venue ${venue_id}`,
  ].filter((text) => text !== '');
}

export const periodText = (periods: NonNullable<FieldGroup['period_scores']>): string =>
  periods.map(({ period, home, away }) => `${period} ${home}:${away}`).join(' ');
