/** Guide to webhooks, about subscriptions, verification and delivery behaviour. */
import { html } from '../site/html.ts';
import { DISABLED_AFTER_MS, ROTATION_OVERLAP_HOURS } from '../webhooks/subscriptions/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import { example, examples } from './example.ts';
import type { Guide } from './page.ts';
import { plansWithText } from './plan-facts.ts';

export const webhooks: Guide = {
  name: 'webhooks',
  title: 'Webhooks',
  summary: 'Get events as signed requests to your server: subscribe, verify, answer.',
  body: ({ plans }) => html`
<p>Webhooks are included in ${plansWithText(plans, 'webhooks')}.</p>

<h2 id="subscribe">Subscribe</h2>
${example('subscribe.sh')}
<p>The reply has the <code>secret</code> (<code>whsec_…</code>) that signs our requests. It is shown only once.
With the same <code>Idempotency-Key</code> you can repeat the request for 24 hours, and it creates only one subscription.
Filters are <code>event_types</code>, <code>sports</code>, <code>leagues</code>, <code>match_ids</code> and <code>participant_ids</code>;
an event has to pass all filters that are set. The address must be public and https.</p>
<p>A new address may have to confirm first: a subscription in the state <code>unconfirmed</code> receives only a signed
<code>webhook.challenge</code>, until a reply repeats its <code>data.challenge</code>, as the receivers below do.
The challenge arrives within seconds, and again after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h;
<code>POST /v1/account/webhooks/{id}/confirm</code> requests one at once, when your receiver has the secret.</p>
<p>Send yourself a signed <code>webhook.test</code>; the reply has the result of your endpoint:</p>
${example('test-event.sh')}

<h2 id="verify">Verify</h2>
<p>Anybody can send a request to your endpoint. Check that the signature is right and the timestamp less than 5 minutes from your clock, on
the bytes as received, before anything else. Each of these is a complete receiver:</p>
${examples('receive.ts', 'receive.py', 'receive.go')}
<p>The signature is HMAC-SHA256 of <code>&lt;timestamp&gt;.&lt;body&gt;</code>, with the text of the secret as the key, in hex:</p>
<pre tabindex="0"><code>X-Service-Timestamp: 1772366400
X-Service-Signature: v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd</code></pre>

<h2 id="libraries">With a library</h2>
<p>Each request also carries the headers of <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>
(<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>), so its libraries verify it:</p>
${examples('standard.ts', 'standard.py', 'standard.go')}

<h2 id="answer">Answer</h2>
<ul>
<li>Any 2xx within 8 seconds means received. Store the event, reply, and process it afterwards. A redirect is a failure.</li>
<li>Anything else is retried up to 6 times: after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h.
Your <code>Retry-After</code> can lengthen a wait.</li>
<li>410 disables the subscription. So do ${DISABLED_AFTER_MS / HOUR_MS} hours without a success.</li>
<li><b>The same event may be delivered twice</b>, with the same <code>id</code> (and <code>webhook-id</code>).
Store the ids that you have handled.</li>
<li>Events may arrive out of order. <code>data.sequence</code> numbers the events of a match.</li>
<li>Reply to a <code>webhook.challenge</code> with 200 and the text of its <code>data.challenge</code>, but only if the signature is valid:
otherwise somebody else could subscribe your address.</li>
<li>The requests per second to one host are limited. Requests above the limit are delayed.</li>
<li>After 15 minutes without a request, we send a <code>webhook.ping</code>; reply to it like to any other event.</li>
</ul>

<h2 id="rotate">Rotate the secret</h2>
<p>The reply has the new secret. For ${ROTATION_OVERLAP_HOURS} hours both secrets sign, so that a receiver with either one accepts every
request: install the new one within that time.</p>
${example('rotate.sh')}

<h2 id="log">See what happened</h2>
<p>The log has each delivery with its attempts; failed ones can be retried.
Subscriptions and their logs are also <a href="../../account/webhooks">in your account</a>.</p>
${example('deliveries.sh')}`,
};
