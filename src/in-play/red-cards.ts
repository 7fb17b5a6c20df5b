/** The effect of red cards on the goals in a match. Pure. */
import type { InPlayParameters } from './parameters.ts';

/** Maximum number of players sent off on a side. After one more, the match is abandoned. */
const MOST_SENT_OFF = 4;

/**
 * Returns the factor for a side's expected goals.
 * @param own players sent off on this side @param opponent players sent off on the opponent's side
 */
export const redCardFactor = (
  own: number,
  opponent: number,
  { sent_off, opponent_sent_off }: Pick<InPlayParameters, 'sent_off' | 'opponent_sent_off'>,
): number => Math.exp(sent_off * Math.min(own, MOST_SENT_OFF) + opponent_sent_off * Math.min(opponent, MOST_SENT_OFF));
