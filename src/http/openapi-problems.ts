/** The problems in the OpenAPI document: their schema, and each route's responses with examples. */
import { z } from 'zod';
import { findAddressLimit } from './address-rate-limit.ts';
import { PROBLEM_CODES, PROBLEMS, Problem, type ProblemCode, problemBody } from './errors.ts';
import { responseHeaders } from './openapi-headers.ts';
import type { JsonObject } from './openapi-schemas.ts';
import type { AnyRoute } from './route.ts';
import { isAboutAccounts } from './uncharged-limits.ts';

export const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(PROBLEM_CODES),
    request_id: z.string(),
    errors: z.array(z.strictObject({ parameter: z.string(), code: z.string(), detail: z.string() })).optional(),
    /** Present only in a cursor_expired problem. */
    oldest_cursor: z.int().optional(),
    sync: z.string().optional(),
  })
  .meta({ id: 'Problem' });

/** Returns the codes for the problems that such a route can answer. */
function problemCodes(route: AnyRoute, charged: boolean): ProblemCode[] {
  const codes: ProblemCode[] = ['bad_request', 'internal', 'unavailable'];
  if (route.access === 'key' || route.access === 'account') {
    codes.push('key_missing', 'key_invalid', 'key_expired', 'key_revoked', 'key_not_permitted');
    if (charged && route.cost > 0) codes.push('rate_limited', 'quota_exceeded');
    if (route.access === 'key') codes.push('origin_not_allowed');
  }
  if (route.access === 'member') codes.push('key_missing', 'key_not_permitted');
  if (route.method !== 'GET' && ['account', 'member'].includes(route.access)) codes.push('csrf_failed');
  if (route.permission !== undefined && route.permission !== 'personal') codes.push('role_not_permitted');
  if (route.needsRecentSignIn) codes.push('sign_in_required');
  if (route.access === 'feed') codes.push('key_missing', 'key_invalid', 'key_revoked', 'key_not_permitted');
  // A route without parameters can answer this problem, too, because with `Prefer: handling=strict` it refuses every
  // parameter.
  codes.push('invalid_parameter');
  if (route.path.includes('{')) codes.push('not_found');
  if (findAddressLimit(route) !== undefined || isAboutAccounts(route)) codes.push('rate_limited');
  if (route.body !== undefined || route.rawBody !== undefined)
    codes.push('payload_too_large', 'unsupported_media_type');
  return [...new Set([...codes, ...(route.errors ?? [])])];
}

const ref = (section: string, name: string): JsonObject => ({ $ref: `#/components/${section}/${name}` });

/** Returns the responses for a route's problems, by status. */
export function problemResponses(route: AnyRoute, charged: boolean): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodes(route, charged)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        headers: responseHeaders(route, status, charged),
        content: problemContent(route, codes),
      },
    ]),
  );
}

function problemContent({ problemPage }: AnyRoute, codes: readonly ProblemCode[]): JsonObject {
  if (problemPage !== undefined) return { 'text/html': {} };
  const examples = Object.fromEntries(codes.map((code) => [code, ref('examples', code)]));
  return { 'application/problem+json': { schema: ref('schemas', 'Problem'), examples } };
}

/** Options for the problems that have additional members. */
const PROBLEM_OPTIONS: { [C in ProblemCode]?: ConstructorParameters<typeof Problem>[2] } = {
  invalid_parameter: {
    errors: [{ parameter: 'limit', code: 'too_big', detail: 'must be an integer from 1 to 1000' }],
  },
  cursor_expired: { members: { oldest_cursor: 41_902, sync: 'https://api.example.com/v1/sync' } },
};

/** Returns an example for each problem, as the service renders it. */
export function problemExamples(): JsonObject {
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => {
      const options = PROBLEM_OPTIONS[code] ?? {};
      const detail = options.errors?.map((error) => `${error.parameter}: ${error.detail}`).join('; ');
      const body = problemBody(new Problem(code, detail, options), '/v1/events', 'req_example');
      return [code, { summary: PROBLEMS[code].title, value: JSON.parse(body) }];
    }),
  );
}
