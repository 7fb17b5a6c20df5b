/** Parts of the subscription pages. */
import { randomUUID } from 'node:crypto';
import { ONCE_FIELD } from '../accounts/index.ts';
import { exampleText } from '../guides/example.ts';
import { dateTime } from '../site/components/index.ts';
import { field, hidden, postButton } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { fill, WEBHOOKS } from '../site/texts/index.ts';
import { disabledText, faultText, gapText, unconfirmedText } from '../webhooks/api/subscription-texts.ts';
import type { RequestedResult } from '../webhooks/delivery/index.ts';
import { ROTATION_OVERLAP_HOURS, type Subscription, type SubscriptionState } from '../webhooks/subscriptions/index.ts';
import { confirmation } from './confirmation.ts';

const listed = (list: readonly (string | number)[]) => (list.length === 0 ? WEBHOOKS.allChosen : list.join(', '));
const fact = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;

export function stateText(one: Subscription, state: SubscriptionState): string {
  if (state === 'suspended')
    return one.suspendedAt === null ? fill(WEBHOOKS.planWithout, { plan: one.plan }) : WEBHOOKS.suspended;
  return state;
}

export function webhookFacts(one: Subscription, state: SubscriptionState): Html {
  const why = disabledText(one) ?? unconfirmedText(one);
  const { facts } = WEBHOOKS;
  return html`<dl class="facts">
${fact(facts.url, one.url)}${one.managedBy !== null && fact(facts.managed, WEBHOOKS.managed(one.managedBy))}
${fact(facts.state, html`${stateText(one, state)}${why !== null && html`<br><span class="note">${why}</span>`}`)}
${one.fault !== null && fact(facts.fault, fill(WEBHOOKS.repair, { fault: faultText(one) ?? '' }))}
${fact(facts.eventTypes, listed(one.eventTypes))}${fact(facts.sports, listed(one.sports))}${fact(facts.leagues, listed(one.leagues))}
${one.matchIds.length > 0 && fact(facts.matches, listed(one.matchIds))}${
  one.participantIds.length > 0 && fact(facts.participants, listed(one.participantIds))
}
${fact(facts.lastSuccess, one.lastSuccessAt === null ? WEBHOOKS.noSuccess : dateTime(one.lastSuccessAt))}
${fact(facts.lastFailure, one.lastFailureAt === null ? WEBHOOKS.noFailure : html`${dateTime(one.lastFailureAt)}: ${one.lastFailure}`)}
${fact(facts.pending, String(one.pending))}
${fact(facts.position, fill(WEBHOOKS.position, { position: one.position, lag: one.lag }))}
${one.gap !== null && fact(facts.gap, gapText(one.gap))}
</dl>`;
}

/** Shows the secret once, right after it has been created. */
export const secretPanel = (secret: string | undefined, next: string): Html =>
  secret === undefined
    ? html`<p class="panel">${WEBHOOKS.secretBefore} <a href="${next}">${WEBHOOKS.goOn}</a></p>`
    : html`<section class="panel secret"><h2>${WEBHOOKS.secret}</h2>
<p><code class="value">${secret}</code></p>
<p class="note">${WEBHOOKS.secretNote}</p>
<p><a class="button" href="${next}">${WEBHOOKS.goOn}</a></p></section>`;

/** @param what texts for the request that was sent, and for a failure */
export const requestedPanel = (
  { status, failure, reply, durationMs }: RequestedResult,
  what: { done: string; failed: string },
): Html => html`<section class="panel" role="status">
<h2>${failure === null ? what.done : what.failed}</h2>
<p>${failure ?? fill(WEBHOOKS.status, { status: String(status) })}${fill(WEBHOOKS.duration, { ms: durationMs })}</p>
${reply !== null && html`<pre tabindex="0" aria-label="${WEBHOOKS.reply}"><code>${reply}</code></pre>`}</section>`;

/** Fields that choose the start of a replay. */
const replayFields = (name: string): Html => html`${field({
  name: `${name}since`,
  label: WEBHOOKS.since,
  type: 'datetime-local',
  hint: WEBHOOKS.sinceHint,
})}
${field({ name: `${name}cursor`, label: WEBHOOKS.cursor, inputmode: 'numeric' })}`;

/** Actions on a subscription. @param at the subscription's path */
export function webhookActions(one: Subscription, state: SubscriptionState, at: string): Html {
  const isManaged = one.managedBy !== null;
  return html`${
    one.unconfirmedSince !== null
      ? html`<section class="panel"><h2>${WEBHOOKS.confirm}</h2>
<p>${WEBHOOKS.confirmNote}</p>
${postButton(`${at}/confirm`, WEBHOOKS.sendChallenge, { kind: 'main' })}</section>`
      : html`<section class="panel"><h2>${WEBHOOKS.test}</h2>
<p>${WEBHOOKS.testNote}</p>
${postButton(`${at}/test`, WEBHOOKS.sendTest, { kind: 'main' })}</section>`
  }
${
  state === 'disabled' || state === 'paused'
    ? html`<section class="panel"><h2>${WEBHOOKS.enable}</h2>
<form method="post" action="${at}/enable">
${
  state === 'disabled'
    ? html`<fieldset><legend>${WEBHOOKS.continues}</legend>
<label><input type="radio" name="from" value="new" checked> ${WEBHOOKS.fromNew}</label>
<label><input type="radio" name="from" value="position"> ${WEBHOOKS.fromPosition}</label>
<label><input type="radio" name="from" value="given"> ${WEBHOOKS.fromGiven}</label></fieldset>${replayFields('')}`
    : html`<p>${WEBHOOKS.fromPause}</p>`
}
<button>${WEBHOOKS.enable}</button></form></section>`
    : html`<section class="panel"><h2>${WEBHOOKS.replay}</h2>
<form method="post" action="${at}/replay"><p>${WEBHOOKS.replayNote}</p>${replayFields('')}<button>${WEBHOOKS.replay}</button></form>
</section>`
}
${
  !isManaged &&
  html`<section class="panel"><h2>${WEBHOOKS.rotate}</h2>
<p>${fill(WEBHOOKS.rotateNote, { hours: ROTATION_OVERLAP_HOURS })}</p>
${confirmation(WEBHOOKS.rotate, {
  action: `${at}/rotate`,
  question: fill(WEBHOOKS.rotateQuestion, { hours: ROTATION_OVERLAP_HOURS }),
  form: html`${hidden(ONCE_FIELD, randomUUID())}<button>${WEBHOOKS.rotateNow}</button>`,
})}</section>
<section class="panel"><h2>${WEBHOOKS.pauseOrDelete}</h2>
${state !== 'paused' && postButton(`${at}/pause`, WEBHOOKS.pause, { kind: 'plain' })}
${confirmation(WEBHOOKS.delete, {
  action: `${at}/delete`,
  question: WEBHOOKS.deleteQuestion,
  form: html`<button class="danger">${WEBHOOKS.deleteNow}</button>`,
  isDangerous: true,
})}</section>`
}`;
}

const RECEIVERS = { TypeScript: 'receive.ts', Python: 'receive.py', Go: 'receive.go' };

/** Shows how a receiver verifies a delivery, with tested code from the guide. @param root see rootPath */
export const signatureHelp = (root: string): Html => html`<section class="panel"><h2>${WEBHOOKS.verify}</h2>
<p>${WEBHOOKS.verifyNote(`${root}docs/guides/webhooks`)}</p>
${Object.entries(RECEIVERS).map(
  ([language, file]) =>
    html`<details><summary>${language}</summary><pre tabindex="0" aria-label="${language}"><code>${exampleText(file)}</code></pre></details>
`,
)}</section>`;
