/** Computes a side's form, which consists of rates, streaks and runs over samples of matches. Pure. */
import { meanOrNull, percentage } from '../rounding.ts';
import { isPlayedAt, newestFirst, type PlayedMatch } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';

/** Number of letters in `form`. */
const LATEST = 10;

type Outcome = 'win' | 'draw' | 'loss';
export const LETTERS = { win: 'W', draw: 'D', loss: 'L' } as const;

/** A match from one side's perspective. */
export interface SideMatch {
  outcome: Outcome;
  scored: number;
  conceded: number;
  match: PlayedMatch;
}

/** Three points for a win, in every sport. */
const threePoints = ({ outcome }: SideMatch): number => ({ win: 3, draw: 1, loss: 0 })[outcome];

/** `form` in a team block. */
export type Form = AnalyticsCard['home']['form'];
export type FormBlock = Form['overall'];
type Streaks = Form['streaks'];

/**
 * @param matches sample matches, in any order. Matches without this side, or against itself, are ignored. @param points
 * points that the tournament awards the side for a match; by default, three for a win and one for a draw
 */
export function computeForm(
  matches: readonly PlayedMatch[],
  sideId: number,
  points: (match: SideMatch) => number = threePoints,
): Form {
  const all = newestFirst(matches).flatMap((match) => seenBy(sideId, match));
  const block = (sample: readonly SideMatch[]) => formBlock(sample, points);
  const overall = block(all);
  return {
    overall,
    last5: block(all.slice(0, 5)),
    last10: block(all.slice(0, 10)),
    home: block(all.filter(({ match }) => isPlayedAt('home', sideId, match))),
    away: block(all.filter(({ match }) => isPlayedAt('away', sideId, match))),
    streaks: computeStreaks(all),
  };
}

/** @returns an empty list if the side did not play in the match, or played against itself */
export function seenBy(sideId: number, match: PlayedMatch): SideMatch[] {
  const atHome = match.home_id === sideId;
  if (atHome === (match.away_id === sideId)) return [];
  return [
    {
      outcome: match.winner === 'draw' ? 'draw' : (match.winner === 'home') === atHome ? 'win' : 'loss',
      scored: atHome ? match.home_score : match.away_score,
      conceded: atHome ? match.away_score : match.home_score,
      match,
    },
  ];
}

/** @param sample newest first */
function formBlock(sample: readonly SideMatch[], points: (match: SideMatch) => number): FormBlock {
  const count = (counts: (match: SideMatch) => boolean) => sample.filter(counts).length;
  const outcomes = (wanted: Outcome) => count(({ outcome }) => outcome === wanted);
  const [w, d, l] = [outcomes('win'), outcomes('draw'), outcomes('loss')];
  return {
    matches: sample.length,
    w,
    d,
    l,
    ...computeRates(sample, points),
    win_pct: percentage(w, sample.length),
    draw_pct: percentage(d, sample.length),
    loss_pct: percentage(l, sample.length),
    ...computeStreaks(sample),
    form: sample
      .slice(0, LATEST)
      .map(({ outcome }) => LETTERS[outcome])
      .join(''),
  };
}

function computeRates(sample: readonly SideMatch[], points: (match: SideMatch) => number) {
  const average = (value: (match: SideMatch) => number) =>
    meanOrNull(
      sample.reduce((sum, match) => sum + value(match), 0),
      sample.length,
    );
  const percent = (counts: (match: SideMatch) => boolean) => percentage(sample.filter(counts).length, sample.length);
  const goals = ({ scored, conceded }: SideMatch) => scored + conceded;
  return {
    ppg: average(points),
    gf_avg: average(({ scored }) => scored),
    ga_avg: average(({ conceded }) => conceded),
    goals_avg: average(goals),
    over_1_5: percent((match) => goals(match) > 1.5),
    over_2_5: percent((match) => goals(match) > 2.5),
    over_3_5: percent((match) => goals(match) > 3.5),
    btts: percent(({ scored, conceded }) => scored > 0 && conceded > 0),
    clean_sheet: percent(({ conceded }) => conceded === 0),
    failed_to_score: percent(({ scored }) => scored === 0),
  };
}

/** @param sample newest first */
function computeStreaks(sample: readonly SideMatch[]): Streaks {
  const run = (continues: (match: SideMatch) => boolean) => {
    const end = sample.findIndex((match) => !continues(match));
    return end < 0 ? sample.length : end;
  };
  const newest = sample[0];
  return {
    streak: newest ? { type: newest.outcome, len: run(({ outcome }) => outcome === newest.outcome) } : null,
    unbeaten_run: run(({ outcome }) => outcome !== 'loss'),
    scoring_run: run(({ scored }) => scored > 0),
    cleansheet_run: run(({ conceded }) => conceded === 0),
  };
}
