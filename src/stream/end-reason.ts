/**
 * Why the server ends a connection. `cycle` is the end of the lifetime. `drain` means that the process is stopping.
 * `balance` means that other processes have fewer connections. `log` means that the log cannot be read, or has dropped
 * events too early. `stalled` means that the socket does not drain. `behind` means that the position has left the
 * ring. The rest mean that the client has lost a permission.
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

/** Reasons after which the client is not asked to reconnect, since it may no longer have the stream. */
export const UNWANTED: ReadonlySet<EndReason> = new Set(['revoked', 'plan', 'replaced', 'full']);
