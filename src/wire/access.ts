/** Which matches a client may see: those of one of the sports or of one of the tournaments. */
export interface MatchAccess {
  /** Slugs. */
  sports: readonly string[];
  tournaments: readonly number[];
}

/** @param access null: everything */
export const isWithin = (access: MatchAccess | null, sport: string, tournamentId: number): boolean =>
  access === null || access.sports.includes(sport) || access.tournaments.includes(tournamentId);
