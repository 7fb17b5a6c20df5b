/** Decides which requests to a source are due. Pure. */
import type { PlannedRequest } from '../providers/provider.ts';
import { backoff, type Validators } from '../sources/index.ts';

/** What is stored about a request that was sent. */
export interface Asked {
  /** When the request was last sent, ms. */
  at: number;
  /** Version of the last answered request. */
  version?: string;
  /** The last reply that had a body and could be read. Absent if there was none. */
  whole?: { at: number; validators: Validators };
  /** Failures in a row. */
  failures: number;
  /** Random factor for the interval. */
  jitter: number;
}

const JITTER = 0.1;
/** Minimum interval for a request whose version changes with each reply. */
const SHORTEST_MS = 5_000;
/** Replaces `SHORTEST_MS` if the budget runs low. It is then multiplied by the interval factor. */
const STRETCHED_MS = 20_000;
/** A failed live request is due again after its interval, or after this time at the latest. */
const LIVE_RETRY_MS = 20_000;
/**
 * After this time, the request is sent without validators, so that the source sends the whole reply even if it is
 * unchanged.
 */
const CONDITIONAL_MS = 5 * 60_000;

/** @param random from 0 to 1 */
export const drawJitter = (random = Math.random()): number => 1 - JITTER + 2 * JITTER * random;

/** Interval factors. Each applies once at least this share of the budget is used. */
const STRETCHES: readonly [used: number, factor: number][] = [
  [0.9, 8],
  [0.75, 4],
  [0.5, 2],
];

/**
 * Returns the interval factor that makes the rest of the budget last.
 * @param used share of the budget that is used, from 0 to 1
 */
export const stretchFor = (used: number): number => STRETCHES.find(([least]) => used >= least)?.[1] ?? 1;

/**
 * @param stretch interval factor, which applies if the request takes from the budget
 * @returns when the request is due, in ms
 */
export function dueAt(request: PlannedRequest, asked: Asked | undefined, stretch = 1): number {
  if (asked === undefined) return Number.NEGATIVE_INFINITY;
  const { version, isLive, cost = 1 } = request;
  const factor = cost === 0 ? 1 : stretch;
  const everyMs = request.everyMs * factor;
  if (asked.failures > 0) {
    const pause = backoff(asked.failures, null);
    return asked.at + Math.min(isLive ? LIVE_RETRY_MS : pause, everyMs) * asked.jitter;
  }
  const atOnceMs = factor === 1 ? SHORTEST_MS : STRETCHED_MS * factor;
  return asked.at + (version === asked.version ? everyMs * asked.jitter : Math.min(atOnceMs, everyMs));
}

/** @returns the validators for a conditional request; undefined if the whole reply is needed */
export function validatorsFor({ version }: PlannedRequest, asked: Asked | undefined, now: number) {
  const isSame = asked?.whole !== undefined && asked.version === version && now - asked.whole.at < CONDITIONAL_MS;
  return isSame ? asked.whole!.validators : undefined;
}
