/** A team or player as the page shows them. */
import { prepared } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { Names } from './shown-names.ts';

export interface ShownProfile extends Names {
  id: number;
  sport: string;
  gender: string;
  /** YYYY-MM-DD */
  birth_date: string | null;
  extra: Record<string, unknown>;
  country: (Names & { iso: string }) | null;
  /** Whether a player has also coached a team in a match. */
  is_coach: boolean;
  /** The newest club that a player has appeared for, with the name at the last match. Null for a team. */
  club: (Names & { id: number; season: string; last_start: string }) | null;
}

const CLUB = `SELECT json_build_object('id', c.team_id, 'name', cn.name, 'name_ru', cn.name_ru, 'season', c.season_label, 'last_start', c.last) FROM (
    SELECT club.id AS team_id, s.season_label, min(m.scheduled_start) AS first, max(m.scheduled_start) AS last
    FROM match_player a JOIN match m ON m.id = a.match_id JOIN season s ON s.id = m.season_id
      JOIN participant club ON club.id = CASE a.side WHEN 'home' THEN m.home_id ELSE m.away_id END
    WHERE a.participant_id = p.id AND a.appeared AND m.status <> 'scheduled' AND split_part(club.key, '|', 2) NOT LIKE 'national team %'
    GROUP BY s.season_label, club.id
    ORDER BY last DESC, first DESC, team_id LIMIT 1
  ) c CROSS JOIN LATERAL names_at(c.team_id, c.last) cn`;

const PROFILE = prepared(
  'shown profile',
  `SELECT p.id, p.sport, n.name, n.name_ru, p.gender, to_char(p.birth_date, 'YYYY-MM-DD') AS birth_date, p.extra,
     CASE WHEN c.iso IS NOT NULL THEN json_build_object('iso', c.iso, 'name', c.name, 'name_ru', c.name_ru) END AS country,
     CASE WHEN p.type = 'player' THEN (${CLUB}) END AS club,
     p.type = 'player' AND EXISTS (
       SELECT FROM (SELECT p.id UNION ALL SELECT o.id FROM participant o WHERE o.person_id = p.id) one
         JOIN match_staff s ON s.participant_id = one.id AND s.role = 'coach') AS is_coach
   FROM participant p CROSS JOIN LATERAL names_at(p.id, $2) n LEFT JOIN country c ON c.iso = p.country
   WHERE p.id = (SELECT coalesce(person_id, id) FROM participant WHERE id = $1)`,
);

/** Null for an unknown participant. */
export const profileRead = (id: number, now: Date): Read<ShownProfile | null> => ({
  statement: PROFILE([id, now]),
  toValue: (rows: ShownProfile[]) => rows[0] ?? null,
});
