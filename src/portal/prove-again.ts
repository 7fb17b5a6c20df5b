/**
 * Asks a signed-in member for the password or the second factor again. The form that was sent at that moment is not lost: its fields are
 * sent again together with the answer.
 */
import { listPasskeys, passkeySite } from '../accounts/credentials/index.ts';
import { type Member, proveAgain, readMember } from '../accounts/members/index.ts';
import {
  isRecentlyProved,
  type MemberPrincipal,
  type Problem,
  type Reply,
  type RouteInput,
  toProblem,
} from '../http/index.ts';
import { field, hidden, readSecret, readText } from '../site/forms/fields.ts';
import { html } from '../site/html.ts';
import { ACCOUNT, PASSKEYS, PROVE_AGAIN } from '../site/texts/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import { companyAgain } from './company-again.ts';
import type { PortalDeps } from './deps.ts';
import { portalPage, rootPath } from './page.ts';
import { passkeyButton } from './passkey-button.ts';

/** How long a second factor that was given in the session is enough for the operator pages. */
const OPERATOR_MS = 12 * HOUR_MS;

/** A demand of pages on the member's session. */
export interface Demand {
  /** Path of the page that asks for it, for members who have not sent a form. */
  path: string;
  isMet(member: MemberPrincipal, now: number): boolean;
  takesPassword: boolean;
  note: 'account' | 'operator';
}

export const RECENT_SIGN_IN: Demand = {
  path: '/account/confirm',
  isMet: isRecentlyProved,
  takesPassword: true,
  note: 'account',
};

export const OPERATOR_FACTOR: Demand = {
  path: '/operator/code',
  isMet: ({ confirmedAt }, now) => confirmedAt !== null && now - confirmedAt < OPERATOR_MS,
  takesPassword: false,
  note: 'operator',
};

/** Form fields for the answer. */
const FIELDS = { password: 'confirm_password', code: 'confirm_code', passkey: 'confirm_passkey' } as const;
const NAMES: ReadonlySet<string> = new Set(Object.values(FIELDS));

type Input = RouteInput<unknown, unknown, unknown>;

interface ProveForm {
  /** Path relative to the root. */
  action: string;
  /** Fields of the form that has to wait. */
  kept: Iterable<[string, string]>;
  problem?: Problem | undefined;
  /** For a page that can be opened by its address, see portalPage. */
  query?: string;
}

/** Fields and query for a page that leads on to a page of this service. */
export const leadingTo = (demand: Demand, next: string): ProveForm => ({
  action: demand.path,
  kept: [['next', next]],
  query: new URLSearchParams({ next }).toString(),
});

export async function proveForm(
  demand: Demand,
  member: MemberPrincipal,
  input: Input,
  { pool }: Pick<PortalDeps, 'pool'>,
  { action, kept, problem, query }: ProveForm,
): Promise<Reply> {
  const root = rootPath(input);
  const text = PROVE_AGAIN[input.lang];
  const [stored, passkeys] = await Promise.all([
    readMember(pool, member.memberId),
    listPasskeys(pool, member.memberId),
  ]);
  const hasPasskeys = passkeys.length > 0;
  const isEmpty = stored?.password == null && stored?.hasSecondFactor !== true;
  const again =
    demand.takesPassword && (await companyAgain(member, input, { pool }, new Map(kept).get('next') ?? action));
  return portalPage({
    title: text.title,
    root,
    lang: input.lang,
    query,
    email: null,
    problem,
    usesPasskeys: hasPasskeys,
    body: html`${
      !(isEmpty && again) &&
      html`<p>${text[demand.note]}</p>
<form class="panel" method="post" action="${root}${action.slice(1)}">
${[...kept].filter(([name]) => !NAMES.has(name)).map(([name, value]) => hidden(name, value))}
${hasPasskeys && passkeyButton({ challenge: 'confirm', label: PASSKEYS[input.lang].use, root, lang: input.lang, field: FIELDS.passkey })}
${answerFields(demand, stored, input)}
</form>`
    }
${again}
<p><a href="${root}account">${ACCOUNT[input.lang].own}</a></p>`,
  });
}

function answerFields({ takesPassword }: Demand, member: Member | null, { lang }: Input) {
  const text = PROVE_AGAIN[lang];
  const hasPassword = takesPassword && member?.password != null;
  const hasCodes = member?.hasSecondFactor === true;
  if (!hasPassword && !hasCodes) return html`<p>${text.nothing}</p>`;
  return html`${
    hasPassword &&
    field({
      name: FIELDS.password,
      label: text.password,
      type: 'password',
      required: !hasCodes,
      autocomplete: 'current-password',
    })
  }${
    hasCodes &&
    field({
      name: FIELDS.code,
      label: hasPassword ? text.codeInstead : text.code,
      required: !hasPassword,
      autocomplete: 'one-time-code',
      maxlength: 40,
      hint: member?.hasCodeApp === true ? text.codeHint : text.recoveryHint,
    })
  }<button>${text.continue}</button>`;
}

/** Checks the answer in a form. @returns the problem with it, or null if it is right */
export async function answerProblem(
  demand: Demand,
  { memberId, accountId, email, sessionHash }: MemberPrincipal,
  { form, address, baseUrl }: Input,
  deps: PortalDeps,
): Promise<Problem | null> {
  const password = demand.takesPassword ? readSecret(form, FIELDS.password) : '';
  try {
    const member = { memberId, accountId, email, sessionHash, address };
    const passkey = { site: passkeySite(baseUrl), text: readText(form, FIELDS.passkey) };
    await proveAgain(deps, member, { password, code: readText(form, FIELDS.code), passkey });
    return null;
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status >= 500) throw error;
    return problem;
  }
}

/**
 * Checks that the member of a sent form meets the demand, at the latest by the answer in it.
 * @param action the path to which the form was sent, relative to the root
 * @returns the form that asks for the answer; null if the demand is met
 */
export async function askAgain(
  demand: Demand,
  member: MemberPrincipal,
  input: Input,
  deps: PortalDeps,
  action: string,
): Promise<Reply | null> {
  if (demand.isMet(member, deps.clock.now())) return null;
  const kept = input.form ?? [];
  const isAnswered = [...NAMES].some((name) => input.form?.has(name));
  if (!isAnswered) return { ...(await proveForm(demand, member, input, deps, { action, kept })), status: 403 };
  const problem = await answerProblem(demand, member, input, deps);
  return problem === null ? null : proveForm(demand, member, input, deps, { action, kept, problem });
}

/** Fills the parameters into a route's path. */
export function filledPath(path: string, params: unknown): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
}
