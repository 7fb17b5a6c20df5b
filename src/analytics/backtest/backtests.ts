/** Backtests for forecasts before and during matches, expected goals, season outlooks, margin ratings, and Twenty20 by ball. */
import { join } from 'node:path';
import type pg from 'pg';
import { readInnings } from '../fit/read-innings.ts';
import { readMeasured } from '../fit/read-measured.ts';
import { type MatchUpdates, readShots } from '../fit/shot-source.ts';
import type { HistoryFilter, MatchSource } from '../history/match-source.ts';
import { type ExpectedGoalsReport, measureExpectedGoals } from './expected-goals-backtest.ts';
import { describeExpectedGoals, reliabilityPlot } from './expected-goals-report.ts';
import { backtestInnings, type InningsReport } from './innings-backtest.ts';
import { describeInnings, inningsPlot } from './innings-report.ts';
import { backtestLive, type LiveReport } from './live-backtest.ts';
import { describeLive, drawLivePlot } from './live-report.ts';
import { backtest } from './match-backtest.ts';
import { describeMatches, matchPlots } from './match-report.ts';
import type { BacktestReport } from './match-scores.ts';
import { backtestOutlook, type OutlookReport } from './outlook-backtest.ts';
import { describeOutlooks, outlookPlot } from './outlook-report.ts';
import { withProgressBar } from './progress-bar.ts';
import type { RatingReport } from './rating-backtest.ts';
import { describeRatings, ratingPlot } from './rating-report.ts';
import type { Backtest } from './run-backtest.ts';
import { backtestStoredRatings, type StoredRatingInput } from './stored-rating-backtest.ts';

interface HistoryInput extends HistoryFilter {
  source: MatchSource;
}

export interface MatchInput extends HistoryInput {
  /** Folder for the reports. The subfolder `checkpoints` stores finished seasons for the next run. */
  out: string;
  /** Whether to show progress on standard error. */
  progress: boolean;
}

export const MATCHES: Backtest<MatchInput, BacktestReport> = {
  file: 'report',
  measure({ source, out, progress, ...wanted }) {
    const options = { ...wanted, checkpoints: join(out, 'checkpoints') };
    if (!progress) return backtest(source, options);
    return withProgressBar((onProgress) => backtest(source, { ...options, onProgress }));
  },
  describe: describeMatches,
  plots: matchPlots,
};

export const LIVE: Backtest<HistoryInput, LiveReport> = {
  file: 'live',
  measure: async ({ source, tournaments, from, to }) =>
    backtestLive(await readMeasured(source, tournaments, { from, to })),
  describe: describeLive,
  plots: (report) => ({ ...(report.matches > 0 && { live: drawLivePlot(report) }) }),
};

export const EXPECTED_GOALS: Backtest<MatchUpdates, ExpectedGoalsReport> = {
  file: 'expected-goals',
  measure: async (matches) => measureExpectedGoals(await readShots(matches)),
  describe: describeExpectedGoals,
  plots: (report) => ({ 'calibration-expected-goals': reliabilityPlot(report) }),
};

export const OUTLOOK: Backtest<{ pool: pg.Pool; source: MatchSource }, OutlookReport> = {
  file: 'outlook',
  measure: ({ pool, source }) => backtestOutlook(pool, source),
  describe: describeOutlooks,
  plots: (report) => ({ 'calibration-outlook': outlookPlot(report) }),
};

export const RATING: Backtest<StoredRatingInput, RatingReport> = {
  file: 'rating',
  measure: backtestStoredRatings,
  describe: describeRatings,
  plots: (report) => ({ 'calibration-rating': ratingPlot(report) }),
};

export const INNINGS: Backtest<{ pool: pg.Pool; from: number; to: number }, InningsReport> = {
  file: 'innings',
  measure: async ({ pool, from, to }) =>
    backtestInnings(await readInnings(pool, { from: Number.NEGATIVE_INFINITY, to }), from),
  describe: describeInnings,
  plots: (report) => ({ ...(report.calibration && { 'calibration-innings': inningsPlot(report) }) }),
};
