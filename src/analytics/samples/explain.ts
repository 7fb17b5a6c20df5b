/** Adds the underlying matches to a block, for `?explain=true`. Pure. */
import { formatDate, newestFirst, SECONDS_PER_DAY } from './match-samples.ts';

/** Maximum number of listed ids. A request with `bounds` finds all matches. */
const EVENT_IDS = 500;

/** Parameters for `GET /v1/events` that return the whole sample. */
export type Bounds = Readonly<Record<string, string | number>>;

export interface Explanation {
  /** Match ids, newest first. */
  event_ids: number[];
  truncated: boolean;
  bounds?: Bounds;
}

/** @param bounds bounds for the whole sample */
export function explain(matches: readonly { id: number; start: number }[], bounds: Bounds): Explanation {
  const ids = newestFirst(matches).map(({ id }) => id);
  const truncated = ids.length > EVENT_IDS;
  return { event_ids: ids.slice(0, EVENT_IDS), truncated, ...(truncated && { bounds }) };
}

/** @param from first day, as days since 1970 @param before the day after the last day */
export const toBounds = (names: Bounds, { from, before }: { from?: number; before?: number }): Bounds => ({
  ...names,
  status: 'finished',
  ...(from !== undefined && { from: formatDate(from * SECONDS_PER_DAY) }),
  ...(before !== undefined && { to: formatDate(before * SECONDS_PER_DAY) }),
});

/** Returns a copy without any member `explain`, at any depth. */
export function withoutExplain<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutExplain) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (key === 'explain' ? [] : [[key, withoutExplain(part)]])),
  ) as T;
}
