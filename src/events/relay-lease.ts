/**
 * The relay's lease, in a row that also has the log's end and the change cursor counter, which only the leader may
 * change.
 */
import { createLease } from '../db/lease.ts';

/**
 * Expiry for a node that has vanished, while a process that has ended is replaced at once. More than Kafka's
 * REQUEST_TIMEOUT_MS.
 */
const LEASE_SECONDS = 4;

export const relayLease = createLease('relay', LEASE_SECONDS);
