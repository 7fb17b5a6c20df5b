/** Reads this installation's matches from Postgres, for backtests and fits. The service may run at the same time. */
import type pg from 'pg';
import { transaction } from '../../db/postgres.ts';
import type { Blocks, Incident } from '../../wire/match.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { ratedMatches } from '../elo/rated-matches.ts';
import { countedMatch } from '../loader/history-page.ts';
import type { HistoryMatch, HistoryOdds, HistoryTournament, MatchSource, PublishedForecast } from './match-source.ts';

type Prices = Record<'home' | 'draw' | 'away' | 'over_2_5' | 'under_2_5', number | null>;

/** A `win_probability` block, in percent. */
type Chances = NonNullable<Blocks['win_probability']>;

/** SQL for a choice's last price before the start, as the mean over the bookmakers. */
const price = (market: string, choice: string) =>
  `avg(o.decimal_value) FILTER (WHERE o.market_name = '${market}' AND lower(o.choice_name) = '${choice}')`;

const MATCHES = `SELECT game.id, c.start::float8, s.season_label AS season, c.home_id, c.away_id, c.home_goals AS home_score, c.away_goals AS away_score,
    c.neutral = 1 AS neutral, c.home_shots AS home_shots_on_target, c.away_shots AS away_shots_on_target,
    (SELECT json_build_object('home', ${price('1x2', '1')}, 'draw', ${price('1x2', 'x')}, 'away', ${price('1x2', '2')},
       'over_2_5', ${price('over_under_2.5', 'over')}, 'under_2_5', ${price('over_under_2.5', 'under')})
     FROM match_block b CROSS JOIN json_to_recordset(b.json::json) AS o (market_name text, choice_name text, decimal_value float8)
     WHERE b.match_id = game.id AND b.block = 'odds') AS prices,
    (SELECT b.json::json FROM match_block b WHERE b.match_id = game.id AND b.block = 'win_probability'
       AND game.provenance -> 'win_probability' ->> 0 = 'fivethirtyeight') AS chances
  FROM match game JOIN season s ON s.id = game.season_id CROSS JOIN LATERAL (${countedMatch('game.id')}) c
  WHERE game.tournament_id = $1`;

export const storedMatches = (pool: pg.Pool): MatchSource => ({
  async tournaments() {
    const { rows } = await pool.query<HistoryTournament>(
      `SELECT t.id, t.name, t.sport FROM tournament t
       WHERE EXISTS (SELECT FROM match m WHERE m.tournament_id = t.id AND m.status = 'finished' AND m.home_score IS NOT NULL)`,
    );
    return rows.filter(({ sport }) => sportParameters(sport) !== undefined);
  },
  async matches(tournamentId) {
    const { rows } = await transaction(pool, (client) =>
      client.query<Omit<HistoryMatch, 'odds' | 'spi'> & { prices: Prices | null; chances: Chances | null }>(MATCHES, [
        tournamentId,
      ]),
    );
    return rows.map(({ prices, chances, ...match }) => ({
      ...match,
      odds: prices && toOdds(prices),
      spi: chances && toForecast(chances),
    }));
  },
  ratedMatches: () => ratedMatches(pool),
  async incidents(tournamentId, { from, to }) {
    const { rows } = await pool.query<{ id: number; json: string }>(
      `SELECT m.id, b.json FROM match m JOIN match_block b ON b.match_id = m.id AND b.block = 'incidents'
       WHERE m.tournament_id = $1 AND m.status = 'finished'
         AND extract(epoch FROM m.scheduled_start) >= $2::float8 AND extract(epoch FROM m.scheduled_start) < $3::float8`,
      [tournamentId, from, to],
    );
    return new Map(rows.map(({ id, json }) => [id, JSON.parse(json) as Incident[]]));
  },
});

/** Divides by the sum, since the stored percentages are rounded. */
function toForecast({ homeWin, draw, awayWin }: Chances): PublishedForecast {
  const sum = homeWin + (draw ?? 0) + awayWin;
  return { home: homeWin / sum, draw: (draw ?? 0) / sum, away: awayWin / sum };
}

/** @returns null if an outcome has no price */
function toOdds({ home, draw, away, over_2_5, under_2_5 }: Prices): HistoryOdds | null {
  if (home === null || draw === null || away === null) return null;
  return { home, draw, away, over_2_5, under_2_5 };
}
