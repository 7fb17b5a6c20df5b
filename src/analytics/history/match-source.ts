/** Match history that models are fitted and evaluated on. */
import type { Incident } from '../../wire/match.ts';
import type { CalibratedMatch } from '../calibrated/columns.ts';
import type { RatedMatches } from '../elo/rated-matches.ts';

/** Decimal prices of the bookmakers before the start, the best or an average; prices of goals if stored. */
export interface HistoryOdds {
  home: number;
  draw: number;
  away: number;
  over_2_5: number | null;
  under_2_5: number | null;
}

/** Probabilities that somebody published before the start; they add up to 1. */
export interface PublishedForecast {
  home: number;
  draw: number;
  away: number;
}

/** Matches are forecast that start at or after `from` and before `to`, in seconds since 1970. */
export interface Period {
  from: number;
  to: number;
}

/** The matches that a model is fitted to or measured on. */
export interface HistoryFilter extends Period {
  /** Tournament ids; default: all tournaments with a model. */
  tournaments?: readonly number[];
}

/** A match with a result that counts. */
export interface HistoryMatch extends CalibratedMatch {
  id: number;
  /** Its label, such as 2015/16. */
  season: string;
  /** Null or absent if no odds are stored. */
  odds?: HistoryOdds | null;
  /** FiveThirtyEight's forecast by its SPI ratings; null or absent if none is stored. */
  spi?: PublishedForecast | null;
}

export interface HistoryTournament {
  id: number;
  name: string;
  /** Slug. */
  sport: string;
}

/** Source of the matches: the analytical store, or files. */
export interface MatchSource {
  tournaments(): Promise<HistoryTournament[]>;
  /** Returns all matches with a result that counts, in any order. */
  matches(tournamentId: number): Promise<HistoryMatch[]>;
  /**
   * Matches of all tournaments that Elo ratings use; a source without it has no national teams, and its team ids are
   * valid only within a tournament.
   */
  ratedMatches?(): Promise<RatedMatches>;
  /** Returns the incidents of matches that start at or after `from` and before `to`, in seconds since 1970, by match id. */
  incidents?(tournamentId: number, period: Period): Promise<ReadonlyMap<number, Incident[]>>;
}

/** @returns those that are asked for, by id; all without a wish @throws Error for an id that the source does not have */
export async function listTournaments(
  source: MatchSource,
  wanted: readonly number[] | undefined,
): Promise<HistoryTournament[]> {
  const all = (await source.tournaments()).toSorted((a, b) => a.id - b.id);
  const missing = wanted?.find((id) => !all.some((tournament) => tournament.id === id));
  if (missing !== undefined) throw new Error(`there is no tournament ${missing} with finished matches`);
  return wanted ? all.filter(({ id }) => wanted.includes(id)) : all;
}
