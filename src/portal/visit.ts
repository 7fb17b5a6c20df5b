/** Handlers for signed-in members, redirects, and problems that are shown in a form. */

import { z } from 'zod';
import type { Client } from '../accounts/credentials/index.ts';
import { listOrganisations, type SignedInMember, setLanguage } from '../accounts/members/index.ts';
import {
  type Lang,
  lang,
  type MemberPrincipal,
  type Permission,
  Problem,
  type Reply,
  type RouteInput,
  type RouteValue,
  routeFor,
  toProblem,
} from '../http/index.ts';
import type { PortalDeps } from './deps.ts';
import { type Content, ORGANISATION_FIELD, PAGE_HEADERS, portalPage, problemPage, rootPath } from './page.ts';
import { askAgain, filledPath, RECENT_SIGN_IN } from './prove-again.ts';

type Input = RouteInput<unknown, unknown, unknown>;

/** Fields that all account page routes share. */
export const PAGE = {
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  cache: 'no-store',
  response: { contentType: 'text/html; charset=utf-8' },
  problemPage,
} as const;

/** @param path relative to the service's root */
export function redirect(input: Pick<Input, 'baseUrl'>, path: string, cookies: readonly string[] = []): Reply {
  const location = input.baseUrl + path;
  return {
    status: 303,
    body: '',
    headers: { ...PAGE_HEADERS, Location: location, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
  };
}

export const isSecure = ({ baseUrl }: Pick<Input, 'baseUrl'>): boolean => baseUrl.startsWith('https:');

export const toClient = ({ address, headers }: Pick<Input, 'address' | 'headers'>): Client => ({
  address,
  agent: headers['user-agent'] ?? '',
});

/** The member of an open session, as the actor who makes changes. */
export const signedInMember = (
  { memberId, accountId, email, sessionHash }: MemberPrincipal,
  { address }: Pick<Input, 'address'>,
): SignedInMember => ({ memberId, accountId, email, sessionHash, address });

/** A signed-in member, and the root for links (see rootPath). */
export interface Visitor extends MemberPrincipal {
  root: string;
  /** The page's language. */
  lang: Lang;
  /** Renders a page with the navigation, in the section that the page's path names. */
  page(content: Content): Reply;
}

/** A page for a signed-in visitor. A POST receives the form fields. */
export interface VisitorPage<V, P, Q>
  extends Pick<
    RouteValue<PortalDeps, P, Q, undefined>,
    'path' | 'summary' | 'params' | 'query' | 'perAddress' | 'permission' | 'needsRecentSignIn'
  > {
  method: 'GET' | 'POST';
  handler: (visitor: V, input: RouteInput<P, Q, undefined>, deps: PortalDeps) => Promise<Reply> | Reply;
  /** Shows problems that the visitor can fix above a form. Without this function, each problem gets a page of its own. */
  onProblem?: (
    problem: Problem,
    visitor: V,
    input: RouteInput<P, Q, undefined>,
    deps: PortalDeps,
  ) => Promise<Reply> | Reply;
}

/** The query of a page also has the language that its switch chooses. */
const withLanguage = <Q>(query: z.ZodType<Q> | undefined): z.ZodType<Q> =>
  (query instanceof z.ZodObject ? query.extend({ lang }) : z.object({ lang })) as unknown as z.ZodType<Q>;

/**
 * Makes a route from a page.
 * @param enter shows the page to the visitor, or answers those who may not see it
 */
export const visitorRoute = <V, P, Q>(
  { handler, onProblem, ...page }: VisitorPage<V, P, Q>,
  enter: (
    input: RouteInput<P, Q, undefined>,
    deps: PortalDeps,
    show: (visitor: V) => Promise<Reply>,
  ) => Promise<Reply> | Reply,
): RouteValue<PortalDeps> =>
  routeFor<PortalDeps>()<P, Q, undefined, unknown>({
    ...PAGE,
    ...page,
    ...(page.method === 'POST' ? { form: true } : { query: withLanguage(page.query) }),
    handler: (input, deps) =>
      enter(input, deps, async (visitor) =>
        onProblem === undefined
          ? handler(visitor, input, deps)
          : showProblems(
              async () => handler(visitor, input, deps),
              (problem) => onProblem(problem, visitor, input, deps),
            ),
      ),
  });

/** Creates a page for signed-in members. Anyone else is redirected to the sign-in page, and comes back to this section after signing in. */
export function memberPage<P = Record<string, never>, Q = Record<string, never>>(
  page: VisitorPage<Visitor, P, Q> & { permission: Permission },
): RouteValue<PortalDeps> {
  const [, area = '', section = ''] = page.path.split('/');
  const back = `/${area}${section && `/${section}`}`;
  return visitorRoute(page, async (input, deps, show) => {
    const { principal } = input;
    if (principal?.kind !== 'member') return redirect(input, `/account/sign-in?next=${encodeURIComponent(back)}`);
    const root = rootPath(input);
    const { email, permissions } = principal;
    const { lang: language } = input;
    if (language !== principal.language) await setLanguage(deps.pool, principal.memberId, language);
    const all = await listOrganisations(deps.pool, principal.memberId);
    if (page.method === 'POST') checkOrganisation(input.form, principal.accountId, all.length);
    if (page.needsRecentSignIn) {
      const asked = await askAgain(RECENT_SIGN_IN, principal, input, deps, filledPath(page.path, input.params));
      if (asked !== null) return asked;
    }
    const organisations = { current: principal.accountId, all };
    const query = page.method === 'GET' ? keptQuery(input.query) : undefined;
    const render = (content: Content) =>
      portalPage({ root, lang: language, query, email, permissions, organisations, section, ...content });
    return show({ ...principal, root, lang: language, page: render });
  });
}

/**
 * Refuses a form of an organisation for which the session no longer acts, because it was switched in a second tab.
 * @throws {Problem} conflict
 */
function checkOrganisation(form: URLSearchParams | null, accountId: number, belongsTo: number): void {
  const meant = form?.getAll(ORGANISATION_FIELD) ?? [];
  // A page of an earlier release names no organisation, but is only for people who belong to one.
  if (meant.length === 0 ? belongsTo === 1 : meant.every((one) => one === String(accountId))) return;
  throw new Problem(
    'conflict',
    'This form is for another organisation than the one that is chosen now. Nothing was changed. Open the page again.',
  );
}

/** Returns a page's query without the language, and without the confirmation that was shown once. */
export const keptQuery = (query: unknown): string => {
  const kept = Object.entries(query ?? {}).filter(([name, value]) => value !== undefined && !DROPPED.has(name));
  return new URLSearchParams(kept.map(([name, value]): [string, string] => [name, String(value)])).toString();
};
const DROPPED: ReadonlySet<string> = new Set(['lang', 'done']);

/** Runs a form's action. If the sender can fix a problem, the form shows it. */
export async function showProblems(
  work: () => Promise<Reply>,
  show: (problem: Problem) => Reply | Promise<Reply>,
): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status >= 500) throw error;
    return show(problem);
  }
}
