/** Parts of the pages of subscriptions. */
import { randomUUID } from 'node:crypto';
import { ONCE_FIELD } from '../accounts/index.ts';
import { exampleText } from '../guides/example.ts';
import { dateTime } from '../site/components/index.ts';
import { field, hidden, postButton } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { disabledText, faultText, gapText, unconfirmedText } from '../webhooks/api/subscription-texts.ts';
import type { RequestedResult } from '../webhooks/delivery/index.ts';
import { ROTATION_OVERLAP_HOURS, type Subscription, type SubscriptionState } from '../webhooks/subscriptions/index.ts';
import { confirmation } from './confirmation.ts';

const listed = (list: readonly (string | number)[]) => (list.length === 0 ? 'all' : list.join(', '));
const fact = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;

export function stateText(one: Subscription, state: SubscriptionState): string {
  if (state === 'suspended')
    return one.suspendedAt === null ? `suspended: the plan ${one.plan} has no webhooks` : 'suspended';
  return state;
}

const managedText = ({ managedBy }: Subscription): Html =>
  html`by the cluster: WebhookSubscription <code>${managedBy!.name}</code> in the namespace <code>${managedBy!.namespace}</code>.
Its settings and its secret are changed there.`;

export function webhookFacts(one: Subscription, state: SubscriptionState): Html {
  const why = disabledText(one) ?? unconfirmedText(one);
  return html`<dl class="facts">
${fact('URL', one.url)}${one.managedBy !== null && fact('Managed', managedText(one))}
${fact('State', html`${stateText(one, state)}${why !== null && html`<br><span class="note">${why}</span>`}`)}
${one.fault !== null && fact('Fault', `${faultText(one)}. Change it, or rotate its secret.`)}
${fact('Event types', listed(one.eventTypes))}${fact('Sports', listed(one.sports))}${fact('Leagues', listed(one.leagues))}
${one.matchIds.length > 0 && fact('Matches', listed(one.matchIds))}${
  one.participantIds.length > 0 && fact('Teams or players', listed(one.participantIds))
}
${fact('Last success', one.lastSuccessAt === null ? 'none yet' : dateTime(one.lastSuccessAt))}
${fact('Last failure', one.lastFailureAt === null ? 'none' : html`${dateTime(one.lastFailureAt)}: ${one.lastFailure}`)}
${fact('Waiting for a retry', String(one.pending))}
${fact('Position', `cursor ${one.position}, ${one.lag} behind the newest event`)}
${one.gap !== null && fact('Gap', gapText(one.gap))}
</dl>`;
}

/** Shows the secret once, after its creation. */
export const secretPanel = (secret: string | undefined, next: string): Html =>
  secret === undefined
    ? html`<p class="panel">This was done before, and the secret cannot be shown again. <a href="${next}">Go on</a></p>`
    : html`<section class="panel secret"><h2>The secret</h2>
<p><code class="value">${secret}</code></p>
<p class="note">Copy it now: your receiver verifies requests with it, and it cannot be shown again.</p>
<p><a class="button" href="${next}">Go on</a></p></section>`;

/** @param what texts for the sent request and for a failure */
export const requestedPanel = (
  { status, failure, reply, durationMs }: RequestedResult,
  what: { done: string; failed: string },
): Html => html`<section class="panel" role="status">
<h2>${failure === null ? what.done : what.failed}</h2>
<p>${failure ?? `Status ${status}`}, after ${durationMs} ms.</p>
${reply !== null && html`<pre tabindex="0" aria-label="Reply"><code>${reply}</code></pre>`}</section>`;

/** Fields that choose the start of a replay. */
const replayFields = (name: string): Html => html`${field({
  name: `${name}since`,
  label: 'Events since (UTC)',
  type: 'datetime-local',
  hint: 'Within the last 7 days.',
})}
${field({ name: `${name}cursor`, label: 'Or events after the cursor', inputmode: 'numeric' })}`;

/** Actions on a subscription. @param at its path */
export function webhookActions(one: Subscription, state: SubscriptionState, at: string): Html {
  const isManaged = one.managedBy !== null;
  return html`${
    one.unconfirmedSince !== null
      ? html`<section class="panel"><h2>Confirm the URL</h2>
<p>Sends a signed <code>webhook.challenge</code> now. Verify it as any event, and answer with the text of <code>data.challenge</code>:
from then on events are sent.</p>
${postButton(`${at}/confirm`, 'Send a challenge', { kind: 'main' })}</section>`
      : html`<section class="panel"><h2>Test</h2>
<p>Sends a signed <code>webhook.test</code> now. It counts neither for health nor as an event.</p>
${postButton(`${at}/test`, 'Send a test event', { kind: 'main' })}</section>`
  }
${
  state === 'disabled' || state === 'paused'
    ? html`<section class="panel"><h2>Enable</h2>
<form method="post" action="${at}/enable">
${
  state === 'disabled'
    ? html`<fieldset><legend>It continues</legend>
<label><input type="radio" name="from" value="new" checked> with new events</label>
<label><input type="radio" name="from" value="position"> where it was disabled: nothing is left out that is still stored</label>
<label><input type="radio" name="from" value="given"> from the time or the cursor below</label></fieldset>${replayFields('')}`
    : html`<p>It continues where it was paused.</p>`
}
<button>Enable</button></form></section>`
    : html`<section class="panel"><h2>Replay</h2>
<form method="post" action="${at}/replay"><p>Sends events again, with the same ids.</p>${replayFields('')}<button>Replay</button></form>
</section>`
}
${
  !isManaged &&
  html`<section class="panel"><h2>Rotate the secret</h2>
<p>Makes a new secret. For ${ROTATION_OVERLAP_HOURS} hours the old one signs too.</p>
${confirmation('Rotate the secret', {
  action: `${at}/rotate`,
  question: `Rotate it now? The new secret is shown once. \
After ${ROTATION_OVERLAP_HOURS} hours a receiver that knows only the old one refuses all events.`,
  form: html`${hidden(ONCE_FIELD, randomUUID())}<button>Yes, rotate the secret</button>`,
})}</section>
<section class="panel"><h2>Pause or delete</h2>
${state !== 'paused' && postButton(`${at}/pause`, 'Pause', { kind: 'plain' })}
${confirmation('Delete the subscription', {
  action: `${at}/delete`,
  question:
    'Delete it now? No event is sent any more, deliveries that wait are dropped, and its log cannot be read any more. It cannot be undone.',
  form: html`<button class="danger">Yes, delete the subscription</button>`,
  isDangerous: true,
})}</section>`
}`;
}

const RECEIVERS = { TypeScript: 'receive.ts', Python: 'receive.py', Go: 'receive.go' };

/** Shows how a receiver verifies a delivery, with the tested code of the guide. @param root see rootPath */
export const signatureHelp = (root: string): Html => html`<section class="panel"><h2>Verify what you receive</h2>
<p>Each request is signed with the secret of its subscription: <code>X-Service-Signature</code> is the HMAC-SHA256 of
<code>X-Service-Timestamp</code>, a dot and the body. Answer 2xx within 8 seconds; anything else is retried up to 6 times.
An event may come more than once, with the same <code>webhook-id</code>. More in <a href="${root}docs/guides/webhooks">the guide</a>.</p>
${Object.entries(RECEIVERS).map(
  ([language, file]) =>
    html`<details><summary>${language}</summary><pre tabindex="0" aria-label="${language}"><code>${exampleText(file)}</code></pre></details>
`,
)}</section>`;
