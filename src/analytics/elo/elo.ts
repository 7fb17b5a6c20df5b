/** Formulas and types that all Elo ratings share. Pure. */

export interface EloMatch {
  id: number;
  /** Seconds since 1970. */
  start: number;
  home_id: number;
  away_id: number;
  /** Includes extra time, but no shoot-out. A match decided by a shoot-out counts as a draw. */
  home_score: number;
  away_score: number;
  /** The side that plays at home; null at a neutral venue. */
  host: 'home' | 'away' | null;
}

/** Lead in points at which a side is expected to score ten times as much as its opponent. */
const SCALE = 400;

/**
 * Expected result between 0 and 1 for a side that leads by `difference` points, where a win is 1 and a draw 0.5 (A. E. Elo, The Rating of
 * Chessplayers, 1978). Both sides' expected results add up to 1.
 */
export const expectedResult = (difference: number): number => 1 / (1 + 10 ** (-difference / SCALE));

/** Returns the home side's result, which is 1, 0.5 or 0. */
export const eloResult = ({ home_score, away_score }: EloMatch): number =>
  home_score > away_score ? 1 : home_score < away_score ? 0 : 0.5;

export const hostSign = ({ host }: EloMatch): 1 | 0 | -1 => (host === 'home' ? 1 : host === 'away' ? -1 : 0);

/**
 * Ratings that change day by day. All matches on a day use the ratings from before that day, so their order within the day does not matter.
 */
export interface EloModel<M extends EloMatch> {
  /** Returns the home side's lead in points, home advantage included. */
  difference(match: M): number;
  /** Applies all matches on one day. */
  play(day: readonly M[]): void;
}

/** Ratings and number of matches played so far for a model's teams. */
export class TeamRatings {
  readonly #points = new Map<number, number>();
  readonly #played = new Map<number, number>();
  readonly #last = new Map<number, number>();

  /** Returns the team's rating; undefined before `enter`. */
  of(team: number): number | undefined {
    return this.#points.get(team);
  }

  enter(team: number, points: number): void {
    this.#points.set(team, points);
  }

  /** @throws Error for a team that has not entered */
  add(team: number, points: number): void {
    const before = this.#points.get(team);
    if (before === undefined) throw new Error(`team ${team} has no rating`);
    this.#points.set(team, before + points);
  }

  /** @param start when the match started, in seconds since 1970 */
  notePlayed(team: number, start: number): void {
    this.#played.set(team, (this.#played.get(team) ?? 0) + 1);
    this.#last.set(team, start);
  }

  /** Returns the number of matches that the team has played. */
  played(team: number): number {
    return this.#played.get(team) ?? 0;
  }

  /** Returns when the team's last match started, in seconds since 1970; undefined before the first match. */
  last(team: number): number | undefined {
    return this.#last.get(team);
  }

  teams(): IterableIterator<number> {
    return this.#points.keys();
  }

  /**
   * Returns the teams that have played at least this many matches, and whose last match started after the given time.
   * @param since in seconds since 1970
   */
  present(leastMatches: number, since: number): number[] {
    return [...this.#last].flatMap(([team, last]) => (this.played(team) >= leastMatches && last > since ? team : []));
  }
}
