/** Guide to the Model Context Protocol. */
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example, exampleText } from './example.ts';
import { type Guide, quotable } from './page.ts';

/** Fills in this service's address. */
const at = (file: string, baseUrl: string) =>
  example(file, exampleText(file).replace('https://sports.example.com', quotable(baseUrl)));

export const agents: Guide = {
  name: 'agents',
  text: (lang) => GUIDES[lang].agents,
  body: ({ baseUrl, lang }) => {
    const text = GUIDES[lang].agents;
    return html`
<h2 id="connect">${text.connect.title}</h2>
<p>${text.connect.server(`${baseUrl}/mcp`)}</p>
${at('claude-code.sh', baseUrl)}
<p>${text.connect.desktop}</p>
${at('claude-desktop.json', baseUrl)}
<p>${text.connect.sdk}</p>
${example('live-and-model.ts')}
<p>${text.connect.withoutClient}</p>
${example('call-tool.sh')}

<h2 id="tools">${text.tools.title}</h2>
<p>${text.tools.names}</p>
<dl class="terms">
${Object.entries(text.tools.arguments).map(
  ([name, meaning]) => html`<div><dt><code>${name}</code></dt><dd>${meaning}</dd></div>
`,
)}</dl>

<h2 id="results">${text.results.title}</h2>
<p>${text.results.shortForm}</p>

<h2 id="limits">${text.limits.title}</h2>
<p>${text.limits.costs}</p>`;
  },
};
