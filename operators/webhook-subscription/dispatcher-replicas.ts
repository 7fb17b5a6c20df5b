/** The number of shared dispatchers, by their subscriptions and their load. Pure. */
import type { SharedWork } from './row-queries.ts';

export interface Bounds {
  min: number;
  max: number;
  /** Subscriptions per dispatcher. */
  each: number;
}

/** Load of a dispatcher at which a further one is made: below 1, since events come in bursts. */
const TARGET_LOAD = 0.6;
/** Tolerated before the number changes, as by a HorizontalPodAutoscaler. */
const TOLERANCE = 0.1;

/** Returns the number of shared dispatchers; at least one, since the portal creates subscriptions too. */
export const sharedReplicas = ({ subscriptions, load }: SharedWork, { min, max, each }: Bounds): number => {
  const wanted = Math.max(Math.ceil(subscriptions / each), Math.ceil(load / TARGET_LOAD - TOLERANCE));
  return Math.max(1, min, Math.min(max, wanted));
};
