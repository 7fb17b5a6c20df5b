/** The lease of the relay: its row holds the log's end and the counter of change cursors as well, which its leader alone may change. */
import { createLease } from '../db/lease.ts';

/** Of a node that has vanished; a process that has ended is replaced at once. More than REQUEST_TIMEOUT_MS of Kafka. */
const LEASE_SECONDS = 4;

export const relayLease = createLease('relay', LEASE_SECONDS);
