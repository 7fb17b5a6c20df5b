/**
 * The teams of FiveThirtyEight's nfl_games.csv. A code is a franchise's, whatever it was called: OAK is the Raiders of
 * Oakland, Los Angeles and Las Vegas. Names of their time are in data/identity/former-names.csv.
 */

/** The name of each franchise today, or its last one; the years or the league tell apart two of the same name. */
// biome-ignore format: a table
const NAMES: Record<string, string> = {
  ARI: 'Arizona Cardinals', ATL: 'Atlanta Falcons', BAL: 'Baltimore Ravens', BUF: 'Buffalo Bills',
  CAR: 'Carolina Panthers', CHI: 'Chicago Bears', CIN: 'Cincinnati Bengals', CLE: 'Cleveland Browns',
  DAL: 'Dallas Cowboys', DEN: 'Denver Broncos', DET: 'Detroit Lions', GB: 'Green Bay Packers',
  HOU: 'Houston Texans', IND: 'Indianapolis Colts', JAX: 'Jacksonville Jaguars', KC: 'Kansas City Chiefs',
  LAC: 'Los Angeles Chargers', LAR: 'Los Angeles Rams', MIA: 'Miami Dolphins', MIN: 'Minnesota Vikings',
  NE: 'New England Patriots', NO: 'New Orleans Saints', NYG: 'New York Giants', NYJ: 'New York Jets',
  OAK: 'Las Vegas Raiders', PHI: 'Philadelphia Eagles', PIT: 'Pittsburgh Steelers', SEA: 'Seattle Seahawks',
  SF: 'San Francisco 49ers', TB: 'Tampa Bay Buccaneers', TEN: 'Tennessee Titans', WSH: 'Washington Commanders',
  // Two clubs in one, for a season of the war
  STG: 'Phil-Pitt Steagles', CRP: 'Card-Pitt',
  // The All-America Football Conference
  BBA: 'Buffalo Bills (AAFC)', BCL: 'Baltimore Colts (1947–1950)', BDA: 'Brooklyn Dodgers (AAFC)',
  CRA: 'Chicago Hornets', LDA: 'Los Angeles Dons', MSA: 'Miami Seahawks', NAA: 'New York Yankees (AAFC)',
  // Former members of the National Football League
  AKR: 'Akron Indians', BFF: 'Buffalo Bisons', BKN: 'Brooklyn Tigers', BRL: 'Brooklyn Lions', BYK: 'Boston Yanks',
  CBD: 'Canton Bulldogs', CCL: 'Cincinnati Celts', CHT: 'Chicago Tigers', CIB: 'Cleveland Bulldogs',
  CLI: 'Cleveland Indians', COL: 'Columbus Tigers', CTI: 'Cleveland Tigers', DAY: 'Dayton Triangles',
  DHR: 'Detroit Heralds', DPN: 'Detroit Panthers', DTI: 'Detroit Tigers', DTX: 'Dallas Texans (1952)',
  DUL: 'Duluth Eskimos', DWL: 'Detroit Wolverines', ECG: 'Evansville Crimson Giants', FYJ: 'Frankford Yellow Jackets',
  GUN: 'St. Louis Gunners', HAM: 'Hammond Pros', HRT: 'Hartford Blues', KCB: 'Kansas City Cowboys',
  KEN: 'Kenosha Maroons', LAB: 'Los Angeles Buccaneers', LOU: 'Louisville Colonels', MIL: 'Milwaukee Badgers',
  MNN: 'Minneapolis Red Jackets', MUN: 'Muncie Flyers', NG1: 'New York Brickley Giants', NYA: 'New York Yankees (NFL)',
  NYY: 'New York Yanks', OOR: 'Oorang Indians', PRV: 'Providence Steam Roller', PTB: 'Boston Bulldogs',
  RAC: 'Racine Tornadoes', RCH: 'Rochester Jeffersons', RED: 'Cincinnati Reds', RII: 'Rock Island Independents',
  SEN: 'Washington Senators', SIS: 'Staten Island Stapletons', SLA: 'St. Louis All-Stars', TOL: 'Toledo Maroons',
  TON: 'Tonawanda Kardex', TOR: 'Newark Tornadoes',
  // Opponents of 1920 that were not, or not yet, members: three clubs have another code there
  CNC: 'Cincinnati Celts', MNM: 'Minneapolis Red Jackets', TLM: 'Toledo Maroons', ATN: 'Tonawanda Kardex',
  ABU: 'All-Buffalo', CHB: 'Chicago Boosters', CHL: 'Champaign Legion', CLP: 'Cleveland Panthers',
  CST: 'Chicago Stayms', CWP: 'Columbus Wagner Pirates', DTM: 'Detroit Maroons', ELY: 'Elyria Athletics',
  FTP: 'Fort Porter', FTW: 'Fort Wayne Friars', GAR: 'Gary Elks', KEW: 'Kewanee Walworths',
  LAN: 'Lansing Oldsmobile', LOG: 'Logan Square', MCK: 'McKeesport Olympics', MUT: 'Moline Universal Tractors',
  PTQ: 'Pitcairn Quakers', PUL: 'Pullman Thorns', RCK: 'Rockford', RIC: 'Richmond', ROS: 'Rochester Scalpers',
  STP: 'St. Paul Ideals', SYR: 'Syracuse Stars', THO: 'Thorn Tornadoes', UAP: 'Union Athletic Association of Phoenixville',
  UTI: 'Utica Knights of Columbus', WBU: 'West Buffalo', WGC: 'Washington Glee Club', WHE: 'Wheeling Stogies',
  WJA: 'Washington & Jefferson', ZAN: 'Zanesville Mark Grays',
};

/** Leagues of the file, by their names in tournaments.yaml. */
export type League = 'NFL' | 'American Football League' | 'All-America Football Conference';

/** The seasons in which a franchise played in another league: first and last. */
const ELSEWHERE: Record<Exclude<League, 'NFL'>, { teams: string; from: number; until: number }> = {
  'All-America Football Conference': { teams: 'BBA BCL BDA CLE CRA LDA MSA NAA SF', from: 1946, until: 1949 },
  'American Football League': { teams: 'BUF CIN DEN KC LAC MIA NE NYJ OAK TEN', from: 1960, until: 1969 },
};

/** Returns undefined for an unknown code. */
export const teamName = (code: string): string | undefined => (Object.hasOwn(NAMES, code) ? NAMES[code] : undefined);

/** Returns the league in which a franchise played a season. */
export function leagueIn(code: string, season: number): League {
  for (const [league, { teams, from, until }] of Object.entries(ELSEWHERE))
    if (season >= from && season <= until && teams.split(' ').includes(code)) return league as League;
  return 'NFL';
}
