/** Outlook report and plot. Pure. */
import type { CalibrationPlot } from './calibration-plot.ts';
import { EVENTS, type OutlookEvent, type OutlookReport } from './outlook-backtest.ts';
import { count, percent, type Report, reliabilityTable, score } from './report.ts';

const TITLES: Record<OutlookEvent, string> = { champion: 'Champion', relegation: 'Relegated' };

const cells = (scores: OutlookReport['leagues'][number]['scores']) =>
  EVENTS.flatMap((event) => {
    const { sides, model, rank } = scores[event];
    return [count(sides), score(model), score(rank)];
  });

export const describeOutlooks = ({ leagues, all, earlier_seasons: { fewest, most } }: OutlookReport): Report => ({
  title: 'Season outcomes',
  notes: [
    'Outlooks at the end of the day on which half of the matches had been played. Brier scores over all sides: smaller is better.',
    `By rank: how often the side of that rank at mid-season became champion (from the top) or was relegated (from the end), in the ${fewest} to ${most} earlier seasons of the five leagues.`,
  ],
  table: {
    columns: ['League', 'Seasons', ...EVENTS.flatMap((event) => [`${TITLES[event]}: sides`, 'Touchline', 'By rank'])],
    rows: [
      ...leagues.map(({ name, from, to, scores }) => [name, `${from} – ${to}`, ...cells(scores)]),
      ['All', count(leagues.reduce((sum, { seasons }) => sum + seasons, 0)), ...cells(all)],
    ],
  },
  sections: EVENTS.map((event) => ({
    title: `Reliability: ${TITLES[event].toLowerCase()}`,
    notes: [`ECE ${percent(all[event].calibration_error)} percentage points.`],
    table: reliabilityTable(all[event].reliability, 'Sides'),
  })),
});

export function outlookPlot({ all }: OutlookReport): CalibrationPlot {
  const errors = EVENTS.map((event) => `${TITLES[event].toLowerCase()} ${percent(all[event].calibration_error)}`);
  return {
    title: 'Season outcomes: predicted and observed frequencies',
    description: `Groups of sides with similar probabilities at mid-season; on the dashed line, predictions came true as often as predicted. Mean distance in percentage points: ${errors.join(', ')}.`,
    series: EVENTS.map((event) => ({ name: TITLES[event], points: all[event].reliability })),
    axes: { predicted: 'Predicted, %', observed: 'Observed, %' },
  };
}
