/** Parts of the subscription pages. */

import { randomUUID } from 'node:crypto';
import { ONCE_FIELD } from '../accounts/index.ts';
import { exampleText } from '../guides/example.ts';
import type { Lang } from '../http/index.ts';
import { english, utcTime } from '../site/components/index.ts';
import { field, hidden, postButton } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { DESTINATIONS, fill, SUBSCRIPTION_RU, WEBHOOKS } from '../site/texts/index.ts';
import {
  disabledText,
  faultText,
  gapText,
  type SubscriptionTexts,
  unconfirmedText,
} from '../webhooks/api/subscription-texts.ts';
import type { RequestedResult } from '../webhooks/delivery/index.ts';
import {
  HIDDEN_VALUE,
  type PreviewedEvent,
  ROTATION_OVERLAP_HOURS,
  type Subscription,
  type SubscriptionState,
} from '../webhooks/subscriptions/index.ts';
import { eventIdOf } from '../wire/envelope.ts';
import { confirmation } from './confirmation.ts';
import { failureText } from './failure-text.ts';
import { sportName } from './sport-name.ts';

/** Sentences of a subscription's state; undefined for English. */
const sentences = (lang: Lang): SubscriptionTexts | undefined => (lang === 'ru' ? SUBSCRIPTION_RU : undefined);

const listed = (list: readonly (string | number)[], lang: Lang): string =>
  list.length === 0 ? WEBHOOKS[lang].allChosen : list.join(', ');
const fact = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;

export function stateText(one: Subscription, state: SubscriptionState, lang: Lang): string {
  if (state === 'suspended')
    return one.suspendedAt === null ? fill(WEBHOOKS[lang].planWithout, { plan: one.plan }) : WEBHOOKS[lang].suspended;
  return WEBHOOKS[lang].states[state];
}

const lastFailureText = ({ lastFailureAt, lastFailure }: Subscription, lang: Lang): Html =>
  lastFailureAt === null
    ? html`${WEBHOOKS[lang].noFailure}`
    : html`${utcTime(lastFailureAt)}: ${failureText(lastFailure ?? '', lang)}`;

const paceText = ({ maxPerSecond, maxInFlight }: Subscription, lang: Lang): string =>
  [
    ...(maxPerSecond === null ? [] : [fill(WEBHOOKS[lang].perSecond, { count: maxPerSecond })]),
    ...(maxInFlight === null ? [] : [fill(WEBHOOKS[lang].inFlight, { count: maxInFlight })]),
  ].join(', ');

export function webhookFacts(one: Subscription, state: SubscriptionState, lang: Lang): Html {
  const texts = sentences(lang);
  const why = disabledText(one, texts) ?? unconfirmedText(one, texts);
  const { facts } = WEBHOOKS[lang];
  return html`<dl class="facts">
${fact(facts.url, one.url)}${one.managedBy !== null && fact(facts.managed, WEBHOOKS[lang].managed(one.managedBy))}
${fact(facts.state, html`${stateText(one, state, lang)}${why !== null && html`<br><span class="note">${why}</span>`}`)}
${one.fault !== null && fact(facts.fault, html`${faultText(one, texts)}: ${english(one.fault, lang)}. ${WEBHOOKS[lang].repair}`)}
${fact(
  facts.eventTypes,
  one.eventTypes.length === 0 ? WEBHOOKS[lang].allChosen : english(listed(one.eventTypes, lang), lang),
)}${fact(
  facts.sports,
  listed(
    one.sports.map((slug) => sportName(slug, lang)),
    lang,
  ),
)}
${fact(facts.leagues, listed(one.leagues, lang))}
${one.matchIds.length > 0 && fact(facts.matches, listed(one.matchIds, lang))}${
  one.participantIds.length > 0 && fact(facts.participants, listed(one.participantIds, lang))
}
${fact(facts.lastSuccess, one.lastSuccessAt === null ? WEBHOOKS[lang].noSuccess : utcTime(one.lastSuccessAt))}
${fact(facts.lastFailure, lastFailureText(one, lang))}
${one.conditions.length > 0 && fact(facts.conditions, english(one.conditions.join('; '), lang))}${
  one.headers.length > 0 &&
  fact(
    facts.headers,
    html`${one.headers.map(({ name, value }) => html`<code>${name}: ${value ?? HIDDEN_VALUE}</code><br>`)}`,
  )
}
${one.ordering !== 'none' && fact(facts.ordering, WEBHOOKS[lang].orderings[one.ordering])}
${(one.maxPerSecond !== null || one.maxInFlight !== null) && fact(facts.pace, paceText(one, lang))}
${one.delay > 0 && fact(facts.delay, fill(WEBHOOKS[lang].delaySeconds, { count: one.delay }))}
${one.restsUntil !== null && fact(facts.rests, html`${utcTime(one.restsUntil)}<br><span class="note">${WEBHOOKS[lang].restsNote}</span>`)}
${fact(facts.pending, String(one.pending))}
${one.held > 0 && fact(facts.held, String(one.held))}
${fact(facts.position, fill(WEBHOOKS[lang].position, { position: one.position, lag: one.lag }))}
${one.gap !== null && fact(facts.gap, gapText(one.gap, texts))}
</dl>`;
}

/** Shows the secret once, right after it has been created. */
export const secretPanel = (secret: string | undefined, next: string, lang: Lang): Html =>
  secret === undefined
    ? html`<p class="panel">${WEBHOOKS[lang].secretBefore} <a href="${next}">${WEBHOOKS[lang].goOn}</a></p>`
    : html`<section class="panel secret"><h2>${WEBHOOKS[lang].secret}</h2>
<p><code class="value">${secret}</code></p>
<p class="note">${WEBHOOKS[lang].secretNote}</p>
<p><a class="button" href="${next}">${WEBHOOKS[lang].goOn}</a></p></section>`;

/** @param status null if the receiver confirms events without a status */
export const replyText = (status: number | null, lang: Lang): string =>
  status === null ? DESTINATIONS[lang].received : fill(WEBHOOKS[lang].status, { status: String(status) });

/** @param what texts for the request that was sent, and for a failure */
export const requestedPanel = (
  { status, failure, reply, durationMs }: RequestedResult,
  what: { done: string; failed: string },
  lang: Lang,
): Html => html`<section class="panel" role="status">
<h2>${failure === null ? what.done : what.failed}</h2>
<p>${failure !== null ? failureText(failure, lang) : replyText(status, lang)}${fill(WEBHOOKS[lang].duration, {
  ms: durationMs,
})}</p>
${reply !== null && html`<pre tabindex="0" aria-label="${WEBHOOKS[lang].reply}"><code>${reply}</code></pre>`}</section>`;

/** Shows which of the newest events a filter lets through. */
export function previewPanel(events: readonly PreviewedEvent[], lang: Lang): Html {
  const text = WEBHOOKS[lang].preview;
  const passed = events.filter(({ passes }) => passes);
  return html`<section class="panel" role="status"><h2>${text.title}</h2>
<p>${events.length === 0 ? text.none : fill(text.passed, { passed: passed.length, examined: events.length })}</p>
${
  passed.length > 0 &&
  html`<ul>${passed.slice(0, SHOWN_EVENTS).map(
    ({ record }) => html`<li>${english(record.type, lang)} <code>${eventIdOf(record.envelope)}</code></li>
`,
  )}</ul>`
}</section>`;
}

/** Fields that choose the start of a replay. */
const replayFields = (name: string, lang: Lang): Html => html`${field({
  name: `${name}since`,
  label: WEBHOOKS[lang].since,
  type: 'datetime-local',
  hint: WEBHOOKS[lang].sinceHint,
})}
${field({ name: `${name}cursor`, label: WEBHOOKS[lang].cursor, inputmode: 'numeric' })}`;

/** Actions on a subscription. @param at the subscription's path */
export function webhookActions(one: Subscription, state: SubscriptionState, at: string, lang: Lang): Html {
  const isManaged = one.managedBy !== null;
  return html`${
    one.unconfirmedSince !== null
      ? html`<section class="panel"><h2>${WEBHOOKS[lang].confirm}</h2>
<p>${WEBHOOKS[lang].confirmNote}</p>
${postButton(`${at}/confirm`, WEBHOOKS[lang].sendChallenge, { kind: 'main' })}</section>`
      : html`<section class="panel"><h2>${WEBHOOKS[lang].test}</h2>
<p>${WEBHOOKS[lang].testNote}</p>
${postButton(`${at}/test`, WEBHOOKS[lang].sendTest, { kind: 'main' })}</section>`
  }
${
  state === 'disabled' || state === 'paused'
    ? html`<section class="panel"><h2>${WEBHOOKS[lang].enable}</h2>
<form method="post" action="${at}/enable">
${
  state === 'disabled'
    ? html`<fieldset><legend>${WEBHOOKS[lang].continues}</legend>
<label><input type="radio" name="from" value="new" checked> ${WEBHOOKS[lang].fromNew}</label>
<label><input type="radio" name="from" value="position"> ${WEBHOOKS[lang].fromPosition}</label>
<label><input type="radio" name="from" value="given"> ${WEBHOOKS[lang].fromGiven}</label></fieldset>${replayFields('', lang)}`
    : html`<p>${WEBHOOKS[lang].fromPause}</p>`
}
<button>${WEBHOOKS[lang].enable}</button></form></section>`
    : html`<section class="panel"><h2>${WEBHOOKS[lang].replay}</h2>
<form method="post" action="${at}/replay"><p>${WEBHOOKS[lang].replayNote}</p>${replayFields('', lang)}
<button>${WEBHOOKS[lang].replay}</button></form>
</section>`
}
${
  !isManaged &&
  html`<section class="panel"><h2>${WEBHOOKS[lang].rotate}</h2>
<p>${fill(WEBHOOKS[lang].rotateNote, { hours: ROTATION_OVERLAP_HOURS })}</p>
${confirmation(WEBHOOKS[lang].rotate, {
  action: `${at}/rotate`,
  question: fill(WEBHOOKS[lang].rotateQuestion, { hours: ROTATION_OVERLAP_HOURS }),
  form: html`${hidden(ONCE_FIELD, randomUUID())}<button>${WEBHOOKS[lang].rotateNow}</button>`,
})}</section>
<section class="panel"><h2>${WEBHOOKS[lang].pauseOrDelete}</h2>
${state !== 'paused' && postButton(`${at}/pause`, WEBHOOKS[lang].pause, { kind: 'plain' })}
${confirmation(WEBHOOKS[lang].delete, {
  action: `${at}/delete`,
  question: WEBHOOKS[lang].deleteQuestion,
  form: html`<button class="danger">${WEBHOOKS[lang].deleteNow}</button>`,
  isDangerous: true,
})}</section>`
}`;
}

/** Maximum number of events that a preview lists. */
const SHOWN_EVENTS = 10;

const RECEIVERS = { TypeScript: 'receive.ts', Python: 'receive.py', Go: 'receive.go' };

/** Shows how a receiver verifies a delivery, with tested code from the guide. @param root see rootPath */
export const signatureHelp = (
  root: string,
  lang: Lang,
): Html => html`<section class="panel"><h2>${WEBHOOKS[lang].verify}</h2>
<p>${WEBHOOKS[lang].verifyNote(`${root}docs/guides/webhooks`)}</p>
${Object.entries(RECEIVERS).map(
  ([language, file]) =>
    html`<details><summary lang="en">${language}</summary>
<pre tabindex="0" aria-label="${language}"><code>${exampleText(file)}</code></pre></details>
`,
)}</section>`;
