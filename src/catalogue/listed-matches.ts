/** A team's or player's last and next matches, as pages list them. */
import { prepared } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { MatchItem } from '../wire/match.ts';
import { RESULT, UPCOMING } from './participant-events.ts';

/** A match as pages list it. `result` is from the participant's point of view. */
export interface ParticipantMatch extends MatchItem {
  tournament_name_ru: string | null;
  result: 'W' | 'D' | 'L' | null;
}

export interface ParticipantMatches {
  /** Newest first. */
  last: ParticipantMatch[];
  /** Soonest first. */
  next: ParticipantMatch[];
}

const of = (side: string, from: string) =>
  `SELECT m.id, m.scheduled_start, ${side} AS side, ${UPCOMING} AS is_upcoming FROM ${from}`;

const MATCHES = prepared(
  'listed matches of a participant',
  `WITH own AS MATERIALIZED (
     ${of("'home'", 'match m WHERE m.home_id = $1')} UNION ${of("'away'", 'match m WHERE m.away_id = $1')}
     UNION ${of('p.side', 'match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = $1')}
   ), page AS (
     (SELECT * FROM own WHERE NOT is_upcoming ORDER BY scheduled_start DESC, id DESC LIMIT $3)
     UNION ALL (SELECT * FROM own WHERE is_upcoming ORDER BY scheduled_start, id LIMIT $3)
   )
   SELECT page.is_upcoming, c.item::json AS item, ${RESULT} AS result, t.name_ru AS tournament_name_ru
   FROM page JOIN match m ON m.id = page.id JOIN match_card c ON c.match_id = m.id JOIN tournament t ON t.id = m.tournament_id
   ORDER BY CASE WHEN page.is_upcoming THEN page.scheduled_start END, CASE WHEN page.is_upcoming THEN page.id END,
     page.scheduled_start DESC, page.id DESC`,
);

interface Row extends Pick<ParticipantMatch, 'result' | 'tournament_name_ru'> {
  is_upcoming: boolean;
  item: MatchItem;
}

/** @param most maximum number of matches in each list */
export const listedMatchesRead = (participantId: number, now: Date, most: number): Read<ParticipantMatches> => ({
  statement: MATCHES([participantId, now, most]),
  toValue: (rows: Row[]) => {
    const list = (isUpcoming: boolean) =>
      rows.flatMap(({ is_upcoming, item, ...more }) => (is_upcoming === isUpcoming ? [{ ...item, ...more }] : []));
    return { last: list(false), next: list(true) };
  },
});
