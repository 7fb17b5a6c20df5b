/** The canonical tournaments, from tournaments.yaml. */
export interface KnownTournament {
  sport: string;
  country: string;
  gender: string;
  name: string;
}

/** The tournament that a name stands for, in any of its spellings. */
export function findTournament(
  _sport: string,
  _country: string,
  _gender: string,
  _name: string,
): KnownTournament | undefined {
  return undefined;
}
