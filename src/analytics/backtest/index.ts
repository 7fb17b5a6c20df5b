/** Public exports: backtest reports for the page about the models. */
export type { CalibrationPlot } from './calibration-plot.ts';
export { reliabilityPlot } from './expected-goals-report.ts';
export { OUTCOMES } from './forecast-scores.ts';
export { INNINGS_FORECASTS } from './innings-backtest.ts';
export { inningsPlot } from './innings-report.ts';
export { drawLivePlot } from './live-report.ts';
export { MODELS } from './match-forecasts.ts';
export { drawPlot } from './match-report.ts';
export { type BacktestReport, type Evaluation, PUBLISHED_MODELS, scoresIn } from './match-scores.ts';
export { EVENTS, type OutlookReport } from './outlook-backtest.ts';
export { outlookPlot } from './outlook-report.ts';
export { PUBLISHED, PUBLISHED_OPEN_PLAY_SHOTS, TRAINING_LEAGUES } from './published-expected-goals.ts';
export { ratingPlot } from './rating-report.ts';
export type { ShotScores } from './shot-scores.ts';
export { readModelReports, type StoredReport, type StoredReports } from './stored-reports.ts';
