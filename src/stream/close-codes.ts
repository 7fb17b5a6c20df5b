/** The codes with which a WebSocket is closed. A refusal has a code too, because browsers do not show the status of a refused upgrade. */
import type { EndReason } from './end-reason.ts';

/** Close codes for problems that refuse a connection, by HTTP status. Status 400 means that the query cannot be parsed. */
export const REFUSAL_CODES: Readonly<Record<number, number>> = {
  400: 4422,
  401: 4401,
  402: 4402,
  403: 4403,
  422: 4422,
  429: 4429,
  503: 1012,
};

/** Code and reason for each way in which an open stream ends. */
export const END_CODES: Readonly<Record<EndReason, readonly [code: number, reason: string]>> = {
  cycle: [1012, 'reconnect'],
  drain: [1012, 'reconnect'],
  balance: [1012, 'reconnect'],
  log: [1012, 'reconnect'],
  stalled: [4413, 'too slow'],
  behind: [4413, 'too slow'],
  revoked: [4401, 'key_revoked'],
  plan: [4402, 'plan_required'],
  replaced: [4409, 'replaced by a newer connection of this client'],
  full: [4429, 'too_many_connections'],
};

export const INTERNAL_ERROR = 1011;
/** RFC 6455: the endpoint cannot accept this type of data. */
export const BINARY_MESSAGE = 1003;
/** RFC 6455: a policy violation. */
export const TOO_MANY_MESSAGES = 1008;

/** Meanings of all codes with which the service closes a WebSocket, including the codes for malformed frames. */
export const CLOSE_CODES: Readonly<Record<number, string>> = {
  1002: 'Protocol error: fix the client before it reconnects',
  [BINARY_MESSAGE]: 'Binary message: fix the client before it reconnects',
  1007: 'Message that is not UTF-8: fix the client before it reconnects',
  [TOO_MANY_MESSAGES]: 'Too many messages or control frames: reconnect, and send less',
  1009: 'Message that is too large: fix the client before it reconnects',
  [INTERNAL_ERROR]: 'Internal error: reconnect',
  1012: 'The stream has reached its maximum age, the process is stopping or has more streams than others, or the event log is unavailable: reconnect with the cursor',
  4401: 'Key missing, invalid, expired or revoked: do not reconnect',
  4402: 'The plan has no streams: do not reconnect',
  4403: 'Origin not allowed: do not reconnect',
  4409: 'A newer connection took over the name of this client: do not reconnect',
  4413: 'The client reads too slowly: reconnect with the cursor',
  4422: 'Invalid query parameter: do not reconnect',
  4429: 'Too many connections or requests: reconnect later',
};
