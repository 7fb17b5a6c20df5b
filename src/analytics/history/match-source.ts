/** Match history for fitting and evaluating models. */
import type { Incident } from '../../wire/match.ts';
import type { CalibratedMatch } from '../calibrated/columns.ts';
import type { RatedMatches } from '../elo/rated-matches.ts';

/** Bookmakers' decimal prices before the start. Each is either the best price or an average. Prices for goals are optional. */
export interface HistoryOdds {
  home: number;
  draw: number;
  away: number;
  over_2_5: number | null;
  under_2_5: number | null;
}

/** Probabilities published before the start. They add up to 1. */
export interface PublishedForecast {
  home: number;
  draw: number;
  away: number;
}

/** Matches are forecast if they start at or after `from` and before `to`, in seconds since 1970. */
export interface Period {
  from: number;
  to: number;
}

/** The matches on which a model is fitted or evaluated. */
export interface HistoryFilter extends Period {
  /** Tournament ids; by default, all tournaments with a model. */
  tournaments?: readonly number[];
}

/** A match with a result that counts. */
export interface HistoryMatch extends CalibratedMatch {
  id: number;
  /** Season label, such as 2015/16. */
  season: string;
  /** Null or absent if no odds are stored. */
  odds?: HistoryOdds | null;
  /** FiveThirtyEight's forecast by SPI ratings; null or absent if none is stored. */
  spi?: PublishedForecast | null;
}

export interface HistoryTournament {
  id: number;
  name: string;
  /** Slug. */
  sport: string;
}

/** Source of past matches, either this installation's database or files. */
export interface MatchSource {
  tournaments(): Promise<HistoryTournament[]>;
  /** Returns all matches with a result that counts, in any order. */
  matches(tournamentId: number): Promise<HistoryMatch[]>;
  /**
   * Returns the matches for the Elo ratings, from all tournaments. A source without this method has no national teams, and its team ids are
   * valid only within one tournament.
   */
  ratedMatches?(): Promise<RatedMatches>;
  /** Returns the incidents, by match id, for matches that start at or after `from` and before `to`, in seconds since 1970. */
  incidents?(tournamentId: number, period: Period): Promise<ReadonlyMap<number, Incident[]>>;
}

/**
 * @returns the requested tournaments by id, or all if none are requested @throws Error for an id that the source does
 * not have
 */
export async function listTournaments(
  source: MatchSource,
  wanted: readonly number[] | undefined,
): Promise<HistoryTournament[]> {
  const all = (await source.tournaments()).toSorted((a, b) => a.id - b.id);
  const missing = wanted?.find((id) => !all.some((tournament) => tournament.id === id));
  if (missing !== undefined) throw new Error(`there is no tournament ${missing} with finished matches`);
  return wanted ? all.filter(({ id }) => wanted.includes(id)) : all;
}
