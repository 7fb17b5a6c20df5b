/** Joins coaches, whom sources give only by name, to other coaches and to players, if there is evidence that they are one person. */
import type { Queryable } from '../db/postgres.ts';
import { IS_NAMED_ONLY } from './entity-keys.ts';
import { storeAliases } from './participant-names.ts';

/** A name with fewer words, or with initials, fits too many people. */
const FULL_NAME = '^[^ ]{2,}( [^ ]{2,})+$';

/**
 * A name is common if more other players than this are expected to have it by chance. The number is the share of players with the first
 * word, times the share with the last word, times all players. Of 66 coaches who fit a player in the open data, two have such a name;
 * António Oliveira is two people.
 */
const MOST_EXPECTED = 0.05;

/**
 * A coach is
 * - the identified player with the same full name who has played for a team that the coach has coached, and who has not played since
 *   the coach's first match (so that a son is not the father), if there is only one such player and the name is not common;
 * - or else the coach with the same full name who has coached in the same tournament and has the lowest id.
 *
 * A pair that an operator has decided stays as it is.
 */
const LINK = `WITH decided AS (
    SELECT known_id AS a, other_id AS b, decision FROM participant_pair WHERE decision IS NOT NULL
    UNION ALL SELECT other_id, known_id, decision FROM participant_pair WHERE decision IS NOT NULL
  ), stint AS MATERIALIZED (
    SELECT s.participant_id AS coach_id, CASE s.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id, m.tournament_id,
      min(m.scheduled_start) AS first
    FROM match_staff s JOIN match m ON m.id = s.match_id WHERE s.role = 'coach' GROUP BY 1, 2, 3
  ), coach AS MATERIALIZED (
    SELECT p.id, p.sport, split_part(p.key, '|', 2) AS name, p.person_id FROM participant p
    WHERE p.type = 'coach' AND split_part(p.key, '|', 2) ~ '${FULL_NAME}'
      AND NOT EXISTS (SELECT FROM decided d WHERE d.a = p.id AND d.decision = 'same')
  ), known AS MATERIALIZED (
    SELECT p.id, p.sport, a.key AS name, split_part(a.key, ' ', 1) AS first_word, split_part(a.key, ' ', -1) AS last_word
    FROM participant p JOIN participant_alias a ON a.participant_id = p.id
    WHERE p.type = 'player' AND p.person_id IS NULL AND NOT p.${IS_NAMED_ONLY}
  ), named AS MATERIALIZED (
    SELECT DISTINCT c.id AS coach_id, k.id AS player_id, k.sport, k.first_word, k.last_word
    FROM coach c JOIN known k ON k.name = c.name AND k.sport = c.sport
    WHERE NOT EXISTS (SELECT FROM decided d WHERE d.a = c.id AND d.b = k.id)
  ), first AS (
    SELECT sport, first_word, count(DISTINCT id) AS players FROM known
    WHERE (sport, first_word) IN (SELECT sport, first_word FROM named) GROUP BY 1, 2
  ), last AS (
    SELECT sport, last_word, count(DISTINCT id) AS players FROM known
    WHERE (sport, last_word) IN (SELECT sport, last_word FROM named) GROUP BY 1, 2
  ), every AS (
    SELECT sport, count(*) AS players FROM participant WHERE type = 'player' AND person_id IS NULL AND NOT ${IS_NAMED_ONLY} GROUP BY 1
  ), rare AS (
    SELECT n.coach_id, n.player_id FROM named n JOIN first USING (sport, first_word) JOIN last USING (sport, last_word) JOIN every USING (sport)
    WHERE (first.players - 1) * (last.players - 1) <= ${MOST_EXPECTED} * every.players
  ), appearance AS (
    SELECT r.coach_id, r.player_id, m.scheduled_start, CASE l.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id
    FROM rare r JOIN match_player l ON l.participant_id = r.player_id AND l.appeared JOIN match m ON m.id = l.match_id
  ), played AS (
    SELECT coach_id, player_id FROM appearance a
    GROUP BY 1, 2 HAVING max(scheduled_start) < (SELECT min(t.first) FROM stint t WHERE t.coach_id = a.coach_id)
      AND bool_or(team_id IN (SELECT t.team_id FROM stint t WHERE t.coach_id = a.coach_id))
  ), player AS (
    SELECT coach_id, min(player_id) AS person_id FROM played GROUP BY 1 HAVING count(*) = 1
  ), colleague AS (
    SELECT c.id AS coach_id, min(o.id) AS person_id
    FROM coach c JOIN coach o ON o.name = c.name AND o.sport = c.sport AND o.id < c.id
    WHERE EXISTS (SELECT FROM stint a JOIN stint b USING (tournament_id) WHERE a.coach_id = c.id AND b.coach_id = o.id)
      AND NOT EXISTS (SELECT FROM decided d WHERE d.a = c.id AND d.b = o.id)
    GROUP BY 1
  ), meant AS (
    SELECT c.id, c.person_id AS former, coalesce(own.person_id, others.person_id, k.person_id) AS person_id
    FROM coach c LEFT JOIN player own ON own.coach_id = c.id
    LEFT JOIN colleague k ON k.coach_id = c.id LEFT JOIN player others ON others.coach_id = k.person_id
  )
  UPDATE participant p SET person_id = m.person_id FROM meant m
  WHERE p.id = m.id AND m.person_id IS DISTINCT FROM m.former RETURNING p.id, p.name, p.person_id`;

/**
 * Joins coaches to the people that they are, according to all stored data, and splits those for whom the evidence is gone.
 * @returns the ids of coaches whose person has changed
 */
export async function linkCoaches(client: Queryable): Promise<number[]> {
  const { rows } = await client.query<{ id: number; name: string; person_id: number | null }>(LINK);
  const [split, joined] = [
    rows.filter(({ person_id }) => person_id === null),
    rows.filter(({ person_id }) => person_id !== null),
  ];
  // Search finds a person only once.
  await client.query('DELETE FROM participant_alias WHERE participant_id = ANY ($1)', [joined.map(({ id }) => id)]);
  await storeAliases(
    client,
    split.map(({ id, name }) => ({ id, name, locale: 'en', provider: 'touchline' })),
  );
  return rows.map(({ id }) => id);
}
