/** Selects and orders the teams that are ranked on a day. Pure. */
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import type { ClubElo } from './clubs.ts';
import type { TeamRatings } from './elo.ts';
import type { LeagueLinks } from './league-links.ts';

/** Minimum number of matches for a place in the ranking; fewer say little about a team (eloratings.net/about). */
const LEAST_MATCHES = 30;
/** A national team is not ranked after this time without a match. It is about the time between two World Cups. */
const NATIONAL_ABSENCE_SECONDS = 4 * 365.25 * SECONDS_PER_DAY;
/** Leagues are not compared if their clubs have not met for this time. */
const LINK_SECONDS = 5 * 365.25 * SECONDS_PER_DAY;
const DECIMALS = 10;

export interface RatedTeam {
  participant_id: number;
  /** Teams with the same points share a rank. */
  rank: number;
  /** Rounded to one decimal. */
  points: number;
}

/** @param time in seconds since 1970 */
export const ratedNationals = (ratings: TeamRatings, time: number): RatedTeam[] =>
  inOrder(ratings, ratings.present(LEAST_MATCHES, time - NATIONAL_ABSENCE_SECONDS));

/**
 * Returns the clubs in comparable leagues, ranked, and the other countries.
 * @param time in seconds since 1970
 */
export function ratedClubs(elo: ClubElo, links: LeagueLinks, time: number): { ranked: RatedTeam[]; apart: string[] } {
  const countries = new Set([...elo.memberships.values()].map(({ country }) => country));
  const clubs = new Map([...countries].map((country) => [country, elo.leagueClubs(country, time)]));
  const counts = new Map([...clubs].flatMap(([country, of]) => (of.length > 0 ? [[country, of.length] as const] : [])));
  const group = links.largestGroup(counts, time - LINK_SECONDS);
  return {
    ranked: inOrder(
      elo.ratings,
      [...group].flatMap((country) => clubs.get(country) ?? []),
    ),
    apart: [...counts.keys()].filter((country) => !group.has(country)).toSorted(),
  };
}

/** Orders teams by rounded points. */
export function inOrder(ratings: TeamRatings, teams: readonly number[]): RatedTeam[] {
  const rated = teams
    .map((team) => ({ participant_id: team, points: Math.round(ratings.of(team)! * DECIMALS) / DECIMALS }))
    .toSorted((a, b) => b.points - a.points || a.participant_id - b.participant_id);
  let [rank, points] = [1, Number.POSITIVE_INFINITY];
  return rated.map((team, index) => {
    if (team.points < points) rank = index + 1;
    points = team.points;
    return { ...team, rank };
  });
}
