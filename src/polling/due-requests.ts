/** Decides which requests to a source are due. Pure. */
import type { PlannedRequest } from '../providers/provider.ts';
import { backoff, type Validators } from '../sources/index.ts';

/** A request as it was last sent. */
export interface Asked {
  /** ms */
  at: number;
  /** Version at the last answer. */
  version?: string;
  /** The last reply that was read as a whole; absent if there was none. */
  whole?: { at: number; validators: Validators };
  /** Failures in a row. */
  failures: number;
  /** Factor for the interval. */
  jitter: number;
}

const JITTER = 0.1;
/** A version that changes with each reply does not make requests more frequent than this. */
const SHORTEST_MS = 5_000;
/** If the budget runs out, the limit is this instead, times the stretch. */
const STRETCHED_MS = 20_000;
/** A live request that has failed is due again after its interval, or after this if that is longer. */
const LIVE_RETRY_MS = 20_000;
/** After this time the whole reply is wanted, even if unchanged. */
const CONDITIONAL_MS = 5 * 60_000;

/** @param random from 0 to 1 */
export const drawJitter = (random = Math.random()): number => 1 - JITTER + 2 * JITTER * random;

/** The least used share of the budget, and the interval factor from there on. */
const STRETCHES: readonly [used: number, factor: number][] = [
  [0.9, 8],
  [0.75, 4],
  [0.5, 2],
];

/** Returns the interval factor at a used share of the budget, so that the rest lasts. @param used from 0 to 1 */
export const stretchFor = (used: number): number => STRETCHES.find(([least]) => used >= least)?.[1] ?? 1;

/**
 * @param stretch interval factor, if the request takes from the budget
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

/** @returns the validators for a conditional request; undefined if the whole reply is wanted */
export function validatorsFor({ version }: PlannedRequest, asked: Asked | undefined, now: number) {
  const isSame = asked?.whole !== undefined && asked.version === version && now - asked.whole.at < CONDITIONAL_MS;
  return isSame ? asked.whole!.validators : undefined;
}
