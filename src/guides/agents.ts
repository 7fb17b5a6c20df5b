/** Guide to the Model Context Protocol. */
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example, exampleText } from './example.ts';
import { type Guide, quotable } from './page.ts';

const { agents: GUIDE } = GUIDES;

/** Fills in this service's address. */
const at = (file: string, baseUrl: string) =>
  example(file, exampleText(file).replace('https://sports.example.com', quotable(baseUrl)));

export const agents: Guide = {
  name: 'agents',
  title: GUIDE.title,
  summary: GUIDE.summary,
  body: ({ baseUrl }) => html`
<h2 id="connect">${GUIDE.connect.title}</h2>
<p>${GUIDE.connect.server(`${baseUrl}/mcp`)}</p>
${at('claude-code.sh', baseUrl)}
<p>${GUIDE.connect.desktop}</p>
${at('claude-desktop.json', baseUrl)}
<p>${GUIDE.connect.sdk}</p>
${example('live-and-model.ts')}
<p>${GUIDE.connect.withoutClient}</p>
${example('call-tool.sh')}

<h2 id="tools">${GUIDE.tools.title}</h2>
<p>${GUIDE.tools.names}</p>
<dl class="terms">
${Object.entries(GUIDE.tools.arguments).map(
  ([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${text}</dd></div>
`,
)}</dl>

<h2 id="results">${GUIDE.results.title}</h2>
<p>${GUIDE.results.shortForm}</p>

<h2 id="limits">Limits and errors</h2>
<p>A call costs what its route costs, and with several ids each id; wrong arguments cost one request. Listing the tools is free.
One POST may make at most 20 requests, and waits up to 5 seconds for the burst of the plan; the rest is <code>rate_limited</code>.
A problem is a result with <code>isError</code> and the <code>code</code> of REST;
after <code>rate_limited</code> wait <code>retry_after_seconds</code>. A key that is unknown, expired or revoked is answered with HTTP 401.
A page of another site can use a publishable key only, from the key's origins.</p>`,
};
