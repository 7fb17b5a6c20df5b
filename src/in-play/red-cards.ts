/** The effect of red cards on the goals of a match. Pure. */
import type { InPlayParameters } from './parameters.ts';

/** Four players less are as many as a side can lose before its match is abandoned. */
const MOST_SENT_OFF = 4;

/**
 * Returns what the expected goals of a side are multiplied by.
 * @param own players of the side that were sent off @param opponent players of the opponent that were sent off
 */
export const redCardFactor = (
  own: number,
  opponent: number,
  { sent_off, opponent_sent_off }: Pick<InPlayParameters, 'sent_off' | 'opponent_sent_off'>,
): number => Math.exp(sent_off * Math.min(own, MOST_SENT_OFF) + opponent_sent_off * Math.min(opponent, MOST_SENT_OFF));
