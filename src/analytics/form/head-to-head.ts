/** Earlier matches between two sides. Pure. */
import { meanOrNull, percentage } from '../rounding.ts';
import { formatDate, newestFirst, type PlayedMatch } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';

const RECENT = 10;

/** `h2h` in the pre-match analytics. */
type HeadToHead = Omit<AnalyticsCard['h2h'], 'explain'>;

/**
 * @param matches catalogue matches before the match date, in any order. Those not between these two sides are ignored.
 * @param teamA the home side in the analysed match; in earlier matches, it may have been home or away
 */
export function headToHead(matches: readonly PlayedMatch[], teamA: number, teamB: number): HeadToHead {
  const isHome = ({ home_id }: PlayedMatch) => home_id === teamA;
  const met = newestFirst(matches).filter(
    ({ home_id, away_id }) =>
      teamA !== teamB && ((home_id === teamA && away_id === teamB) || (home_id === teamB && away_id === teamA)),
  );
  const count = (counts: (match: PlayedMatch) => boolean) => met.filter(counts).length;
  return {
    matches: met.length,
    team_a_wins: count((match) => match.winner === (isHome(match) ? 'home' : 'away')),
    draws: count(({ winner }) => winner === 'draw'),
    team_b_wins: count((match) => match.winner === (isHome(match) ? 'away' : 'home')),
    goals_avg: meanOrNull(
      met.reduce((goals, { home_score, away_score }) => goals + home_score + away_score, 0),
      met.length,
    ),
    over_2_5: percentage(
      count(({ home_score, away_score }) => home_score + away_score > 2.5),
      met.length,
    ),
    btts: percentage(
      count(({ home_score, away_score }) => home_score > 0 && away_score > 0),
      met.length,
    ),
    recent: met.slice(0, RECENT).map((match) => ({
      date: formatDate(match.start),
      score: `${match.home_score}:${match.away_score}`,
      home: isHome(match) ? 'team_a' : 'team_b',
      ...(match.shootout && { shootout: true }),
    })),
  };
}
