/** CSRF protection of requests with a session cookie: they may write only if our own page sent them. */
import { Problem } from './errors.ts';
import { headerText, parseOrigin } from './origin.ts';

interface OwnRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  baseUrl: string;
}

/** Checks that a request that writes has the Origin of this service. @throws {Problem} csrf_failed */
export function checkOwnOrigin({ method, headers, baseUrl }: OwnRequest): void {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads || headerText(headers.origin) === parseOrigin(baseUrl)) return;
  throw new Problem(
    'csrf_failed',
    `The request did not come from a page of ${parseOrigin(baseUrl)}. Open this service by that address.`,
  );
}
