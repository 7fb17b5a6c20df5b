/** Handles analytics while ClickHouse lacks the match history. Loading it into an empty ClickHouse takes minutes. */
import { type Problem, toProblem, unavailable } from '../http/index.ts';

class HistoryLoading extends Error {
  override readonly name = 'HistoryLoading';
}

export function historyLoading(): Problem {
  const reason = 'The history of matches is being loaded.';
  return unavailable(reason, new HistoryLoading(reason));
}

/** `loading` while ClickHouse does not yet have the match history; `late` if it does not answer, or not in time. */
export type MissingReason = 'loading' | 'late';

/**
 * Returns why a page has no analytics, so that it can show the rest.
 * @param error thrown by analytics
 */
export const whyMissing = (error: unknown): MissingReason =>
  toProblem(error).options.cause instanceof HistoryLoading ? 'loading' : 'late';
