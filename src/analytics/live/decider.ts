/** Uses the season's bracket to find out whether a match decides a tie. */
import { findSeason, mayBeInTie, type RoundOfMatch, seasonRounds } from '../../competitions/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { Decider } from '../../in-play/index.ts';
import { formatDate } from '../samples/match-samples.ts';

/**
 * @param now ms since 1970
 * @returns null for a match that is not known to decide a tie, such as a league match, a first leg or a game in a
 * series
 */
export async function findDecider(
  db: Queryable,
  match: RoundOfMatch & { id: number; tournament_id: number; season_id: number; home_id: number },
  now: number,
): Promise<Decider | null> {
  const season = await findSeason(db, match.tournament_id, match.season_id, formatDate(now / 1000));
  if (season === null || !mayBeInTie(season, match)) return null;
  const { rounds } = await seasonRounds(db, season, now);
  const isMatch = ({ event_id }: { event_id: number | null }) => event_id === match.id;
  const tie = rounds.flatMap(({ matchups }) => matchups).find(({ legs }) => legs.some(isMatch));
  const [first, second, ...others] = tie?.legs ?? [];
  if (tie === undefined || first === undefined || others.length > 0) return null;
  if (second === undefined) return isMatch(first) ? { lead: 0 } : null;
  if (!isMatch(second) || first.score === null) return null;
  // The first score is that of the tie's first side, even if it played away.
  const lead = first.score[0] - first.score[1];
  return { lead: tie.sides[0] === match.home_id ? lead : -lead };
}
