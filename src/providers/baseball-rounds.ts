/** Maps the letters by which MLB and Retrosheet name a season's parts to tournaments and rounds. Pure. */
export const BASEBALL_ROUNDS = {
  R: { tournament: 'MLB', round: undefined },
  A: { tournament: 'MLB All-Star Game', round: undefined },
  F: { tournament: 'MLB', round: 'Wild Card Series' },
  D: { tournament: 'MLB', round: 'Division Series' },
  L: { tournament: 'MLB', round: 'League Championship Series' },
  W: { tournament: 'MLB', round: 'World Series' },
} as const;
export type BaseballPhase = keyof typeof BASEBALL_ROUNDS;
export const isBaseballPhase = (code: string): code is BaseballPhase => Object.hasOwn(BASEBALL_ROUNDS, code);
