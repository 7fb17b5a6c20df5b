/** Why the server ends a connection. */

/**
 * Why the server ends a connection: it has lived long enough, the process stops, the log cannot be read or has dropped events too
 * early, the client does not keep up (does not drain, or its place has left the ring), or it may not stay.
 */
export type EndReason = 'cycle' | 'drain' | 'log' | 'stalled' | 'behind' | 'revoked' | 'plan' | 'replaced' | 'full';

/** Who may not stay is not asked to come again. */
export const UNWANTED: ReadonlySet<EndReason> = new Set(['revoked', 'plan', 'replaced', 'full']);
