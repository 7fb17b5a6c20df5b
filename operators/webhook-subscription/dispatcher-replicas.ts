/** Computes the number of shared dispatchers, from subscriptions and load. Pure. */
import type { SharedWork } from './row-queries.ts';

export interface Bounds {
  min: number;
  max: number;
  /** Subscriptions per dispatcher. */
  each: number;
}

/** Load per dispatcher above which a further one is created. It is below 1 because events come in bursts. */
const TARGET_LOAD = 0.6;
/** Deviation tolerated before the number changes, like a HorizontalPodAutoscaler's. */
const TOLERANCE = 0.1;

/** Returns the number of shared dispatchers. It is at least one, since the portal creates subscriptions too. */
export const sharedReplicas = ({ subscriptions, load }: SharedWork, { min, max, each }: Bounds): number => {
  const wanted = Math.max(Math.ceil(subscriptions / each), Math.ceil(load / TARGET_LOAD - TOLERANCE));
  return Math.max(1, min, Math.min(max, wanted));
};
