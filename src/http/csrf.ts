/** CSRF protection. A request with a session cookie may write only if one of this service's pages sent it. */
import { Problem } from './errors.ts';
import { headerText, parseOrigin } from './origin.ts';

interface OwnRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  baseUrl: string;
}

/**
 * Checks that a writing request has this service's own Origin.
 * @throws {Problem} csrf_failed
 */
export function checkOwnOrigin({ method, headers, baseUrl }: OwnRequest): void {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads || headerText(headers.origin) === parseOrigin(baseUrl)) return;
  throw new Problem(
    'csrf_failed',
    `The request did not come from a page of ${parseOrigin(baseUrl)}. Open this service by that address.`,
  );
}
