/** Reads the matches on a day, as the front page lists them. */
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { redCards } from '../wire/card-counts.ts';
import { localStartSql, onDaySql, startsBeforeSql, startsFromSql } from './local-day.ts';
import { LISTED, LISTED_JOINS, type ListedMatch, withItem } from './match-item.ts';

export interface DayMatch extends ListedMatch {
  /** Of the tournament. */
  country: string;
  country_name: string;
  country_name_ru: string | null;
  /** How many players of each side were sent off. */
  red_cards: Record<'home' | 'away', number>;
}
export type DayRow = Omit<DayMatch, 'item' | 'red_cards'> & {
  item: string;
  /** JSON text of the incidents. Null if no card can be red. */
  incidents: string | null;
};

/** The columns of a match list, with the names that the front page shows. */
export const DAY_COLUMNS = `${LISTED}, y.iso AS country, y.name AS country_name, y.name_ru AS country_name_ru,
   (SELECT b.json FROM match_block b WHERE b.match_id = m.id AND b.block = 'incidents'
     AND b.json ~ '"card_type": ?"(red|second_yellow|yellow_red)"') AS incidents`;
export const DAY_FROM = `match m ${LISTED_JOINS} JOIN country y ON y.iso = t.country`;
/** Sort order. Important leagues come first, and a league's matches stay together. */
export const DAY_ORDER =
  'coalesce(t.importance, 0) DESC, t.tier NULLS LAST, y.name, t.name, t.id, m.scheduled_start, m.id';

/** Maximum number of matches, which is more than any day in the catalogue has. */
const MOST = 1_000;

/** SQL for a match on the day $1 in the time zone $2. */
const WITHIN = onDaySql('$1::date', '$2');

const DAY = prepared(
  'matches of a day',
  `SELECT ${DAY_COLUMNS} FROM ${DAY_FROM}
   WHERE (${WITHIN} OR $4 AND m.status = 'live' AND NOT m.awaiting_data) AND ($3::text IS NULL OR m.sport = $3)
   ORDER BY ${DAY_ORDER} LIMIT ${MOST}`,
);

export const toDayMatch = ({ incidents, ...row }: DayRow): DayMatch => {
  const match = withItem(row);
  return { ...match, red_cards: redCards(JSON.parse(incidents ?? '[]'), match.item.sport) };
};

/**
 * @param day YYYY-MM-DD
 * @param tz IANA name
 * @param withLive includes matches in progress that began on another day
 */
export async function dayMatches(
  db: Queryable,
  day: string,
  tz: string,
  sport: string | undefined,
  withLive = false,
): Promise<DayMatch[]> {
  return (await db.query<DayRow>(DAY([day, tz, sport ?? null, withLive]))).rows.map(toDayMatch);
}

/** Reads the matches of a day together with the rest of a page. @param day null for no matches */
export const dayMatchesRead = (day: string | null, tz: string, sport: string | undefined): Read<DayMatch[]> => ({
  statement: DAY([day, tz, sport ?? null, false]),
  toValue: (rows: DayRow[]) => rows.map(toDayMatch),
});

const SPORTS = prepared(
  'sports of a day',
  `SELECT m.sport, count(*)::int AS count FROM match m WHERE ${WITHIN} GROUP BY 1 ORDER BY 2 DESC, 1`,
);

export interface SportOfDay {
  sport: string;
  /** Number of matches. */
  count: number;
}

/** Reads the sports that have matches on a day, the sport with the most matches first. */
export const sportsOfDayRead = (day: string, tz: string): Read<SportOfDay[]> => ({
  statement: SPORTS([day, tz]),
  toValue: (rows: SportOfDay[]) => rows,
});

export interface NearestDays {
  /** The nearest earlier day that has matches, YYYY-MM-DD. Null if there is none. */
  before: string | null;
  after: string | null;
}

const LOCAL_DAY = `${localStartSql('$2')}::date`;
/** Matches with and without a time are not in the order of their local days, so a few hundred are compared. */
const COMPARED = 500;
const nearestSql = (edge: 'min' | 'max', condition: string, order: string) =>
  `(SELECT to_char(${edge}(near.day), 'YYYY-MM-DD') FROM (
      SELECT ${LOCAL_DAY} AS day FROM match m WHERE ${condition} AND ($3::text IS NULL OR m.sport = $3)
      ORDER BY m.scheduled_start ${order} LIMIT ${COMPARED}) near)`;

const NEAREST = prepared(
  'nearest days with matches',
  `SELECT ${nearestSql('max', `${startsBeforeSql('$1::date')} AND ${LOCAL_DAY} < $1::date`, 'DESC')} AS before,
     ${nearestSql('min', `${startsFromSql('$1::date + 1')} AND ${LOCAL_DAY} > $1::date`, 'ASC')} AS after`,
);

export async function nearestDays(
  db: Queryable,
  day: string,
  tz: string,
  sport: string | undefined,
): Promise<NearestDays> {
  return firstRow((await db.query<NearestDays>(NEAREST([day, tz, sport ?? null]))).rows);
}
