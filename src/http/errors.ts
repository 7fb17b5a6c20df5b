/** Errors that a client can get. Every error is mapped to one of these. */
import { stdSerializers } from 'pino';
import { readErrorCode } from '../runtime/unknown-values.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { redactUrl } from './redacted-url.ts';
import { randomRetryAfter, retryAfter } from './retry-after.ts';
import { isStoreUnavailable } from './unavailable-store.ts';

export const PROBLEMS = {
  bad_request: { status: 400, title: 'The request cannot be read' },
  key_missing: { status: 401, title: 'No API key was sent' },
  key_invalid: { status: 401, title: 'The API key is unknown' },
  key_expired: { status: 401, title: 'The API key has expired' },
  key_revoked: { status: 401, title: 'The API key has been revoked' },
  plan_required: { status: 402, title: 'The plan does not include this' },
  origin_not_allowed: { status: 403, title: 'The key may not be used from this origin' },
  key_not_permitted: { status: 403, title: 'This kind of key may not be used here' },
  csrf_failed: { status: 403, title: 'The request did not come from a page of this service' },
  role_not_permitted: { status: 403, title: 'Your role in the organisation does not permit this' },
  address_unverified: { status: 403, title: 'The address of the account has not been verified' },
  sign_in_required: { status: 403, title: 'A sign-in within the last 10 minutes is required' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  cursor_expired: { status: 410, title: 'The cursor is older than the stored events' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  invalid_parameter: { status: 422, title: 'Invalid parameters' },
  invalid_cursor: { status: 422, title: 'The cursor is not valid' },
  cursor_filter_mismatch: { status: 422, title: 'The cursor belongs to other filters' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'The quota is exhausted' },
  too_many_connections: { status: 429, title: 'Too many connections' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;
export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

export interface ParameterError {
  parameter: string;
  /** Stable code in snake_case. */
  code: string;
  detail: string;
}

interface ProblemOptions {
  /** For 422, one entry for each error. */
  errors?: readonly ParameterError[];
  headers?: Record<string, string>;
  /** Members that are added to the body, such as `oldest_cursor`. */
  members?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An error that is answered as `application/problem+json`.
 *
 * @example throw new Problem('not_found', `There is no match ${id}.`);
 */
export class Problem extends Error {
  readonly status: number;

  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string = PROBLEMS[code].title, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.options = options;
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
  }
}

/** Returns a 422 for one parameter. Used for a check that the schema cannot make, such as for an unknown sport. */
export function invalidParameter(parameter: string, code: string, detail: string): Problem {
  return invalidParameters([{ parameter, code, detail }]);
}

export function invalidParameters(errors: readonly ParameterError[]): Problem {
  const detail = errors.map(({ parameter, detail }) => `${parameter}: ${detail}`).join('; ');
  return new Problem('invalid_parameter', detail, { errors });
}

export function unavailable(detail?: string, cause?: unknown): Problem {
  return new Problem('unavailable', detail, { cause, headers: randomRetryAfter() });
}

/** @param seconds until the client may try again */
export const rateLimited = (detail: string, seconds: number, options?: Pick<ProblemOptions, 'members'>): Problem =>
  new Problem('rate_limited', detail, { ...options, headers: retryAfter(seconds) });

/**
 * Maps any thrown value to a Problem. An unavailable store becomes a 503. Anything else that is not a Problem becomes a
 * 500.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isStoreUnavailable(error)) return unavailable(undefined, error);
  return new Problem('internal', undefined, { cause: error });
}

/** Removes the stack from an error. If a store is down, the fault is not in our code, so the log needs no stack. */
export const withoutStack = (error: Error) => ({
  type: error.name,
  code: readErrorCode(error),
  message: error.message,
});

/** Serializes errors for the log. */
export const serializeError = (error: Error): object =>
  toProblem(error).code === 'unavailable' ? withoutStack(error) : stdSerializers.err(error);

/**
 * Renders the `application/problem+json` body (RFC 9457). `instance` is the request path without the query. Secrets
 * that the client sent in the wrong place are hidden, because problems end up in bug reports and proxy logs.
 */
export function problemBody(problem: Problem, instance: string, requestId: string): string {
  const body = JSON.stringify({
    type: `urn:touchline:problem:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: redactUrl(instance),
    code: problem.code,
    request_id: requestId,
    ...(problem.options.errors && { errors: problem.options.errors }),
    ...problem.options.members,
  });
  return withoutSecrets(body);
}
