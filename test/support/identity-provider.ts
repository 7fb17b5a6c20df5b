/**
 * An identity provider of the tests (OpenID Connect) that can also lie: tests change its discovery, its keys, its tokens and its
 * manners. `oidc-provider.ts` has an honest one from a library.
 */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const CLIENT = { id: 'touchline', secret: 'the-client-secret-of-the-tests' };

type Claims = Record<string, unknown>;

interface Key {
  kid: string;
  privateKey: KeyObject;
  jwk: object;
}

export interface IdentityProvider {
  issuer: string;
  /** Requests so far, by path. */
  requests: string[];
  /** Replaces members of the discovery document. */
  discovery: Claims;
  /** Replaces claims of the next ID tokens. */
  token: Claims;
  /** Replaces members of the header of the next ID tokens. */
  header: Claims;
  /** Answers the user info endpoint with these claims, beside the subject. */
  userinfo: Claims;
  /** Answers a path in another way. */
  instead: Map<string, (response: ServerResponse) => void>;
  /** Replaces the signing key. The former one is forgotten. */
  rotate(): void;
  /** Signs the next ID tokens with a key that is not in the set of keys. */
  forge(): void;
  /**
   * Signs a person in at the address to which this service has sent the browser.
   * @returns the address to which the browser comes back
   */
  authorize(address: string, claims: Claims): string;
  close(): Promise<void>;
}

let keys = 0;
function createKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  keys += 1;
  const kid = `key-${keys}`;
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedToken(header: Claims, claims: Claims, { privateKey }: Key): string {
  const content = `${encoded(header)}.${encoded(claims)}`;
  if (header.alg === 'none') return `${content}.`;
  if (header.alg === 'HS256')
    return `${content}.${createHmac('sha256', CLIENT.secret).update(content).digest('base64url')}`;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

interface Grant {
  claims: Claims;
  nonce: string;
  challenge: string;
  redirectUri: string;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const grants = new Map<string, Grant>();
  const subjects = new Map<string, string>();
  let key = createKey();
  let signingKey = key;

  async function answerToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const [, credentials = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const [id, secret] = Buffer.from(credentials, 'base64')
      .toString()
      .split(':')
      .filter(Boolean)
      .map(decodeURIComponent);
    const isClient =
      (id ?? form.get('client_id')) === CLIENT.id && (secret ?? form.get('client_secret')) === CLIENT.secret;
    if (!isClient) return sendJson(response, 401, { error: 'invalid_client' });
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isRight =
      grant !== undefined &&
      grant.redirectUri === form.get('redirect_uri') &&
      grant.challenge === createHash('sha256').update(verifier).digest('base64url');
    if (!isRight) return sendJson(response, 400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: own.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      ...grant.claims,
      ...own.token,
    };
    const header = { alg: 'RS256', kid: signingKey.kid, ...own.header };
    const access = randomBytes(16).toString('hex');
    subjects.set(access, String(grant.claims.sub));
    sendJson(response, 200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: signedToken(header, claims, signingKey),
    });
  }

  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    own.requests.push(path);
    const instead = own.instead.get(path);
    if (instead !== undefined) return instead(response);
    if (path === '/.well-known/openid-configuration')
      return sendJson(response, 200, {
        issuer: own.issuer,
        authorization_endpoint: `${own.issuer}/authorize`,
        token_endpoint: `${own.issuer}/token`,
        jwks_uri: `${own.issuer}/keys`,
        userinfo_endpoint: `${own.issuer}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
        ...own.discovery,
      });
    if (path === '/keys') return sendJson(response, 200, { keys: [key.jwk] });
    if (path === '/token') return void answerToken(request, response);
    if (path === '/userinfo') {
      const sub = subjects.get(request.headers.authorization?.slice('Bearer '.length) ?? '');
      return sendJson(response, sub === undefined ? 401 : 200, { sub, ...own.userinfo });
    }
    sendJson(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own: IdentityProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    discovery: {},
    token: {},
    header: {},
    userinfo: {},
    instead: new Map(),
    rotate() {
      key = createKey();
      signingKey = key;
    },
    forge() {
      signingKey = { ...createKey(), kid: key.kid };
    },
    authorize(address, claims) {
      const asked = new URL(address).searchParams;
      const code = randomBytes(16).toString('hex');
      const redirectUri = asked.get('redirect_uri')!;
      grants.set(code, { claims, nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')!, redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: asked.get('state')!, iss: own.issuer, session_state: 'x' })}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}
