/** Describes corrections in short texts, for the command and the page. */
import type { Correction, FieldGroup } from '../apply/index.ts';
import type { Incident, StatusDetail } from '../wire/match.ts';

/** Words in one language. */
export interface CorrectionTexts {
  score: string;
  periods: string;
  status(status: NonNullable<FieldGroup['status']>, detail: StatusDetail | undefined): string;
  kickOff: string;
  /** Says a time. @param at in UTC, such as `2026-05-10T12:00:00Z` */
  time(at: string): string;
  noVenue: string;
  venue: string;
  scorer(goal: string, name: string): string;
  home: string;
  away: string;
  unnamed: string;
}

const ENGLISH: CorrectionTexts = {
  score: 'score',
  periods: 'periods',
  status: (status, detail) => `status ${status}${detail === undefined ? '' : ` (${detail})`}`,
  kickOff: 'kick-off',
  time: (at) => at,
  noVenue: 'no venue',
  venue: 'venue',
  scorer: (goal, name) => `scorer of goal ${goal} ${name}`,
  home: 'home',
  away: 'away',
  unnamed: 'unnamed',
};

/** Returns what is corrected, such as `score 2:1, status finished (after_penalties)`. */
export function correctionText({ fields, players }: Correction, texts = ENGLISH): string {
  const scorers = Object.entries(players).map(([goal, { player_name }]) =>
    texts.scorer(goal, player_name ?? texts.unnamed),
  );
  return [...fieldTexts(fields, texts), ...scorers].join(', ');
}

function fieldTexts(fields: FieldGroup, texts: CorrectionTexts): string[] {
  const { home_score, away_score, period_scores, status, status_detail, scheduled_start, time_tbd, venue_id } = fields;
  return [
    home_score === undefined ? '' : `${texts.score} ${home_score}:${away_score}`,
    period_scores === undefined ? '' : `${texts.periods} ${periodText(period_scores)}`,
    status === undefined ? '' : texts.status(status, status_detail),
    scheduled_start === undefined
      ? ''
      : `${texts.kickOff} ${time_tbd ? scheduled_start.slice(0, 10) : texts.time(scheduled_start)}`,
    venue_id === undefined ? '' : venue_id === null ? texts.noVenue : `${texts.venue} ${venue_id}`,
  ].filter((text) => text !== '');
}

export const periodText = (periods: NonNullable<FieldGroup['period_scores']>): string =>
  periods.map(({ period, home, away }) => `${period} ${home}:${away}`).join(' ');

/** Returns a goal with its id, such as `7: 61' home Jane Doe`. */
export function goalText({ id, minute, side, player_name }: Incident, texts = ENGLISH): string {
  const [time, team] = [minute === null ? '' : `${minute}'`, side === null ? '' : texts[side]];
  return [`${id}:`, time, team, player_name ?? texts.unnamed].filter(Boolean).join(' ');
}
