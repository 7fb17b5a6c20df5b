/** The page about the models, with pictures. */
import { z } from 'zod';
import {
  type CalibrationPlot,
  drawLivePlot,
  drawPlot,
  inningsPlot,
  MODELS,
  outlookPlot,
  ratingPlot,
  readModelReports,
  reliabilityPlot,
  type StoredReports,
  scoresIn,
} from '../../analytics/backtest/index.ts';
import { route } from '../../deps.ts';
import { lang, oneValue, Problem } from '../../http/index.ts';
import { THEMES } from '../../site/plots/index.ts';
import { cacheTags } from '../cache-tags.ts';
import { calibrationPlot } from './calibration-plot.ts';
import { modelsPage } from './models-page.ts';

const cache = { maxAge: 60 };

const PICTURES = [...MODELS, 'expected_goals', 'outlook', 'rating', 'live', 'innings'] as const;

/** Returns the plot for a picture; undefined if nothing has been measured. */
function findPlot(reports: StoredReports, name: (typeof PICTURES)[number]): CalibrationPlot | undefined {
  const { matches, live, expected_goals, outlook, rating, innings } = reports;
  switch (name) {
    case 'expected_goals':
      return expected_goals && reliabilityPlot(expected_goals.report);
    case 'outlook':
      return outlook && outlookPlot(outlook.report);
    case 'rating':
      return rating && ratingPlot(rating.report);
    case 'innings':
      return innings?.report.calibration ? inningsPlot(innings.report) : undefined;
    case 'live':
      return live && live.report.matches > 0 ? drawLivePlot(live.report) : undefined;
    default: {
      const scores = matches && scoresIn(matches.report, name);
      return scores && drawPlot(name, scores);
    }
  }
}

export const modelRoutes = [
  route({
    method: 'GET',
    path: '/docs/models',
    summary: 'Page about the models and their scores on this installation',
    tag: 'Service',
    access: 'public',
    cost: 0,
    cache,
    query: z.object({ lang }),
    response: { contentType: 'text/html; charset=utf-8' },
    handler: async ({ lang: language }, { pool, config }) => ({
      body: modelsPage(await readModelReports(pool), language),
      ...cacheTags(config),
    }),
  }),
  route({
    method: 'GET',
    path: '/docs/models/{model}/calibration.svg',
    summary: 'Calibration of a model as a picture',
    tag: 'Service',
    undocumented: true,
    access: 'public',
    cost: 0,
    cache,
    params: z.object({ model: oneValue(PICTURES) }),
    query: z.object({ theme: oneValue(THEMES).default('light'), v: z.string().optional() }),
    response: { contentType: 'image/svg+xml; charset=utf-8' },
    errors: ['not_found'],
    async handler({ params: { model }, query: { theme } }, { pool, config }) {
      const plot = findPlot(await readModelReports(pool), model);
      if (plot === undefined) throw new Problem('not_found', `The model ${model} has not been measured.`);
      return { body: calibrationPlot(plot, theme).text, ...cacheTags(config) };
    },
  }),
];
