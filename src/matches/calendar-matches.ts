/** Reads matches for calendars. */
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import { CALENDAR_PAST_DAYS } from '../wire/calendar.ts';
import { DAY_MS } from '../wire/time.ts';
import { LISTED, LISTED_JOINS, type ListedMatch, withItem } from './match-item.ts';

/** The teams and tournaments for which a calendar was requested. */
export interface Chosen {
  teams: readonly number[];
  tournaments: readonly number[];
}

/** Maximum number of entries. If there are more, the matches nearest to the present day are listed. */
const MAX_MATCHES = 500;
/** Maximum number of entries for former fixtures, which are shown as cancelled. */
const MAX_FORMER = 100;

export interface CalendarMatch extends ListedMatch {
  id: number;
  /** How often the match's schedule has changed. */
  schedule_changes: number;
  /** This database's id, which makes entry ids globally unique. */
  installation: string;
}

const CHOSEN = (match: string) =>
  `(${match}.home_id = ANY ($1::bigint[]) OR ${match}.away_id = ANY ($1::bigint[]) OR ${match}.tournament_id = ANY ($2::bigint[]))`;
const INSTALLATION = '(SELECT database_id FROM analytics_loader) AS installation';

/**
 * Returns the beginning of the day in UTC. All requests during the day use this time, so that a calendar has the same matches
 * all day.
 * @param now ms
 */
const startOfDay = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;
const since = (now: number): Date => new Date(startOfDay(now) - CALENDAR_PAST_DAYS * DAY_MS);

/**
 * Returns a calendar's matches, ordered by start. The calendar covers the last 90 days and all matches to come, with at most 500 matches.
 * @param now ms
 */
export async function calendarMatches(
  db: Queryable,
  { teams, tournaments }: Chosen,
  now: number,
): Promise<CalendarMatch[]> {
  const { rows } = await db.query<Omit<CalendarMatch, 'item'> & { item: string }>({
    name: 'calendar matches',
    text: `WITH found AS MATERIALIZED (
       SELECT id, scheduled_start FROM match WHERE home_id = ANY ($1::bigint[]) AND scheduled_start >= $3
       UNION SELECT id, scheduled_start FROM match WHERE away_id = ANY ($1::bigint[]) AND scheduled_start >= $3
       UNION SELECT id, scheduled_start FROM match WHERE tournament_id = ANY ($2::bigint[]) AND scheduled_start >= $3
     ), shown AS (
       SELECT id FROM found ORDER BY abs(extract(epoch FROM scheduled_start - $4::timestamptz)), id LIMIT ${MAX_MATCHES}
     )
     SELECT m.id, ${LISTED}, m.schedule_changes, ${INSTALLATION}
     FROM shown JOIN match m ON m.id = shown.id ${LISTED_JOINS}
     ORDER BY m.scheduled_start, m.id`,
    values: [teams, tournaments, since(now), new Date(startOfDay(now))],
  });
  return rows.map(withItem);
}

export interface FormerFixture {
  id: number;
  scheduled_start: string;
  time_tbd: boolean;
  schedule_changes: number;
  left_at: string;
  home: string;
  home_ru: string | null;
  away: string;
  away_ru: string | null;
  sport: string;
  tournament: string;
  tournament_ru: string | null;
  installation: string;
}

/**
 * Returns matches that were in the calendar but have since been deleted or moved to other sides or another tournament.
 * @param now ms
 */
export async function formerFixtures(db: Queryable, { teams, tournaments }: Chosen, now: number) {
  const { rows } = await db.query<FormerFixture>({
    name: 'calendar former fixtures',
    text: `SELECT f.match_id AS id, ${wireTimeSql('f.scheduled_start')} AS scheduled_start, f.time_tbd, f.schedule_changes,
       ${wireTimeSql('f.left_at')} AS left_at, home.name AS home, home.name_ru AS home_ru, away.name AS away, away.name_ru AS away_ru,
       t.sport, t.name AS tournament, t.name_ru AS tournament_ru, ${INSTALLATION}
     FROM (SELECT DISTINCT ON (match_id) * FROM former_fixture f WHERE ${CHOSEN('f')} AND scheduled_start >= $3
       ORDER BY match_id, left_at DESC, schedule_changes DESC) f
     JOIN tournament t ON t.id = f.tournament_id
     CROSS JOIN LATERAL names_at(f.home_id, f.scheduled_start) home CROSS JOIN LATERAL names_at(f.away_id, f.scheduled_start) away
     WHERE NOT EXISTS (SELECT FROM match m WHERE m.id = f.match_id AND ${CHOSEN('m')})
     ORDER BY f.left_at DESC, f.match_id LIMIT ${MAX_FORMER}`,
    values: [teams, tournaments, since(now)],
  });
  return rows;
}
