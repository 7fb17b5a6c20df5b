/** Forms with which operators change an account. */
import { z } from 'zod';
import { audit, changePlan, findAccount, removeAccount, suspendAccount } from '../../accounts/index.ts';
import { findAccountKey, revokeKeyByHand } from '../../accounts/keys/index.ts';
import { createResetLink, endOneSession, endSessionsOfAccount, leftoversText } from '../../accounts/members/index.ts';
import { transaction } from '../../db/postgres.ts';
import { idParam, idParams, invalidParameter, Problem, type Reply, type RouteInput } from '../../http/index.ts';
import { readText } from '../../site/forms/fields.ts';
import { html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import type { PortalDeps } from '../deps.ts';
import { redirect } from '../visit.ts';
import { accountPage } from './account-page.ts';
import { type Operator, type OperatorPage, operatorPage } from './section.ts';
import { afterEnd } from './sessions.ts';

const PATH = '/operator/accounts/{id}';
const { account: ONE } = OPERATOR;
type Params = z.output<typeof idParams>;
type Input<P extends Params> = RouteInput<P, Record<string, never>, undefined>;

/**
 * Form on an account page, which shows the form's problems.
 * @param path relative to the account's path
 * @param act returns the reply, or a name in ONE.en.done, whose text the page then shows
 */
function action<P extends Params>(
  path: string,
  summary: string,
  params: z.ZodType<P>,
  act: (operator: Operator, input: Input<P>, deps: PortalDeps) => Promise<Reply | string>,
): OperatorPage {
  return operatorPage<P>({
    method: 'POST',
    path: `${PATH}/${path}`,
    summary,
    params,
    handler: async (operator, input, deps) => {
      const { id } = input.params;
      // Answers 404 for an unknown account.
      if ((await findAccount(deps.pool, deps.clock, id)) === null)
        throw new Problem('not_found', `There is no account ${id}.`);
      const done = await act(operator, input, deps);
      return typeof done === 'string' ? redirect(input, `/operator/accounts/${id}?done=${done}`) : done;
    },
    onProblem: (problem, operator, { params: { id } }, deps) => accountPage(operator, id, deps, { problem }),
  });
}

const plan = action(
  'plan',
  'Change the plan',
  idParams,
  async ({ actor }, { params, form }, { pool, clock, plans }) => {
    await changePlan({ pool, clock, plans }, params.id, readText(form, 'plan'), actor);
    return 'plan';
  },
);

const suspend = action('suspend', 'Suspend the account', idParams, async ({ actor }, { params }, { pool, clock }) => {
  await suspendAccount(pool, clock, params.id, true, actor);
  return 'suspended';
});

const lift = action('lift', 'Lift the suspension', idParams, async ({ actor }, { params }, { pool, clock }) => {
  await suspendAccount(pool, clock, params.id, false, actor);
  return 'lifted';
});

const endSession = action(
  'sessions/{session}/end',
  'End a session',
  z.object({ id: idParam, session: idParam }),
  async ({ actor, sessionHash }, input, deps) => {
    const { id, session } = input.params;
    const ended = await endOneSession(deps, { accountId: id }, session, actor);
    return afterEnd(input, ended.equals(sessionHash), `/operator/accounts/${id}?done=session-ended`);
  },
);

const endSessions = action('sessions/end', 'End all sessions', idParams, async ({ actor, accountId }, input, deps) => {
  const { id } = input.params;
  await endSessionsOfAccount(deps, id, actor);
  return afterEnd(input, id === accountId, `/operator/accounts/${id}?done=sessions-ended`);
});

const revoke = action(
  'keys/{key}/revoke',
  'Revoke a key',
  z.object({ id: idParam, key: idParam }),
  async ({ actor }, { params }, { pool, clock }) => {
    // Answers 404 for a key of another account.
    await findAccountKey(pool, params.id, params.key);
    await revokeKeyByHand(pool, clock, params.key, actor, params.id);
    return 'revoked';
  },
);

const reset = action('reset', 'A link to set a new password', idParams, async (operator, input, deps) => {
  const { form, baseUrl, params } = input;
  const { pool, clock, mail } = deps;
  const scope = {
    secondFactor: readText(form, 'second_factor') === 'remove',
    keys: readText(form, 'keys') === 'revoke',
  };
  const { email, token, leftovers } = await createResetLink(pool, clock, params.id, scope, operator.actor);
  const left = leftoversText(leftovers, operator.lang);
  const link = `${baseUrl}/account/reset?token=${token}`;
  if (readText(form, 'how') === 'send' && mail.isConfigured) {
    const isSent = mail.send({
      to: email,
      subject: 'Set a new password for Touchline',
      text: `An operator of this service sends you a link to set a new password for the account ${email}.\n\n\
Set it within an hour:\n${link}\n`,
    });
    return isSent ? 'sent' : 'unsent';
  }
  const text = ONE[operator.lang];
  return operator.page({
    title: text.newPassword,
    body: html`<section class="panel secret">
<p>${fill(ONE[operator.lang].link, { email })}</p>
<p><code class="value">${link}</code></p></section>
${left !== null && html`<p class="note">${fill(text.leftovers, { leftovers: left })} ${text.leftoversAdvice}</p>`}
<p><a href="${operator.root}operator/accounts/${params.id}">${ONE[operator.lang].back}</a></p>`,
  });
});

const remove = action('delete', 'Delete the account', idParams, async ({ actor, accountId }, input, deps) => {
  const { pool, clock } = deps;
  const { id } = input.params;
  await transaction(pool, async (db) => {
    const { email } = await removeAccount(db, id, actor);
    if (readText(input.form, 'email').toLowerCase() !== email.toLowerCase())
      throw invalidParameter('email', 'other_email', 'is not the email of this account');
    // The account's own log was deleted with the account.
    const entry = { action: 'account.deleted', target: `account ${id}`, details: { email } } as const;
    await audit(db, clock, { accountId, actor, ...entry });
  });
  return redirect(input, '/operator?done=deleted');
});

export const accountActions: readonly OperatorPage[] = [
  plan,
  suspend,
  lift,
  endSession,
  endSessions,
  revoke,
  reset,
  remove,
];
