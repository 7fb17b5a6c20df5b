/** Ratings for all teams on each publication day. Pure. */
import { matchDays } from '../samples/match-days.ts';
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { ClubElo, type ClubMatch } from './clubs.ts';
import type { EloMatch, EloModel } from './elo.ts';
import { LeagueLinks } from './league-links.ts';
import { NationalTeamElo } from './national-teams.ts';
import { type RatedTeam, ratedClubs, ratedNationals } from './ranked-teams.ts';
import type { RatedMatches } from './rated-matches.ts';
import { snapshotDays } from './snapshot-days.ts';

export interface RatingSnapshot {
  /** YYYY-MM-DD; includes all matches up to the end of that day (UTC). */
  published_at: string;
  ranked: RatedTeam[];
}

export interface Ratings {
  /** Number of rated matches. */
  matches: number;
  /** Oldest first. Days without a ranked team have no snapshot. */
  snapshots: RatingSnapshot[];
  /** Codes of countries whose clubs could not be compared with the ranked clubs on the last day. */
  apart: string[];
}

/** Yields to the event loop. */
export type Pause = () => Promise<unknown>;

/** Computation time between two pauses, in ms. */
const SLICE_MS = 20;

/** @param today YYYY-MM-DD */
export async function nationalRatings({ national }: RatedMatches, today: string, pause: Pause): Promise<Ratings> {
  const elo = new NationalTeamElo();
  const published = await publish(elo, { matches: national }, today, pause, (time) =>
    ratedNationals(elo.ratings, time),
  );
  return { ...published, apart: [] };
}

/** @param today YYYY-MM-DD */
export async function clubRatings({ clubs, seasons }: RatedMatches, today: string, pause: Pause): Promise<Ratings> {
  const elo = new ClubElo(seasons);
  const links = new LeagueLinks();
  let apart: string[] = [];
  const play = (day: readonly ClubMatch[]) => {
    elo.play(day);
    for (const { home_id, away_id, start } of day) {
      const [home, away] = [home_id, away_id].map((club) => elo.memberships.get(club)?.country);
      if (home !== undefined && away !== undefined && home !== away) links.note(home, away, start);
    }
  };
  const model = { play, difference: (match: ClubMatch) => elo.difference(match) };
  const published = await publish(model, { matches: clubs }, today, pause, (time) => {
    const rated = ratedClubs(elo, links, time);
    apart = rated.apart;
    return rated.ranked;
  });
  return { ...published, apart };
}

/**
 * Plays all matches day by day, and ranks the teams after each publication day.
 * @param counted the matches that limit the publication days; these lie between the first and the last of them. By default, all matches.
 */
export async function publish<M extends EloMatch>(
  model: EloModel<M>,
  { matches, counted = matches }: { matches: readonly M[]; counted?: readonly M[] },
  today: string,
  pause: Pause,
  rankedAt: (time: number) => RatedTeam[],
): Promise<Pick<Ratings, 'matches' | 'snapshots'>> {
  if (matches.length === 0) return { matches: 0, snapshots: [] };
  const starts = counted.map(({ start }) => start);
  const first = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const snapshots: RatingSnapshot[] = [];
  const days = counted.length > 0 ? snapshotDays(first, last, today) : [];
  const endOfDay = (day: string) => Date.parse(day) / 1000 + SECONDS_PER_DAY;
  const publishUntil = (time: number) => {
    for (
      let [published_at] = days;
      published_at !== undefined && endOfDay(published_at) <= time;
      [published_at] = days
    ) {
      days.shift();
      const ranked = rankedAt(endOfDay(published_at));
      if (ranked.length > 0) snapshots.push({ published_at, ranked });
    }
  };
  let resumedAt = performance.now();
  for (const { start, matches: day } of matchDays(matches)) {
    if (performance.now() - resumedAt > SLICE_MS) {
      await pause();
      resumedAt = performance.now();
    }
    publishUntil(start);
    model.play(day);
  }
  publishUntil(Number.POSITIVE_INFINITY);
  return { matches: matches.length, snapshots };
}
