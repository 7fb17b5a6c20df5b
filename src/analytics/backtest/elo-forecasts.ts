/** Elo forecasts for past matches, each from the ratings before the match day. Pure, except for reading the source. */
import { findSport } from '../../sports/sports.ts';
import { ClubElo, type ClubMatch } from '../elo/clubs.ts';
import { differencesBefore } from '../elo/differences.ts';
import { NationalTeamElo } from '../elo/national-teams.ts';
import { CLUB_OUTCOMES, NATIONAL_OUTCOMES, type OutcomeCurve, outcomeForecast } from '../elo/outcomes.ts';
import type { HistoryMatch, HistoryTournament, MatchSource } from '../history/match-source.ts';
import type { EloForecasts } from './match-forecasts.ts';

/** Stand-in values for a tournament that is rated in isolation. */
const ALONE = { country: 'alone', tier: 1, importance: 90 };

/**
 * If the source has ratings over all tournaments, they are used. They do not cover women's, amateur and regional teams, which are therefore
 * rated within one tournament. If the source has no ratings, every team is rated in this way. Sports other than football have no ratings.
 */
export async function eloForecasts(
  source: MatchSource,
): Promise<(tournament: HistoryTournament, matches: readonly HistoryMatch[]) => EloForecasts> {
  const rated = await source.ratedMatches?.();
  const all: EloForecasts = rated
    ? new Map([
        ...toForecasts(differencesBefore(new NationalTeamElo(), rated.national), NATIONAL_OUTCOMES),
        ...toForecasts(differencesBefore(new ClubElo(rated.seasons), rated.clubs), CLUB_OUTCOMES),
      ])
    : new Map();
  return ({ id, sport }, matches) => {
    if (!findSport(sport)?.elo) return new Map();
    if (matches.every((match) => all.has(match.id))) return all;
    const alone = leagueForecasts(id, matches);
    return new Map(matches.map((match) => [match.id, all.get(match.id) ?? alone.get(match.id)!]));
  };
}

const toForecasts = (differences: ReadonlyMap<number, number>, curve: OutcomeCurve): EloForecasts =>
  new Map([...differences].map(([id, difference]) => [id, outcomeForecast(difference, curve)]));

function leagueForecasts(tournament: number, matches: readonly HistoryMatch[]): EloForecasts {
  const labels = [...new Set(matches.map(({ season }) => season))].sort();
  const seasons = new Map(labels.map((_, index) => [index, new Set<number>()]));
  const league = matches.map((match): ClubMatch => {
    const season_id = labels.indexOf(match.season);
    seasons.get(season_id)!.add(match.home_id).add(match.away_id);
    return { ...match, ...ALONE, tournament_id: tournament, season_id, host: match.neutral ? null : 'home' };
  });
  return toForecasts(differencesBefore(new ClubElo(seasons), league), CLUB_OUTCOMES);
}
