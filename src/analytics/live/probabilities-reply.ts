/** One match's probabilities, as replies show them. */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import {
  areCurrent,
  IN_PLAY_SPORTS,
  type InPlayMatch,
  inPlayParameters,
  MatchProbabilities,
  type MatchRates,
  matchRates,
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

interface MatchRow extends InPlayMatch {
  shown_detail: MatchProbabilitiesReply['status_detail'];
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
}

/** Returns a match's stored rates if they were computed for its present sides. */
export async function storedRates(db: Queryable, subject: MatchSubject): Promise<MatchRates | null> {
  const rates = (await matchRates(db, [subject.event_id])).get(subject.event_id);
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
  const match = await readMatch(pool, subject.event_id);
  const { status, shown_detail: status_detail, minute } = match;
  const head = { event_id: subject.event_id, status, status_detail, minute };
  if (!IN_PLAY_SPORTS.includes(subject.sport))
    return { ...head, current: null, advance: null, rates: null, timeline: [] };
  const rates = stored ?? { ...(await computedRates({ pool, clickhouse }, subject)), computed_at: wireTime(now) };
  const parameters = inPlayParameters();
  const chances = new MatchProbabilities(rates.expected, parameters);
  const situation = readSituation(match, parameters);
  const current = chances.result(situation);
  const advance = chances.advance(situation, await findDecider(pool, { ...match, id: subject.event_id }, now));
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

async function computedRates(
  { clickhouse }: AnalyticsStores,
  { era, sport, start, tournament, home, away, neutral }: MatchSubject,
): Promise<Pick<MatchRates, 'expected' | 'basis'>> {
  const before = Math.floor(start / SECONDS_PER_DAY);
  const window = { era, tournament: tournament.id, from: before - WINDOW_DAYS, before };
  const league = await leagueHistory(clickhouse, window);
  return expectedOn(league, start, sportParameters(sport)!)({ home_id: home.id, away_id: away.id, neutral });
}

async function readMatch(db: Queryable, id: number): Promise<MatchRow> {
  const { rows } = await db.query<MatchRow>({
    name: 'match in play',
    text: `SELECT m.status, m.status_detail, CASE WHEN m.awaiting_data THEN 'awaiting_data' ELSE m.status_detail END AS shown_detail,
       m.minute, m.home_score, m.away_score, m.period_scores, m.tournament_id, m.season_id, m.home_id, m.away_id,
       coalesce((SELECT b.json::json FROM match_block b WHERE b.match_id = m.id AND b.block = 'incidents'), '[]') AS incidents
     FROM match m WHERE m.id = $1`,
    values: [id],
  });
  return firstRow(rows);
}
