/** SQL of a match's winner in form and head-to-head. */
import { sportsWith } from './sports.ts';

const SHOOT_OUT_DRAWS = sportsWith(({ shootOutDraws }) => shootOutDraws)
  .map((slug) => `'${slug}'`)
  .join(', ');

/**
 * home, away or draw of a match `m`: the final result, except that a shoot-out makes a draw in football. Null without a
 * score.
 */
export const FORM_WINNER = `CASE WHEN m.home_score = m.away_score AND m.sport IN (${SHOOT_OUT_DRAWS}) THEN 'draw'
        ELSE match_winner(m.home_score, m.away_score, m.period_scores, m.shootout_winner) END`;
