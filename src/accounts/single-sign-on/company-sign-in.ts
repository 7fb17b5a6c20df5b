/** Signing in at the identity provider of an organisation or, for operators, of this service. */
import { Problem } from '../../http/index.ts';
import { audit } from '../audit.ts';
import type { AccountConfig } from '../config.ts';
import type { Client } from '../credentials/sessions.ts';
import type { MemberDeps } from '../members/members.ts';
import type { SignedIn } from '../members/sign-in.ts';
import { type Attempt, beginAttempt, deriveProof, matchesState, useAttempt } from './attempts.ts';
import { findOrganisation } from './domains.ts';
import { type PersonDeps, signInOperator, signInPerson } from './person.ts';
import { type FailureCode, type Provider, ProviderFailed, type Providers } from './provider.ts';
import { readProvider } from './settings.ts';

export interface CompanyDeps extends PersonDeps, Pick<MemberDeps, 'signInLimits'> {
  config: Pick<AccountConfig, 'secretKeys' | 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'>;
  providers: Providers;
}

const MESSAGES: Record<FailureCode, string> = {
  unreachable: "Your company's identity provider does not answer. Try again later.",
  address_refused: "Your company's identity provider has an address that this service may not reach.",
  not_conform: "Your company's identity provider does not answer as OpenID Connect requires.",
  declined: "Your company's identity provider has refused the sign-in.",
  token_refused: "The answer of your company's identity provider is not valid. Begin again.",
};

const toProblem = (error: unknown): unknown =>
  error instanceof ProviderFailed ? new Problem('key_not_permitted', MESSAGES[error.code], { cause: error }) : error;

/** The provider of the operators. Null if there is none. */
function operatorProvider({ config }: Pick<CompanyDeps, 'config'>): Provider | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { issuer, clientId, clientSecret, groupsClaim: 'groups' };
}

const findProvider = (deps: CompanyDeps, accountId: number | null): Promise<Provider | null> =>
  accountId === null
    ? Promise.resolve(operatorProvider(deps))
    : readProvider(deps.pool, accountId, deps.config.secretKeys);

/**
 * The address to which the provider sends the browser back. Each organisation has its own, so that a provider cannot pass on what
 * another one has answered.
 */
export const callbackPath = (accountId: number | null): string =>
  `/account/sign-in/company/callback${accountId === null ? '' : `/${accountId}`}`;

export interface Beginning {
  email: string;
  /** The page to show afterwards. */
  next: string;
  /** Whether the person has to prove to the provider again who signs in. */
  again: boolean;
  /** The client address. */
  address: string;
  baseUrl: string;
}

/**
 * Begins a sign-in. The domain of the address decides at which organisation; without one, at the provider of the operators.
 * @returns the address at the provider, and the token for the browser's cookie
 * @throws {Problem} key_not_permitted, rate_limited
 */
export async function beginCompanySignIn(
  deps: CompanyDeps,
  { email, next, again, address, baseUrl }: Beginning,
): Promise<{ url: URL; token: string }> {
  const { pool, clock, providers, signInLimits } = deps;
  signInLimits.company(address);
  const organisation = await findOrganisation(deps, email);
  const accountId = organisation?.accountId ?? null;
  const provider = await findProvider(deps, accountId);
  if (provider === null)
    throw new Problem('key_not_permitted', 'No organisation has set up single sign-on for this address.');
  const token = await beginAttempt(pool, clock, { accountId, next, again });
  try {
    const url = await providers.authorizationUrl(provider, baseUrl + callbackPath(accountId), deriveProof(token), {
      hint: email,
      again,
    });
    return { url, token };
  } catch (error) {
    throw toProblem(error);
  }
}

export interface Answer {
  /** The organisation in the address. */
  accountId: number | null;
  /** The parameters that the provider has added. */
  query: Readonly<Record<string, string>>;
  /** The token from the browser's cookie. */
  token: string | null;
  baseUrl: string;
  /** The browser's current session, if any. It ends. */
  before: Buffer | null;
  client: Client;
}

const stale = () =>
  new Problem(
    'key_not_permitted',
    'This sign-in has expired, was finished already, or began in a different browser. Begin again.',
  );

/** @throws {Problem} key_not_permitted */
async function takeAttempt({ pool, clock }: CompanyDeps, { accountId, query, token }: Answer): Promise<Attempt> {
  // A wrong state does not use the attempt up, so a stranger cannot end it.
  if (token === null || !matchesState(token, query.state ?? '')) throw stale();
  const attempt = await useAttempt(pool, clock, token);
  if (attempt === null || attempt.accountId !== accountId) throw stale();
  return attempt;
}

/**
 * Finishes a sign-in with the provider's answer. What the provider or its settings have done wrong is in the organisation's audit log.
 * @throws {Problem} key_not_permitted
 */
export async function finishCompanySignIn(deps: CompanyDeps, answer: Answer): Promise<SignedIn & { next: string }> {
  const { accountId, token, client } = answer;
  const attempt = await takeAttempt(deps, answer);
  const provider = await findProvider(deps, accountId);
  if (provider === null) throw stale();
  const url = new URL(answer.baseUrl + callbackPath(accountId));
  for (const [name, value] of Object.entries(answer.query)) url.searchParams.set(name, value);
  try {
    const claims = await deps.providers.readClaims(provider, url, deriveProof(token!), attempt.again);
    const signedIn =
      accountId === null
        ? await signInOperator(deps, claims, answer)
        : await signInPerson(deps, accountId, claims, answer);
    return { ...signedIn, next: attempt.next };
  } catch (error) {
    const problem = toProblem(error);
    if (accountId !== null && problem instanceof Problem && problem.status < 500)
      await audit(deps.pool, deps.clock, {
        accountId,
        actor: { name: 'system', address: client.address },
        action: 'single_sign_on.failed',
        details: { reason: problem.message },
      });
    throw problem;
  }
}
