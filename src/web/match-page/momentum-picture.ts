/** A match's momentum as a picture. */

import type { MatchMomentum } from '../../matches/index.ts';
import { opposedBars, sideColours, type Theme } from '../../site/plots/index.ts';
import { findSport } from '../../sports/sports.ts';
import type { Incident } from '../../wire/match.ts';

export interface Momentum {
  /** One value per minute, −100 to 100. Positive values favour home. */
  graphPoints: readonly { minute: number; value: number }[];
  goals: readonly Pick<Incident, 'minute' | 'side'>[];
  /** Slug. */
  sport: string;
  colours: MatchMomentum['colours'];
}

const MAX_VALUE = 100;
/** Number of minutes in a match, if the sport does not define it. */
const USUAL_MINUTES = 90;
/** Approximate number of axis labels. */
const LABELS = 6;
const LABEL_STEP = 5;

/** An SVG document. */
function drawMomentum({ graphPoints, goals, sport, colours }: Momentum, theme: Theme): string {
  const { regularMinutes = USUAL_MINUTES, periodEnds = [] } = findSport(sport) ?? {};
  const every = Math.ceil(regularMinutes / LABELS / LABEL_STEP) * LABEL_STEP;
  const minutes = Math.max(regularMinutes, ...graphPoints.map(({ minute }) => Math.ceil(minute)));
  // If a minute has several values, the last value is used.
  const values = new Map(graphPoints.map(({ minute, value }) => [Math.round(minute), value]));
  return opposedBars({
    title: 'Momentum',
    description: 'Bars above the line: pressure by the home side; below: by the visitors. Circles: goals.',
    bars: [...values].map(([step, value]) => ({ step, value })),
    max: MAX_VALUE,
    steps: minutes,
    labels: Array.from({ length: Math.floor(minutes / every) }, (_, index) => {
      const step = (index + 1) * every;
      return { step, text: `${step}′` };
    }),
    dividers: [...periodEnds],
    marks: goals.flatMap(({ minute, side }) => (minute === null ? [] : [{ step: minute, above: side !== 'away' }])),
    theme,
    colours: sideColours(colours.home, colours.away)?.[theme] ?? null,
  }).text;
}

export const momentumPicture = (
  { momentum, incidents, sport, colours }: Omit<MatchMomentum, 'version'>,
  theme: Theme,
): string =>
  drawMomentum({ ...momentum, goals: incidents.filter(({ kind }) => kind === 'goal'), sport, colours }, theme);
