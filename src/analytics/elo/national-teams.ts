/**
 * Elo ratings for national teams, by the World Football Elo Ratings formula (eloratings.net/about, R. Runyan 1997). A match moves K × G ×
 * (W − We) points between the two sides. We add a rule that is not published there: all teams start with the same rating. Pure.
 */
import { type EloMatch, type EloModel, eloResult, expectedResult, hostSign, TeamRatings } from './elo.ts';

export interface NationalMatch extends EloMatch {
  /** The tournament's K (see match-weights.ts). */
  weight: number;
}

const FIRST_RATING = 1500;
/** Points that home advantage is worth. */
const HOME_ADVANTAGE = 100;

/** G is 1 for a draw or a one-goal win, 1.5 for two goals, and (11 + N) ÷ 8 for N goals from three on. */
export function goalIndex(goals: number): number {
  const margin = Math.abs(goals);
  if (margin <= 1) return 1;
  return margin === 2 ? 1.5 : (11 + margin) / 8;
}

export class NationalTeamElo implements EloModel<NationalMatch> {
  readonly ratings = new TeamRatings();

  difference(match: NationalMatch): number {
    return this.#of(match.home_id) - this.#of(match.away_id) + HOME_ADVANTAGE * hostSign(match);
  }

  play(day: readonly NationalMatch[]): void {
    const played = day.map((match) => {
      const surprise = eloResult(match) - expectedResult(this.difference(match));
      return { ...match, points: match.weight * goalIndex(match.home_score - match.away_score) * surprise };
    });
    for (const { home_id, away_id, start, points } of played) {
      for (const team of [home_id, away_id]) {
        if (this.ratings.of(team) === undefined) this.ratings.enter(team, FIRST_RATING);
        this.ratings.notePlayed(team, start);
      }
      this.ratings.add(home_id, points);
      this.ratings.add(away_id, -points);
    }
  }

  #of(team: number): number {
    return this.ratings.of(team) ?? FIRST_RATING;
  }
}
