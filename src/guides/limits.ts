/** Guide to plans and limits. It is generated from the plans that this process offers. */
import { contactLink } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example } from './example.ts';
import { bullets, type Guide } from './page.ts';
import { planTable } from './plan-facts.ts';

const { limits: GUIDE } = GUIDES;

export const limits: Guide = {
  name: 'limits',
  title: GUIDE.title,
  summary: GUIDE.summary,
  body: ({ plans, contactUrl }) => html`
<h2 id="plans">${GUIDE.plans.title}</h2>
${planTable(plans)}
${contactUrl !== undefined && html`<p>${GUIDE.plans.questions(contactLink(contactUrl))}</p>`}
<p>${GUIDE.plans.kinds}</p>

<h2 id="headers">${GUIDE.headers.title}</h2>
<p>${GUIDE.headers.quota}</p>
${example('rate-limit.sh')}

<h2 id="exceeded">${GUIDE.exceeded.title}</h2>
<p>${GUIDE.exceeded.reply}</p>
${example('patient.ts')}

<h2 id="free">${GUIDE.free.title}</h2>
${bullets(GUIDE.free.requests)}
${example('not-modified.sh')}
<p>${GUIDE.free.freshness}</p>`,
};
