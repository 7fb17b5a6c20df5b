/** Guide to webhooks: subscriptions, verification, and how deliveries behave. */
import { html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { DISABLED_AFTER_MS, ROTATION_OVERLAP_HOURS } from '../webhooks/subscriptions/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import { example, examples } from './example.ts';
import { bullets, type Guide } from './page.ts';
import { plansWithText } from './plan-facts.ts';

const { webhooks: GUIDE } = GUIDES;

export const webhooks: Guide = {
  name: 'webhooks',
  title: GUIDE.title,
  summary: GUIDE.summary,
  body: ({ plans }) => html`
<p>${fill(GUIDE.plans, { plans: plansWithText(plans, 'webhooks') })}</p>

<h2 id="subscribe">${GUIDE.subscribe.title}</h2>
${example('subscribe.sh')}
<p>${GUIDE.subscribe.reply}</p>
<p>${GUIDE.subscribe.challenge}</p>
<p>${GUIDE.subscribe.test}</p>
${example('test-event.sh')}

<h2 id="verify">${GUIDE.verify.title}</h2>
<p>${GUIDE.verify.receivers}</p>
${examples('receive.ts', 'receive.py', 'receive.go')}
<p>${GUIDE.verify.signature}</p>
<pre tabindex="0"><code>X-Service-Timestamp: 1772366400
X-Service-Signature: v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd</code></pre>

<h2 id="libraries">${GUIDE.libraries.title}</h2>
<p>${GUIDE.libraries.headers}</p>
${examples('standard.ts', 'standard.py', 'standard.go')}

<h2 id="answer">${GUIDE.answer.title}</h2>
${bullets(GUIDE.answer.rules(DISABLED_AFTER_MS / HOUR_MS))}

<h2 id="rotate">${GUIDE.rotate.title}</h2>
<p>${fill(GUIDE.rotate.overlap, { hours: ROTATION_OVERLAP_HOURS })}</p>
${example('rotate.sh')}

<h2 id="log">${GUIDE.log.title}</h2>
<p>${GUIDE.log.deliveries}</p>
${example('deliveries.sh')}`,
};
