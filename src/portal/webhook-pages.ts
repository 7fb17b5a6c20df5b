/** An account's webhook subscriptions: the list, the form, and one subscription with its actions. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ONCE_FIELD } from '../accounts/index.ts';
import { idParams, invalidParameter, type Lang, type Reply, type RouteInput, type RouteValue } from '../http/index.ts';
import { english, heads, scrollTable } from '../site/components/index.ts';
import { hidden, parseTime, readText } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, WEBHOOKS } from '../site/texts/index.ts';
import { changeableSubscription, findAccountSubscription } from '../webhooks/api/account-subscriptions.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  REQUESTED_LIMIT,
  replayWebhook,
  requestEvent,
  rotateWebhookSecret,
} from '../webhooks/api/account-webhooks.ts';
import {
  previewFilter,
  type ReplayFrom,
  type Subscription,
  subscriptionState,
  subscriptions,
} from '../webhooks/subscriptions/index.ts';
import type { PortalDeps } from './deps.ts';
import { destinationChoice } from './destination-fields.ts';
import { doneQuery, doneText } from './done-messages.ts';
import { failureText } from './failure-text.ts';
import type { Shown } from './page.ts';
import { memberPage, redirect, showProblems, type Visitor } from './visit.ts';
import {
  EMPTY,
  emptyForm,
  type FormValues,
  PREVIEW_BUTTON,
  readForm,
  SEARCH_BUTTON,
  toFormValues,
  toSettings,
  webhookFields,
} from './webhook-form.ts';
import {
  previewPanel,
  requestedPanel,
  secretPanel,
  signatureHelp,
  stateText,
  webhookActions,
  webhookFacts,
} from './webhook-panels.ts';

const PATH = '/account/webhooks';
const webhookPath = ({ root }: Visitor, id: number) => `${root}account/webhooks/${id}`;
const titleOf = ({ id, description }: Subscription, lang: Lang) =>
  description === '' ? fill(WEBHOOKS[lang].unnamed, { id }) : description;

function row(one: Subscription, member: Visitor, { plans }: PortalDeps): Html {
  const state = subscriptionState(one, plans);
  return html`<tr data-state="${state === 'failing' ? 'active' : state}">
<th scope="row"><a href="${webhookPath(member, one.id)}">${titleOf(one, member.lang)}</a><br><span class="note">${one.url}</span></th>
<td>${stateText(one, state, member.lang)}</td>
<td>${one.managedBy === null ? WEBHOOKS[member.lang].managedHere : WEBHOOKS[member.lang].managedElsewhere}</td>
<td>${one.lag}</td>
<td>${one.fault === null ? failureText(one.lastFailure ?? '', member.lang) : english(one.fault, member.lang)}</td>
</tr>
`;
}

const refusalNote = (refusal: string, { lang, root }: Visitor): Html =>
  html`<p>${lang === 'en' ? refusal : WEBHOOKS.ru.refused} <a href="${root}account/plan">${WEBHOOKS[lang].plans}</a></p>`;

async function listPage(
  member: Visitor,
  deps: PortalDeps,
  values: FormValues = EMPTY,
  shown: Shown = {},
  above: Html = html``,
): Promise<Reply> {
  const { pool, plans } = deps;
  const refusal = plans.webhookRefusal(member.plan);
  const all = await subscriptions(pool, { accountId: member.accountId });
  const body = html`${above}${
    all.length === 0
      ? html`<p class="panel">${WEBHOOKS[member.lang].none}</p>`
      : scrollTable({
          label: WEBHOOKS[member.lang].title,
          head: heads(WEBHOOKS[member.lang].columns),
          rows: all.map((one) => row(one, member, deps)),
        })
  }
${
  member.permissions.has('webhooks') &&
  html`<section class="panel" id="new"><h2>${WEBHOOKS[member.lang].create}</h2>
${refusal === null && destinationChoice(`${member.root}account/webhooks`, values.destination?.kind ?? null, member.lang)}
${refusal !== null && refusalNote(refusal, member)}
${
  // After a form has been sent, its input is kept, even if the plan has changed in the meantime.
  (refusal === null || shown.problem !== undefined) &&
  html`<form method="post" action="${member.root}account/webhooks">${hidden(ONCE_FIELD, randomUUID())}
${await webhookFields(pool, values, member.lang)}
<button>${WEBHOOKS[member.lang].submit}</button></form>`
}</section>`
}
${signatureHelp(member.root, member.lang)}`;
  return member.page({ title: WEBHOOKS[member.lang].title, body, ...shown });
}

/** Applies the filters of a form to the newest events. @throws {Problem} invalid_parameter */
const previewPart = async (values: FormValues, { plan, lang }: Visitor, { log, plans }: PortalDeps): Promise<Html> =>
  previewPanel(await previewFilter(log, values, plans.named(plan)), lang);

const list = memberPage({
  method: 'GET',
  path: PATH,
  permission: 'read',
  summary: "The account's webhook subscriptions",
  query: doneQuery.extend({ to: z.string().max(40).optional() }),
  handler: (member, { query }, deps) =>
    listPage(member, deps, emptyForm(query.to), { done: doneText(WEBHOOKS[member.lang].done, query.done) }),
});

const create = memberPage({
  method: 'POST',
  path: PATH,
  permission: 'webhooks',
  summary: 'Create a subscription',
  handler: (member, input, deps) => {
    let values = EMPTY;
    return showProblems(
      async () => {
        values = readForm(input.form);
        if (input.form?.has(SEARCH_BUTTON)) return listPage(member, deps, values);
        if (input.form?.has(PREVIEW_BUTTON))
          return listPage(member, deps, values, {}, await previewPart(values, member, deps));
        const { body } = await createWebhook(deps, input, toSettings(values));
        const panel = secretPanel(body.secret, webhookPath(member, body.id), member.lang);
        return member.page({ title: WEBHOOKS[member.lang].created, body: panel });
      },
      (problem) => listPage(member, deps, values, { problem }),
    );
  },
});

async function onePage(
  member: Visitor,
  id: number,
  { pool, plans }: PortalDeps,
  shown: Shown = {},
  above: Html = html``,
): Promise<Reply> {
  const one = await findAccountSubscription(pool, member.accountId, id);
  const state = subscriptionState(one, plans);
  const at = webhookPath(member, id);
  const mayChange = member.permissions.has('webhooks');
  const body = html`${above}
<section class="panel">${webhookFacts(one, state, member.lang)}
<p><a href="${at}/deliveries">${WEBHOOKS[member.lang].log}</a>${
    one.managedBy === null && mayChange && html` · <a href="${at}/edit">${WEBHOOKS[member.lang].changeSettings}</a>`
  }</p>
</section>
${mayChange && webhookActions(one, state, at, member.lang)}
<p><a href="${member.root}account/webhooks">${WEBHOOKS[member.lang].all}</a></p>`;
  return member.page({ title: titleOf(one, member.lang), body, ...shown });
}

const one = memberPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  permission: 'read',
  summary: 'A subscription',
  params: idParams,
  query: doneQuery,
  handler: (member, { params, query }, deps) =>
    onePage(member, params.id, deps, { done: doneText(WEBHOOKS[member.lang].done, query.done) }),
});

async function editPage(
  member: Visitor,
  id: number,
  deps: PortalDeps,
  values: FormValues | null = null,
  shown: Shown = {},
  above: Html = html``,
): Promise<Reply> {
  const found = await changeableSubscription(deps.pool, member.accountId, id);
  const body = html`${above}<section class="panel"><form method="post" action="${webhookPath(member, id)}/edit">
${await webhookFields(deps.pool, values ?? toFormValues(found), member.lang)}
<button>${WEBHOOKS[member.lang].save}</button></form></section>
<p><a href="${webhookPath(member, id)}">${WEBHOOKS[member.lang].back}</a></p>`;
  return member.page({
    title: fill(WEBHOOKS[member.lang].change, { title: titleOf(found, member.lang) }),
    body,
    ...shown,
  });
}

const edit = memberPage({
  method: 'GET',
  path: `${PATH}/{id}/edit`,
  permission: 'webhooks',
  summary: 'The settings of a subscription',
  params: idParams,
  handler: (member, { params }, deps) => editPage(member, params.id, deps),
  onProblem: (problem, member, { params }, deps) => onePage(member, params.id, deps, { problem }),
});

const change = memberPage({
  method: 'POST',
  path: `${PATH}/{id}/edit`,
  permission: 'webhooks',
  summary: 'Change a subscription',
  params: idParams,
  handler: (member, input, deps) => {
    const { id } = input.params;
    let values: FormValues | null = null;
    return showProblems(
      async () => {
        const sent = readForm(input.form);
        values = sent;
        if (input.form?.has(SEARCH_BUTTON)) return editPage(member, id, deps, values);
        if (input.form?.has(PREVIEW_BUTTON))
          return editPage(member, id, deps, values, {}, await previewPart(values, member, deps));
        await changeWebhook(deps, input, id, toSettings(sent));
        return redirect(input, `${PATH}/${id}?done=changed`);
      },
      (problem) => editPage(member, id, deps, values, { problem }),
    );
  },
});

type Input = RouteInput<{ id: number }, Record<string, never>, undefined>;

/**
 * A form on a subscription's page, which shows the form's problems.
 * @param path relative to the subscription's path
 */
const form = (
  path: string,
  summary: string,
  handler: (member: Visitor, input: Input, deps: PortalDeps) => Promise<Reply>,
  limits: Pick<RouteValue<PortalDeps>, 'perAddress'> = {},
): RouteValue<PortalDeps> =>
  memberPage({
    method: 'POST',
    path: `${PATH}/{id}/${path}`,
    permission: 'webhooks',
    summary,
    params: idParams,
    ...limits,
    handler,
    onProblem: (problem, member, { params }, deps) => onePage(member, params.id, deps, { problem }),
  });

/** Creates a page that sends an event on request and shows the outcome. */
const requestPage = (
  name: 'test' | 'confirm',
  action: 'tested' | 'challenged',
  texts: (lang: Lang) => { done: string; failed: string },
  summary: string,
) =>
  form(
    name,
    summary,
    async (member, input, deps) => {
      const { id } = input.params;
      const outcome = await requestEvent(deps, input, id, action);
      return onePage(member, id, deps, {}, requestedPanel(outcome, texts(member.lang), member.lang));
    },
    { perAddress: REQUESTED_LIMIT },
  );

const test = requestPage('test', 'tested', (lang) => WEBHOOKS[lang].tested, 'Send a test event');

const confirm = requestPage('confirm', 'challenged', (lang) => WEBHOOKS[lang].confirmed, 'Send a challenge');

/**
 * Reads a replay's starting position from form fields.
 * @throws {Problem} invalid_parameter
 */
function parseReplayFrom(form: URLSearchParams | null): ReplayFrom {
  const [since, cursor] = [readText(form, 'since'), readText(form, 'cursor')];
  if (cursor !== '' && !/^\d{1,15}$/.test(cursor))
    throw invalidParameter('cursor', 'invalid_cursor', 'is not a cursor');
  if (since === '' && cursor === '')
    throw invalidParameter('since', 'required', 'is required, unless a cursor is given');
  return {
    since: parseTime('since', since),
    cursor: cursor === '' ? undefined : Number(cursor),
  };
}

const pause = form('pause', 'Pause a subscription', async (_member, input, deps) => {
  const { id } = input.params;
  await changeWebhook(deps, input, id, { paused: true });
  return redirect(input, `${PATH}/${id}?done=paused`);
});

const enable = form('enable', 'Enable a subscription', async (member, input, deps) => {
  const { id } = input.params;
  const found = await findAccountSubscription(deps.pool, member.accountId, id);
  const from = readText(input.form, 'from');
  const start = from === 'given' ? parseReplayFrom(input.form) : from === 'position' ? { cursor: found.position } : {};
  await enableWebhook(deps, input, id, start);
  return redirect(input, `${PATH}/${id}?done=enabled`);
});

const replay = form('replay', 'Send events again', async (_member, input, deps) => {
  const { id } = input.params;
  await replayWebhook(deps, input, id, parseReplayFrom(input.form));
  return redirect(input, `${PATH}/${id}?done=replayed`);
});

const end = form('delete', 'Delete a subscription', async (_member, input, deps) => {
  await deleteWebhook(deps, input, input.params.id);
  return redirect(input, `${PATH}?done=deleted`);
});

const rotate = form('rotate', 'Replace the secret of a subscription', async (member, input, deps) => {
  const { id } = input.params;
  const { body } = await rotateWebhookSecret(deps, input, id);
  return member.page({
    title: WEBHOOKS[member.lang].secretRotated,
    body: secretPanel(body.secret, webhookPath(member, id), member.lang),
  });
});

export const webhookPages: RouteValue<PortalDeps>[] = [
  ...[list, create, one, edit, change],
  ...[test, confirm, pause, enable, replay, end, rotate],
];
