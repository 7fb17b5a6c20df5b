/** Fits the goals-by-minute parameters by a Poisson regression over the minutes in past matches. Pure. */
import { type Coefficients, coefficients, REGULAR_MINUTES } from '../../in-play/index.ts';
import { roundTo } from '../rounding.ts';
import type { MeasuredMatch } from './measured-matches.ts';
import { poissonRegression } from './poisson-regression.ts';

/** Names of the regression's columns. */
const NAMES = [
  'level',
  'rise',
  'first_half_end',
  'second_half_end',
  'leading',
  'trailing',
  'sent_off',
  'opponent_sent_off',
] as const satisfies readonly (keyof Coefficients)[];
const SIDES = ['home', 'away'] as const;
const DECIMALS = 4;

/** @throws Error if the matches do not determine each parameter, for example because no player was sent off */
export function fitInPlay(matches: readonly MeasuredMatch[]): Coefficients {
  const rows = matches.length * REGULAR_MINUTES * SIDES.length;
  const width = NAMES.length;
  const observations = {
    width,
    features: new Float64Array(rows * width),
    offsets: new Float64Array(rows),
    counts: new Float64Array(rows),
  };
  let row = 0;
  for (const { rates, turns } of matches) {
    const goals = { home: 0, away: 0 };
    const sentOff = { home: 0, away: 0 };
    for (let minute = 1; minute <= REGULAR_MINUTES; minute += 1) {
      const first = row;
      for (const side of SIDES) {
        const other = side === 'home' ? 'away' : 'home';
        const lead = goals[side] - goals[other];
        observations.features.set(
          [
            1,
            minute / REGULAR_MINUTES,
            Number(minute === REGULAR_MINUTES / 2),
            Number(minute === REGULAR_MINUTES),
            Number(lead > 0),
            Number(lead < 0),
            sentOff[side],
            sentOff[other],
          ],
          row * width,
        );
        observations.offsets[row] = Math.log(rates[side]);
        row += 1;
      }
      // A goal or a sending-off changes the chances from the next minute on.
      for (const { kind, side } of turns.filter((turn) => turn.minute === minute)) {
        if (kind === 'goal') observations.counts[first + SIDES.indexOf(side)]! += 1;
        (kind === 'goal' ? goals : sentOff)[side] += 1;
      }
    }
  }
  const found = [...poissonRegression(observations)].map((value) => roundTo(DECIMALS, value));
  return coefficients.parse(Object.fromEntries(NAMES.map((name, index) => [name, found[index]])));
}
