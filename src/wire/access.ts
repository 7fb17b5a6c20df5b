/** The matches that a client may see. A match is visible if its sport or its tournament is listed. */
export interface MatchAccess {
  /** Slugs. */
  sports: readonly string[];
  tournaments: readonly number[];
}

/** True if the client may see a match. @param access null for a client that may see everything */
export const isWithin = (access: MatchAccess | null, sport: string, tournamentId: number): boolean =>
  access === null || access.sports.includes(sport) || access.tournaments.includes(tournamentId);
