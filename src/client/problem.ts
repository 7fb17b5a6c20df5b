/** The service's error replies. */
import type { Problem } from './api.ts';

/** Thrown for statuses of 400 and above. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable code, such as `rate_limited`. Null if a proxy answered. */
  readonly code: Problem['code'] | null;
  /** The `application/problem+json` body (RFC 9457). Null if a proxy answered. */
  readonly problem: Problem | null;
  /** The pause that `Retry-After` asks for, in ms. */
  readonly retryAfterMs: number | null;
  /** The request's id. Include it when you ask for support. */
  readonly requestId: string | null;

  constructor(response: Response, text: string) {
    const problem = parseProblem(text);
    super(`${response.status} ${problem === null ? text.slice(0, TEXT_SHOWN) : `${problem.code}: ${problem.detail}`}`);
    this.name = 'ApiError';
    this.status = response.status;
    this.problem = problem;
    this.code = problem?.code ?? null;
    this.retryAfterMs = retryAfterMs(response.headers.get('retry-after'));
    this.requestId = response.headers.get('x-request-id');
  }
}

/** Maximum number of characters that an error message takes from a proxy's reply. */
const TEXT_SHOWN = 300;

function parseProblem(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Problem | null;
    return typeof value?.code === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** @param header `Retry-After`, which is seconds or a date */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/u.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
