/** Authenticates and authorizes requests by API key, feed token or member sign-in. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import { SECRETS } from '../wire/secret-formats.ts';
import { checkOwnOrigin } from './csrf.ts';
import { Problem } from './errors.ts';
import type { FindKey, KeyPrincipal, KeyRecord, KeyScope } from './key-cache.ts';
import { keyOfProtocols } from './key-subprotocol.ts';
import { isListed } from './network-list.ts';
import { headerText, parseOrigin } from './origin.ts';
import type { Permission, Role } from './permission.ts';
import { checkRecentSignIn } from './recent-sign-in.ts';

/** A person who has signed in, and acts for one of the accounts (organisations) to which this person belongs. */
export interface MemberPrincipal {
  kind: 'member';
  memberId: number;
  /** The organisation that was chosen in the session. */
  accountId: number;
  /** The role in that organisation. */
  role: Role;
  permissions: ReadonlySet<Permission>;
  email: string;
  plan: string;
  /** True while the account's address is unverified. */
  awaitsVerification: boolean;
  /** True if the member is an operator of this service. */
  isOperator: boolean;
  hasSecondFactor: boolean;
  /** The language of the account page that the member opened last. Null for a member who has opened none. */
  language: string | null;
  /** Hash of the session token. */
  sessionHash: Buffer;
  /** When the session last passed a second-factor code, in ms since 1970. Null if it never has. */
  confirmedAt: number | null;
  /** When the session last had the password, a code or a passkey, in ms since 1970. */
  provedAt: number;
}
export type Principal = KeyPrincipal | MemberPrincipal;

/** Finds the signed-in member by the Cookie header. @param secure whether the public address is https */
export type FindMember = (cookies: string | undefined, secure: boolean) => Promise<MemberPrincipal | null>;

/** The properties of a route that restrict who may use it. */
export interface Access {
  access: 'public' | 'key' | 'feed' | 'account' | 'member' | 'visitor' | 'operator';
  /** The permission that the member's role must have. Required for each route about accounts that members may use. */
  permission?: Permission;
  keyInQuery?: boolean;
  keyInProtocol?: boolean;
  keyInBearer?: string;
  scope?: KeyScope;
  needsRecentSignIn?: true;
}

/** Returns the scope that a key needs for a route. */
export const neededScope = ({ scope, access }: Access): KeyScope =>
  scope ?? (access === 'account' ? 'account' : 'read');

/** The parts of a request that authentication reads. */
export interface Credentials {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Value of `?key=`. */
  queryKey: string | undefined;
  baseUrl: string;
  /** Returns the client's address. */
  address(): string;
}

export interface AuthConfig {
  feedToken: string | undefined;
}

const sha256 = (value: string) => createHash('sha256').update(value).digest();

function checkOrigins(origins: readonly string[], { headers }: Credentials): void {
  // A GET to the same origin, or from an image element, has a Referer but no Origin header.
  const origin = headerText(headers.origin) ?? parseOrigin(headerText(headers.referer));
  if (origin !== null && origins.includes(origin)) return;
  throw new Problem(
    'origin_not_allowed',
    `This key may not be used from ${origin ?? 'a client that sends no Origin'}.`,
  );
}

const KEY_CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="touchline", header="X-API-Key"' };
/** @param error error code from RFC 6750; empty if the request contains no key */
function keyChallenge({ keyInBearer }: Access, { baseUrl }: Credentials, error = 'invalid_token') {
  if (keyInBearer === undefined) return KEY_CHALLENGE;
  const cause = error === '' ? '' : `error="${error}", `;
  return { 'WWW-Authenticate': `Bearer realm="touchline", ${cause}resource_metadata="${baseUrl}${keyInBearer}"` };
}
/** The header that carries the token hash in a signed request. */
export const FEED_TOKEN_HEADER = 'x-service-token';

/** True if a request is signed or has a provider's token, which the feed handlers check (feed/token-check.ts). */
const isOfProvider = (headers: Credentials['headers'], token: string | undefined): boolean =>
  token === undefined ? headers[FEED_TOKEN_HEADER] !== undefined : token.startsWith(SECRETS.feed_token.prefix);

export const FEED_CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="touchline feed"' };

/** Returns the token of `Authorization: Bearer`. */
export const bearerToken = (headers: Credentials['headers']): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headerText(headers.authorization) ?? '')?.[1];

/**
 * Returns the key in the request. If there are several keys, the key header counts.
 * @throws {Problem} bad_request, key_invalid
 */
function presentedKey(route: Access, { headers, queryKey }: Credentials): string | undefined {
  const bearer = route.keyInBearer === undefined ? undefined : bearerToken(headers);
  const inQuery = route.keyInQuery === true ? queryKey : undefined;
  const offered =
    route.keyInProtocol === true ? keyOfProtocols(headerText(headers['sec-websocket-protocol'])) : undefined;
  if (offered !== undefined && inQuery && inQuery !== offered) {
    throw new Problem('bad_request', 'The query and the subprotocol have different keys. Send one.');
  }
  return headerText(headers['x-api-key']) || bearer || offered || inQuery;
}

function keyPlaces({ keyInQuery, keyInProtocol, keyInBearer }: Access): string {
  const places = ['the header X-API-Key'];
  if (keyInBearer !== undefined) places.push('as Authorization: Bearer');
  if (keyInProtocol === true) places.push('a subprotocol key.<base64url of the key>');
  if (keyInQuery === true) places.push('the query parameter key');
  return places.join(' or ');
}

function admit(record: KeyRecord | null, now: number, route: Access, request: Credentials): KeyPrincipal {
  const refuse = (code: 'key_invalid' | 'key_revoked' | 'key_expired') =>
    new Problem(code, undefined, { headers: keyChallenge(route, request) });
  if (record === null) throw refuse('key_invalid');
  if (record.revokedAt !== null) throw refuse('key_revoked');
  if (record.expiresAt !== null && record.expiresAt <= now) throw refuse('key_expired');
  if (record.suspended) {
    throw new Problem(
      'key_not_permitted',
      record.awaitsApproval === true
        ? 'The account waits for approval by an operator of this service.'
        : 'The account is suspended. The owner of the account can ask the operator of this service.',
    );
  }
  if (record.addresses !== null && !isListed(record.addresses, request.address())) {
    throw new Problem('key_not_permitted', `This key may not be used from ${request.address()}.`);
  }
  const scope = neededScope(route);
  if (record.scopes?.includes(scope) === false) {
    const given = record.scopes.join(', ');
    throw new Problem('key_not_permitted', `This requires the scope ${scope}, and this key has only ${given}.`);
  }
  if (record.permissions !== null) {
    if (!record.permissions.has('own_keys'))
      throw new Problem('key_not_permitted', 'The role of the person to whom this key belongs permits no keys.');
    checkRole(record.permissions, route);
  }
  if (record.kind === 'pk') {
    if (route.access !== 'key') {
      throw new Problem('key_not_permitted', 'A publishable key may not be used here; use a secret key from a server.');
    }
    if (record.origins !== null) checkOrigins(record.origins, request);
  }
  return record;
}

/** @throws {Problem} role_not_permitted */
function checkRole(permissions: ReadonlySet<Permission>, { permission }: Access): void {
  if (permission === undefined || permissions.has(permission)) return;
  throw new Problem(
    'role_not_permitted',
    'Your role in this organisation does not permit this. Ask an owner or an admin of the organisation.',
  );
}

/** True if a secret key is valid now, and may read from anywhere. */
export const isUnrestricted = (record: KeyRecord | null, now: number): record is KeyRecord =>
  record !== null &&
  record.kind === 'sk' &&
  record.revokedAt === null &&
  (record.expiresAt === null || record.expiresAt > now) &&
  !record.suspended &&
  record.addresses === null &&
  record.scopes?.includes('read') !== false &&
  record.permissions?.has('own_keys') !== false;

/**
 * @throws {Problem} 401 key_missing, key_invalid, key_expired, key_revoked; 403 key_not_permitted, origin_not_allowed,
 * csrf_failed, role_not_permitted, sign_in_required; 503 unavailable.
 */
export function createAuthenticator(
  config: AuthConfig,
  findKey: FindKey,
  clock: Clock,
  findMember: FindMember = async () => null,
) {
  const feedToken = config.feedToken === undefined ? null : sha256(config.feedToken);

  function byKey(route: Access, request: Credentials): KeyPrincipal | Promise<KeyPrincipal> {
    const key = presentedKey(route, request);
    if (!key) {
      const headers = keyChallenge(route, request, '');
      throw new Problem('key_missing', `Send an API key in ${keyPlaces(route)}.`, { headers });
    }
    const record = findKey(key);
    if (record instanceof Promise) return record.then((found) => admit(found, clock.now(), route, request));
    return admit(record, clock.now(), route, request);
  }

  function byFeedToken({ headers }: Credentials): null {
    const token = bearerToken(headers);
    if (isOfProvider(headers, token)) return null;
    if (token === undefined) {
      throw new Problem('key_missing', 'Send the feed token as Authorization: Bearer.', { headers: FEED_CHALLENGE });
    }
    // The digests have equal length, so the comparison does not reveal the token's length.
    if (feedToken !== null && timingSafeEqual(sha256(token), feedToken)) return null;
    throw new Problem('key_invalid', 'The feed token is wrong.', { headers: FEED_CHALLENGE });
  }

  const sessionMember = ({ headers, baseUrl }: Credentials) =>
    findMember(headerText(headers.cookie), baseUrl.startsWith('https:'));

  /** Returns the member by the session cookie, or null if nobody is signed in. */
  async function byVisit(route: Access, request: Credentials): Promise<MemberPrincipal | null> {
    checkOwnOrigin(request);
    const member = await sessionMember(request);
    if (member !== null) checkRole(member.permissions, route);
    return member;
  }

  async function byMember(route: Access, request: Credentials): Promise<MemberPrincipal> {
    const member = await sessionMember(request);
    if (member === null && headerText(request.headers['x-api-key'])) {
      throw new Problem('key_not_permitted', 'This requires a member, not a key; sign in at /account.');
    }
    if (member === null) {
      throw new Problem('key_missing', 'Sign in as a member of the account at /account.', { headers: KEY_CHALLENGE });
    }
    checkOwnOrigin(request);
    checkRole(member.permissions, route);
    if (route.needsRecentSignIn) checkRecentSignIn(member, clock.now());
    return member;
  }

  /**
   * Members without the operator role get the same 404 as for an unknown path, even if a form on another site sent the
   * request.
   */
  async function byOperator(request: Credentials): Promise<Principal> {
    const member = await sessionMember(request);
    if (member?.isOperator !== true) throw new Problem('not_found', 'There is nothing at this path.');
    checkOwnOrigin(request);
    return member;
  }

  function byAccount(route: Access, request: Credentials): Principal | Promise<Principal> {
    const isSignedIn = request.headers.cookie !== undefined && !headerText(request.headers['x-api-key']);
    return isSignedIn ? byMember(route, request) : byKey(route, request);
  }

  /** Returns null for a route without authentication. Returns a promise only if the database has to be queried. */
  return (route: Access, request: Credentials): Principal | null | Promise<Principal | null> => {
    if (route.access === 'public') return null;
    if (route.access === 'key') return byKey(route, request);
    if (route.access === 'account') return byAccount(route, request);
    if (route.access === 'member') return byMember(route, request);
    if (route.access === 'operator') return byOperator(request);
    return route.access === 'feed' ? byFeedToken(request) : byVisit(route, request);
  };
}
export type Authenticate = ReturnType<typeof createAuthenticator>;
