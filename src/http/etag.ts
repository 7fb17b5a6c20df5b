/** Weak entity tags. Every GET that returns data has one. It is compared with If-None-Match. */
import { hash } from 'node:crypto';
import { JoinedBody } from './joined-body.ts';

const OPAQUE = /^[!#-~]+$/;

/**
 * @param version the body's version according to the handler, in printable ASCII without quotes. If it is missing, the
 *   body is hashed
 */
export function weakEtag(body: string | Buffer | JoinedBody, version?: string): string {
  const isGiven = version !== undefined && OPAQUE.test(version);
  return `W/"${isGiven ? version : hash('sha1', body instanceof JoinedBody ? body.toBuffer() : body, 'base64url')}"`;
}

/** Compares weakly (RFC 9110 13.1.2) with the `If-None-Match` header, which may be a list or `*`. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.slice('W/'.length);
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaque) ?? false;
}
