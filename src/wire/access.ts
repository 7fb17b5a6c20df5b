/** The matches that a client may see, which are those in any listed sport or tournament. */
export interface MatchAccess {
  /** Slugs. */
  sports: readonly string[];
  tournaments: readonly number[];
}

/** @param access null for everything */
export const isWithin = (access: MatchAccess | null, sport: string, tournamentId: number): boolean =>
  access === null || access.sports.includes(sport) || access.tournaments.includes(tournamentId);
