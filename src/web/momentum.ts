/** Momentum of a match as a picture. */
import { opposedBars } from '../site/plots/opposed-bars.ts';
import type { Theme } from '../site/plots/palette.ts';
import type { Blocks, Incident } from '../wire/match.ts';
import type { MomentumRow } from './queries.ts';

export interface Momentum {
  /** One value per minute, −100 to 100, positive: home. */
  graphPoints: readonly { minute: number; value: number }[];
  goals: readonly Pick<Incident, 'minute' | 'side'>[];
}

const MAX_VALUE = 100;
const SHORTEST_AXIS = 90;
const LABEL_EVERY_MINUTES = 15;
/** Minutes after which a half ends. */
const HALVES = [45, 90, 105];

/** An SVG document. */
function drawMomentum({ graphPoints, goals }: Momentum, theme: Theme): string {
  const minutes = Math.max(SHORTEST_AXIS, ...graphPoints.map(({ minute }) => Math.ceil(minute)));
  // The last value of a minute wins.
  const values = new Map(graphPoints.map(({ minute, value }) => [Math.round(minute), value]));
  return opposedBars({
    title: 'Momentum',
    description: 'Bars above the line: pressure by the home side; below: by the visitors. Circles: goals.',
    bars: [...values].map(([step, value]) => ({ step, value })),
    max: MAX_VALUE,
    steps: minutes,
    labels: Array.from({ length: Math.floor(minutes / LABEL_EVERY_MINUTES) }, (_, index) => {
      const step = (index + 1) * LABEL_EVERY_MINUTES;
      return { step, text: `${step}′` };
    }),
    dividers: HALVES,
    marks: goals.flatMap(({ minute, side }) => (minute === null ? [] : [{ step: minute, above: side !== 'away' }])),
    theme,
  }).text;
}

/** Stored format. */
export function momentumPicture(
  { momentum, incidents }: Pick<MomentumRow, 'momentum' | 'incidents'>,
  theme: Theme,
): string {
  const { graphPoints } = JSON.parse(momentum) as NonNullable<Blocks['momentum']>;
  const all = JSON.parse(incidents ?? '[]') as NonNullable<Blocks['incidents']>;
  return drawMomentum({ graphPoints, goals: all.filter(({ kind }) => kind === 'goal') }, theme);
}
