/**
 * The relay's lease. Its row also holds the log's end and the counter for change cursors, which only the leader may
 * change.
 */
import { createLease } from '../db/lease.ts';

/**
 * After this time, a leader whose node has vanished is replaced. A leader whose process has ended is replaced at once.
 * Longer than Kafka's REQUEST_TIMEOUT_MS.
 */
const LEASE_SECONDS = 4;

export const relayLease = createLease('relay', LEASE_SECONDS);
