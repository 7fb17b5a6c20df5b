/** What the backtest of expected goals is fitted to, and what it is compared with. */

/** Leagues to which the model is fitted, by country. */
export const TRAINING: Readonly<Record<string, string>> = { ES: 'Spain', IT: 'Italy', DE: 'Germany' };
export const TRAINING_LEAGUES: readonly string[] = Object.values(TRAINING);

/**
 * The custom model of soccer_xg (notebook 4): x, y, distance, angle and foot or head, boosted trees. Its notebook fits it to France
 * as well, and chose its settings on half of the matches of all five leagues, England's included.
 */
export const PUBLISHED = { auc: 0.7872, brier: 0.0837, calibration_error: 0.0069 } as const;
/** Shots from open play of the five leagues there, without three matches that its split leaves out. */
export const PUBLISHED_OPEN_PLAY_SHOTS = 40_398;
