/** Guide to plans and limits, generated from the plans that this process offers. */
import { contactLink } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { example } from './example.ts';
import type { Guide } from './page.ts';
import { planTable } from './plan-facts.ts';

export const limits: Guide = {
  name: 'limits',
  title: 'Limits and plans',
  summary: 'What each plan includes, how to see what is left, and what costs nothing.',
  body: ({ plans, contactUrl }) => html`
<h2 id="plans">Plans</h2>
${planTable(plans)}
${contactUrl !== undefined && html`<p>Questions about plans: ${contactLink(contactUrl)}.</p>`}
<p>Limits apply to all secret keys of an account together and, separately, to all its publishable keys:
the visitors of a site share the latter and cannot use up the requests and streams of your servers.
One visitor is one address (with IPv6, its /64 network) that uses your publishable keys. Days and months are UTC.</p>

<h2 id="headers">What is left</h2>
<p>Every reply to a request with a key has these headers: <code>q</code> is the quota of a window and <code>w</code> its length in seconds;
<code>r</code> is what remains of it, for <code>t</code> seconds.</p>
${example('rate-limit.sh')}

<h2 id="exceeded">When it is used up</h2>
<p>The reply is 429 with the code <code>rate_limited</code> (requests of a second) or <code>quota_exceeded</code> (of a day or a month), and
<code>Retry-After</code> in seconds. It costs nothing. Wait for that time plus a random delay:</p>
${example('patient.ts')}

<h2 id="free">What is free</h2>
<ul>
<li><b>304.</b> Send the <code>ETag</code> of a reply as <code>If-None-Match</code>:
an unchanged reply costs no request, up to 3,000 times a minute (fewer for replies over 64 KiB).</li>
<li>Everything below <code>/v1/account</code>: keys, usage, webhooks; up to 600 requests a minute.</li>
<li>This documentation, <code>/v1/openapi.json</code>, <code>/v1/asyncapi.json</code> and the page of
<a href="../leagues.html">leagues</a>.</li>
<li>Events of a stream, and deliveries of webhooks. Connecting costs a request.</li>
</ul>
${example('not-modified.sh')}
<p><code>Cache-Control</code> says how long a reply stays fresh: seconds for a live match, an hour for a finished one, a day for reference
lists.</p>`,
};
