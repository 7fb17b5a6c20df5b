/**
 * Guards every operator page. Members without the role get 404 (see `operator` in http/auth.ts). Operators without a second factor are sent
 * to the page where they set it up. They have to enter a code in each session, and again after some hours.
 */
import { z } from 'zod';
import { confirmSession, takeCode } from '../../accounts/credentials/index.ts';
import { audit, toActor } from '../../accounts/index.ts';
import type { Attempt } from '../../accounts/members/index.ts';
import { transaction } from '../../db/postgres.ts';
import {
  invalidParameter,
  lang,
  type MemberPrincipal,
  type Principal,
  type Problem,
  type Reply,
  type RouteInput,
  type RouteValue,
  toProblem,
} from '../../http/index.ts';
import { field, hidden, readText } from '../../site/forms/fields.ts';
import { html } from '../../site/html.ts';
import { ACCOUNT, OPERATOR } from '../../site/texts/index.ts';
import { type PortalDeps, route } from '../deps.ts';
import { type Area, portalPage, rootPath } from '../page.ts';
import { keptQuery, PAGE, redirect, visitorRoute } from '../visit.ts';
import type { Guard, OperatorSection } from './section.ts';

/** How long a code that was entered in the session is enough. */
const CONFIRMED_MS = 12 * 3_600_000;
const CODE_PATH = '/operator/code';
/** Page on which the second factor is turned on. */
const SET_UP = '/account/security?done=operator';
/** Form field for the code. */
const CODE_FIELD = 'operator_code';
const { code: CODE } = OPERATOR;

type Input = RouteInput<unknown, unknown, unknown>;
const pageOfOperators = { ...PAGE, access: 'operator' } as const;

function signedIn(principal: Principal | null): MemberPrincipal {
  if (principal?.kind === 'member' && principal.isOperator) return principal;
  throw new TypeError('not an operator');
}

const isConfirmed = ({ confirmedAt }: MemberPrincipal, now: number): boolean =>
  confirmedAt !== null && now - confirmedAt < CONFIRMED_MS;

/** Returns the page to continue with after the code has been entered. It is always an operator page. */
const operatorPath = (path: string): string => (/^\/operator(\/[a-z0-9-]+)*$/.test(path) ? path : '/operator');

/**
 * Uses up the code that was sent.
 * @returns the problem with it, or null if it is right
 */
async function codeProblem(member: MemberPrincipal, input: Input, deps: PortalDeps): Promise<Problem | null> {
  const { pool, clock, signInLimits } = deps;
  const { memberId, accountId, sessionHash } = member;
  const entry = { accountId, actor: toActor(input) };
  const code = readText(input.form, CODE_FIELD);
  let attempt: Attempt;
  try {
    attempt = signInLimits.code(memberId, code, input.address);
  } catch (error) {
    return toProblem(error);
  }
  const isRight = await transaction(pool, async (db) => {
    const taken = await takeCode(db, deps, memberId, code);
    if (taken === null) return false;
    await confirmSession(db, clock, sessionHash);
    await audit(db, clock, { ...entry, action: 'member.code_confirmed', details: { code: taken } });
    return true;
  });
  if (isRight) {
    attempt.giveBack();
    return null;
  }
  await audit(pool, clock, { ...entry, action: 'member.code_failed' });
  return invalidParameter('code', 'invalid_code', 'is wrong or has already been used');
}

/**
 * @param action path relative to the root
 * @param fields fields of the form that has to wait for the code; they are sent again together with the code
 */
function codeForm(input: Input, action: string, fields: Iterable<[string, string]>, problem?: Problem): Reply {
  const root = rootPath(input);
  return portalPage({
    title: CODE[input.lang].title,
    root,
    lang: input.lang,
    email: null,
    problem,
    body: html`<form class="panel" method="post" action="${root}${action.slice(1)}">
${[...fields].filter(([name]) => name !== CODE_FIELD).map(([name, value]) => hidden(name, value))}
${field({
  name: CODE_FIELD,
  label: CODE[input.lang].code,
  required: true,
  autocomplete: 'one-time-code',
  maxlength: 40,
  hint: CODE[input.lang].hint,
})}
<button>${CODE[input.lang].continue}</button>
</form>
<p><a href="${root}account">${ACCOUNT[input.lang].own}</a></p>`,
  });
}

function filled(path: string, params: unknown): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
}

/** @returns the reply that replaces the page, or null if the page may be shown */
async function stopped(
  member: MemberPrincipal,
  pagePath: string,
  input: Input,
  deps: PortalDeps,
): Promise<Reply | null> {
  if (!member.hasSecondFactor) return redirect(input, SET_UP);
  if (isConfirmed(member, deps.clock.now())) return null;
  const path = filled(pagePath, input.params);
  const { form } = input;
  if (form === null) return redirect(input, `${CODE_PATH}?next=${encodeURIComponent(path)}`);
  if (!form.has(CODE_FIELD)) return { ...codeForm(input, path, form), status: 403 };
  const problem = await codeProblem(member, input, deps);
  return problem === null ? null : codeForm(input, path, form, problem);
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

const codePage = route({
  ...pageOfOperators,
  method: 'GET',
  path: CODE_PATH,
  summary: 'The form for the code that operators give again',
  query: z.object({ next: z.string().max(500).optional(), lang }),
  handler: (input, { clock }) => {
    const next = operatorPath(input.query.next ?? '');
    const member = signedIn(input.principal);
    if (!member.hasSecondFactor) return redirect(input, SET_UP);
    if (isConfirmed(member, clock.now())) return redirect(input, next);
    return codeForm(input, CODE_PATH, [['next', next]]);
  },
});

const codePost = route({
  ...pageOfOperators,
  method: 'POST',
  path: CODE_PATH,
  summary: 'Give the code again',
  form: true,
  handler: async (input, deps) => {
    const next = operatorPath(readText(input.form, 'next'));
    const member = signedIn(input.principal);
    if (!member.hasSecondFactor) return redirect(input, SET_UP);
    const problem = await codeProblem(member, input, deps);
    return problem === null ? redirect(input, next) : codeForm(input, CODE_PATH, [['next', next]], problem);
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
