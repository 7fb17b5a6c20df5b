/** ClickHouse queries. Each is a function with a typed result, and reads only the current era. */
import type { ClickHouse } from '../../db/clickhouse.ts';
import type { CalibratedMatch } from '../calibrated/columns.ts';
import { type PlayedMatch, SECONDS_PER_DAY } from '../samples/match-samples.ts';

/** A match in a side's or a pair's history. */
export interface HistoryMatch extends PlayedMatch {
  tournament_id: number;
  season_id: number;
  overtime: boolean;
  shootout: boolean;
  neutral: boolean;
  /** Null if no source reports cards. */
  home_cards: number | null;
  away_cards: number | null;
}

/** A league match in the models' format. */
export interface LeagueMatch extends CalibratedMatch {
  id: number;
  winner: PlayedMatch['winner'];
}

/** Filter for a side's form matches. */
export type FormSample =
  | { kind: 'season'; tournament_id: number; season_id: number }
  /** @param from first day, since 1970 */
  | { kind: 'window'; tournament_id: number; from: number }
  /** All tournaments from a given day on. */
  | { kind: 'recent'; from: number }
  | { kind: 'all' };

const SAMPLES = {
  season: 'tournament_id = {tournament: UInt64} AND season_id = {season: UInt64}',
  window: 'tournament_id = {tournament: UInt64} AND day >= {from: Int32}',
  recent: 'day >= {from: Int32}',
  all: 'true',
};
const toParameters = (sample: FormSample) => ({
  tournament: 'tournament_id' in sample ? sample.tournament_id : 0,
  season: sample.kind === 'season' ? sample.season_id : 0,
  from: 'from' in sample ? sample.from : 0,
});
/** True if a match belongs to the form sample. */
export const inSample = (sample: FormSample, { tournament_id, season_id, start }: HistoryMatch): boolean => {
  if ('tournament_id' in sample && tournament_id !== sample.tournament_id) return false;
  if (sample.kind === 'season') return season_id === sample.season_id;
  return sample.kind === 'all' || start >= sample.from * SECONDS_PER_DAY;
};

/** Columns in `side_match` and, with the same order and types, in `played_match`. */
const SIDE_COLUMNS = `side_id, match_id, start, home_id, away_id, home_score, away_score, toInt8(winner), tournament_id, season_id, overtime, neutral, home_cards, away_cards, CAST(NULL AS Nullable(UInt32)), CAST(NULL AS Nullable(UInt32))`;
const LEAGUE_COLUMNS = `toUInt64(0), match_id, start, home_id, away_id, home_goals, away_goals, toInt8(winner), tournament_id, season_id, overtime, neutral, CAST(NULL AS Nullable(UInt32)), CAST(NULL AS Nullable(UInt32)), home_shots, away_shots`;
type Row = [
  side: number,
  id: number,
  start: number,
  home: number,
  away: number,
  homeScore: number,
  awayScore: number,
  winner: -1 | 0 | 1,
  tournament: number,
  season: number,
  /** 2 if a shoot-out decided the match. */
  overtime: 0 | 1 | 2,
  neutral: 0 | 1,
  homeCards: number | null,
  awayCards: number | null,
  homeShots: number | null,
  awayShots: number | null,
];
const WINNERS = { '1': 'home', '0': 'draw', '-1': 'away' } as const;

const toPlayed = ([, id, start, home_id, away_id, home_score, away_score, winner, , , , neutral]: Row) => ({
  id,
  start,
  home_id,
  away_id,
  home_score,
  away_score,
  winner: WINNERS[`${winner}`],
  neutral: neutral === 1,
});
const toMatch = (row: Row): HistoryMatch => ({
  ...toPlayed(row),
  tournament_id: row[8],
  season_id: row[9],
  overtime: row[10] > 0,
  shootout: row[10] === 2,
  home_cards: row[12],
  away_cards: row[13],
});
const toLeagueMatch = (row: Row): LeagueMatch => ({
  ...toPlayed(row),
  home_shots_on_target: row[14],
  away_shots_on_target: row[15],
});

/** What analytics read for a tournament's sides. Days are days since 1970. */
export interface SampleRequest {
  era: number;
  tournament: number;
  sides: readonly number[];
  sample: FormSample;
  /** Pairs of sides whose earlier meetings are read from all tournaments. */
  pairs: readonly (readonly [number, number])[];
  /** Days for which the league's matches are read. */
  league: Window;
  /** Matches on this day and later are left out. */
  before: number;
}

export interface Samples {
  /** Form sample matches by side, and the pairs' meetings. */
  sides: Map<number, HistoryMatch[]>;
  league: LeagueMatch[];
}

/** Reads all samples in one statement, because each statement costs the embedded engine 3 ms. */
export async function readSamples(
  clickhouse: ClickHouse,
  { era, tournament, sides, sample, pairs, league, before }: SampleRequest,
): Promise<Samples> {
  const meetings = pairs.flatMap(([home, away]) => [
    `(${Number(home)}, ${Number(away)})`,
    `(${Number(away)}, ${Number(home)})`,
  ]);
  const wanted = [
    `(${SAMPLES[sample.kind]})`,
    ...(meetings.length > 0 ? [`(home_id, away_id) IN (${meetings.join(', ')})`] : []),
  ];
  const rows = await clickhouse.query<{ part: 'sides' | 'league'; matches: Row[] }>(
    `SELECT 'sides' AS part, groupArray((${SIDE_COLUMNS})) AS matches FROM side_match FINAL
     WHERE era = {era: UInt32} AND side_id IN (${sides.map(Number).join(', ')}) AND day < {before: Int32} AND (${wanted.join(' OR ')})
     UNION ALL
     SELECT 'league' AS part, groupArray((${LEAGUE_COLUMNS})) AS matches FROM played_match FINAL
     WHERE era = {era: UInt32} AND tournament_id = {league: UInt64} AND day >= {first: Int32} AND day < {end: Int32}`,
    { era, before, ...toParameters(sample), league: tournament, first: league.from, end: league.before },
  );
  const part = (name: 'sides' | 'league') => rows.find((row) => row.part === name)!.matches;
  const bySide = new Map<number, HistoryMatch[]>(sides.map((side) => [side, []]));
  for (const row of part('sides')) bySide.get(row[0])!.push(toMatch(row));
  return { sides: bySide, league: part('league').map(toLeagueMatch) };
}

/** Returns a tournament's matches in a window. */
export async function leagueHistory(
  clickhouse: ClickHouse,
  { era, tournament, from, before }: { era: number; tournament: number } & Window,
): Promise<LeagueMatch[]> {
  const [row] = await clickhouse.query<{ matches: Row[] }>(
    `SELECT groupArray((${LEAGUE_COLUMNS})) AS matches FROM played_match FINAL ${IN_WINDOW}`,
    { era, tournament, from, before },
  );
  return row!.matches.map(toLeagueMatch);
}

const IN_WINDOW =
  'WHERE era = {era: UInt32} AND tournament_id = {tournament: UInt64} AND day >= {from: Int32} AND day < {before: Int32}';

/** Days since 1970, including `from` and excluding `before`. */
export interface Window {
  from: number;
  before: number;
}

/** SQL for a profile's counts. */
const PROFILE = {
  matches: 'true',
  home_wins: "winner = 'home'",
  draws: "winner = 'draw'",
  away_wins: "winner = 'away'",
  over_2_5: 'home_score + away_score > 2',
  over_3_5: 'home_score + away_score > 3',
  btts: 'home_score > 0 AND away_score > 0',
} as const;
const PROFILE_SQL = Object.entries(PROFILE)
  .map(([name, condition]) => `countIf(${condition}) AS ${name}`)
  .join(', ');

/** Match counts and goal counts. */
export type ProfileCounts = Record<keyof typeof PROFILE, number> & {
  home_goals: number;
  away_goals: number;
  /** First and last start, seconds since 1970; null if there is no match. */
  first: number | null;
  last: number | null;
};

/** Counts a season's matches, or the matches in a window. */
export async function leagueProfileCounts(
  clickhouse: ClickHouse,
  { era, tournament, sample }: { era: number; tournament: number; sample: Window | { season: number } },
): Promise<ProfileCounts> {
  const condition =
    'season' in sample ? 'season_id = {season: UInt64}' : 'day >= {from: Int32} AND day < {before: Int32}';
  const [row] = await clickhouse.query<ProfileCounts>(
    `SELECT ${PROFILE_SQL}, sum(home_score) AS home_goals, sum(away_score) AS away_goals,
       minOrNull(start) AS first, maxOrNull(start) AS last
     FROM played_match FINAL WHERE era = {era: UInt32} AND tournament_id = {tournament: UInt64} AND ${condition}`,
    { era, tournament, ...sample },
  );
  return row!;
}

/** A price, with the previous price for the same choice. */
export interface StoredPrice {
  id: number;
  observed_at: number;
  provider: string;
  bookmaker: string | null;
  market_group: string | null;
  market_name: string;
  choice_name: string;
  decimal_value: number;
  opening_decimal: number | null;
  /** Previous price; null for the first price. */
  previous: number | null;
  is_first: 0 | 1;
  /** 1 for the last price before the start. */
  is_closing: 0 | 1;
  winning: 0 | 1 | null;
}

/**
 * Returns prices in the order in which they were observed.
 * @param start match start, ms since 1970
 * @param after position of the last price on the previous page
 */
export async function priceHistory(
  clickhouse: ClickHouse,
  {
    database,
    match,
    start,
    market,
    bookmaker,
    after,
    limit,
  }: {
    /** Postgres database id. */
    database: string;
    match: number;
    start: number;
    market?: string | undefined;
    bookmaker?: string | undefined;
    after: { observed_at: number; id: number } | null;
    limit: number;
  },
): Promise<StoredPrice[]> {
  const names = 'bookmaker, market_group, market_name, choice_name';
  return clickhouse.query<StoredPrice>(
    `SELECT * FROM (
       SELECT id, observed_at, provider, ${names}, decimal_value, opening_decimal, winning,
         if(row_number() OVER before = 1, NULL, lagInFrame(decimal_value) OVER before) AS previous,
         row_number() OVER before = 1 AS is_first,
         observed_at <= {start: Int64} AND max(if(observed_at <= {start: Int64}, (observed_at, id), (toInt64(0), toUInt64(0)))) OVER whole = (observed_at, id) AS is_closing
       FROM odds_change FINAL WHERE database_id = {database: UUID} AND match_id = {match: UInt64}
       WINDOW before AS (PARTITION BY ${names} ORDER BY observed_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
         whole AS (PARTITION BY ${names})
     )
     WHERE (observed_at, id) > ({observed_at: Int64}, {id: UInt64})
       ${market === undefined ? '' : 'AND market_name = {market: String}'}
       ${bookmaker === undefined ? '' : 'AND bookmaker = {bookmaker: String}'}
     ORDER BY observed_at, id LIMIT {limit: UInt32}`,
    {
      database,
      match,
      start,
      market: market ?? '',
      bookmaker: bookmaker ?? '',
      observed_at: after?.observed_at ?? Number.MIN_SAFE_INTEGER,
      id: after?.id ?? 0,
      limit,
    },
  );
}
