/** OpenLigaDB leagues and cups by shortcut, from data/identity/openligadb-leagues.csv, which is reviewed. */
import { dataRows } from '../../wire/data-file.ts';

export interface League {
  shortcut: string;
  /** Absent for a league that the file does not list. The replies then name it. */
  name?: string;
  country: string;
  gender: 'men' | 'women';
  isCup: boolean;
}

let leagues: Map<string, League> | undefined;

/** @param shortcut in lower case */
export function findLeague(shortcut: string): League {
  leagues ??= new Map(
    dataRows('identity/openligadb-leagues.csv', ['shortcut', 'tournament', 'country', 'gender', 'kind']).map(
      ({ shortcut: key, tournament: name, country, gender, kind }) => [
        key,
        { shortcut: key, name, country, gender: gender === 'women' ? 'women' : 'men', isCup: kind === 'cup' },
      ],
    ),
  );
  // Only a cup is believed to have extra time and shoot-outs, so an unlisted league counts as a cup.
  return leagues.get(shortcut) ?? { shortcut, country: 'DE', gender: 'men', isCup: true };
}

/** "1. Fußball-Bundesliga 2024/2025" -> "1. Fußball-Bundesliga" */
export const withoutSeason = (name: string): string =>
  name.replace(/\s*\(?\b(?:19|20)\d\d(?:\s*[/-]\s*(?:\d\d){1,2})?\)?\s*$/u, '').trim() || name;
