/** Codes with which a WebSocket is closed; browsers do not show the status of a refused upgrade. */
import type { EndReason } from './end-reason.ts';

/** Codes of problems that refuse a connection, by HTTP status; 400: the query cannot be parsed. */
export const REFUSAL_CODES: Readonly<Record<number, number>> = {
  400: 4422,
  401: 4401,
  402: 4402,
  403: 4403,
  422: 4422,
  429: 4429,
  503: 1012,
};

/** Code and reason of each way in which an open stream ends. */
export const END_CODES: Readonly<Record<EndReason, readonly [code: number, reason: string]>> = {
  cycle: [1012, 'reconnect'],
  drain: [1012, 'reconnect'],
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
/** RFC 6455: a violation of policy. */
export const TOO_MANY_MESSAGES = 1008;
