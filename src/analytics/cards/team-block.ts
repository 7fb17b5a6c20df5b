/** Computes a side's form, discipline and table place. Pure. */
import type { StandingsThen } from '../../competitions/index.ts';
import { computeForm, type Form, type SideMatch } from '../form/rates-and-streaks.ts';
import { meanOrNull } from '../rounding.ts';
import { type Bounds, type Explanation, explain } from '../samples/explain.ts';
import { isPlayedAt, newestFirst } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';
import type { HistoryMatch } from './history-queries.ts';

type TeamBlock = AnalyticsCard['home'];

export interface FormOptions {
  /** Points that the tournament awards for a match. */
  points: (match: SideMatch) => number;
  /** Query parameters that return the form sample; null without `explain`. */
  explained: Bounds | null;
}

/** @param matches sample matches, in any order */
export function explainedForm(
  matches: readonly HistoryMatch[],
  sideId: number,
  options: FormOptions,
): TeamBlock['form'] {
  const form = computeForm(matches, sideId, options.points);
  if (options.explained === null) return form;
  const newest = newestFirst(matches);
  const samples: Record<Exclude<keyof Form, 'streaks'>, readonly HistoryMatch[]> = {
    overall: newest,
    last5: newest.slice(0, 5),
    last10: newest.slice(0, 10),
    home: newest.filter((match) => isPlayedAt('home', sideId, match)),
    away: newest.filter((match) => isPlayedAt('away', sideId, match)),
  };
  const explained = (name: keyof typeof samples) => ({
    ...form[name],
    explain: explain(samples[name], options.explained!),
  });
  return {
    overall: explained('overall'),
    last5: explained('last5'),
    last10: explained('last10'),
    home: explained('home'),
    away: explained('away'),
    streaks: form.streaks,
  };
}

/** Counts only this side's cards. @param matches sample matches */
export function computeDiscipline(
  matches: readonly HistoryMatch[],
  sideId: number,
  explained: Bounds | null,
): TeamBlock['discipline'] {
  const countCards = ({ home_id, home_cards, away_cards }: HistoryMatch) =>
    home_id === sideId ? home_cards : away_cards;
  const known = matches.filter((match) => countCards(match) !== null);
  const cards = known.reduce((sum, match) => sum + countCards(match)!, 0);
  return {
    matches: known.length,
    cards_avg: meanOrNull(cards, known.length),
    ...explaining(known, explained),
  };
}

/** Returns the standing in the last table that has begun. After a split, a league has several tables. */
export function computeStanding(
  { table, matches }: StandingsThen,
  sideId: number,
  explained: Bounds | null,
): TeamBlock['standing'] {
  const row = table.findLast(({ participant_id }) => participant_id === sideId);
  if (row === undefined) return null;
  const sides = new Set(table.filter(({ group }) => group === row.group).map(({ participant_id }) => participant_id));
  const within = matches.filter(({ home_id, away_id }) => sides.has(home_id) && sides.has(away_id));
  return {
    position: row.position,
    played: row.played,
    points: row.points,
    goals_for: row.scores_for,
    goals_against: row.scores_against,
    ...explaining(within, explained),
  };
}

/** Returns an object with the member `explain`, or an empty object if it was not requested. */
export const explaining = (
  matches: readonly { id: number; start: number }[],
  bounds: Bounds | null,
): { explain?: Explanation } => (bounds === null ? {} : { explain: explain(matches, bounds) });
