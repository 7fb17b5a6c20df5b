/** Computes how many shared dispatchers there should be, from the subscriptions and the load. Pure. */
import type { SharedWork } from './dispatcher-queries.ts';

export interface Bounds {
  min: number;
  max: number;
  /** Number of subscriptions per dispatcher. */
  each: number;
}

/** Load per dispatcher above which one more is created. It is well below 1 because events come in bursts. */
const TARGET_LOAD = 0.6;
/**
 * The load may exceed the target by this share of one dispatcher before one more is created. A HorizontalPodAutoscaler
 * has such a tolerance too.
 */
const TOLERANCE = 0.1;

/** Returns how many shared dispatchers there should be. At least one is needed, since the portal creates subscriptions too. */
export const sharedReplicas = ({ subscriptions, load }: SharedWork, { min, max, each }: Bounds): number => {
  const wanted = Math.max(Math.ceil(subscriptions / each), Math.ceil(load / TARGET_LOAD - TOLERANCE));
  return Math.max(1, min, Math.min(max, wanted));
};
