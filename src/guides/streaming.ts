/** Guide to streams: reconnecting, replay and sync. */
import { RETENTION_MS } from '../events/index.ts';
import { html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { DAY_MS } from '../wire/time.ts';
import { example, examples, exampleText } from './example.ts';
import { bullets, type Guide, quotable } from './page.ts';
import { plansWithText } from './plan-facts.ts';

const { streaming: GUIDE } = GUIDES;
const RETENTION_DAYS = RETENTION_MS / DAY_MS;

export const streaming: Guide = {
  name: 'streaming',
  title: GUIDE.title,
  summary: GUIDE.summary,
  body: ({ baseUrl, plans }) => html`
<p>${fill(GUIDE.plans, { plans: plansWithText(plans, 'stream') })}</p>

<h2 id="watch">${GUIDE.watch.title}</h2>
${example('watch.sh')}
<p>${GUIDE.watch.events}</p>
${example('browser.js', exampleText('browser.js').replace('https://sports.example.com', quotable(baseUrl)))}
<p>${GUIDE.watch.reconnects}</p>

<h2 id="reconnect">${GUIDE.reconnect.title}</h2>
<p>${GUIDE.reconnect.cursor}</p>
${bullets(GUIDE.reconnect.rules)}

<h2 id="gap">${GUIDE.gap.title}</h2>
<p>${GUIDE.gap.report}</p>
<dl class="terms">
${Object.entries(GUIDE.gap.reasons(RETENTION_DAYS)).map(
  ([reason, text]) => html`<div>
<dt><code>${reason}</code></dt>
<dd>${text}</dd>
</div>
`,
)}</dl>

<h2 id="replay">${GUIDE.replay.title}</h2>
<p>${GUIDE.replay.pages(RETENTION_DAYS)}</p>
${example('replay.sh')}

<h2 id="sync">${GUIDE.sync.title}</h2>
<p>${GUIDE.sync.cursor}</p>
${example('sync.sh')}

<h2 id="client">${GUIDE.client.title}</h2>
<p>${GUIDE.client.program}</p>
${example('follow.ts')}
<p>${GUIDE.client.python}</p>
${example('follow.py')}
<p>${GUIDE.client.packages}</p>

<h2 id="websocket">${GUIDE.webSocket.title}</h2>
<p>${GUIDE.webSocket.messages}</p>
${examples('websocket.ts')}`,
};
