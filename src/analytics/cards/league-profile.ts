/** Computes a tournament's profile, which sums up its matches. */
import type { z } from 'zod';
import { meanOrNull, percentage } from '../rounding.ts';
import { formatDate, MODEL_DAYS, SECONDS_PER_DAY } from '../samples/match-samples.ts';
import type { leagueProfile } from '../schema.ts';
import type { Card } from './cards.ts';
import { leagueProfileCounts, type Window } from './history-queries.ts';
import type { AnalyticsStores } from './match-card.ts';
import type { TournamentSubject } from './subjects.ts';

type LeagueProfile = z.infer<typeof leagueProfile>;

/** A profile's figures. For the last 913 days, `window_from` and `window_to` are null, because they depend on the day of the request. */
export type ProfileFacts = Omit<LeagueProfile, 'tournament_id' | 'name' | 'name_ru' | 'sport' | 'computed_at'>;

/** Returns the last 913 days, today included. @param now ms since 1970 */
function lastDays(now: number): Window {
  const before = Math.floor(now / 1_000 / SECONDS_PER_DAY) + 1;
  return { from: before - MODEL_DAYS, before };
}

/**
 * @param season season to profile; if undefined, the profile covers the last 913 days, today included
 * @param now ms since 1970
 */
export async function computeProfile(
  { clickhouse }: Pick<AnalyticsStores, 'clickhouse'>,
  { era, tournament_id }: TournamentSubject,
  season: number | undefined,
  now: number,
): Promise<ProfileFacts> {
  const counts = await leagueProfileCounts(clickhouse, {
    era,
    tournament: tournament_id,
    sample: season === undefined ? lastDays(now) : { season },
  });
  const { matches, home_goals, away_goals, first, last } = counts;
  const percent = (part: number) => percentage(part, matches);
  const formatDay = (start: number | null) => (start === null ? null : formatDate(start));
  return {
    window_from: season === undefined ? null : formatDay(first),
    window_to: season === undefined ? null : formatDay(last),
    matches,
    avg_goals: meanOrNull(home_goals + away_goals, matches),
    avg_home_goals: meanOrNull(home_goals, matches),
    avg_away_goals: meanOrNull(away_goals, matches),
    home_win_pct: percent(counts.home_wins),
    draw_pct: percent(counts.draws),
    away_win_pct: percent(counts.away_wins),
    over_2_5_pct: percent(counts.over_2_5),
    over_3_5_pct: percent(counts.over_3_5),
    btts_pct: percent(counts.btts),
  };
}

/**
 * @param season as for `computeProfile`
 * @param now ms since 1970
 */
export function renderProfile(
  { tournament_id, name, name_ru, sport }: TournamentSubject,
  { facts, computed_at }: Card<ProfileFacts>,
  season: number | undefined,
  now: number,
): LeagueProfile {
  const { from, before } = lastDays(now);
  const window = {
    window_from: formatDate(from * SECONDS_PER_DAY),
    window_to: formatDate((before - 1) * SECONDS_PER_DAY),
  };
  return { tournament_id, name, name_ru, sport, ...facts, ...(season === undefined && window), computed_at };
}
