/** Reviewed colours of teams, in data/identity/colours.csv. */
import { dataRows } from '../wire/data-file.ts';
import type { ShirtPattern, TeamColours } from '../wire/team-colours.ts';
import { identifyParticipant, storedKey } from './entity-keys.ts';

const COLUMNS = ['sport', 'gender', 'country', 'team', 'pattern', 'colour1', 'colour2', 'colour3'] as const;

export const colourRows = () => dataRows('identity/colours.csv', COLUMNS);

/** What identifies a team: its sport and gender, and `key` as it is stored. */
export interface ColouredTeam {
  sport: string;
  gender: string;
  key: string;
}

const keyOf = ({ sport, gender, key }: ColouredTeam) => `${sport}|${gender}|${key}`;
const ANY = '*';

let listed: ReadonlyMap<string, TeamColours> | undefined;

function readColours(): ReadonlyMap<string, TeamColours> {
  return new Map(
    colourRows().map(({ sport, gender, country, team, pattern, colour1, colour2, colour3 }) => {
      const key = storedKey(identifyParticipant({ type: 'team', sport, country, name: team }));
      const colours = { pattern: pattern as ShirtPattern, colours: [colour1, colour2, colour3 || undefined] as const };
      return [keyOf({ sport, gender, key }), colours];
    }),
  );
}

/** Returns a team's colours. Null for a team that is not listed. */
export function teamColours(team: ColouredTeam): TeamColours | null {
  listed ??= readColours();
  return listed.get(keyOf(team)) ?? listed.get(keyOf({ ...team, gender: ANY })) ?? null;
}
