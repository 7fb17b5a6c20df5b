/** Quick start, from zero to the first matches. */
import { html } from '../site/html.ts';
import { example, examples } from './example.ts';
import { type Guide, type GuideInput, quotable } from './page.ts';

const SIGN_UP = {
  open: html`<a href="../../account/sign-up">Create an account</a>. It comes with a key at once.`,
  approve: html`<a href="../../account/sign-up">Create an account</a>. It comes with a key at once, which works as soon as an operator of
this service has approved the account.`,
  invite: html`Ask the operator of this service for an invitation, and <a href="../../account/sign-up">create an account</a> with it.
It comes with a key at once.`,
  off: html`Ask the operator of this service for an account and a key.`,
};

const environment = ({ baseUrl }: GuideInput) =>
  `export TOUCHLINE_URL='${quotable(baseUrl)}'\nexport TOUCHLINE_KEY='sk_live_…' # your key`;

export const quickStart: Guide = {
  name: 'quick-start',
  title: 'Quick start',
  summary: 'A key, the first request, a team and its matches, and ways to keep up with them.',
  body: (input) => html`
<h2 id="key">1. Get a key</h2>
<p>${SIGN_UP[input.signUp]} A key is shown only once. The examples read it, and the address of this service, from the environment:</p>
${example('environment.sh', environment(input))}
<p>A secret key (<code>sk_live_…</code>) belongs on a server, never in a page or an app.
For those, <a href="../../account/keys">create</a> a publishable key (<code>pk_live_…</code>), which can be restricted to the origins of
your site. It reads all data and streams, within limits of its own, and nothing of your account.</p>

<h2 id="request">2. Request matches</h2>
${example('first-request.sh')}
<p>Replies are JSON. Lists accept <code>limit</code> and <code>offset</code>, and filters such as <code>date</code>, <code>status</code>,
<code>tournament</code> and <code>participant</code>. The matches in progress:</p>
${example('live.sh')}

<h2 id="search">3. Find a team</h2>
<p>Search finds names in English and Russian, and tolerates typing errors.</p>
${example('search.sh')}
<p>Its <code>id</code> leads to its matches:</p>
${example('matches-of-a-team.sh')}

<h2 id="match">4. Read a whole match</h2>
<p><code>blocks</code> selects the parts of the reply; without it the reply has all of them.</p>
${example('match.sh')}

<h2 id="program">5. The same as a program</h2>
${examples('results.ts', 'results.py')}
<p>Node 22.18 and later run TypeScript directly; earlier ones need <code>npx tsx</code>.</p>

<h2 id="keep-up">6. Keep up</h2>
<ul>
<li><b>Sync</b> returns every match that has changed since your last request. It is part of every plan:
see <a href="streaming#sync">sync</a>.</li>
<li><b><a href="streaming">Streams</a></b> send events as they happen, and the events that you missed while disconnected.</li>
<li><b><a href="webhooks">Webhooks</a></b> send the same events to your server.</li>
</ul>
<p>Requesting unchanged data again is <a href="limits#free">free</a>.</p>

<h2 id="good-to-know">Good to know</h2>
<ul>
<li>Times are UTC: <code>2026-03-01T12:00:00Z</code>.</li>
<li>Ids are integers and never change. Duplicate matches are merged; <a href="streaming#sync">sync</a> reports it.</li>
<li>An error is <code>application/problem+json</code>. Its <code>code</code> is stable, <code>detail</code> is for people, and the operator
can look up the <code>request_id</code>.</li>
</ul>`,
};
