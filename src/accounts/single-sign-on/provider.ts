/**
 * OpenID Connect with one provider: the authorization code flow with PKCE, state and nonce. Discovery and keys are read anew for
 * each sign-in, so that a provider may change its keys and addresses at any time. Each request passes the address guard.
 */
import { AddressRefused, type Guard, type GuardedFetch, guardedFetch, RequestFailed } from '../../outbound/index.ts';
import { readMember } from '../../runtime/unknown-values.ts';
import type { Identity } from '../credentials/identities.ts';

export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Name of the claim that lists the groups of a person. */
  groupsClaim: string;
}

/** Random values of one sign-in, which only the browser and this service know. */
export interface Proof {
  state: string;
  nonce: string;
  verifier: string;
}

/** The statement of a provider about a person. */
export interface Claims extends Identity {
  /** Null if the provider names none. */
  email: string | null;
  emailVerified: boolean;
  groups: readonly string[];
  /** When the person has last proved to the provider who signs in, in ms since 1970. Null if it does not say. */
  provedAt: number | null;
}

/**
 * `unreachable`: no reply, too slow, too large, or a redirect. `address_refused`: an address that may not be asked. `not_conform`:
 * discovery that does not fit the issuer. `declined`: the provider has refused the sign-in. `token_refused`: a code or a token that
 * is not valid.
 */
export type FailureCode = 'unreachable' | 'address_refused' | 'not_conform' | 'declined' | 'token_refused';

export class ProviderFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, cause?: unknown) {
    super(`the identity provider: ${code}`, { cause });
    this.code = code;
  }
}

/** Addresses in discovery that are asked or shown to the browser. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
/** How far the clocks of this service and of the provider may be apart. */
const CLOCK_TOLERANCE_SECONDS = 30;
const SCOPE = 'openid email profile';
/** For a sign-in that has to be recent: how old it may be at the provider. */
const RECENT_SECONDS = 600;
const MAX_GROUPS = 1_000;
const MAX_SUBJECT_LENGTH = 255;

/** @param code if the cause is not a refused or failed request */
function toFailure(error: unknown, code: FailureCode): ProviderFailed {
  if (error instanceof ProviderFailed) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefused)
      return new ProviderFailed(cause.code === 'not_resolved' ? 'unreachable' : 'address_refused', error);
    if (cause instanceof RequestFailed) return new ProviderFailed('unreachable', error);
  }
  return new ProviderFailed(code, error);
}

/** The library is loaded at the first sign-in. */
const library = () => import('openid-client');
type Library = Awaited<ReturnType<typeof library>>;
type Configuration = InstanceType<Library['Configuration']>;

export class Providers {
  readonly #guard: Guard;
  readonly #fetch: GuardedFetch;

  constructor(guard: Guard, options?: Parameters<typeof guardedFetch>[1]) {
    this.#guard = guard;
    this.#fetch = guardedFetch(guard, options);
  }

  /** Checks that the provider can be used. @throws {ProviderFailed} */
  async check(provider: Provider): Promise<void> {
    await this.#discover(provider);
  }

  /**
   * Returns the address at the provider to which the browser goes.
   * @param hint the email that the person has typed; empty if there is none
   * @param again whether the person has to prove to the provider again who signs in
   * @throws {ProviderFailed}
   */
  async authorizationUrl(
    provider: Provider,
    redirectUri: string,
    proof: Proof,
    { hint, again }: { hint: string; again: boolean },
  ): Promise<URL> {
    const client = await library();
    const config = await this.#discover(provider);
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: proof.state,
      nonce: proof.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
      code_challenge_method: 'S256',
      ...(hint !== '' && { login_hint: hint }),
      ...(again && { prompt: 'login', max_age: String(RECENT_SECONDS) }),
    });
  }

  /**
   * Exchanges the code that the browser brings for what the provider says about the person.
   * @param answer the redirect address, with the query that the provider has added
   * @throws {ProviderFailed}
   */
  async readClaims(
    provider: Provider,
    answer: URL,
    { state, nonce, verifier }: Proof,
    again: boolean,
  ): Promise<Claims> {
    const client = await library();
    const config = await this.#discover(provider);
    try {
      const tokens = await client.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(again && { maxAge: RECENT_SECONDS }),
      });
      const token = tokens.claims()!;
      const subject = token.sub;
      if (subject.length === 0 || subject.length > MAX_SUBJECT_LENGTH) throw new ProviderFailed('token_refused');
      const isWhole = token.email !== undefined && token[provider.groupsClaim] !== undefined;
      const more =
        isWhole || config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await client.fetchUserInfo(config, tokens.access_token, subject);
      return toClaims(token.iss, provider.groupsClaim, subject, { ...more, ...token });
    } catch (error) {
      throw toFailure(error, error instanceof client.AuthorizationResponseError ? 'declined' : 'token_refused');
    }
  }

  async #discover({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
    const client = await library();
    const request = (
      url: string,
      { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
    ) => this.#fetch(url, { method, headers, ...(body != null && { body: String(body) }) });
    try {
      const address = this.#guard.parse(issuer);
      // The guard permits plain HTTP only to addresses in its allow list.
      const permit = address.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      const found = await client.discovery(address, clientId, clientSecret, undefined, {
        [client.customFetch]: request,
        execute: permit,
      });
      const metadata = found.serverMetadata();
      // The library does not compare the issuer of one large provider, which serves many companies at one address.
      if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== address.href)
        throw new ProviderFailed('not_conform');
      for (const name of ENDPOINTS) {
        const endpoint = metadata[name];
        if (endpoint !== undefined) this.#guard.parse(endpoint);
        else if (name !== 'userinfo_endpoint') throw new ProviderFailed('not_conform');
      }
      // Some providers read the header wrongly if the id or the secret has characters that have to be encoded.
      const isPosted = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
      const authentication = isPosted ? client.ClientSecretPost : client.ClientSecretBasic;
      const config = new client.Configuration(
        metadata,
        clientId,
        { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        authentication(clientSecret),
      );
      config[client.customFetch] = request;
      for (const extension of permit) extension(config);
      // Without this, the signature of a token that came over TLS is not checked.
      client.enableNonRepudiationChecks(config);
      return config;
    } catch (error) {
      throw toFailure(error, 'not_conform');
    }
  }
}

function toClaims(issuer: string, groupsClaim: string, subject: string, claims: object): Claims {
  const email = readMember(claims, 'email');
  const groups = readMember(claims, groupsClaim);
  const authTime = readMember(claims, 'auth_time');
  const list = typeof groups === 'string' ? [groups] : Array.isArray(groups) ? groups : [];
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : null,
    emailVerified: readMember(claims, 'email_verified') === true,
    groups: list.filter((group): group is string => typeof group === 'string').slice(0, MAX_GROUPS),
    provedAt: typeof authTime === 'number' ? authTime * 1_000 : null,
  };
}
