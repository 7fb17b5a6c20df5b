/**
 * Why the server ends a connection: the end of the lifetime, the stop of the process, more connections than other
 * processes have, a log that cannot be read or has dropped events too early, a client that is too slow (does not drain,
 * or whose position has left the ring), or a lost permission.
 */
export type EndReason =
  | 'cycle'
  | 'drain'
  | 'balance'
  | 'log'
  | 'stalled'
  | 'behind'
  | 'revoked'
  | 'plan'
  | 'replaced'
  | 'full';

/** Clients that have lost the permission are not asked to reconnect. */
export const UNWANTED: ReadonlySet<EndReason> = new Set(['revoked', 'plan', 'replaced', 'full']);
