/**
 * The relay's lease: its row also has the log's end and the counter of change cursors, which only the leader may
 * change.
 */
import { createLease } from '../db/lease.ts';

/**
 * Expiry for a node that has vanished; a process that has ended is replaced at once. More than REQUEST_TIMEOUT_MS of
 * Kafka.
 */
const LEASE_SECONDS = 4;

export const relayLease = createLease('relay', LEASE_SECONDS);
