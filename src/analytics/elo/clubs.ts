/**
 * Club Elo ratings by the method that the Football Club Elo Ratings use (clubelo.com/System and clubelo.com/Articles,
 * L. Schiefler). A match moves 20 × F × (R − E) points between the two sides. Home advantage adapts in each country. A
 * match between two leagues also moves points between all clubs in these leagues. Promoted clubs take over the
 * relegated clubs' ratings. Pure.
 *
 * We add rules because results are stored for some leagues and years only. A league has an initial rating (clubelo has
 * results since 1939). If a club's league is not stored, only the club wins or loses points, and no league does. The
 * two legs of a tie are two matches. No match changes the sum of all ratings.
 */
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { type EloMatch, type EloModel, eloResult, expectedResult, hostSign, TeamRatings } from './elo.ts';

export interface ClubMatch extends EloMatch {
  tournament_id: number;
  season_id: number;
  /** The tournament's country code; INT for matches between clubs from different countries. */
  country: string;
  /** 1 is the highest; null if the tournament is not a league. */
  tier: number | null;
  /** The tournament's importance, 0 to 100. */
  importance: number;
}

/** The K factor, by which points are multiplied. */
const WEIGHT = 20;
/** Initial home advantage in every country. Clubelo starts international matches, which begin in 1955, with 250. */
const FIRST_HOME_ADVANTAGE = 100;
/** A country's home advantage rises by this share of the points that home sides win, and falls if they lose points. */
const HOME_ADVANTAGE_RATE = 0.075;
/** For each point that two clubs exchange, the points that their leagues exchange, for one stored level and for two or more. */
const LEAGUE_POINTS = { one: 5, more: 11 };
/**
 * A league with importance 90 starts with rating 1700. Each point less in importance lowers the rating by 8. The line
 * fits the averages that 15 leagues have on clubelo.com (10 March 2026: first level England 1841, Spain 1684, Germany
 * 1676, …, Scotland 1344; second 1528 to 1418).
 */
const START = { rating: 1700, importance: 90, slope: 8 };
/** Importance for a club whose league is not stored. */
const UNKNOWN_IMPORTANCE = 30;
/**
 * After this time without a match, a club has left its league and is rated from scratch. It allows for a late season.
 */
const ABSENT_SECONDS = 400 * SECONDS_PER_DAY;
/** If no relegated club is known, promoted clubs get the average rating of this many of the lowest-rated clubs. */
const WORST = 3;

export const startingRating = (importance: number): number =>
  START.rating + START.slope * (importance - START.importance);

/** Returns F, the square root of the goal difference; 1 for a draw. */
export const marginFactor = (goals: number): number => Math.sqrt(Math.max(1, Math.abs(goals)));

/** A club's league, by its last league match. */
export interface Membership {
  country: string;
  tier: number;
  /** When the last league match started, in seconds since 1970. */
  last: number;
}

export class ClubElo implements EloModel<ClubMatch> {
  readonly ratings = new TeamRatings();
  readonly memberships = new Map<number, Membership>();
  readonly #homeAdvantage = new Map<string, number>();
  /** Clubs in each season, known from the fixtures. */
  readonly #clubs: ReadonlyMap<number, ReadonlySet<number>>;
  /** Each tournament's current season. */
  readonly #season = new Map<number, number>();

  /** @param clubs all clubs in each season, including clubs that have not played yet */
  constructor(clubs: ReadonlyMap<number, ReadonlySet<number>>) {
    this.#clubs = clubs;
  }

  difference(match: ClubMatch): number {
    const lead = this.#expected(match, match.home_id) - this.#expected(match, match.away_id);
    return lead + hostSign(match) * this.#ground(match.country);
  }

  play(day: readonly ClubMatch[]): void {
    for (const match of day) this.#enter(match);
    const played = day.map((match) => {
      const surprise = eloResult(match) - expectedResult(this.difference(match));
      return { match, points: WEIGHT * marginFactor(match.home_score - match.away_score) * surprise };
    });
    const leagues = played.map(({ match, points }) => this.#leagueExchange(match, points));
    for (const { match, points } of played) {
      this.ratings.add(match.home_id, points);
      this.ratings.add(match.away_id, -points);
      const won = hostSign(match) * points;
      this.#homeAdvantage.set(match.country, this.#ground(match.country) + HOME_ADVANTAGE_RATE * won);
    }
    for (const exchange of leagues)
      for (const { clubs, points } of exchange) for (const club of clubs) this.ratings.add(club, points / clubs.length);
    for (const { match } of played) this.#notePlayed(match);
  }

  /** Returns the clubs that have played in the country's leagues in the last 400 days. */
  leagueClubs(country: string, time: number): number[] {
    return [...this.memberships].flatMap(([club, membership]) =>
      membership.country === country && membership.last > time - ABSENT_SECONDS ? [club] : [],
    );
  }

  #ground(country: string): number {
    return this.#homeAdvantage.get(country) ?? FIRST_HOME_ADVANTAGE;
  }

  /** Returns the rating with which the club enters the match. */
  #expected(match: ClubMatch, club: number): number {
    const known = this.ratings.of(club);
    if (known !== undefined && !this.#isNewcomer(match, club)) return known;
    return this.#newcomerRating(match, club) ?? known ?? startingRating(this.#importanceFor(match));
  }

  #importanceFor({ country, importance }: ClubMatch): number {
    return country === 'INT' ? UNKNOWN_IMPORTANCE : importance;
  }

  /** True if the club is new in the league and has no recent rating. */
  #isNewcomer({ tier, start, tournament_id, season_id }: ClubMatch, club: number): boolean {
    const last = this.ratings.last(club);
    if (last !== undefined && last > start - ABSENT_SECONDS) return false;
    const before = this.#season.get(tournament_id);
    return tier !== null && before !== season_id && !(before !== undefined && this.#clubs.get(before)?.has(club));
  }

  /**
   * Returns the average rating of the clubs that have left the league. If none of them is rated, returns the worst clubs' average. Returns
   * undefined if the club is not a newcomer, or if this is the first stored season.
   */
  #newcomerRating({ tier, tournament_id, season_id }: ClubMatch, club: number): number | undefined {
    const before = this.#season.get(tournament_id);
    if (tier === null || before === undefined || before === season_id) return undefined;
    const former = this.#clubs.get(before) ?? new Set();
    if (former.has(club)) return undefined;
    const present = this.#clubs.get(season_id) ?? new Set();
    const rated = (clubs: Iterable<number>) =>
      [...clubs].flatMap((one) => this.ratings.of(one) ?? []).toSorted((a, b) => a - b);
    const left = rated([...former].filter((one) => !present.has(one)));
    const models = left.length > 0 ? left : rated(former).slice(0, WORST);
    return models.length > 0 ? models.reduce((sum, rating) => sum + rating, 0) / models.length : undefined;
  }

  /** At a season's first match, all newcomers are rated together, so that no newcomer's rating depends on another's first match. */
  #enter(match: ClubMatch): void {
    const { tier, tournament_id, season_id, home_id, away_id } = match;
    if (tier !== null && this.#season.get(tournament_id) !== season_id) {
      const clubs = [...(this.#clubs.get(season_id) ?? [])];
      const entering = clubs.map((club) => [club, this.#expected(match, club)] as const);
      this.#season.set(tournament_id, season_id);
      for (const [club, rating] of entering) this.ratings.enter(club, rating);
    }
    for (const club of [home_id, away_id])
      if (this.ratings.of(club) === undefined) this.ratings.enter(club, this.#expected(match, club));
  }

  /** Returns the points that an international match moves between all clubs in the two sides' leagues. */
  #leagueExchange({ home_id, away_id, start }: ClubMatch, points: number): { clubs: number[]; points: number }[] {
    const countries = [home_id, away_id].map((club) => {
      const membership = this.memberships.get(club);
      return membership && membership.last > start - ABSENT_SECONDS ? membership.country : undefined;
    });
    const [home, away] = countries;
    if (home === undefined || away === undefined || home === away) return [];
    const [ours, theirs] = [this.leagueClubs(home, start), this.leagueClubs(away, start)];
    const levels = (clubs: readonly number[]) => new Set(clubs.map((club) => this.memberships.get(club)!.tier)).size;
    const factor = Math.min(levels(ours), levels(theirs)) > 1 ? LEAGUE_POINTS.more : LEAGUE_POINTS.one;
    return [
      { clubs: ours, points: points * factor },
      { clubs: theirs, points: -points * factor },
    ];
  }

  #notePlayed({ home_id, away_id, start, country, tier }: ClubMatch): void {
    for (const club of [home_id, away_id]) {
      this.ratings.notePlayed(club, start);
      if (tier !== null && country !== 'INT') this.memberships.set(club, { country, tier, last: start });
    }
  }
}
