/** Analytics before ClickHouse has the match history, which takes minutes after a start on an empty one. */
import { type Problem, toProblem, unavailable } from '../http/index.ts';

class HistoryLoading extends Error {
  override readonly name = 'HistoryLoading';
}

export function historyLoading(): Problem {
  const reason = 'The history of matches is being loaded.';
  return unavailable(reason, new HistoryLoading(reason));
}

/** For pages, which show what they have if analytics fail. @param error thrown by analytics */
export const whyMissing = (error: unknown): 'loading' | null =>
  toProblem(error).options.cause instanceof HistoryLoading ? 'loading' : null;
