/**
 * Retrosheet's team codes, which differ from those of other sources: the first one of each team is the code of today,
 * the others are from its former towns. Former names are in data/identity/former-names.csv.
 */

interface RetrosheetTeam {
  name: string;
  country: 'US' | 'CA';
}

const CODES: Readonly<Record<string, string>> = {
  'Arizona Diamondbacks': 'ARI',
  Athletics: 'ATH OAK KC1 PHA',
  'Atlanta Braves': 'ATL MLN BSN',
  'Baltimore Orioles': 'BAL SLA MLA',
  'Boston Red Sox': 'BOS',
  'Chicago Cubs': 'CHN',
  'Chicago White Sox': 'CHA',
  'Cincinnati Reds': 'CIN',
  'Cleveland Guardians': 'CLE',
  'Colorado Rockies': 'COL',
  'Detroit Tigers': 'DET',
  'Houston Astros': 'HOU',
  'Kansas City Royals': 'KCA',
  'Los Angeles Angels': 'ANA CAL LAA',
  'Los Angeles Dodgers': 'LAN BRO',
  'Miami Marlins': 'MIA FLO',
  'Milwaukee Brewers': 'MIL SE1',
  'Minnesota Twins': 'MIN WS1',
  'New York Mets': 'NYN',
  'New York Yankees': 'NYA',
  'Philadelphia Phillies': 'PHI',
  'Pittsburgh Pirates': 'PIT',
  'San Diego Padres': 'SDN',
  'San Francisco Giants': 'SFN NY1',
  'Seattle Mariners': 'SEA',
  'St. Louis Cardinals': 'SLN',
  'Tampa Bay Rays': 'TBA',
  'Texas Rangers': 'TEX WS2',
  'Toronto Blue Jays': 'TOR',
  'Washington Nationals': 'WAS MON',
  'American League All-Stars': 'ALS',
  'National League All-Stars': 'NLS',
};

const BY_CODE: ReadonlyMap<string, RetrosheetTeam> = new Map(
  Object.entries(CODES).flatMap(([name, codes]) =>
    codes.split(' ').map((code) => [code, { name, country: name.startsWith('Toronto') ? 'CA' : 'US' }] as const),
  ),
);

const AMERICAN = new Set(
  [
    'Athletics',
    'Baltimore Orioles',
    'Boston Red Sox',
    'Chicago White Sox',
    'Cleveland Guardians',
    'Detroit Tigers',
    'Houston Astros',
    'Kansas City Royals',
    'Los Angeles Angels',
    'Minnesota Twins',
    'New York Yankees',
    'Seattle Mariners',
    'Tampa Bay Rays',
    'Texas Rangers',
    'Toronto Blue Jays',
    'American League All-Stars',
  ].flatMap((name) => CODES[name]!.split(' ')),
);
/** The first season of the teams that have changed leagues, in the league of today. */
const CHANGED: Readonly<Record<string, number>> = { HOU: 2013, MIL: 1998 };

/** Returns the league of a known team in a season. */
export function findLeague(code: string, year: number): 'American League' | 'National League' {
  const isOfToday = year >= (CHANGED[code] ?? 0);
  return AMERICAN.has(code) === isOfToday ? 'American League' : 'National League';
}

/** @returns undefined for a team that no longer exists, or a code that is none */
export const findTeam = (code: string): RetrosheetTeam | undefined => BY_CODE.get(code);
