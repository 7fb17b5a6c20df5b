/** Keeps what a match was before it is deleted, or gets other sides or another tournament: calendars then show it as cancelled. */
import type { Queryable } from '../../db/postgres.ts';
import { CALENDAR_PAST_DAYS } from '../../wire/calendar.ts';
import { DAY_MS, wireTime } from '../../wire/time.ts';

/** A day more than calendars show: they count from the beginning of a day. */
const KEPT_DAYS = CALENDAR_PAST_DAYS + 1;

/** Stores matches as they are now, before their change; matches of long ago are in no calendar. @param at YYYY-MM-DDTHH:MM:SSZ */
export async function keepFormerFixtures(client: Queryable, ids: readonly number[], at: string): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `INSERT INTO former_fixture (match_id, tournament_id, home_id, away_id, scheduled_start, time_tbd, schedule_changes, left_at)
     SELECT id, tournament_id, home_id, away_id, scheduled_start, time_tbd, schedule_changes + 1, $2 FROM match
     WHERE id = ANY ($1) AND scheduled_start > $2::timestamptz - interval '${KEPT_DAYS} days'
     ON CONFLICT (match_id, tournament_id, home_id, away_id) DO UPDATE SET scheduled_start = excluded.scheduled_start,
       time_tbd = excluded.time_tbd, schedule_changes = excluded.schedule_changes, left_at = excluded.left_at`,
    [ids, at],
  );
}

/** Deletes the former fixtures that no calendar shows any more. @param now ms */
export async function deleteFormerFixtures(db: Queryable, now: number): Promise<void> {
  await db.query('DELETE FROM former_fixture WHERE scheduled_start < $1', [wireTime(now - KEPT_DAYS * DAY_MS)]);
}
