/** Matches whose cards the job keeps fresh because they start soon, are live, or have just ended. */
import { firstRow, prepared, type Queryable } from '../../db/postgres.ts';
import { DAY_MS } from '../../wire/time.ts';
import { formatDate } from '../samples/match-samples.ts';
import { CARD_FORMAT } from './stored-cards.ts';
import { rulesVersion, tournamentChanges } from './subjects.ts';

const AHEAD_MS = 14 * DAY_MS;
/** How long a match stays in the window after its start. It includes some hours for the match itself. */
const BEHIND_MS = 3.25 * DAY_MS;
/** A card that is no longer kept fresh is deleted this long after it was computed. */
const DELETE_AFTER_MS = 7 * DAY_MS;

/** A tournament with matches in the window, whose cards may be stale. */
export interface WindowTournament {
  id: number;
  /** Version of the samples and the matches in the window. It does not change when sides meet in another tournament. */
  fingerprint: string;
}

/** SQL condition for matches in the window, from `$1` to `$2`. */
export const IN_WINDOW = `((m.scheduled_start >= $1 AND m.scheduled_start < $2) OR m.status = 'live')`;
/** Returns the values for `$1` and `$2` in `IN_WINDOW`. @param now ms since 1970 */
export const bounds = (now: number) => [new Date(now - BEHIND_MS), new Date(now + AHEAD_MS)];

const TOURNAMENTS = prepared(
  'analytics window tournaments',
  `WITH soon AS MATERIALIZED (
     SELECT m.tournament_id, min(m.scheduled_start) FILTER (WHERE m.status <> 'finished') AS next,
       md5(string_agg(concat_ws(',', m.id, m.home_id, m.away_id, m.season_id, m.venue_id, m.neutral, floor(extract(epoch FROM m.scheduled_start) / 86400)), ';' ORDER BY m.id)) AS matches,
       array_agg(DISTINCT m.season_id) AS seasons
     FROM match m WHERE ${IN_WINDOW} GROUP BY m.tournament_id
   ), current AS MATERIALIZED (
     SELECT soon.tournament_id, soon.next, changes.cursor <= l.loaded_cursor AS is_loaded,
       concat_ws('.', '${CARD_FORMAT}', l.era, l.removed_cursor, changes.cursor, soon.matches, $3::text,
         (SELECT string_agg(${rulesVersion('s.id')}, '.' ORDER BY s.id) FROM unnest(soon.seasons) AS s (id))) AS fingerprint
     FROM soon CROSS JOIN analytics_loader l
     CROSS JOIN LATERAL (SELECT coalesce(max(c.change_cursor), 0) AS cursor FROM (${tournamentChanges('soon.tournament_id')}) c) changes
     WHERE l.caught_up_at IS NOT NULL
   ), stale AS (
     INSERT INTO analytics_window (tournament_id, stale_since)
     SELECT c.tournament_id, clock_timestamp() FROM current c LEFT JOIN analytics_window w USING (tournament_id)
     WHERE w.stale_since IS NULL AND w.fingerprint IS DISTINCT FROM c.fingerprint
     ON CONFLICT (tournament_id) DO UPDATE SET stale_since = excluded.stale_since
   )
   SELECT c.tournament_id AS id, c.fingerprint FROM current c LEFT JOIN analytics_window w USING (tournament_id)
   WHERE c.is_loaded AND w.fingerprint IS DISTINCT FROM c.fingerprint ORDER BY c.next NULLS LAST, c.tournament_id`,
);

/**
 * Returns the tournaments whose samples have changed and are loaded, ordered by the next match. From this call on, requests know that these
 * cards are stale.
 * @param now ms since 1970
 */
export async function staleTournaments(db: Queryable, now: number): Promise<WindowTournament[]> {
  return (await db.query<WindowTournament>(TOURNAMENTS([...bounds(now), formatDate(now / 1_000)]))).rows;
}

const recheck = (condition: string, since = 'clock_timestamp()') =>
  `UPDATE analytics_window w SET fingerprint = '', stale_since = coalesce(stale_since, ${since}) WHERE ${condition}`;
/** Used when the job begins. No process looked for changes before, so it is not known how long cards have been stale. */
const RECHECK_ALL = recheck('true', "'-infinity'");
const RECHECK_MET = prepared(
  'analytics met elsewhere',
  recheck(`w.tournament_id IN (SELECT m.tournament_id FROM match_change c JOIN match met ON met.id = c.match_id AND met.status = 'finished'
     JOIN match m ON m.home_id IN (met.home_id, met.away_id) AND m.away_id IN (met.home_id, met.away_id) AND m.tournament_id <> met.tournament_id
     WHERE c.change_cursor > $3 AND c.change_cursor <= $4 AND ${IN_WINDOW})`),
);
/** If more matches than this have changed, all tournaments are checked, because that is cheaper than finding the sides that have met. */
const MANY_CHANGES = 5_000;

/**
 * Marks tournaments as stale if sides that will meet in them have just met elsewhere. A fingerprint does not show such
 * meetings.
 * @param after change cursor from the last call; null marks all tournaments
 * @returns the change cursor up to which changes are loaded
 */
export async function recheckMeetings(db: Queryable, after: number | null, now: number): Promise<number> {
  const { rows } = await db.query<{ loaded: number }>('SELECT loaded_cursor AS loaded FROM analytics_loader');
  const { loaded } = firstRow(rows);
  if (after === null) await db.query(RECHECK_ALL);
  else if (loaded - after > MANY_CHANGES) await db.query(recheck('true'));
  else if (loaded > after) await db.query(RECHECK_MET([...bounds(now), after, loaded]));
  return loaded;
}

/** Stores that all of the tournament's cards are fresh for this fingerprint. */
export async function saveFresh(db: Queryable, { id, fingerprint }: WindowTournament): Promise<void> {
  await db.query('UPDATE analytics_window SET fingerprint = $2, stale_since = NULL WHERE tournament_id = $1', [
    id,
    fingerprint,
  ]);
}

/** A match in the window. */
export interface WindowMatch {
  id: number;
  home_id: number;
  away_id: number;
}

const MATCHES = prepared(
  'analytics window matches',
  `SELECT m.id, m.home_id, m.away_id FROM match m WHERE m.tournament_id = $3 AND ${IN_WINDOW}
   ORDER BY m.status = 'finished', m.scheduled_start, m.id`,
);

/** Returns a tournament's matches in the window, ordered by start, with finished matches last. */
export async function windowMatches(db: Queryable, tournament: number, now: number): Promise<WindowMatch[]> {
  return (await db.query<WindowMatch>(MATCHES([...bounds(now), tournament]))).rows;
}

/** Returns true if the loader has loaded all matches that existed when it began. */
export async function isHistoryLoaded(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is_loaded: boolean }>(
    'SELECT caught_up_at IS NOT NULL AS is_loaded FROM analytics_loader',
  );
  return firstRow(rows).is_loaded;
}

const AFTER = prepared(
  'analytics next tournament',
  `SELECT t.id FROM tournament t WHERE t.id > $1 AND EXISTS (SELECT FROM match m WHERE m.tournament_id = t.id AND m.status = 'finished')
   ORDER BY t.id LIMIT 1`,
);

/** Returns the tournament with the next higher id that has a finished match; null after the last one. */
export async function tournamentAfter(db: Queryable, id: number): Promise<number | null> {
  return (await db.query<{ id: number }>(AFTER([id]))).rows[0]?.id ?? null;
}

const SIDES = prepared(
  'analytics sides of a tournament',
  `SELECT side.id FROM match m CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
   WHERE m.tournament_id = $1 AND m.status = 'finished' GROUP BY side.id ORDER BY max(m.season_id) DESC, side.id`,
);

/** Returns the sides with a finished match in a tournament. Sides of the same last season are next to each other. */
export async function sidesIn(db: Queryable, tournament: number): Promise<number[]> {
  return (await db.query<{ id: number }>(SIDES([tournament]))).rows.map(({ id }) => id);
}

/**
 * Marks cards outside the window, so that the job no longer keeps them fresh. Of the cards that are not kept fresh, deletes those computed
 * over a week ago.
 */
export async function releaseCards(db: Queryable, now: number): Promise<void> {
  await db.query(
    `DELETE FROM analytics_window w WHERE NOT EXISTS (SELECT FROM match m WHERE m.tournament_id = w.tournament_id AND ${IN_WINDOW})`,
    bounds(now),
  );
  await db.query(
    `UPDATE analytics_card SET kept = false
     WHERE kept AND CASE kind WHEN 'match' THEN NOT EXISTS (SELECT FROM match m WHERE m.id = subject_id AND ${IN_WINDOW})
       WHEN 'side' THEN NOT EXISTS (SELECT FROM match m WHERE m.home_id = subject_id AND ${IN_WINDOW})
         AND NOT EXISTS (SELECT FROM match m WHERE m.away_id = subject_id AND ${IN_WINDOW})
       ELSE NOT EXISTS (SELECT FROM analytics_window w WHERE w.tournament_id = subject_id) END`,
    bounds(now),
  );
  await db.query('DELETE FROM analytics_card WHERE NOT kept AND computed_at < $1', [new Date(now - DELETE_AFTER_MS)]);
}
