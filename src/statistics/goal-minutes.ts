/** Finds out in which minutes a player scores. */
import { prepared } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';

const MINUTES = prepared(
  'goal minutes of a player',
  `WITH ids AS MATERIALIZED (SELECT id FROM participant WHERE id = $1 OR person_id = $1)
   SELECT (i ->> 'minute')::int AS minute FROM match_player p
   JOIN match_block b ON b.match_id = p.match_id AND b.block = 'incidents'
   CROSS JOIN LATERAL json_array_elements(b.json::json) i
   WHERE p.participant_id = $1 AND p.goals > 0 AND i ->> 'kind' = 'goal'
     AND (i ->> 'player_participant_id')::bigint IN (SELECT id FROM ids)
     AND i ->> 'minute' IS NOT NULL AND coalesce(i -> 'payload' ->> 'goal_type', '') <> 'own_goal'`,
);

/** Reads the known minutes of a player's goals, without own goals and shoot-outs. */
export const goalMinutesRead = (playerId: number): Read<number[]> => ({
  statement: MINUTES([playerId]),
  toValue: (rows: { minute: number }[]) => rows.map(({ minute }) => minute),
});
