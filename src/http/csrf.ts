/** CSRF protection for requests with a session cookie, which may write only if a page from this service sent them. */
import { Problem } from './errors.ts';
import { headerText, parseOrigin } from './origin.ts';

interface OwnRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  baseUrl: string;
}

/** Checks that a writing request has this service's Origin. @throws {Problem} csrf_failed */
export function checkOwnOrigin({ method, headers, baseUrl }: OwnRequest): void {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads || headerText(headers.origin) === parseOrigin(baseUrl)) return;
  throw new Problem(
    'csrf_failed',
    `The request did not come from a page of ${parseOrigin(baseUrl)}. Open this service by that address.`,
  );
}
