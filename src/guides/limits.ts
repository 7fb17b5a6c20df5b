/** Guide to plans and limits. It is generated from the plans that this process offers. */
import { contactLink } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example } from './example.ts';
import { bullets, type Guide } from './page.ts';
import { planTable } from './plan-facts.ts';

export const limits: Guide = {
  name: 'limits',
  text: (lang) => GUIDES[lang].limits,
  body: ({ plans, contactUrl, lang }) => {
    const text = GUIDES[lang].limits;
    return html`
<h2 id="plans">${text.plans.title}</h2>
${planTable(plans, lang)}
${contactUrl !== undefined && html`<p>${text.plans.questions(contactLink(contactUrl))}</p>`}
<p>${text.plans.kinds}</p>

<h2 id="headers">${text.headers.title}</h2>
<p>${text.headers.quota}</p>
${example('rate-limit.sh')}

<h2 id="exceeded">${text.exceeded.title}</h2>
<p>${text.exceeded.reply}</p>
${example('patient.ts')}

<h2 id="free">${text.free.title}</h2>
${bullets(text.free.requests)}
${example('not-modified.sh')}
<p>${text.free.freshness}</p>`;
  },
};
