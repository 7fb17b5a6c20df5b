/** Handlers for signed-in members, redirects, and problems that a form shows. */

import type { Client } from '../accounts/credentials/index.ts';
import type { SignedInMember } from '../accounts/members/index.ts';
import {
  type MemberPrincipal,
  type Problem,
  type Reply,
  type RouteInput,
  type RouteValue,
  routeFor,
  toProblem,
} from '../http/index.ts';
import type { PortalDeps } from './deps.ts';
import { PAGE_HEADERS, problemPage, rootPath } from './page.ts';

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

/** @param path path from the root of the service */
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

/** Member of an open session, as the actor of changes. */
export const signedInMember = (
  { memberId, accountId, email, sessionHash }: MemberPrincipal,
  { address }: Pick<Input, 'address'>,
): SignedInMember => ({ memberId, accountId, email, sessionHash, address });

/** Signed-in member, and the root of links; see rootPath. */
export interface Visitor extends MemberPrincipal {
  root: string;
}

type MemberPage<P, Q> = Omit<RouteValue<PortalDeps, P, Q, undefined>, keyof typeof PAGE | 'handler'> & {
  handler: (visitor: Visitor, input: RouteInput<P, Q, undefined>, deps: PortalDeps) => Promise<Reply> | Reply;
};

/** Wraps a handler for signed-in members. Others are redirected to the sign-in page, which leads back to this section. */
export function memberPage<P = Record<string, never>, Q = Record<string, never>>({
  handler,
  ...page
}: MemberPage<P, Q>): RouteValue<PortalDeps> {
  const section = page.path.split('/').slice(0, 3).join('/');
  return routeFor<PortalDeps>()<P, Q, undefined, unknown>({
    ...PAGE,
    ...page,
    handler: (input, deps) => {
      const { principal } = input;
      if (principal?.kind === 'member') return handler({ ...principal, root: rootPath(input) }, input, deps);
      return redirect(input, `/account/sign-in?next=${encodeURIComponent(section)}`);
    },
  });
}

/** Runs the action of a form. The form shows problems that its sender can fix. */
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
