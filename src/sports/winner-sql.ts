/** SQL for a match's winner in form and head-to-head. */
import { sportsWith } from './sports.ts';

const SHOOT_OUT_DRAWS = sportsWith(({ shootOutDraws }) => shootOutDraws)
  .map((slug) => `'${slug}'`)
  .join(', ');

/**
 * Gives home, away or draw for a match `m`. This is the final result, except that a shoot-out makes a draw in football.
 * Null without a score.
 */
export const FORM_WINNER = `CASE WHEN m.home_score = m.away_score AND m.sport IN (${SHOOT_OUT_DRAWS}) THEN 'draw'
        ELSE match_winner(m.home_score, m.away_score, m.period_scores, m.shootout_winner) END`;
