/** Uses the season's bracket to find out whether a match decides a tie. */
import { findSeason, seasonBracket } from '../../competitions/index.ts';
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
  match: { id: number; tournament_id: number; season_id: number; home_id: number },
  now: number,
): Promise<Decider | null> {
  const season = await findSeason(db, match.tournament_id, match.season_id, formatDate(now / 1000));
  if (season === null) return null;
  const { rounds } = await seasonBracket(db, season, now);
  const tie = rounds.flatMap(({ matchups }) => matchups).find(({ event_ids }) => event_ids.includes(match.id));
  const [first, second, ...others] = tie?.legs ?? [];
  if (tie === undefined || first === undefined || others.length > 0) return null;
  if (second === undefined) return first.event_id === match.id ? { lead: 0 } : null;
  const { home_score, away_score } = first;
  if (second.event_id !== match.id || home_score === null || away_score === null) return null;
  // The first score is that of the tie's first team, even if it played away.
  const lead = home_score - away_score;
  return { lead: tie.teams[0]?.participant_id === match.home_id ? lead : -lead };
}
