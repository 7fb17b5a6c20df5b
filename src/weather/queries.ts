/** The fetcher's queries: matches whose weather is due, and stored weather. */
import type pg from 'pg';
import { storeWeather } from '../apply/index.ts';
import { createLease } from '../db/lease.ts';
import type { Queryable } from '../db/postgres.ts';
import { wireTime } from '../wire/time.ts';
import type { Weather } from './block.ts';
import type { Target } from './requests.ts';
import { ARCHIVE_AFTER_MS, ARCHIVE_FROM, HORIZON_MS, type Kind } from './schedule.ts';

/** The process that holds this lease fetches the weather. */
export const weatherLease = createLease('weather_fetcher');

/** SQL condition for matches whose stored weather is missing, due again, or for another hour or place than the target's. */
const DUE = `(w.match_id IS NULL OR w.next_at <= $1 OR (w.hour, w.latitude, w.longitude, w.stadium, w.city)
    IS DISTINCT FROM (g.hour, g.latitude, g.longitude, g.stadium, g.city))`;
const MS = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
const TARGET = `g.match_id, ${MS('g.start')} AS start, ${MS('g.hour')} AS hour, g.latitude, g.longitude, g.stadium, g.city`;

export interface DueTargets {
  targets: Target[];
  /** Number of due matches, including those beyond the limit. */
  total: number;
}

async function due(db: Queryable, sql: string, values: unknown[]): Promise<DueTargets> {
  const { rows } = await db.query<Target & { total: number }>(sql, values);
  return { targets: rows.map(({ total: _, ...target }) => target), total: rows[0]?.total ?? 0 };
}

/** Returns due matches whose weather is still a forecast, up to the horizon. Those that will be played first come first. */
export const dueForecasts = (db: Queryable, now: number, limit: number): Promise<DueTargets> =>
  due(
    db,
    `SELECT ${TARGET}, count(*) OVER ()::int AS total FROM weather_target g LEFT JOIN match_weather w USING (match_id)
     WHERE g.start > $2 AND g.start <= $3 AND ${DUE}
     ORDER BY g.start < $1, abs(extract(epoch FROM g.start - $1::timestamptz)), g.match_id LIMIT $4`,
    [wireTime(now), wireTime(now - ARCHIVE_AFTER_MS), wireTime(now + HORIZON_MS), limit],
  );

/** Returns due matches whose weather is in the archive, newest first. */
export const dueArchives = (db: Queryable, now: number, limit: number): Promise<DueTargets> =>
  due(
    db,
    `SELECT ${TARGET}, count(*) OVER ()::int AS total FROM weather_target g LEFT JOIN match_weather w USING (match_id)
     WHERE g.start <= $2 AND g.hour >= $3::timestamptz AND ${DUE}
     ORDER BY g.hour DESC, g.match_id LIMIT $4`,
    [wireTime(now), wireTime(now - ARCHIVE_AFTER_MS), `${ARCHIVE_FROM}T00:00:00Z`, limit],
  );

/**
 * Returns matches whose weather has to be removed. They were moved beyond the horizon, were moved to a place without coordinates, or will
 * not be played.
 */
export async function obsoleteWeather(db: Queryable, now: number, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ match_id: number }>(
    `SELECT w.match_id FROM match_weather w LEFT JOIN weather_target g USING (match_id)
     WHERE g.match_id IS NULL OR (g.start > $1 AND w.hour <> g.hour) LIMIT $2`,
    [wireTime(now + HORIZON_MS), limit],
  );
  return rows.map(({ match_id }) => match_id);
}

export interface StoredWeather {
  target: Target;
  kind: Kind;
  /** Null if the provider had no weather. */
  weather: Weather | null;
  /** Time of the next request, in ms. Infinity means never. */
  nextAt: number;
}

/** @returns ids of the matches whose card has changed */
export async function saveWeather(
  client: pg.PoolClient,
  found: readonly StoredWeather[],
  now: number,
): Promise<number[]> {
  const rows = JSON.stringify(
    found.map(({ target: { match_id, hour, latitude, longitude, stadium, city }, kind, nextAt }) => {
      const next_at = Number.isFinite(nextAt) ? wireTime(nextAt) : 'infinity';
      return { match_id, hour: wireTime(hour), latitude, longitude, stadium, city, kind, next_at };
    }),
  );
  const { rows: known } = await client.query<{ match_id: number }>(
    `SELECT w.match_id FROM json_populate_recordset(NULL::match_weather, $1) g
     JOIN match_weather w USING (match_id, hour, latitude, longitude)`,
    [rows],
  );
  const unmoved = new Set(known.map(({ match_id }) => match_id));
  const blocks = new Map<number, string | null>();
  for (const { target, weather } of found) {
    // If the provider now has no weather, the last known weather for the same hour and place stays.
    if (weather !== null) blocks.set(target.match_id, JSON.stringify(weather));
    else if (!unmoved.has(target.match_id)) blocks.set(target.match_id, null);
  }
  const changed = await storeWeather(client, blocks, now);
  await client.query(
    `INSERT INTO match_weather (match_id, hour, latitude, longitude, stadium, city, kind, next_at)
     SELECT g.match_id, g.hour, g.latitude, g.longitude, g.stadium, g.city, g.kind, g.next_at
     FROM json_populate_recordset(NULL::match_weather, $1) g JOIN match m ON m.id = g.match_id ORDER BY g.match_id
     ON CONFLICT (match_id) DO UPDATE SET hour = excluded.hour, latitude = excluded.latitude, longitude = excluded.longitude,
       stadium = excluded.stadium, city = excluded.city, kind = excluded.kind, next_at = excluded.next_at`,
    [rows],
  );
  return changed;
}

/** @returns ids of the matches whose card has changed */
export async function removeWeather(client: pg.PoolClient, ids: readonly number[], now: number): Promise<number[]> {
  await client.query('DELETE FROM match_weather WHERE match_id = ANY ($1)', [ids]);
  return storeWeather(client, new Map(ids.map((id) => [id, null])), now);
}

export async function saveWaiting(
  client: Queryable,
  { forecasts, archive }: { forecasts: number; archive: number | null },
  now: number,
): Promise<void> {
  await client.query(
    `UPDATE weather_fetcher SET waiting_forecasts = $1, waiting_archive = coalesce($2, waiting_archive),
       caught_up_at = CASE WHEN $1 = 0 THEN $3 ELSE caught_up_at END`,
    [forecasts, archive, wireTime(now)],
  );
}
