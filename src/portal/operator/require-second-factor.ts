/**
 * Guards every operator page. Members without the role get 404 (see `operator` in http/auth.ts). Operators without a second factor are sent
 * to the page where they set it up. They have to enter a code in each session, and again after some hours.
 */
import { z } from 'zod';
import { toActor } from '../../accounts/index.ts';
import {
  lang,
  type MemberPrincipal,
  type Principal,
  type Problem,
  type Reply,
  type RouteInput,
  type RouteValue,
} from '../../http/index.ts';
import { readText } from '../../site/forms/fields.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { type PortalDeps, route } from '../deps.ts';
import { type Area, portalPage, rootPath } from '../page.ts';
import { answerProblem, askAgain, filledPath, leadingTo, OPERATOR_FACTOR, proveForm } from '../prove-again.ts';
import { keptQuery, PAGE, redirect, visitorRoute } from '../visit.ts';
import type { Guard, OperatorSection } from './section.ts';

/** Page on which the second factor is turned on. */
const SET_UP = '/account/security?done=operator';

type Input = RouteInput<unknown, unknown, unknown>;
const pageOfOperators = { ...PAGE, access: 'operator' } as const;

function signedIn(principal: Principal | null): MemberPrincipal {
  if (principal?.kind === 'member' && principal.isOperator) return principal;
  throw new TypeError('not an operator');
}

/** Returns the page to continue with after the code has been entered. It is always an operator page. */
const operatorPath = (path: string): string => (/^\/operator(\/[a-z0-9-]+)*$/.test(path) ? path : '/operator');

/** @returns the reply that replaces the page, or null if the page may be shown */
async function stopped(
  member: MemberPrincipal,
  pagePath: string,
  input: Input,
  deps: PortalDeps,
): Promise<Reply | null> {
  if (!member.hasSecondFactor) return redirect(input, SET_UP);
  const path = filledPath(pagePath, input.params);
  if (input.form !== null) return askAgain(OPERATOR_FACTOR, member, input, deps, path);
  if (OPERATOR_FACTOR.isMet(member, deps.clock.now())) return null;
  return redirect(input, `${OPERATOR_FACTOR.path}?next=${encodeURIComponent(path)}`);
}

const createGuard =
  ({ path: section }: OperatorSection, area: Area): Guard =>
  (page) => ({
    ...visitorRoute(page, async (input, deps, show) => {
      const member = signedIn(input.principal);
      const instead = await stopped(member, page.path, input, deps);
      if (instead !== null) return instead;
      const root = rootPath(input);
      const { email } = member;
      const { lang: language } = input;
      const query = page.method === 'GET' ? keptQuery(input.query) : undefined;
      return show({
        ...member,
        root,
        lang: language,
        actor: { ...toActor(input), isOperator: true },
        page: (content) => portalPage({ ...content, root, lang: language, query, email, area, section }),
      });
    }),
    access: 'operator',
  });

/** Shows the form, or answers those who need not or cannot fill it in. */
function askOrContinue(member: MemberPrincipal, next: string, input: Input, deps: PortalDeps, problem?: Problem) {
  if (!member.hasSecondFactor) return redirect(input, SET_UP);
  if (OPERATOR_FACTOR.isMet(member, deps.clock.now())) return redirect(input, next);
  return proveForm(OPERATOR_FACTOR, member, input, deps, { ...leadingTo(OPERATOR_FACTOR, next), problem });
}

const codePage = route({
  ...pageOfOperators,
  method: 'GET',
  path: OPERATOR_FACTOR.path,
  summary: 'The form for the second factor that operators give again',
  query: z.object({ next: z.string().max(500).optional(), lang }),
  handler: (input, deps) => askOrContinue(signedIn(input.principal), operatorPath(input.query.next ?? ''), input, deps),
});

const codePost = route({
  ...pageOfOperators,
  method: 'POST',
  path: OPERATOR_FACTOR.path,
  summary: 'Give the second factor again',
  form: true,
  handler: async (input, deps) => {
    const next = operatorPath(readText(input.form, 'next'));
    const member = signedIn(input.principal);
    if (!member.hasSecondFactor) return redirect(input, SET_UP);
    const problem = await answerProblem(OPERATOR_FACTOR, member, input, deps);
    return problem === null ? redirect(input, next) : askOrContinue(member, next, input, deps, problem);
  },
});

export function operatorRoutes(sections: readonly OperatorSection[]): RouteValue<PortalDeps>[] {
  const area: Area = {
    path: 'operator',
    label: OPERATOR.area,
    sections: Object.fromEntries(sections.map(({ path, title }) => [path, title])),
  };
  const pages = sections.flatMap((section) => section.pages.map((page) => page(createGuard(section, area))));
  return [...pages, codePage, codePost];
}
