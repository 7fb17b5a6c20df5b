/** Teams under their names without sponsors (data/identity/rugby-teams.csv), and facts that the files lack. */
import { dataRows } from '../../wire/data-file.ts';

interface RugbyTeam {
  name: string;
  country: string;
}

const BY_NAME: ReadonlyMap<string, RugbyTeam> = new Map(
  dataRows('identity/rugby-teams.csv', ['country', 'name', 'written']).flatMap(({ country, name, written }) =>
    [written || name, name].map((key) => [key, { name, country }] as const),
  ),
);

/**
 * @param country the competition's country code, used for unlisted teams
 * @returns undefined for an unlisted team in a competition with several countries
 */
export const findTeam = (written: string, country: string): RugbyTeam | undefined =>
  BY_NAME.get(written) ?? (country === 'INT' ? undefined : { name: written, country });

type Figures = { home: number; away: number };
const key = (home: string, away: string, day: string) => `${home}|${away}|${day}`;

/** Tries in matches for which the files have no scores. Needed because bonus points depend on tries. */
const TRIES: Readonly<Record<string, Figures>> = {
  // bbc.com/sport/rugby-union/articles/cm2491n987lo
  [key('Gloucester', 'Bath', '2024-10-12')]: { home: 4, away: 8 },
};
/** Kicks at goal that decided a knock-out match after a draw. */
const KICKS: Readonly<Record<string, Figures>> = {
  // unitedrugby.com, quarter-final of 31 May 2025
  [key('Sharks', 'Munster', '2025-05-31')]: { home: 6, away: 4 },
};

export const findTries = (home: string, away: string, day: string): Figures | undefined => TRIES[key(home, away, day)];
export const findKicks = (home: string, away: string, day: string): Figures | undefined => KICKS[key(home, away, day)];
