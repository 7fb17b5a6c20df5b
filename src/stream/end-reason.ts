/**
 * Why the server ends a connection: it has lived long enough, the process stops, the log cannot be read or has dropped events too
 * early, the client is too slow (does not drain, or its position has left the ring), or it may not stay.
 */
export type EndReason = 'cycle' | 'drain' | 'log' | 'stalled' | 'behind' | 'revoked' | 'plan' | 'replaced' | 'full';

/** Clients that may not stay are not asked to reconnect. */
export const UNWANTED: ReadonlySet<EndReason> = new Set(['revoked', 'plan', 'replaced', 'full']);
