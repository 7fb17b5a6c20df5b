/** Reviewed names of coaches on cards, in data/identity/coaches.csv. */
import { foldName } from '../db/fold-name.ts';
import { identifyParticipant, storedKey } from './entity-keys.ts';
import { mergeRows } from './merges.ts';

export interface ListedTeam {
  sport: string;
  gender: string;
  /** The team's stored key. */
  key: string;
}

interface Period {
  /** YYYY-MM-DD. Empty if the period is open. */
  from: string;
  to: string;
}

interface List {
  /** sport|gender|team key|folded name */
  periods: ReadonlyMap<string, readonly Period[]>;
  /** Folded names, in any team. */
  names: ReadonlySet<string>;
}

let list: List | undefined;

function readList(): List {
  if (list) return list;
  const periods = new Map<string, Period[]>();
  const names = new Set<string>();
  for (const { sport, gender, team_country, team, name, valid_from, valid_to } of mergeRows('coaches.csv')) {
    const key = storedKey(identifyParticipant({ type: 'team', sport, country: team_country, name: team }));
    const folded = foldName(name);
    const at = `${sport}|${gender}|${key}|${folded}`;
    periods.set(at, [...(periods.get(at) ?? []), { from: valid_from, to: valid_to }]);
    names.add(folded);
  }
  list = { periods, names };
  return list;
}

/** True if any team has a coach with this name. A quick check while the team is not known yet. */
export const mayBeListedCoach = (name: string): boolean => readList().names.has(foldName(name));

/**
 * True if someone with this name was a coach of the team on that day.
 * @param day YYYY-MM-DD
 */
export function isListedCoach({ sport, gender, key }: ListedTeam, name: string, day: string): boolean {
  const periods = readList().periods.get(`${sport}|${gender}|${key}|${foldName(name)}`) ?? [];
  return periods.some(({ from, to }) => from <= day && (to === '' || day <= to));
}
