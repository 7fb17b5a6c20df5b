/** Guide to the Model Context Protocol. */
import { html } from '../site/html.ts';
import { example, exampleText } from './example.ts';
import { type Guide, quotable } from './page.ts';

/** Fills in this service's address. */
const at = (file: string, baseUrl: string) =>
  example(file, exampleText(file).replace('https://sports.example.com', quotable(baseUrl)));

export const agents: Guide = {
  name: 'agents',
  title: 'Agents',
  summary: 'The routes that read data as tools for a language model, by the Model Context Protocol.',
  body: ({ baseUrl }) => html`
<h2 id="connect">Connect</h2>
<p>The server is <code>${baseUrl}/mcp</code>: streamable HTTP, without sessions. It takes the same API keys as REST, as <code>Authorization:
Bearer</code> or in <code>X-API-Key</code>. There is no OAuth server: enter the key as a header in the settings of your client.
Claude Code:</p>
${at('claude-code.sh', baseUrl)}
<p>Claude Desktop, and other clients that start a local program:</p>
${at('claude-desktop.json', baseUrl)}
<p>In a program, with the official SDK:</p>
${example('live-and-model.ts')}
<p>A tool can also be called without a client:</p>
${example('call-tool.sh')}

<h2 id="tools">Tools</h2>
<p>Each route that reads data is a tool, named after its path: <code>/v1/events/live</code> is <code>events_live</code>,
<code>/v1/event/{id}/analytics</code> is <code>event_analytics</code>. Its arguments are the parameters of the route, and these:</p>
<dl class="terms">
<div><dt><code>id</code></dt><dd>One id, or a list of up to 10: the result is then a list, with a reply or an error for each.</dd></div>
<div><dt><code>fields</code></dt><dd>Names of the members of the reply to return, such as <code>["event_id", "model"]</code>.</dd></div>
<div><dt><code>full_reply</code></dt><dd>With <code>true</code>, the reply as REST gives it.</dd></div>
</dl>

<h2 id="results">Results</h2>
<p>The first text of a result is JSON. It is a short form: without members that are empty or null, without pictures and second languages,
and with the main members of the matches in a list. Lists have 20 items unless <code>limit</code> asks for up to 100.
A result has at most 16,000 characters, a full one 64,000; what is longer is cut, in a match momentum and commentary before incidents,
line-ups and statistics. The second text says what was left out, and with which argument to continue.</p>

<h2 id="limits">Limits and errors</h2>
<p>A call costs what its route costs, and with several ids each id; wrong arguments cost one request. Listing the tools is free.
One POST makes at most 20 requests, and waits up to 5 seconds for the burst of the plan; the rest is <code>rate_limited</code>.
A problem is a result with <code>isError</code> and the <code>code</code> of REST;
after <code>rate_limited</code> wait <code>retry_after_seconds</code>. A key that is unknown, expired or revoked is answered with HTTP 401.
A page of another site can use a publishable key only, from the key's origins.</p>`,
};
