/** Who visits a page: handlers for members who have signed in, redirects, and problems that a form shows. */
import type { SignedInMember } from '../accounts/members/members.ts';
import type { Client } from '../accounts/members/sessions.ts';
import type { MemberPrincipal } from '../http/auth.ts';
import { type Problem, toProblem } from '../http/errors.ts';
import { type Reply, type RouteInput, type RouteValue, routeFor } from '../http/route.ts';
import type { PortalDeps } from './deps.ts';
import { PAGE_HEADERS, problemPage, rootPath } from './page.ts';

type Input = RouteInput<unknown, unknown, unknown>;

/** Of every page of an account. */
export const PAGE = {
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  cache: 'no-store',
  response: { contentType: 'text/html; charset=utf-8' },
  problemPage,
} as const;

/** @param path of this service, from its root */
export function redirect(input: Pick<Input, 'baseUrl'>, path: string, cookies: readonly string[] = []): Reply {
  const location = input.baseUrl + path;
  return {
    status: 303,
    body: '',
    headers: { ...PAGE_HEADERS, Location: location, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
  };
}

/** Where to go after signing in: a page of the account, never elsewhere. */
export const ownPath = (path: string): string => (/^\/account(\/[a-z0-9-]+)*$/.test(path) ? path : '/account');

export const isSecure = ({ baseUrl }: Pick<Input, 'baseUrl'>): boolean => baseUrl.startsWith('https:');

export const toClient = ({ address, headers }: Pick<Input, 'address' | 'headers'>): Client => ({
  address,
  agent: headers['user-agent'] ?? '',
});

/** The member of an open session, for what is done in their name. */
export const signedInMember = (
  { memberId, accountId, email, sessionHash }: MemberPrincipal,
  { address }: Pick<Input, 'address'>,
): SignedInMember => ({ memberId, accountId, email, sessionHash, address });

/** A member who has signed in, and the root of links; see rootPath. */
export interface Visitor extends MemberPrincipal {
  root: string;
}

type MemberPage<P, Q> = Omit<RouteValue<PortalDeps, P, Q, undefined>, keyof typeof PAGE | 'handler'> & {
  handler: (visitor: Visitor, input: RouteInput<P, Q, undefined>, deps: PortalDeps) => Promise<Reply> | Reply;
};

/** A page for who has signed in; others are asked to, and come back to its section. */
export function memberPage<P = Record<string, never>, Q = Record<string, never>>({
  handler,
  ...page
}: MemberPage<P, Q>): RouteValue<PortalDeps> {
  const section = page.path.split('/').slice(0, 3).join('/');
  return routeFor<PortalDeps>()<P, Q>({
    ...PAGE,
    ...page,
    handler: (input, deps) => {
      const { principal } = input;
      if (principal?.kind === 'member') return handler({ ...principal, root: rootPath(input) }, input, deps);
      return redirect(input, `/account/sign-in?next=${encodeURIComponent(section)}`);
    },
  });
}

/** Runs the work that a form asks for; a problem that its sender can mend is shown with the form. */
export async function showFaults(
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
