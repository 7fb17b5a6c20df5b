/** The last and next matches of a venue, referee or coach, as list items, and the matches that a client may see. */
import type { MatchAccess } from '../wire/access.ts';
import type { MatchItem } from '../wire/match.ts';

const MOST = 10;

/** SQL for whether the plan includes a match `m`. @param at the number of the first of two parameters: see `withinValues` */
export const withinSql = (at: number) =>
  `($${at}::text[] IS NULL OR m.sport = ANY ($${at}) OR m.tournament_id = ANY ($${at + 1}::bigint[]))`;
export const withinValues = (access: MatchAccess | null) => [access?.sports ?? null, access?.tournaments ?? null];

/** @param own name of a table with the columns id, scheduled_start and is_over, one row for each match */
export const listedEventsSql = (own: string) => {
  const list = (condition: string, direction: string) => `coalesce((
    SELECT json_agg(c.item::json ORDER BY page.scheduled_start ${direction}, page.id ${direction}) FROM (
      SELECT id, scheduled_start FROM ${own} WHERE ${condition} ORDER BY scheduled_start ${direction}, id ${direction} LIMIT ${MOST}) page
    JOIN match_card c ON c.match_id = page.id), '[]')`;
  return `${list('is_over', 'DESC')} AS last_events, ${list('NOT is_over', 'ASC')} AS next_events`;
};

export interface ListedEvents {
  last_events: MatchItem[];
  next_events: MatchItem[];
}
