/** Teams of the files under their own names, without sponsors, and what the files lack. */

interface RugbyTeam {
  name: string;
  country: string;
}

/** Country: name in the files, and the usual name if it differs. */
const TEAMS: Readonly<Record<string, readonly (string | readonly [written: string, name: string])[]>> = {
  'GB-ENG': [
    ['Bath Rugby', 'Bath'],
    'Bristol Bears',
    'Exeter Chiefs',
    ['Gloucester Rugby', 'Gloucester'],
    'Harlequins',
    'Leicester Tigers',
    'London Irish',
    'Newcastle Falcons',
    'Northampton Saints',
    'Sale Sharks',
    'Saracens',
    ['Wasps RFC', 'Wasps'],
    'Worcester Warriors',
  ],
  'GB-SCT': [['Edinburgh Rugby', 'Edinburgh'], 'Glasgow Warriors'],
  'GB-WLS': [['Cardiff Rugby', 'Cardiff'], ['Dragons RFC', 'Dragons'], 'Ospreys', 'Scarlets'],
  IE: [
    ['Connacht Rugby', 'Connacht'],
    ['Leinster Rugby', 'Leinster'],
    ['Munster Rugby', 'Munster'],
    ['Ulster Rugby', 'Ulster'],
  ],
  IT: [['Benetton Rugby', 'Benetton'], 'Zebre Parma'],
  ZA: [['Vodacom Bulls', 'Bulls'], 'Lions', ['Hollywoodbets Sharks', 'Sharks'], ['DHL Stormers', 'Stormers']],
  FR: [
    ['Bordeaux-Begles', 'Bordeaux Bègles'],
    ['Castres Olympique', 'Castres'],
    ['Clermont Auvergne', 'Clermont'],
    'La Rochelle',
    'Racing 92',
    ['Stade Francais Paris', 'Stade Français'],
    'Toulon',
    'Toulouse',
  ],
};

const BY_NAME: ReadonlyMap<string, RugbyTeam> = new Map(
  Object.entries(TEAMS).flatMap(([country, teams]) =>
    teams.flatMap((team) => {
      const [written, name] = typeof team === 'string' ? [team, team] : team;
      return [written, name].map((key) => [key, { name, country }] as const);
    }),
  ),
);

/**
 * @param country code of the competition: the country of teams that are not listed
 * @returns undefined for a team that is not listed in a competition of several countries
 */
export const findTeam = (written: string, country: string): RugbyTeam | undefined =>
  BY_NAME.get(written) ?? (country === 'INT' ? undefined : { name: written, country });

type Figures = { home: number; away: number };
const key = (home: string, away: string, day: string) => `${home}|${away}|${day}`;

/** Tries of matches without scores in the files: bonus points depend on them. */
const TRIES: Readonly<Record<string, Figures>> = {
  // bbc.com/sport/rugby-union/articles/cm2491n987lo
  [key('Gloucester', 'Bath', '2024-10-12')]: { home: 4, away: 8 },
};
/** Results of kicks at goal after a knock-out match that ended level. */
const KICKS: Readonly<Record<string, Figures>> = {
  // unitedrugby.com, quarter-final of 31 May 2025
  [key('Sharks', 'Munster', '2025-05-31')]: { home: 6, away: 4 },
};

export const findTries = (home: string, away: string, day: string): Figures | undefined => TRIES[key(home, away, day)];
export const findKicks = (home: string, away: string, day: string): Figures | undefined => KICKS[key(home, away, day)];
