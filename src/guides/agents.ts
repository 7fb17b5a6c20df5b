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

<h2 id="limits">${GUIDE.limits.title}</h2>
<p>${GUIDE.limits.costs}</p>`,
};
