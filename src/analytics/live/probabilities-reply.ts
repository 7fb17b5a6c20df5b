/** One match's probabilities, as replies show them. */
import type { RoundOfMatch } from '../../competitions/index.ts';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import {
  areCurrent,
  expectRuns,
  IN_PLAY_SPORTS,
  INNINGS_SPORTS,
  type InningsMatch,
  type InPlayMatch,
  inningsChances,
  inningsParameters,
  inningsTimeline,
  inPlayParameters,
  MatchProbabilities,
  type MatchRates,
  readSituation,
  timeline,
  toPercent,
  toWinProbability,
} from '../../in-play/index.ts';
import { wireTime } from '../../wire/time.ts';
import { WINDOW_DAYS } from '../calibrated/columns.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { leagueHistory } from '../cards/history-queries.ts';
import type { AnalyticsStores } from '../cards/match-card.ts';
import type { MatchSubject } from '../cards/subjects.ts';
import { roundTo } from '../rounding.ts';
import { SECONDS_PER_DAY } from '../samples/match-samples.ts';
import { findDecider } from './decider.ts';
import { expectedOn } from './expected-before-match.ts';
import type { MatchProbabilitiesReply } from './schema.ts';

const RATE_DECIMALS = 3;

interface MatchRow extends Omit<InPlayMatch, 'period_scores'>, InningsMatch, RoundOfMatch {
  shown_detail: MatchProbabilitiesReply['status_detail'];
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
}

/** Returns a match's stored rates if they were computed for its present sides. @param read the rates by match id */
export function currentRates(read: ReadonlyMap<number, MatchRates>, subject: MatchSubject): MatchRates | null {
  const rates = read.get(subject.event_id);
  const fixture = { tournament_id: subject.tournament.id, home_id: subject.home.id, away_id: subject.away.id };
  return rates !== undefined && areCurrent(rates, fixture) ? rates : null;
}

/**
 * @param stored if null, the rates are computed from the history now
 * @param now ms since 1970
 * @throws {ClickHouseUnavailable} if no rates are stored
 */
export async function matchProbabilitiesReply(
  { pool, clickhouse }: AnalyticsStores,
  subject: MatchSubject,
  stored: MatchRates | null,
  now: number,
): Promise<MatchProbabilitiesReply> {
  if (INNINGS_SPORTS.includes(subject.sport)) return inningsReply(pool, subject.event_id);
  const isModelled = IN_PLAY_SPORTS.includes(subject.sport);
  const [{ match, decider }, rates] = await Promise.all([
    readSituated(pool, subject.event_id, isModelled, now),
    isModelled ? (stored ?? computedRates(clickhouse, subject, now)) : null,
  ]);
  const { status, shown_detail: status_detail, minute } = match;
  const head = { event_id: subject.event_id, status, status_detail, minute };
  if (rates === null) return { ...head, current: null, advance: null, rates: null, timeline: [] };
  const parameters = inPlayParameters();
  const chances = new MatchProbabilities(rates.expected, parameters);
  const situation = readSituation(match, parameters);
  const current = chances.result(situation);
  const advance = chances.advance(situation, decider);
  return {
    ...head,
    current: current && toWinProbability(current),
    advance: advance && toPercent(advance),
    rates: {
      home: roundTo(RATE_DECIMALS, rates.expected.home),
      away: roundTo(RATE_DECIMALS, rates.expected.away),
      basis: rates.basis,
      computed_at: rates.computed_at,
    },
    timeline: timeline(match, chances, parameters).map(({ played: _played, ...point }) => point),
  };
}

/** A match of cricket. It needs no history, because Postgres has what the expected runs follow from. */
async function inningsReply(db: Queryable, id: number): Promise<MatchProbabilitiesReply> {
  const [match, runs] = await Promise.all([readMatch(db, id), expectRuns(db, [id])]);
  const { status, shown_detail: status_detail, minute } = match;
  const head = { event_id: id, status, status_detail, minute, advance: null, rates: null, timeline: [] };
  const parameters = inningsParameters();
  const expected = runs.get(id)!;
  const current = inningsChances(match, expected, parameters);
  return {
    ...head,
    current: current && toWinProbability(current),
    expected_runs: current && { home: roundTo(1, expected.home), away: roundTo(1, expected.away) },
    innings_timeline: inningsTimeline(match, expected, parameters),
  };
}

type Rates = Pick<MatchRates, 'expected' | 'basis' | 'computed_at'>;

/** Computes the expected goals of a match from its tournament's earlier matches. @throws {ClickHouseUnavailable} */
export async function computedRates(
  clickhouse: ClickHouse,
  { era, sport, start, tournament, home, away, neutral }: MatchSubject,
  now: number,
): Promise<Rates> {
  const before = Math.floor(start / SECONDS_PER_DAY);
  const window = { era, tournament: tournament.id, from: before - WINDOW_DAYS, before };
  const league = await leagueHistory(clickhouse, window);
  const expected = expectedOn(league, start, sportParameters(sport)!);
  return { ...expected({ home_id: home.id, away_id: away.id, neutral }), computed_at: wireTime(now) };
}

/** Reads a match, and finds out whether it decides a tie. */
async function readSituated(db: Queryable, id: number, isModelled: boolean, now: number) {
  const match = await readMatch(db, id);
  return { match, decider: isModelled ? await findDecider(db, { ...match, id }, now) : null };
}

async function readMatch(db: Queryable, id: number): Promise<MatchRow> {
  const { rows } = await db.query<MatchRow>({
    name: 'match in play',
    text: `SELECT m.status, m.status_detail, CASE WHEN m.awaiting_data THEN 'awaiting_data' ELSE m.status_detail END AS shown_detail,
       m.minute, m.home_score, m.away_score, m.period_scores, m.round_name, m.round_num, m.group_name AS group, m.tournament_id, m.season_id, m.home_id, m.away_id,
       m.given_winner,
       coalesce((SELECT b.json::json FROM match_block b WHERE b.match_id = m.id AND b.block = 'incidents'), '[]') AS incidents,
       coalesce((SELECT b.json::json FROM match_block b WHERE b.match_id = m.id AND b.block = 'innings'), '[]') AS innings
     FROM match m WHERE m.id = $1`,
    values: [id],
  });
  return firstRow(rows);
}
