/** The lease of the relay: its row holds the log's end and the counter of change cursors as well, which its leader alone may change. */
import { createLease } from '../db/lease.ts';

export const relayLease = createLease('relay');
