/** Reads changed matches from Postgres, as a sync client does, and returns them in the ClickHouse table format. */
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { OVERTIME } from '../../competitions/index.ts';
import { transaction } from '../../db/postgres.ts';
import { FORM_WINNER } from '../../sports/winner-sql.ts';
import { NEUTRAL, NOT_PLAYED } from '../samples/match-samples.ts';

/** A match's key in ClickHouse. */
export interface HistoryKey {
  match_id: number;
  tournament_id: number;
  /** Start day in UTC, as days since 1970. */
  day: number;
  home_id: number;
  away_id: number;
}

export interface HistoryChange {
  change_cursor: number;
  match_id: number;
  /** Id of the match into which this match was merged. */
  merged_into: number | null;
  /** The stored row if the match counts; null if it does not count, or no longer exists. */
  row: { key: HistoryKey /** The columns that follow the key, tab-separated. */; rest: string } | null;
}

export interface HistoryPage {
  changes: HistoryChange[];
  /** Change cursor up to which the page is complete. */
  reached: number;
  /** Last assigned change cursor. */
  last: number;
}

/** Increase this number when the rules for which matches or figures count change. The history is then built again. */
export const COUNTING = 3;

/** SQL condition for matches that count. A match between a side and itself does not. */
const COUNTED = `m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
  AND m.status_detail NOT IN ${NOT_PLAYED} AND m.home_id <> m.away_id`;
const LARGEST = 1_000_000;
/** SQL that rounds and limits a number. Null stays null, although least and greatest alone would ignore it. */
const whole = (sql: string) =>
  `CASE WHEN ${sql} IS NOT NULL THEN round(least(greatest(${sql}, 0), ${LARGEST}))::int END`;

const IS_NEUTRAL = `(m.venue_id IS NOT NULL OR m.neutral) AND EXISTS (
        SELECT FROM tournament t JOIN participant h ON h.id = m.home_id LEFT JOIN venue v ON v.id = m.venue_id
        WHERE t.id = m.tournament_id AND ${NEUTRAL})`;

/** SQL that says whether a shoot-out decided the match. If the match was not level, the shoot-out decided a two-leg tie instead. */
const SHOOT_OUT = `m.home_score = m.away_score AND (m.status_detail = 'after_penalties'
        OR EXISTS (SELECT FROM json_array_elements(m.period_scores) p WHERE p ->> 'period' IN ('PEN', 'SO')))`;

const EMPTY_FIELD = '\\N';

/**
 * SQL that selects a match's stored columns, or no row if the match does not count. OFFSET 0 keeps Postgres from reading all matches first,
 * which it would do if its statistics say that few matches count.
 * @param id SQL for the match id; it must not use the alias `m`
 */
export const countedMatch = (id: string) => `
    SELECT m.tournament_id, floor(extract(epoch FROM m.scheduled_start) / 86400)::int AS day, m.home_id, m.away_id, m.season_id, m.sport,
      floor(extract(epoch FROM m.scheduled_start))::bigint AS start, m.home_score, m.away_score,
      ${FORM_WINNER} AS winner, CASE WHEN ${SHOOT_OUT} THEN 2 ELSE ${OVERTIME}::int END AS overtime, coalesce(${IS_NEUTRAL}, false)::int AS neutral,
      -- The score has no goals of a shoot-out.
      m.home_score AS home_goals, m.away_score AS away_goals, ${whole('s.home_shots')} AS home_shots, ${whole('s.away_shots')} AS away_shots,
      coalesce(${whole('s.home_cards')}, i.home_cards) AS home_cards, coalesce(${whole('s.away_cards')}, i.away_cards) AS away_cards
    FROM match m
    LEFT JOIN LATERAL (
      SELECT max(s.home_value) FILTER (WHERE s.stat_name = 'Shots on target') AS home_shots,
        max(s.away_value) FILTER (WHERE s.stat_name = 'Shots on target') AS away_shots,
        sum(s.home_value) FILTER (WHERE s.stat_name IN ('Yellow cards', 'Red cards')) AS home_cards,
        sum(s.away_value) FILTER (WHERE s.stat_name IN ('Yellow cards', 'Red cards')) AS away_cards
      FROM match_block b CROSS JOIN json_to_recordset(b.json::json) AS s (period text, stat_name text, home_value float8, away_value float8)
      WHERE b.match_id = m.id AND b.block = 'statistics' AND s.period = 'ALL'
    ) s ON true
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE i.kind = 'card' AND i.side = 'home') AS home_cards,
        count(*) FILTER (WHERE i.kind = 'card' AND i.side = 'away') AS away_cards
      FROM match_block b CROSS JOIN json_to_recordset(b.json::json) AS i (kind text, side text)
      WHERE b.match_id = m.id AND b.block = 'incidents'
      -- A source of goals alone says nothing about cards.
      HAVING bool_or(i.kind IN ('card', 'subst'))
    ) i ON true
    WHERE m.id = ${id} AND ${COUNTED}
    OFFSET 0`;

/** SQL for a page. The columns, including the key, are the `played_match` columns between `era` and `version`. */
const pageSql = (after: number, limit: number) => `COPY (
  WITH changed AS (
    (SELECT change_cursor, match_id, NULL::bigint AS merged_into FROM match_change WHERE change_cursor > ${after} ORDER BY change_cursor LIMIT ${limit})
    UNION ALL
    (SELECT change_cursor, match_id, merged_into FROM match_tombstone WHERE change_cursor > ${after} AND reason <> 'moved' ORDER BY change_cursor LIMIT ${limit})
    ORDER BY change_cursor LIMIT ${limit}
  )
  SELECT relay.change_seq, changed.change_cursor, changed.match_id, changed.merged_into, counted.* FROM relay LEFT JOIN changed ON true
  LEFT JOIN LATERAL (${countedMatch('changed.match_id')}
  ) counted ON true
  ORDER BY changed.change_cursor
) TO STDOUT`;

/** @param after only changes after this change cursor are read */
export async function readHistoryPage(pool: pg.Pool, after: number, limit: number): Promise<HistoryPage> {
  const lines = await transaction(pool, async (client) =>
    (await text(client.query(copyTo(pageSql(after, limit))))).trimEnd().split('\n'),
  );
  const [first = ''] = lines;
  const last = Number(first.slice(0, first.indexOf('\t')));
  // The relay's row is always returned. Without a change, it is the only line and its change columns are empty.
  const changes = lines.filter((line) => line.split('\t', 2)[1] !== EMPTY_FIELD).map(parseChange);
  const isFull = changes.length >= limit;
  return { changes, last, reached: isFull ? changes.at(-1)!.change_cursor : Math.max(after, last) };
}

function parseChange(line: string): HistoryChange {
  const [, cursor, id, merged, tournament, day, home, away, ...rest] = line.split('\t');
  const [change_cursor, match_id] = [Number(cursor), Number(id)];
  const merged_into = merged === EMPTY_FIELD ? null : Number(merged);
  if (tournament === EMPTY_FIELD) return { change_cursor, match_id, merged_into, row: null };
  const key = {
    match_id,
    tournament_id: Number(tournament),
    day: Number(day),
    home_id: Number(home),
    away_id: Number(away),
  };
  return { change_cursor, match_id, merged_into, row: { key, rest: rest.join('\t') } };
}
