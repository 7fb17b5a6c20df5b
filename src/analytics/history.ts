/** Match history that models are fitted and evaluated on, and iteration over it day by day. */
import type { Incident } from '../wire/match.ts';
import type { CalibratedMatch } from './calibrated/columns.ts';
import type { RatedMatches } from './elo/rated-matches.ts';
import { SECONDS_PER_DAY, startOfDay } from './sample.ts';

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
  incidents?(tournamentId: number, period: { from: number; to: number }): Promise<ReadonlyMap<number, Incident[]>>;
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

/** Matches of a UTC day, and of earlier days. */
export interface MatchDay<M> {
  matches: readonly M[];
  /** Oldest first. */
  earlier: (days: number) => M[];
  /** All earlier matches, oldest first, as the first `count` entries of one array: reading new ones needs no copy. */
  history: { matches: readonly M[]; count: number };
}

/** @param matches in any order @returns their days, oldest first; a day exposes no match of itself or of later days */
export function* matchDays<M extends { id: number; start: number }>(matches: readonly M[]): Generator<MatchDay<M>> {
  const sorted = matches.toSorted((a, b) => a.start - b.start || a.id - b.id);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const day = startOfDay(sorted[from]!.start);
    while (to < sorted.length && sorted[to]!.start < day + SECONDS_PER_DAY) to += 1;
    const count = from;
    yield {
      matches: sorted.slice(from, to),
      earlier: (days) => {
        const oldest = day - days * SECONDS_PER_DAY;
        let first = count;
        while (first > 0 && sorted[first - 1]!.start >= oldest) first -= 1;
        return sorted.slice(first, count);
      },
      history: { matches: sorted, count },
    };
  }
}
