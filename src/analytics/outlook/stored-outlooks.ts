/** Stores and reads outlooks in the Postgres table `season_outlook`. */
import { prepared, type Queryable, wireTimeSql } from '../../db/postgres.ts';
import type { Read } from '../../db/reads.ts';
import { bounds, IN_WINDOW } from '../cards/fresh-window.ts';
import { rulesVersion, tournamentChanges, watermark } from '../cards/subjects.ts';
import { formatDate } from '../samples/match-samples.ts';
import type { Outlook } from './outlook.ts';
import type { OutlookReply } from './schema.ts';

/** Increase this number when the computed or stored data changes. */
const FORMAT = 1;

export interface StoredOutlook {
  /** YYYY-MM-DDTHH:MM:SSZ */
  computed_at: string;
  outlook: Outlook;
}

/** A season's present state, and the newest stored outlook. */
export interface OutlookState {
  era: number;
  /** False until the history has all matches that existed when loading began. */
  is_loaded: boolean;
  /** Version of the season's matches and rules, the model's sample, and the day. */
  version: string;
  /** Null if no outlook is stored. */
  stored: (StoredOutlook & { version: string }) | null;
}

/** SQL for a hash over the match values that can change a season's outlook. A live match's score counts only when it ends. */
const FIXTURES = (
  season: string,
) => `(SELECT md5(string_agg(concat_ws(',', m.id, m.home_id, m.away_id, m.group_name, m.round_name, m.round_num,
    m.status = 'finished', m.status_detail, CASE WHEN m.status = 'finished' THEN m.home_score || ':' || m.away_score END,
    floor(extract(epoch FROM m.scheduled_start) / 86400)), ';' ORDER BY m.id)) FROM match m WHERE m.season_id = ${season})`;
/** @param day SQL for the day, YYYY-MM-DD */
const VERSION = (season: string, tournament: string, day: string) =>
  `concat_ws('.', '${FORMAT}', l.era, l.removed_cursor, ${watermark(tournamentChanges(tournament))}, ${day}, ${rulesVersion(season)}, ${FIXTURES(season)})`;

const STATE = prepared(
  'outlook state',
  `SELECT l.era, l.caught_up_at IS NOT NULL AS is_loaded, ${VERSION('s.id', 's.tournament_id', '$2::text')} AS version,
     CASE WHEN o.season_id IS NOT NULL THEN json_build_object('version', o.version, 'computed_at', ${wireTimeSql('o.computed_at')}, 'outlook', o.outlook) END AS stored
   FROM analytics_loader l, season s
   LEFT JOIN LATERAL (SELECT * FROM season_outlook o WHERE o.season_id = s.id AND o.day <= $2::text::date ORDER BY o.day DESC LIMIT 1) o ON true
   WHERE s.id = $1`,
);

/** @param now ms since 1970 @returns null for an unknown season */
export async function outlookState(db: Queryable, season: number, now: number): Promise<OutlookState | null> {
  const { rows } = await db.query<OutlookState>(STATE([season, formatDate(now / 1_000)]));
  return rows[0] ?? null;
}

/**
 * Stores a day's outlook, replacing an earlier one for the same day.
 * @param now when the outlook was computed, ms since 1970
 */
export async function storeOutlook(
  db: Queryable,
  { season, day, version, outlook }: { season: number; day: string; version: string; outlook: Outlook },
  now: number,
): Promise<void> {
  await db.query(
    `INSERT INTO season_outlook (season_id, day, version, computed_at, outlook) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (season_id, day) DO UPDATE SET version = excluded.version, computed_at = excluded.computed_at, outlook = excluded.outlook`,
    [season, day, version, new Date(now), JSON.stringify(outlook)],
  );
}

/** The sides' probabilities on a day. */
export type OutlookDay = NonNullable<OutlookReply['history']>[number];

const HISTORY = prepared(
  'outlook history',
  `SELECT o.day::text AS date, (SELECT json_agg(json_build_object('participant_id', side -> 'participant_id', 'champion', side -> 'champion', 'zones', side -> 'zones') ORDER BY place)
     FROM json_array_elements(o.outlook -> 'sides') WITH ORDINALITY AS s (side, place)) AS sides
   FROM season_outlook o WHERE o.season_id = $1 AND json_array_length(o.outlook -> 'sides') > 0 ORDER BY o.day`,
);

/** Reads the days of `outlookHistory` together with the rest of a page. @param season null for none */
export const outlookHistoryRead = (season: number | null): Read<OutlookDay[]> => ({
  statement: HISTORY([season]),
  toValue: (rows: OutlookDay[]) => rows,
});

/** Returns the stored days, oldest first. */
export async function outlookHistory(db: Queryable, season: number): Promise<OutlookDay[]> {
  return (await db.query<OutlookDay>(HISTORY([season]))).rows;
}

const NEWEST = prepared(
  'newest outlook',
  `SELECT ${wireTimeSql('computed_at')} AS computed_at, outlook FROM season_outlook WHERE season_id = $1 ORDER BY day DESC LIMIT 1`,
);

/** Reads the newest outlook, even if it is out of date; null if no outlook is stored. @param season null for none */
export const newestOutlookRead = (season: number | null): Read<StoredOutlook | null> => ({
  statement: NEWEST([season]),
  toValue: (rows: StoredOutlook[]) => rows[0] ?? null,
});

/** A season that needs an outlook. */
export interface DueSeason {
  tournament_id: number;
  season_id: number;
  era: number;
  version: string;
}

/** SQL for seasons with matches that start soon, are live or have just ended. */
const WINDOW_SEASONS = `soon AS MATERIALIZED (
    SELECT m.tournament_id, m.season_id, min(m.scheduled_start) FILTER (WHERE m.status <> 'finished') AS next
    FROM match m WHERE ${IN_WINDOW} GROUP BY m.tournament_id, m.season_id)`;

const STALE = prepared(
  'stale outlooks',
  `WITH ${WINDOW_SEASONS}, current AS MATERIALIZED (
     SELECT soon.*, l.era, ${VERSION('soon.season_id', 'soon.tournament_id', '$3::text')} AS version
     FROM soon CROSS JOIN analytics_loader l
     WHERE l.caught_up_at IS NOT NULL
       AND l.loaded_cursor >= (SELECT coalesce(max(c.change_cursor), 0) FROM (${tournamentChanges('soon.tournament_id')}) c)
   )
   SELECT c.tournament_id, c.season_id, c.era, c.version FROM current c
   LEFT JOIN LATERAL (SELECT o.version FROM season_outlook o WHERE o.season_id = c.season_id AND o.day <= $3::text::date ORDER BY o.day DESC LIMIT 1) o ON true
   WHERE o.version IS DISTINCT FROM c.version ORDER BY c.next NULLS LAST, c.season_id`,
);

/**
 * Returns seasons in the window whose newest outlook is missing or stale, ordered by the next match. @param now ms
 * since 1970
 */
export async function staleOutlooks(db: Queryable, now: number): Promise<DueSeason[]> {
  return (await db.query<DueSeason>(STALE([...bounds(now), formatDate(now / 1_000)]))).rows;
}

/** A past day for which a season needs an outlook. */
export interface MissingDay extends Omit<DueSeason, 'version'> {
  /** YYYY-MM-DD */
  day: string;
}

const MISSING = prepared(
  'missing outlooks',
  `WITH ${WINDOW_SEASONS}
   SELECT soon.tournament_id, soon.season_id, l.era, max(played.day)::text AS day
   FROM soon CROSS JOIN analytics_loader l
   CROSS JOIN LATERAL (
     SELECT DISTINCT (m.scheduled_start AT TIME ZONE 'UTC')::date AS day FROM match m
     WHERE m.season_id = soon.season_id AND m.status = 'finished' AND m.home_score IS NOT NULL
       AND m.scheduled_start < date_trunc('week', $3::text::date::timestamp) AT TIME ZONE 'UTC') played
   WHERE EXISTS (SELECT FROM season_outlook o WHERE o.season_id = soon.season_id AND json_array_length(o.outlook -> 'sides') > 0)
     AND NOT EXISTS (SELECT FROM season_outlook o WHERE o.season_id = soon.season_id AND date_trunc('week', o.day) = date_trunc('week', played.day))
   GROUP BY soon.tournament_id, soon.season_id, l.era, date_trunc('week', played.day)
   ORDER BY day DESC, soon.season_id LIMIT 1`,
);

/**
 * Finds the newest past week in which a season in the window had results but no outlook, and returns its last day with a result. Seasons
 * without any stored outlook are ignored.
 * @param now ms since 1970
 */
export async function missingDay(db: Queryable, now: number): Promise<MissingDay | null> {
  const { rows } = await db.query<MissingDay>(MISSING([...bounds(now), formatDate(now / 1_000)]));
  return rows[0] ?? null;
}
