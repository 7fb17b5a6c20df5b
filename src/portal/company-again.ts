/** Asks a signed-in member for a new sign-in at the identity provider of the company. */
import { hasIdentity } from '../accounts/credentials/index.ts';
import type { MemberPrincipal, RouteInput } from '../http/index.ts';
import { hidden } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { SINGLE_SIGN_ON } from '../site/texts/index.ts';
import type { PortalDeps } from './deps.ts';
import { rootPath } from './page.ts';
import { ownPath } from './return-path.ts';

/**
 * @param path of the page or form that has to wait. The member comes back to its section, because a form cannot wait at a provider.
 * @returns nothing if the member has never signed in at a provider
 */
export async function companyAgain(
  { memberId, email }: MemberPrincipal,
  input: Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl' | 'lang'>,
  { pool }: Pick<PortalDeps, 'pool'>,
  path: string,
): Promise<Html | false> {
  if (!(await hasIdentity(pool, memberId))) return false;
  const { company, companyAgain: note } = SINGLE_SIGN_ON[input.lang];
  const section = path.split('/').slice(0, 3).join('/');
  return html`<form class="panel" method="post" action="${rootPath(input)}account/sign-in/company">
<p>${note}</p>
${hidden('email', email)}${hidden('again', '1')}${hidden('next', ownPath(section))}
<button>${company}</button></form>`;
}
