/** The history of matches that models are fitted and judged on, and walking through it day by day. */
import type { CalibratedMatch } from './calibrated/columns.ts';
import type { RatedMatches } from './elo/rated-matches.ts';
import { SECONDS_PER_DAY, startOfDay } from './sample.ts';

/** Decimal prices of the bookmakers before the start, the best or an average; those of goals where they are held. */
export interface HistoryOdds {
  home: number;
  draw: number;
  away: number;
  over_2_5: number | null;
  under_2_5: number | null;
}

/** A match with a result that counts. */
export interface HistoryMatch extends CalibratedMatch {
  id: number;
  /** Its label, such as 2015/16. */
  season: string;
  /** Null or left out where none are held. */
  odds?: HistoryOdds | null;
}

export interface HistoryTournament {
  id: number;
  name: string;
  /** Slug. */
  sport: string;
}

/** Where the matches come from: the analytical store, or files. */
export interface MatchSource {
  tournaments(): Promise<HistoryTournament[]>;
  /** All with a result that counts, in any order. */
  matches(tournamentId: number): Promise<HistoryMatch[]>;
  /** Of all tournaments that Elo ratings follow from; a source without it has no national teams, and ids of teams that hold within a tournament. */
  ratedMatches?(): Promise<RatedMatches>;
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

/** The matches of a UTC day, and those of earlier days. */
export interface MatchDay<M> {
  matches: readonly M[];
  /** Oldest first. */
  earlier: (days: number) => M[];
  /** All of them, oldest first, as the first so many of one array: adding up what is new takes no copy. */
  history: { matches: readonly M[]; count: number };
}

/** @param matches in any order @returns their days, oldest first; a day knows nothing of itself and of later ones */
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
