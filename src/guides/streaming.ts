/** Guide to streams: reconnecting, replay and sync. */
import { RETENTION_MS } from '../events/index.ts';
import { html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { DAY_MS } from '../wire/time.ts';
import { example, examples, exampleText } from './example.ts';
import { bullets, type Guide, quotable } from './page.ts';
import { plansWithText } from './plan-facts.ts';

const RETENTION_DAYS = RETENTION_MS / DAY_MS;

export const streaming: Guide = {
  name: 'streaming',
  text: (lang) => GUIDES[lang].streaming,
  body: ({ baseUrl, plans, lang }) => {
    const text = GUIDES[lang].streaming;
    return html`
<p>${fill(text.plans, { plans: plansWithText(plans, 'stream', lang) })}</p>

<h2 id="watch">${text.watch.title}</h2>
${example('watch.sh')}
<p>${text.watch.events}</p>
${example('browser.js', exampleText('browser.js').replace('https://sports.example.com', quotable(baseUrl)))}
<p>${text.watch.reconnects}</p>

<h2 id="reconnect">${text.reconnect.title}</h2>
<p>${text.reconnect.cursor}</p>
${bullets(text.reconnect.rules)}

<h2 id="gap">${text.gap.title}</h2>
<p>${text.gap.report}</p>
<dl class="terms">
${Object.entries(text.gap.reasons(RETENTION_DAYS)).map(
  ([reason, meaning]) => html`<div>
<dt><code>${reason}</code></dt>
<dd>${meaning}</dd>
</div>
`,
)}</dl>

<h2 id="replay">${text.replay.title}</h2>
<p>${text.replay.pages(RETENTION_DAYS)}</p>
${example('replay.sh')}

<h2 id="sync">${text.sync.title}</h2>
<p>${text.sync.cursor}</p>
${example('sync.sh')}

<h2 id="client">${text.client.title}</h2>
<p>${text.client.program}</p>
${example('follow.ts')}
<p>${text.client.python}</p>
${example('follow.py')}
<p>${text.client.packages}</p>

<h2 id="websocket">${text.webSocket.title}</h2>
<p>${text.webSocket.messages}</p>
${examples('websocket.ts')}`;
  },
};
