/** Queries of ClickHouse, each a function with the type of its result. All read the current era only. */
import type { ClickHouse } from '../db/clickhouse.ts';
import type { CalibratedMatch } from './calibrated/columns.ts';
import type { LeagueCounts } from './league-counts.ts';
import { type PlayedMatch, SECONDS_PER_DAY } from './sample.ts';

/** A match of a side, or of a pair. */
export interface HistoryMatch extends PlayedMatch {
  tournament_id: number;
  season_id: number;
  overtime: boolean;
  neutral: boolean;
  /** Null if no source reports it. */
  home_cards: number | null;
  away_cards: number | null;
}

/** A match of a league in the format of the models. */
export interface LeagueMatch extends CalibratedMatch {
  id: number;
  winner: PlayedMatch['winner'];
}

/** Filter of a side's form matches. */
export type FormSample =
  | { kind: 'season'; tournament_id: number; season_id: number }
  /** @param from first day, as `before` */
  | { kind: 'window'; tournament_id: number; from: number }
  | { kind: 'all' };

const COLUMNS = `(match_id, start, home_id, away_id, home_score, away_score, toInt8(winner), tournament_id, season_id, overtime, neutral, home_cards, away_cards)`;
type Row = [
  id: number,
  start: number,
  home: number,
  away: number,
  homeScore: number,
  awayScore: number,
  winner: -1 | 0 | 1,
  tournament: number,
  season: number,
  overtime: 0 | 1,
  neutral: 0 | 1,
  homeCards: number | null,
  awayCards: number | null,
];
const WINNERS = { '1': 'home', '0': 'draw', '-1': 'away' } as const;

const toMatch = ([
  id,
  start,
  home,
  away,
  homeScore,
  awayScore,
  winner,
  tournament,
  season,
  overtime,
  neutral,
  ...cards
]: Row) =>
  ({
    id,
    start,
    home_id: home,
    away_id: away,
    home_score: homeScore,
    away_score: awayScore,
    winner: WINNERS[`${winner}`],
    tournament_id: tournament,
    season_id: season,
    overtime: overtime === 1,
    neutral: neutral === 1,
    home_cards: cards[0],
    away_cards: cards[1],
  }) satisfies HistoryMatch;

const SAMPLES = {
  season: 'tournament_id = {tournament: UInt64} AND season_id = {season: UInt64}',
  window: 'tournament_id = {tournament: UInt64} AND day >= {from: Int32}',
  all: 'true',
};
const toParameters = (sample: FormSample) => ({
  tournament: sample.kind === 'all' ? 0 : sample.tournament_id,
  season: sample.kind === 'season' ? sample.season_id : 0,
  from: sample.kind === 'window' ? sample.from : 0,
});
const inSample = (sample: FormSample, { tournament_id, season_id, start }: HistoryMatch) => {
  if (sample.kind === 'all') return true;
  if (tournament_id !== sample.tournament_id) return false;
  return sample.kind === 'season' ? season_id === sample.season_id : start >= sample.from * SECONDS_PER_DAY;
};

/**
 * Returns the form matches of two sides, and all matches between them.
 * @param before the day of the match, since 1970, exclusive
 */
export async function pairHistory(
  clickhouse: ClickHouse,
  { era, home, away, before, sample }: { era: number; home: number; away: number; before: number; sample: FormSample },
): Promise<{ home: HistoryMatch[]; away: HistoryMatch[]; mutual: HistoryMatch[] }> {
  // One array: three arrays with a condition each take twice the time.
  const [row] = await clickhouse.query<{ matches: [side: number, match: Row][] }>(
    `SELECT groupArray((side_id, ${COLUMNS})) AS matches FROM side_match FINAL
     WHERE era = {era: UInt32} AND side_id IN ({home: UInt64}, {away: UInt64}) AND day < {before: Int32}
       AND (${SAMPLES[sample.kind]} OR home_id = {away: UInt64} OR away_id = {away: UInt64})`,
    { era, home, away, before, ...toParameters(sample) },
  );
  const matches = row!.matches.map(([side, match]) => ({ side, match: toMatch(match) }));
  const of = (id: number) => matches.filter(({ side }) => side === id).map(({ match }) => match);
  const ofHome = of(home);
  return {
    home: ofHome.filter((match) => inSample(sample, match)),
    away: of(away).filter((match) => inSample(sample, match)),
    mutual: ofHome.filter(({ home_id, away_id }) => home_id === away || away_id === away),
  };
}

/** Returns the matches of one side. @param before as above */
export async function sideHistory(
  clickhouse: ClickHouse,
  { era, side, before, sample }: { era: number; side: number; before: number; sample: FormSample },
): Promise<HistoryMatch[]> {
  const [row] = await clickhouse.query<{ matches: Row[] }>(
    `SELECT groupArray(${COLUMNS}) AS matches FROM side_match FINAL
     WHERE era = {era: UInt32} AND side_id = {side: UInt64} AND day < {before: Int32} AND ${SAMPLES[sample.kind]}`,
    { era, side, before, ...toParameters(sample) },
  );
  return row!.matches.map(toMatch);
}

/** Days since 1970, the first included, the last excluded. */
export interface Window {
  from: number;
  before: number;
}

const TOTAL = 'home_score + away_score';
/** SQL of each count, with the same conditions as `leagueCounts`. */
const CONDITIONS: Readonly<Record<keyof LeagueCounts, string>> = {
  matches: 'true',
  home_wins: "winner = 'home'",
  draws: "winner = 'draw'",
  away_wins: "winner = 'away'",
  over_1_5: `${TOTAL} > 1`,
  over_2_5: `${TOTAL} > 2`,
  over_3_5: `${TOTAL} > 3`,
  over_4_5: `${TOTAL} > 4`,
  over_5_5: `${TOTAL} > 5`,
  over_6_5: `${TOTAL} > 6`,
  btts: 'home_score > 0 AND away_score > 0',
  home_scored: 'home_score > 0',
  away_scored: 'away_score > 0',
  home_scored_two: 'home_score > 1',
  away_scored_two: 'away_score > 1',
  home_scored_four: 'home_score > 3',
  away_scored_four: 'away_score > 3',
};
const countsSql = (names: readonly (keyof LeagueCounts)[]) =>
  names.map((name) => `countIf(${CONDITIONS[name]}) AS ${name}`).join(', ');
const ALL_COUNTS = Object.keys(CONDITIONS) as (keyof LeagueCounts)[];

type LeagueRow = [number, number, number, number, number, number, 0 | 1, number | null, number | null, -1 | 0 | 1];

/** Returns the matches of a tournament in a window. */
export async function leagueHistory(
  clickhouse: ClickHouse,
  { era, tournament, from, before }: { era: number; tournament: number } & Window,
): Promise<LeagueMatch[]> {
  const columns =
    '(match_id, start, home_id, away_id, home_goals, away_goals, neutral, home_shots, away_shots, toInt8(winner))';
  const [row] = await clickhouse.query<{ matches: LeagueRow[] }>(
    `SELECT groupArray(${columns}) AS matches FROM played_match FINAL ${IN_WINDOW}`,
    { era, tournament, from, before },
  );
  return row!.matches.map(toLeagueMatch);
}

const toLeagueMatch = ([id, start, home_id, away_id, home_score, away_score, neutral, home, away, winner]: LeagueRow) =>
  ({
    id,
    start,
    home_id,
    away_id,
    home_score,
    away_score,
    winner: WINNERS[`${winner}`],
    neutral: neutral === 1,
    home_shots_on_target: home,
    away_shots_on_target: away,
  }) satisfies LeagueMatch;

const IN_WINDOW =
  'WHERE era = {era: UInt32} AND tournament_id = {tournament: UInt64} AND day >= {from: Int32} AND day < {before: Int32}';

/** Returns only the counts of a tournament's matches in a window. */
export async function leagueCountsIn(
  clickhouse: ClickHouse,
  { era, tournament, from, before }: { era: number; tournament: number } & Window,
): Promise<LeagueCounts> {
  const [row] = await clickhouse.query<LeagueCounts>(
    `SELECT ${countsSql(ALL_COUNTS)} FROM played_match FINAL ${IN_WINDOW}`,
    { era, tournament, from, before },
  );
  return row!;
}

const PROFILE = ['matches', 'home_wins', 'draws', 'away_wins', 'over_2_5', 'over_3_5', 'btts'] as const;

/** Numbers of matches, and of goals. */
export type ProfileCounts = Pick<LeagueCounts, (typeof PROFILE)[number]> & {
  home_goals: number;
  away_goals: number;
  /** Starts of the first and the last match, seconds since 1970; null if there is no match. */
  first: number | null;
  last: number | null;
};

/** For a whole season, or for a window. */
export async function leagueProfileCounts(
  clickhouse: ClickHouse,
  { era, tournament, sample }: { era: number; tournament: number; sample: Window | { season: number } },
): Promise<ProfileCounts> {
  const condition =
    'season' in sample ? 'season_id = {season: UInt64}' : 'day >= {from: Int32} AND day < {before: Int32}';
  const [row] = await clickhouse.query<ProfileCounts>(
    `SELECT ${countsSql(PROFILE)}, sum(home_score) AS home_goals, sum(away_score) AS away_goals,
       minOrNull(start) AS first, maxOrNull(start) AS last
     FROM played_match FINAL WHERE era = {era: UInt32} AND tournament_id = {tournament: UInt64} AND ${condition}`,
    { era, tournament, ...sample },
  );
  return row!;
}

/** A price and its previous value. */
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
  /** Previous price; null for the first one. */
  previous: number | null;
  is_first: 0 | 1;
  /** Whether it is the last price before the start. */
  is_closing: 0 | 1;
  winning: 0 | 1 | null;
}

/**
 * Returns prices in the order of observation.
 * @param start start of the match, ms since 1970
 * @param after position of the last price of the previous page
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
    /** Id of the Postgres database. */
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
