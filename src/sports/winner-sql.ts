/** SQL for a match's winner in form and head-to-head. */
import { sportsWith } from './sports.ts';

const SHOOT_OUT_DRAWS = sportsWith(({ shootOutDraws }) => shootOutDraws)
  .map((slug) => `'${slug}'`)
  .join(', ');

/** SQL for home, away or draw, according to the final result of a match `m` that has a score. */
export const FINAL_WINNER =
  'coalesce(m.given_winner, match_winner(m.home_score, m.away_score, m.period_scores, m.shootout_winner))';

/**
 * SQL for home, away or draw, according to the final result of a match `m`; null without a score. In football, a shoot-out
 * counts as a draw.
 */
export const FORM_WINNER = `CASE WHEN m.home_score = m.away_score AND m.sport IN (${SHOOT_OUT_DRAWS}) THEN 'draw'
        ELSE ${FINAL_WINNER} END`;
