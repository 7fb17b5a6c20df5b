/** Public exports: corrections, for the portal. */
export { type CorrectedMatchPage, readCorrectedMatch } from './corrected-match.ts';
export {
  correctMatch,
  listCorrections,
  type RecentCorrection,
  recentCorrections,
  type StoredCorrection,
  withdrawCorrection,
} from './corrections.ts';
export { type CorrectionTexts, correctionText, goalText, periodText } from './describe-correction.ts';
export { type GivenCorrection, MAX_REASON } from './parse-correction.ts';
