/** Guide to webhooks: subscriptions, verification, and how deliveries behave. */
import { html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { DISABLED_AFTER_MS, ROTATION_OVERLAP_HOURS } from '../webhooks/subscriptions/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import { example, examples } from './example.ts';
import { bullets, type Guide } from './page.ts';
import { plansWithText } from './plan-facts.ts';

export const webhooks: Guide = {
  name: 'webhooks',
  text: (lang) => GUIDES[lang].webhooks,
  body: ({ plans, lang }) => {
    const text = GUIDES[lang].webhooks;
    return html`
<p>${fill(text.plans, { plans: plansWithText(plans, 'webhooks', lang) })}</p>

<h2 id="subscribe">${text.subscribe.title}</h2>
${example('subscribe.sh')}
<p>${text.subscribe.reply}</p>
<p>${text.subscribe.challenge}</p>
<p>${text.subscribe.test}</p>
${example('test-event.sh')}

<h2 id="conditions">${text.conditions.title}</h2>
<p>${text.conditions.fields}</p>
${example('conditions.sh')}

<h2 id="laptop">${text.laptop.title}</h2>
<p>${text.laptop.listen}</p>
${example('trigger.sh')}

<h2 id="verify">${text.verify.title}</h2>
<p>${text.verify.receivers}</p>
${examples('receive.ts', 'receive.py', 'receive.go')}
<p>${text.verify.signature}</p>
<pre tabindex="0"><code>X-Service-Timestamp: 1772366400
X-Service-Signature: v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd</code></pre>

<h2 id="libraries">${text.libraries.title}</h2>
<p>${text.libraries.headers}</p>
${examples('standard.ts', 'standard.py', 'standard.go')}

<h2 id="answer">${text.answer.title}</h2>
${bullets(text.answer.rules(DISABLED_AFTER_MS / HOUR_MS))}

<h2 id="order">${text.order.title}</h2>
<p>${text.order.settings}</p>
${example('order-and-pace.sh')}
<p>${text.order.held}</p>
<p>${text.order.repeats}</p>
${example('ordered.ts')}

<h2 id="headers">${text.headers.title}</h2>
<p>${text.headers.secret}</p>
${example('headers.sh')}

<h2 id="notices">${text.notices.title}</h2>
<p>${text.notices.mail}</p>
${example('notices.sh')}

<h2 id="rotate">${text.rotate.title}</h2>
<p>${fill(text.rotate.overlap, { hours: ROTATION_OVERLAP_HOURS })}</p>
${example('rotate.sh')}

<h2 id="log">${text.log.title}</h2>
<p>${text.log.deliveries}</p>
${example('deliveries.sh')}`;
  },
};
