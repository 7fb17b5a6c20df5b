/** Computes momentum from shots. Momentum shows which side has had the better chances in the last few minutes. Pure. */
import type { Blocks } from '../wire/match.ts';
import { isAttempt, type ModelledShot } from './shot-features.ts';

type Momentum = NonNullable<Blocks['momentum']>;

const REGULAR_MINUTES = 90;
/** Shots after this minute are ignored as errors, because no match lasts longer. */
const LAST_MINUTE = 150;
/** Minutes after which a shot counts half as much. */
const HALF_LIFE = 4;
/** Added to each shot's expected goals, because any shot is a sign of pressure. */
const WEIGHT_OF_A_SHOT = 0.05;
/** A surplus of this much for one side gives a momentum of 76 out of 100 (the hyperbolic tangent of 1). */
const STRONG_SURPLUS = 0.5;
const MOST = 100;

/**
 * Returns a value for each minute up to the last shot, or up to the end of a finished match. The value is the sum of 0.05 + xG over all
 * shots so far, home minus away, scaled to ±100. A shot's weight halves every four minutes. A later shot does not change earlier values.
 * @param expected expected goals for each shot
 * @returns null if no shot has a minute
 */
export function shotMomentum(
  shots: readonly ModelledShot[],
  expected: readonly (number | null)[],
  isOver: boolean,
): Momentum | null {
  const surplus = new Map<number, number>();
  for (const [position, shot] of shots.entries()) {
    const minute = Math.max(1, shot.minute ?? Number.NaN);
    if (!(minute <= LAST_MINUTE) || !isAttempt(shot)) continue;
    const weight = WEIGHT_OF_A_SHOT + (expected[position] ?? 0);
    surplus.set(minute, (surplus.get(minute) ?? 0) + (shot.side === 'home' ? weight : -weight));
  }
  if (surplus.size === 0) return null;
  const end = Math.max(...surplus.keys(), isOver ? REGULAR_MINUTES : 0);
  let sum = 0;
  const graphPoints = Array.from({ length: end }, (_, index) => {
    sum = sum * 2 ** (-1 / HALF_LIFE) + (surplus.get(index + 1) ?? 0);
    // `|| 0` prevents −0.
    return { minute: index + 1, value: Math.round(MOST * Math.tanh(sum / STRONG_SURPLUS)) || 0 };
  });
  return { graphPoints };
}
