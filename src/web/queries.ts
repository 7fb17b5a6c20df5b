/** Queries of the pages: stored list items and blocks, as JSON text. */
import type { Queryable } from '../db/postgres.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';
import type { BySide } from '../in-play/chances.ts';
import { utcDay } from '../wire/time.ts';
import { DAY_COLUMNS, DAY_FROM, DAY_ORDER, type DayRow } from './day-queries.ts';

const FROM = 'match m JOIN tournament t ON t.id = m.tournament_id JOIN match_card c ON c.match_id = m.id';

/** Maximum number of live matches on the front page. */
export const SHOWN_LIVE = 200;
const LIVE = `${DAY_FROM} WHERE m.status = 'live' AND NOT m.awaiting_data ORDER BY ${DAY_ORDER} LIMIT ${SHOWN_LIVE}`;

/** Returns the matches in progress for the front page, most important tournaments first. */
export async function liveMatches(db: Queryable): Promise<(DayRow & { sport: string })[]> {
  const { rows } = await db.query<DayRow & { sport: string }>(`SELECT ${DAY_COLUMNS}, m.sport FROM ${LIVE}`);
  return rows;
}

/** Returns the ids of `liveMatches`. */
export async function liveMatchIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`SELECT m.id FROM ${LIVE}`);
  return rows.map(({ id }) => id);
}

/** Returns the tournament of a match in progress; null for any other match. */
export async function tournamentOfLiveMatch(db: Queryable, id: number): Promise<number | null> {
  const { rows } = await db.query<{ tournament_id: number }>(
    `SELECT tournament_id FROM match WHERE id = $1 AND status = 'live'`,
    [id],
  );
  return rows[0]?.tournament_id ?? null;
}

export interface MatchPageRow {
  version: number;
  item: string;
  /** Members of the detail, without braces. */
  detail: string;
  tournament_name_ru: string | null;
  blocks: Record<string, string>;
  /** Expected goals of its present sides in 90 minutes; null if none are stored. */
  rates: BySide | null;
}

/** Returns a match with these blocks; null for an unknown id. */
export async function matchPage(db: Queryable, id: number, blocks: readonly string[]): Promise<MatchPageRow | null> {
  const { rows } = await db.query<MatchPageRow>(
    `SELECT m.version, c.item, c.detail, t.name_ru AS tournament_name_ru,
       coalesce((SELECT json_object_agg(b.block, ${shownBlockSql('b')}) FROM match_block b WHERE b.match_id = m.id AND b.block = ANY ($2)), '{}') AS blocks,
       (SELECT json_build_object('home', r.expected_home, 'away', r.expected_away) FROM match_rates r
         WHERE (r.match_id, r.tournament_id, r.home_id, r.away_id) = (m.id, m.tournament_id, m.home_id, m.away_id)) AS rates
     FROM ${FROM} WHERE m.id = $1`,
    [id, blocks],
  );
  return rows[0] ?? null;
}

export interface MomentumRow {
  version: number;
  sport: string;
  momentum: string;
  incidents: string | null;
}

/** Returns the data of the momentum picture; null for an unknown match or one without momentum. */
export async function momentumData(db: Queryable, id: number): Promise<MomentumRow | null> {
  const { rows } = await db.query<MomentumRow>(
    `SELECT m.version, m.sport, b.json AS momentum, i.json AS incidents FROM match m
     JOIN match_block b ON b.match_id = m.id AND b.block = 'momentum'
     LEFT JOIN match_block i ON i.match_id = m.id AND i.block = 'incidents' WHERE m.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export interface CountryName {
  name: string;
  name_ru: string | null;
}

/** Returns the names of countries by their codes. */
export async function countryNames(db: Queryable, codes: readonly string[]): Promise<Map<string, CountryName>> {
  const { rows } = await db.query<CountryName & { iso: string }>({
    name: 'country names',
    text: 'SELECT iso, name, name_ru FROM country WHERE iso = ANY ($1)',
    values: [codes],
  });
  return new Map(rows.map(({ iso, ...names }) => [iso, names]));
}

/** Returns the Russian names of tournaments that have one. */
export async function tournamentNamesRu(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; name_ru: string }>({
    name: 'Russian names of tournaments',
    text: 'SELECT id, name_ru FROM tournament WHERE id = ANY ($1) AND name_ru IS NOT NULL',
    values: [ids],
  });
  return new Map(rows.map(({ id, name_ru }) => [id, name_ru]));
}

/** Returns the minutes of a player's goals, own goals and shoot-outs apart, as far as they are known. */
export async function goalMinutes(db: Queryable, playerId: number): Promise<number[]> {
  const { rows } = await db.query<{ minute: number }>({
    name: 'goal minutes of a player',
    text: `WITH ids AS MATERIALIZED (SELECT id FROM participant WHERE id = $1 OR person_id = $1)
      SELECT (i ->> 'minute')::int AS minute FROM match_player p
      JOIN match_block b ON b.match_id = p.match_id AND b.block = 'incidents'
      CROSS JOIN LATERAL json_array_elements(b.json::json) i
      WHERE p.participant_id = $1 AND p.goals > 0 AND i ->> 'kind' = 'goal'
        AND (i ->> 'player_participant_id')::bigint IN (SELECT id FROM ids)
        AND i ->> 'minute' IS NOT NULL AND coalesce(i -> 'payload' ->> 'goal_type', '') <> 'own_goal'`,
    values: [playerId],
  });
  return rows.map(({ minute }) => minute);
}

export interface PageSubject {
  /** Differs from the id that was asked for if a name was identified as this player, or two teams were merged. */
  id: number;
  type: 'team' | 'player';
  /** National team of a country. */
  is_national: boolean;
}

/** Returns the participant of a page; null for an unknown id. */
export async function pageSubject(db: Queryable, id: number): Promise<PageSubject | null> {
  const { rows } = await db.query<PageSubject>({
    name: 'participant of a page',
    text: `SELECT p.id, p.type, split_part(p.key, '|', 2) LIKE 'national team %' AS is_national
      FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id) WHERE g.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Returns which of these teams are national teams. */
export async function nationalTeams(db: Queryable, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>({
    name: 'national teams among teams',
    text: "SELECT id FROM participant WHERE id = ANY ($1) AND split_part(key, '|', 2) LIKE 'national team %'",
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Returns the kinds of rankings of which one was published. */
export async function publishedKinds(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ kind: string }>({
    name: 'published kinds',
    text: 'SELECT DISTINCT kind FROM ranking',
  });
  return new Set(rows.map(({ kind }) => kind));
}

/** Returns the list item of a match with its version; null for an unknown id. */
export async function sharedMatch(db: Queryable, id: number): Promise<{ version: number; item: string } | null> {
  const { rows } = await db.query<{ version: number; item: string }>({
    name: 'shared match',
    text: 'SELECT m.version, c.item FROM match m JOIN match_card c ON c.match_id = m.id WHERE m.id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}

/** Returns a value that changes with the matches of a season: the given one, or else the current one. */
export async function tournamentPageVersion(
  db: Queryable,
  id: number,
  season: number | undefined,
  now: Date,
): Promise<string> {
  const { rows } = await db.query<{ version: string }>({
    name: 'version of a tournament page',
    text: `SELECT concat_ws(':', count(*), sum(m.version), (SELECT revision FROM search_refresh)) AS version FROM match m
      WHERE m.season_id = coalesce($2::bigint, current_season($1, $3))`,
    values: [id, season ?? null, utcDay(now)],
  });
  return rows[0]!.version;
}
