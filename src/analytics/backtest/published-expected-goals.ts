/** Training leagues for the expected goals backtest, and the published scores for comparison. */

/** Training leagues by country. */
export const TRAINING: Readonly<Record<string, string>> = { ES: 'Spain', IT: 'Italy', DE: 'Germany' };
export const TRAINING_LEAGUES: readonly string[] = Object.values(TRAINING);

/**
 * Scores published for soccer_xg's custom model (notebook 4). The model uses boosted trees on x, y, distance, angle, and foot or head. The
 * notebook also fits it to France, and its settings were chosen on half the matches of all five leagues, England included.
 */
export const PUBLISHED = { auc: 0.7872, brier: 0.0837, calibration_error: 0.0069 } as const;
/** Open-play shots in those five leagues, except in three matches that the published split leaves out. */
export const PUBLISHED_OPEN_PLAY_SHOTS = 40_398;
