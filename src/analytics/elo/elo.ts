/** What the Elo ratings of national teams and of clubs have in common. Pure. */

export interface EloMatch {
  id: number;
  /** Seconds since 1970. */
  start: number;
  home_id: number;
  away_id: number;
  /** With extra time, without a shoot-out: a match that ends in one is a draw. */
  home_score: number;
  away_score: number;
  /** Whose ground it is; null: neutral. */
  host: 'home' | 'away' | null;
}

/** Points by which a side must be ahead to be expected to score ten times as much as the other. */
const SCALE = 400;

/**
 * The expected result of a side that is `difference` points ahead: between 0 and 1, where a win is 1 and a draw 0.5 (A. E. Elo, The
 * Rating of Chessplayers, 1978). Those of the two sides add up to 1.
 */
export const expectedResult = (difference: number): number => 1 / (1 + 10 ** (-difference / SCALE));

/** Of the home side: 1, 0.5 or 0. */
export const eloResult = ({ home_score, away_score }: EloMatch): number =>
  home_score > away_score ? 1 : home_score < away_score ? 0 : 0.5;

export const hostSign = ({ host }: EloMatch): 1 | 0 | -1 => (host === 'home' ? 1 : host === 'away' ? -1 : 0);

/** Ratings that change day by day: all matches of a day are compared with the ratings before it, so that their order does not count. */
export interface EloModel<M extends EloMatch> {
  /** By how many points the home side is ahead, its ground included. */
  difference(match: M): number;
  /** Plays all matches of one day. */
  play(day: readonly M[]): void;
}

/** What happened so far to the teams of a model. */
export class TeamRatings {
  readonly #points = new Map<number, number>();
  readonly #played = new Map<number, number>();
  readonly #last = new Map<number, number>();

  /** Undefined before `enter`. */
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

  /** @param start of the match, in seconds since 1970 */
  notePlayed(team: number, start: number): void {
    this.#played.set(team, (this.#played.get(team) ?? 0) + 1);
    this.#last.set(team, start);
  }

  /** All matches of the team. */
  played(team: number): number {
    return this.#played.get(team) ?? 0;
  }

  /** Start of its last match, in seconds since 1970; undefined without one. */
  last(team: number): number | undefined {
    return this.#last.get(team);
  }

  teams(): IterableIterator<number> {
    return this.#points.keys();
  }
}
