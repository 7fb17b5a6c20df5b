/** An organisation with single sign-on, and people who sign in there, for the tests in this folder. */
import assert from 'node:assert/strict';
import type { AccountApp, Visit, Visitor } from '../../support/account-app.ts';
import { CLIENT, type IdentityProvider } from '../../support/identity-provider.ts';

type Claims = Record<string, unknown>;

/** Claims of a person whose address is verified. */
export const person = (subject: string, email: string, more: Claims = {}): Claims => ({
  sub: subject,
  email,
  email_verified: true,
  groups: [],
  ...more,
});

/** Makes all sessions ones that began just now. */
export const proveNow = (accounts: AccountApp) =>
  accounts.pool.query('UPDATE member_session SET proved_at = $1', [new Date(accounts.clock.now())]);

/** Sets single sign-on up for a signed-in owner, and verifies the domains. */
export async function setUp(
  accounts: AccountApp,
  owner: Visitor,
  provider: Pick<IdentityProvider, 'issuer'>,
  domains: readonly string[],
  more: object = {},
): Promise<void> {
  await proveNow(accounts);
  const settings = { issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, domains };
  const { status, json, text } = await owner.json('PATCH', '/v1/account/single-sign-on', settings);
  assert.equal(status, 200, text);
  for (const { domain, record } of json.domains) {
    accounts.txt.set(domain, ['v=spf1 -all', record]);
    const verified = await owner.json('POST', '/v1/account/single-sign-on/verify', { domain });
    assert.equal(verified.status, 200, verified.text);
  }
  if (Object.keys(more).length === 0) return;
  const changed = await owner.json('PATCH', '/v1/account/single-sign-on', more);
  assert.equal(changed.status, 200, changed.text);
}

/** Begins a sign-in. @returns the address at the provider */
export async function begin(visitor: Visitor, email: string, next = ''): Promise<string> {
  const visit = await visitor.post('/account/sign-in/company', { email, next });
  assert.equal(visit.status, 200, visit.text);
  return /^0; url=(.+)$/.exec(visit.headers.get('refresh') ?? '')![1]!;
}

/** Follows the provider's answer. */
export const comeBack = (accounts: AccountApp, visitor: Visitor, address: string): Promise<Visit> =>
  visitor.get(address.replace(accounts.app.url, ''));

/** Signs in at the provider. */
export async function signInAt(
  accounts: AccountApp,
  provider: IdentityProvider,
  visitor: Visitor,
  claims: Claims,
  typed = String(claims.email),
): Promise<Visit> {
  return comeBack(accounts, visitor, provider.authorize(await begin(visitor, typed), claims));
}

/** The text of the problem that a page shows. */
export const shownProblem = ({ text }: Visit): string =>
  /<p class="problem" role="alert">(.*?)<\/p>/s.exec(text)?.[1]?.replaceAll('&#39;', "'").trim() ?? '';

/** The account and the role of the organisation for which a visitor acts. */
export async function readRole(accounts: AccountApp, email: string, ownerEmail: string): Promise<string | undefined> {
  const { rows } = await accounts.pool.query<{ role: string }>(
    `SELECT b.role FROM membership b JOIN member m ON m.id = b.member_id JOIN account a ON a.id = b.account_id
     WHERE m.email = $1 AND a.email = $2`,
    [email, ownerEmail],
  );
  return rows[0]?.role;
}
