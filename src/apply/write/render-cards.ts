/**
 * Renders the two stored pieces of a card: the list item and the detail members. SQL renders them as JSON text with a fixed
 * key order. A request assembles the whole card from these pieces and the blocks (see matches/card-sql.ts).
 */
import { prepared, type Queryable, wireTimeSql } from '../../db/postgres.ts';
import { shownDetailSql } from '../stored/awaiting-data.ts';
import { COMPLETENESS, extentJoin, extentValues } from '../stored/completeness.ts';
import { shownProvidersSql } from '../stored/provenance.ts';

/** Returns the SQL for a side. Uses row_to_json because json_build_object would write spaces. */
const side = (name: 'home' | 'away') => `(SELECT row_to_json(s) FROM (SELECT
    m.${name}_id AS participant_id, ${name}.name, ${name}.name_ru, '${name}' AS side, m.${name}_score AS score,
    '/v1/participant/' || m.${name}_id || '/image' AS image_url) s)`;

/** Many groups share a few providers, so each provider's attribution is looked up only once. */
const SOURCES = `(SELECT coalesce(array_to_json(array_agg(DISTINCT coalesce(a.attribution, p.provider))), '[]'::json)
    FROM (${shownProvidersSql('m.provenance')}) p
    LEFT JOIN source_attribution a ON a.provider = p.provider)`;

const RENDER = prepared(
  'render cards',
  `INSERT INTO match_card (match_id, item, detail)
  SELECT m.id,
    (SELECT row_to_json(i)::text FROM (SELECT
      m.id, ${wireTimeSql('m.scheduled_start')} AS scheduled_start, m.time_tbd, m.status, ${shownDetailSql('m')} AS status_detail, m.minute,
      m.round_num, m.round_name, t.name AS tournament, m.tournament_id, m.season_id, m.sport, v.name AS venue,
      greatest(m.importance, t.importance) AS importance, m.lineup_confirmed, m.finalized,
      ${wireTimeSql('m.updated_at')} AS updated_at,
      (SELECT CASE WHEN m.shootout_winner IS NULL AND m.given_winner IS NULL THEN row_to_json(e)
          ELSE (left(row_to_json(e)::text, -1) || coalesce(',"shootout_winner":"' || m.shootout_winner || '"', '')
            || coalesce(',"winner":"' || m.given_winner || '"', '') || '}')::json END
        FROM (SELECT m.period_scores::json AS period_scores, s.season_label AS season,
          coalesce(m.round_name, 'Round ' || m.round_num) AS round, m.start_time) e) AS extra,
      (SELECT w.json::json FROM match_block w WHERE w.match_id = m.id AND w.block = 'weather') AS weather,
      array_to_json(ARRAY[${side('home')}, ${side('away')}]) AS participants) i),
    substr(d.text, 2, length(d.text) - 2) || ',"meta":{"last_detail_at":' || coalesce('"' || ${wireTimeSql('m.detail_at')} || '"', 'null')
      || ',"completeness":' || ${COMPLETENESS} || ',"sources":' || ${SOURCES}::text || '}'
  FROM match m
  ${extentJoin(2)}
  JOIN tournament t ON t.id = m.tournament_id
  JOIN season s ON s.id = m.season_id
  CROSS JOIN LATERAL names_at(m.home_id, m.scheduled_start) home
  CROSS JOIN LATERAL names_at(m.away_id, m.scheduled_start) away
  LEFT JOIN venue v ON v.id = m.venue_id
  CROSS JOIN LATERAL (SELECT row_to_json(x)::text AS text FROM (SELECT s.season_label, v.city AS venue_city, v.capacity AS venue_capacity,
    m.referee, m.attendance) x) d
  WHERE m.id = ANY ($1::bigint[])
  ON CONFLICT (match_id) DO UPDATE SET item = excluded.item, detail = excluded.detail`,
);

/** Renders cards. The caller must hold the match locks, so that nothing changes meanwhile. */
export async function renderCards(client: Queryable, matchIds: readonly number[]): Promise<void> {
  if (matchIds.length > 0) await client.query(RENDER([matchIds, ...extentValues]));
}

/**
 * Returns the SQL that replaces the time in `member`. The member's text occurs only once in the JSON, because quotes
 * inside any other member's text are escaped.
 */
const withTime = (column: string, member: string, time: string) =>
  `overlay(${column} PLACING ${wireTimeSql(time)} FROM strpos(${column}, '"${member}":"') + ${member.length + 4})`;

const UPDATE_TIMES = prepared(
  'update card times',
  `UPDATE match_card c SET item = ${withTime('c.item', 'updated_at', 'm.updated_at')},
     detail = ${withTime('c.detail', 'last_detail_at', 'm.detail_at')}
   FROM match m WHERE m.id = c.match_id AND c.match_id = ANY ($1::bigint[])`,
);

/**
 * Updates cards if only blocks have changed and the completeness has not. The result is the same as from `renderCards`
 * (measured 0.07 ms a card instead of 0.25). Each match must have had blocks before, otherwise its card has no time to replace.
 */
export async function updateCardTimes(client: Queryable, matchIds: readonly number[]): Promise<void> {
  if (matchIds.length > 0) await client.query(UPDATE_TIMES([matchIds]));
}
