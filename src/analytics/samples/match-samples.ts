/** Samples for a match's analytics, with only matches before the match date. Pure. */
import { DAY_SECONDS, utcDay } from '../../wire/time.ts';

export const SECONDS_PER_DAY = DAY_SECONDS;
/** Length of the model's sample, about 2.5 years. */
export const MODEL_DAYS = 913;

/**
 * Status details, as an SQL list, for matches that were not played to the end, or whose score was not achieved by playing. Standings count
 * awarded matches and walkovers, while form, meetings and models do not.
 */
export const NOT_PLAYED = "('abandoned', 'cancelled', 'awarded', 'walkover')";

/** Names of the form samples. A form sample is the set of matches that form counts. */
export const FORM_SAMPLES = ['season', 'window', 'all'] as const;
export type FormSampleName = (typeof FORM_SAMPLES)[number];

/** A match with a result that counts. */
export interface PlayedMatch {
  id: number;
  /** Seconds since 1970. */
  start: number;
  home_id: number;
  away_id: number;
  home_score: number;
  away_score: number;
  /** Winner by the final result. In football, a match with a shoot-out is a draw; in hockey, the winner of the shoot-out wins. */
  winner: 'home' | 'away' | 'draw';
  /** True if the match was decided after overtime, extra time or a shoot-out. */
  overtime?: boolean;
  /** True if a shoot-out decided the match. */
  shootout?: boolean;
  /** True if the venue was neutral, or if it was the away side's home. */
  neutral?: boolean;
}

/**
 * SQL that says whether a match `m` in a tournament `t` with a home side `h` is at a neutral venue. Between countries, and between clubs
 * from different countries, the country of the venue `v` decides, because each source orders the sides by its own rules. Otherwise the
 * source decides.
 */
export const NEUTRAL = `CASE WHEN t.country = 'INT' AND v.country IS NOT NULL AND h.country IS NOT NULL THEN v.country <> h.country
  ELSE coalesce(m.neutral, false) END`;

/** True if a match counts as the side's home match, or away match if `venue` is `away`. A match at a neutral venue counts only in total. */
export const isPlayedAt = (venue: 'home' | 'away', sideId: number, match: PlayedMatch): boolean =>
  match.neutral !== true && match[`${venue}_id`] === sideId;

/** @returns YYYY-MM-DD in UTC */
export const formatDate = (start: number): string => utcDay(start * 1000);

export const startOfDay = (start: number): number => Math.floor(start / SECONDS_PER_DAY) * SECONDS_PER_DAY;

/** @returns the first and last match day, YYYY-MM-DD; null without a match */
export function playedPeriod(matches: readonly { start: number }[]): { from: string; to: string } | null {
  if (matches.length === 0) return null;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start } of matches) [first, last] = [Math.min(first, start), Math.max(last, start)];
  return { from: formatDate(first), to: formatDate(last) };
}

/** Returns the matches that start before the UTC day of the given match. Matches on the same day are excluded. */
export const playedBefore = <M extends { start: number }>(start: number, matches: readonly M[]): M[] =>
  matches.filter((match) => match.start < startOfDay(start));

/** Returns the matches from the `days` days before the UTC day of the given match. */
export const lastDays = <M extends { start: number }>(start: number, matches: readonly M[], days: number): M[] =>
  playedBefore(start, matches).filter((match) => match.start >= startOfDay(start) - days * SECONDS_PER_DAY);

/** Returns the matches from the 913 days before the UTC day of the given match. */
export const modelSample = <M extends { start: number }>(start: number, matches: readonly M[]): M[] =>
  lastDays(start, matches, MODEL_DAYS);

/**
 * Returns the matches, newest first. Matches with the same start are ordered by id, so the input order does not matter.
 */
export const newestFirst = <M extends { start: number; id: number }>(matches: readonly M[]): M[] =>
  matches.toSorted((a, b) => b.start - a.start || b.id - a.id);
