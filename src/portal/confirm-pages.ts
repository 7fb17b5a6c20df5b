/** Page at which a member gives the password or the second factor again, for clients that got `sign_in_required`. */
import { z } from 'zod';
import type { RouteValue } from '../http/index.ts';
import { readText } from '../site/forms/fields.ts';
import type { PortalDeps } from './deps.ts';
import { answerProblem, leadingTo, proveForm, RECENT_SIGN_IN } from './prove-again.ts';
import { ownPath } from './return-path.ts';
import { memberPage, redirect } from './visit.ts';

const show = memberPage({
  method: 'GET',
  path: RECENT_SIGN_IN.path,
  permission: 'personal',
  summary: 'The form for the password or the second factor that members give again',
  query: z.object({ next: z.string().max(500).optional() }),
  handler: (member, input, deps) =>
    proveForm(RECENT_SIGN_IN, member, input, deps, leadingTo(RECENT_SIGN_IN, ownPath(input.query.next ?? ''))),
});

const answer = memberPage({
  method: 'POST',
  path: RECENT_SIGN_IN.path,
  permission: 'personal',
  summary: 'Give the password or the second factor again',
  handler: async (member, input, deps) => {
    const next = ownPath(readText(input.form, 'next'));
    const problem = await answerProblem(RECENT_SIGN_IN, member, input, deps);
    if (problem === null) return redirect(input, next);
    return proveForm(RECENT_SIGN_IN, member, input, deps, { ...leadingTo(RECENT_SIGN_IN, next), problem });
  },
});

export const confirmPages: RouteValue<PortalDeps>[] = [show, answer];
