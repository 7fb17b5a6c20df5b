/** A sport's margin ratings, before each match and for all teams on each publication day. Pure. */
import type { MarginRating } from '../../sports/margin-rating.ts';
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { MarginElo, type RatingsBefore } from './margin-elo.ts';
import type { MarginFixture } from './margin-matches.ts';
import { inOrder, type RatedTeam } from './ranked-teams.ts';
import { type Pause, publish, type Ratings } from './ratings.ts';

/** Minimum number of matches for a place in the ranking, since fewer say little about a team. */
const LEAST_MATCHES = 10;
/** After this time without a match, a team is not ranked. It allows for a break between seasons and a late season. */
const ABSENT_SECONDS = 400 * SECONDS_PER_DAY;

export interface MarginRatings extends Ratings {
  /** Ratings with which the sides enter each match, by match id. */
  before: Map<number, RatingsBefore>;
}

/** @param today YYYY-MM-DD */
export async function marginRatings(
  parameters: MarginRating,
  fixtures: readonly MarginFixture[],
  today: string,
  pause: Pause,
): Promise<MarginRatings> {
  const elo = new MarginElo(parameters);
  const before = new Map<number, RatingsBefore>();
  const listed = new Set<number>();
  const model = {
    difference: (match: MarginFixture) => elo.difference(match),
    play(day: readonly MarginFixture[]) {
      for (const match of day) before.set(match.id, elo.before(match));
      const played = day.filter(({ counts }) => counts);
      elo.play(played);
      for (const { ranks, home_id, away_id } of played) if (ranks) listed.add(home_id).add(away_id);
    },
  };
  const rankedAt = (time: number): RatedTeam[] =>
    inOrder(
      elo.ratings,
      elo.ratings.present(LEAST_MATCHES, time - ABSENT_SECONDS).filter((team) => listed.has(team)),
    );
  const counted = fixtures.filter(({ counts }) => counts);
  const { snapshots } = await publish(model, { matches: fixtures, counted }, today, pause, rankedAt);
  return { matches: counted.length, snapshots, apart: [], before };
}
