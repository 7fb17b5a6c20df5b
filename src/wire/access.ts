/** The matches that a client may see: the matches of any of the sports or of any of the tournaments. */
export interface MatchAccess {
  /** Slugs. */
  sports: readonly string[];
  tournaments: readonly number[];
}

/** @param access null: everything */
export const isWithin = (access: MatchAccess | null, sport: string, tournamentId: number): boolean =>
  access === null || access.sports.includes(sport) || access.tournaments.includes(tournamentId);
