/**
 * Cards and penalties of the matches that a referee had. They come from statistics and incidents. They are stored, because
 * computing them for 500 matches takes a quarter of a second.
 */
import { COUNTED } from '../competitions/index.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import { findSport } from '../sports/sports.ts';
import { type CardIncident, cardCounts } from '../wire/card-counts.ts';

/** The figures of a match. Null if no source reports them. */
export interface MatchFigures {
  yellow_cards: number | null;
  red_cards: number | null;
  penalties: number | null;
}

/** The facts that the sources give about a match. */
export interface ReportedFigures extends MatchFigures {
  sport: string;
  /** Cards among the incidents. Null if the statistics have the cards, or if no source reports any. */
  cards: CardIncident[] | null;
}

/**
 * SQL for the columns of `ReportedFigures`, and the joins that they need. The cards of both sides come from the statistics or,
 * if these have none and the source reports cards, from the incidents. Blocks are read only for matches `m` without a current
 * row `f`.
 */
export const REPORTED = {
  columns: `m.sport, CASE WHEN f.match_id IS NULL THEN st.yellow ELSE f.yellow_cards END AS yellow_cards,
     CASE WHEN f.match_id IS NULL THEN st.red ELSE f.red_cards END AS red_cards,
     CASE WHEN f.match_id IS NULL AND i.is_detailed AND (st.yellow IS NULL OR st.red IS NULL) THEN coalesce(i.cards, '[]') END AS cards,
     CASE WHEN f.match_id IS NOT NULL THEN f.penalties WHEN i.is_detailed THEN i.penalties END AS penalties`,
  joins: `LEFT JOIN referee_figures f ON f.match_id = m.id AND f.version = m.version
   LEFT JOIN LATERAL (
     SELECT bool_or(e.kind IS NULL OR e.kind IN ('card', 'subst')) AS is_detailed, json_agg(e.*) FILTER (WHERE e.kind = 'card') AS cards,
       count(*) FILTER (WHERE e.kind = 'penalty' OR (e.kind = 'goal' AND e.payload ->> 'goal_type' = 'penalty'))::int AS penalties
     FROM match_block b LEFT JOIN LATERAL json_to_recordset(b.json::json)
       AS e (kind text, side text, player_name text, player_participant_id bigint, payload json) ON true
     WHERE f.match_id IS NULL AND b.match_id = m.id AND b.block = 'incidents') i ON true
   LEFT JOIN LATERAL (
     SELECT sum(v.home_value + v.away_value) FILTER (WHERE v.stat_name = 'Yellow cards')::int AS yellow,
       sum(v.home_value + v.away_value) FILTER (WHERE v.stat_name = 'Red cards')::int AS red
     FROM match_block b CROSS JOIN LATERAL json_to_recordset(b.json::json)
       AS v (period text, stat_name text, home_value float8, away_value float8)
     WHERE f.match_id IS NULL AND b.match_id = m.id AND b.block = 'statistics' AND v.period = 'ALL') st ON true`,
};

/**
 * Counts the cards among the incidents by the sport's rules, if the statistics have none. A sport without cards or penalties
 * has no such figure.
 */
export function toFigures({ sport, yellow_cards, red_cards, penalties, cards }: ReportedFigures): MatchFigures {
  const kinds = findSport(sport)?.incidents ?? [];
  const counted = cards === null ? null : [...cardCounts(cards, sport).values()];
  const count = (name: 'yellow_cards' | 'red_cards') => counted?.filter((one) => one === name).length ?? null;
  const shown = { yellow_cards: yellow_cards ?? count('yellow_cards'), red_cards: red_cards ?? count('red_cards') };
  const areKnown = kinds.includes('card') && shown.yellow_cards !== null && shown.red_cards !== null;
  return {
    ...(areKnown ? shown : { yellow_cards: null, red_cards: null }),
    penalties: kinds.includes('penalty') ? penalties : null,
  };
}

/** Matches whose figures are stored by one statement. */
const SLICE = 200;

const STALE = prepared(
  'matches without referee figures',
  `SELECT m.id AS match_id, m.version, ${REPORTED.columns}
   FROM (SELECT DISTINCT match_id FROM match_staff WHERE role = 'referee') s JOIN match m ON m.id = s.match_id ${REPORTED.joins}
   WHERE ${COUNTED} AND f.match_id IS NULL ORDER BY m.id LIMIT ${SLICE}`,
);
const STORE = prepared(
  'store referee figures',
  `INSERT INTO referee_figures (match_id, version, yellow_cards, red_cards, penalties)
   SELECT r.match_id, r.version, r.yellow_cards, r.red_cards, r.penalties FROM json_populate_recordset(NULL::referee_figures, $1) r
   JOIN match m ON m.id = r.match_id ORDER BY 1
   ON CONFLICT (match_id) DO UPDATE SET version = excluded.version, yellow_cards = excluded.yellow_cards, red_cards = excluded.red_cards,
     penalties = excluded.penalties`,
);

/** Stores the figures of some matches that lack them. @returns false if none lacks them */
export async function storeRefereeFigures(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<ReportedFigures & { match_id: number; version: number }>(STALE([]));
  if (rows.length === 0) return false;
  const figures = rows.map(({ match_id, version, ...reported }) => ({ match_id, version, ...toFigures(reported) }));
  await db.query(STORE([JSON.stringify(figures)]));
  return true;
}
