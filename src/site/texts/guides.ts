/** Texts for the guides, with a section for each guide. They are in English only. */
import { type Html, html } from '../html.ts';

const quickStart = {
  title: 'Quick start',
  summary: 'A key, the first request, a team and its matches, and ways to keep up with them.',
  key: {
    title: '1. Get a key',
    signUp: {
      open: html`<a href="../../account/sign-up">Create an account</a>. It comes with a key at once.`,
      approve: html`<a href="../../account/sign-up">Create an account</a>. It comes with a key at once, which works as soon as an operator of
this service has approved the account.`,
      invite: html`Ask the operator of this service for an invitation, and <a href="../../account/sign-up">create an account</a> with it.
It comes with a key at once.`,
      off: 'Ask the operator of this service for an account and a key.',
    },
    environment:
      'A key is shown only once. The examples read it, and the address of this service, from the environment:',
    kinds: html`A secret key (<code>sk_live_…</code>) belongs on a server, never in a page or an app.
For those, <a href="../../account/keys">create</a> a publishable key (<code>pk_live_…</code>), which can be restricted to the origins of
your site. It reads all data and streams, within limits of its own, and nothing of your account.`,
  },
  request: {
    title: '2. Request matches',
    lists: html`Replies are JSON. Lists accept <code>limit</code> and <code>offset</code>, and filters such as <code>date</code>, <code>status</code>,
<code>tournament</code> and <code>participant</code>. The matches in progress:`,
  },
  search: {
    title: '3. Find a team',
    names: 'Search finds names in English and Russian, and tolerates typing errors.',
    matches: html`Its <code>id</code> leads to its matches:`,
  },
  match: {
    title: '4. Read a whole match',
    blocks: html`<code>blocks</code> selects the parts of the reply; without it the reply has all of them.`,
  },
  program: {
    title: '5. The same as a program',
    node: html`Node 22.18 and later run TypeScript directly; earlier ones need <code>npx tsx</code>.`,
  },
  keepUp: {
    title: '6. Keep up',
    ways: [
      html`<b>Sync</b> returns every match that has changed since your last request. It is part of every plan:
see <a href="streaming#sync">sync</a>.`,
      html`<b><a href="streaming">Streams</a></b> send events as they happen, and the events that you missed while disconnected.`,
      html`<b><a href="webhooks">Webhooks</a></b> send the same events to your server.`,
    ],
    free: html`Requesting unchanged data again is <a href="limits#free">free</a>.`,
  },
  goodToKnow: {
    title: 'Good to know',
    facts: [
      html`Times are UTC: <code>2026-03-01T12:00:00Z</code>.`,
      html`Ids are integers and never change. Duplicate matches are merged; <a href="streaming#sync">sync</a> reports it.`,
      html`An error is <code>application/problem+json</code>. Its <code>code</code> is stable, <code>detail</code> is for people, and the operator
can look up the <code>request_id</code>.`,
    ],
  },
};

const streaming = {
  title: 'Streaming',
  summary: 'Events as they happen, by SSE or WebSocket, without losing any.',
  plans: 'Streams and replay are included in {plans}. Sync is part of every plan.',
  watch: {
    title: 'Watch',
    events: html`Each event has a type, such as <code>match.goal</code>, <code>match.card</code> or <code>match.finished</code>, an <code>id</code>, and
the match with its new score. <code>sport</code>, <code>league</code> (tournament ids) and <code>event_type</code> filter;
each accepts several values separated by commas, and <code>event_type=match.*</code> selects all events of matches.
In a page, with a publishable key:`,
    reconnects: 'A browser reconnects by itself and continues where it stopped.',
  },
  reconnect: {
    title: 'Reconnect with the cursor',
    cursor: html`Every event has a cursor, an increasing number: the <code>id:</code> line of SSE, <code>cursor</code> in each frame of the WebSocket.
Store the last one together with your data from the event. When the connection ends, connect again and send it as the header
<code>Last-Event-ID</code> (SSE) or as <code>cursor=</code> in the query (WebSocket). The stream first sends what you missed.`,
    rules: [
      'A stream ends after about an hour; this is not an error.',
      'The service sends a keep-alive every 15 s. A stream that is silent for 45 s is dead: close it and connect again.',
      'Wait for a random time of at least a second before you connect again.',
      html`After a crash an event may be repeated, with the same <code>id</code>.`,
    ],
  },
  gap: {
    title: 'After a gap',
    report: html`If you missed more than the stream sends again, it reports the gap in a frame and continues live after it: <code>event:
stream.gap</code> (SSE) or <code>{"type": "gap"}</code> (WebSocket), with <code>from</code>, <code>to</code> and a <code>reason</code>:`,
    /** By reason. */
    reasons: (days: number): Record<string, Html> => ({
      limit: html`More than 500 events: read them by <a href="#replay">replay</a>, starting at <code>from</code>.`,
      expired: html`Events are stored for ${days} days, and some of the missed ones have expired:
read the matches themselves by <a href="#sync">sync</a>.`,
      ahead: html`The service does not know the cursor, because it was restored from a backup, for example:
read the matches by <a href="#sync">sync</a>, and discard stored event ids.`,
    }),
  },
  replay: {
    title: 'Replay',
    pages: (days: number): Html =>
      html`Replay returns past events in pages. <code>next_cursor</code> is the <code>since</code> of the next page;
continue until <code>has_more</code> is false. A page may be empty although there are more events.
A cursor older than ${days} days gets the reply 410 <code>cursor_expired</code>.`,
  },
  sync: {
    title: 'Sync',
    cursor: html`Sync returns every match that was added, changed or removed since a sync cursor, as a whole.
Begin without a cursor, continue with <code>next_cursor</code>, and store it: <code>has_more: false</code> means that you are up to date.
Sync cursors never expire. Start a stream at <code>stream_cursor</code> to continue without a gap.`,
  },
  client: {
    title: 'All of it together',
    program:
      'This program keeps a copy of the matches of one tournament: first sync, then the stream; replay or sync after a gap.',
    python: html`In Python, with <a href="https://pypi.org/project/httpx-sse/" rel="noreferrer">httpx-sse</a>, events only:`,
    packages: html`In JavaScript and TypeScript there is a client that does all of this and has a typed REST API:
the package <code>touchline-client</code>, which this service also serves to pages, as
<a href="../../client/touchline.js">/client/touchline.js</a>. The package <code>touchline</code> for Python does the same, for threads and
for asyncio.`,
  },
  webSocket: {
    title: 'WebSocket',
    messages: html`The key is sent as a subprotocol, since proxies log queries; <code>key=</code> in the query works as well.
The events are the same, and the client can send messages: <code>subscribe</code> changes the filters, <code>replay</code> requests a page,
and the reply to <code>ping</code> is <code>pong</code>. Because browsers do not show the status of a refused WebSocket, the service accepts
it and closes it with a code: 4401 key, 4402 plan, 4403 origin, 4409 taken over by a newer connection of the same <code>client</code>, 4422
parameter, 4429 too many. 1012 means that the client should reconnect.`,
  },
};

const webhooks = {
  title: 'Webhooks',
  summary: 'Get events as signed requests to your server: subscribe, verify, answer.',
  plans: 'Webhooks are included in {plans}.',
  subscribe: {
    title: 'Subscribe',
    reply: html`The reply has the <code>secret</code> (<code>whsec_…</code>) that signs our requests. It is shown only once.
With the same <code>Idempotency-Key</code> you can repeat the request for 24 hours, and it creates only one subscription.
Filters are <code>event_types</code>, <code>sports</code>, <code>leagues</code>, <code>match_ids</code> and <code>participant_ids</code>;
an event has to pass all filters that are set. The address must be public and https.`,
    challenge: html`A new address may have to confirm first: a subscription in the state <code>unconfirmed</code> receives only a signed
<code>webhook.challenge</code>, until a reply repeats its <code>data.challenge</code>, as the receivers below do.
The challenge arrives within seconds, and again after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h;
<code>POST /v1/account/webhooks/{id}/confirm</code> requests one at once, when your receiver has the secret.`,
    test: html`Send yourself a signed <code>webhook.test</code>; the reply has the result of your endpoint:`,
  },
  verify: {
    title: 'Verify',
    receivers: `Anybody can send a request to your endpoint. Before anything else, check on the bytes as received that the signature is right, and that the
timestamp is less than 5 minutes from your clock. Each of these is a complete receiver:`,
    signature: html`The signature is HMAC-SHA256 of <code>&lt;timestamp&gt;.&lt;body&gt;</code>, with the text of the secret as the key, in hex:`,
  },
  libraries: {
    title: 'With a library',
    headers: html`Each request also carries the headers of <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>
(<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>), so its libraries verify it:`,
  },
  answer: {
    title: 'Answer',
    rules: (disabledAfterHours: number): (string | Html)[] => [
      'Any 2xx within 8 seconds means received. Store the event, reply, and process it afterwards. A redirect is a failure.',
      html`Anything else is retried up to 6 times: after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h.
Your <code>Retry-After</code> can lengthen a wait.`,
      `410 disables the subscription. So do ${disabledAfterHours} hours without a success.`,
      html`<b>The same event may be delivered twice</b>, with the same <code>id</code> (and <code>webhook-id</code>).
Store the ids that you have handled.`,
      html`Events may arrive out of order. <code>data.sequence</code> numbers the events of a match.`,
      html`Reply to a <code>webhook.challenge</code> with 200 and the text of its <code>data.challenge</code>, but only if the signature is valid:
otherwise somebody else could subscribe your address.`,
      'The requests per second to one host are limited. Requests above the limit are delayed.',
      html`After 15 minutes without a request, we send a <code>webhook.ping</code>; reply to it like to any other event.`,
    ],
  },
  rotate: {
    title: 'Rotate the secret',
    overlap: `The reply has the new secret. For {hours} hours both secrets sign, so that a receiver with either one accepts every
request: install the new one within that time.`,
  },
  log: {
    title: 'See what happened',
    deliveries: html`The log has each delivery with its attempts; failed ones can be retried.
Subscriptions and their logs are also <a href="../../account/webhooks">in your account</a>.`,
  },
};

const agents = {
  title: 'Agents',
  summary: 'The routes that read data as tools for a language model, by the Model Context Protocol.',
  connect: {
    title: 'Connect',
    server: (address: string): Html =>
      html`The server is <code>${address}</code>: streamable HTTP, without sessions. It takes the same API keys as REST, as <code>Authorization:
Bearer</code> or in <code>X-API-Key</code>. There is no OAuth server: enter the key as a header in the settings of your client.
Claude Code:`,
    desktop: 'Claude Desktop, and other clients that start a local program:',
    sdk: 'In a program, with the official SDK:',
    withoutClient: 'A tool can also be called without a client:',
  },
  tools: {
    title: 'Tools',
    names: html`Each route that reads data is a tool, named after its path: <code>/v1/events/live</code> is <code>events_live</code>,
<code>/v1/event/{id}/analytics</code> is <code>event_analytics</code>. Its arguments are the parameters of the route, and these:`,
    arguments: {
      id: 'One id, or a list of up to 10: the result is then a list, with a reply or an error for each.',
      fields: html`Names of the members of the reply to return, such as <code>["event_id", "model"]</code>.`,
      full_reply: html`With <code>true</code>, the reply as REST gives it.`,
    },
  },
  results: {
    title: 'Results',
    shortForm: html`The first text of a result is JSON. It is a short form: without members that are empty or null, without pictures and second languages,
and with the main members of the matches in a list. Lists have 20 items unless <code>limit</code> asks for up to 100.
A result has at most 16,000 characters, a full one 64,000. What is longer is cut: in a match, momentum and commentary go before incidents,
line-ups and statistics. The second text says what was left out, and with which argument to continue.`,
  },
  limits: {
    title: 'Limits and errors',
    costs: html`A call costs what its route costs, once for each id; wrong arguments cost one request. Listing the tools is free.
One POST makes at most 20 requests, and waits up to 5 seconds for the burst of the plan; the rest is <code>rate_limited</code>.
A problem is a result with <code>isError</code> and the <code>code</code> of REST;
after <code>rate_limited</code> wait <code>retry_after_seconds</code>. A key that is unknown, expired or revoked is answered with HTTP 401.
A page of another site can use only a publishable key, and only from the key's origins.`,
  },
};

const limits = {
  title: 'Limits and plans',
  summary: 'What each plan includes, how to see what is left, and what costs nothing.',
  plans: {
    title: 'Plans',
    questions: (contact: Html): Html => html`Questions about plans: ${contact}.`,
    kinds: `Limits apply to all secret keys of an account together and, separately, to all its publishable keys:
the visitors of a site share the latter and cannot use up the requests and streams of your servers.
One visitor is one address (with IPv6, its /64 network) that uses your publishable keys. Days and months are UTC.`,
  },
  headers: {
    title: 'What is left',
    quota: html`Every reply to a request with a key has these headers: <code>q</code> is the quota of a window and <code>w</code> its length in seconds;
<code>r</code> is what remains of it, for <code>t</code> seconds.`,
  },
  exceeded: {
    title: 'When it is used up',
    reply: html`The reply is 429 with the code <code>rate_limited</code> (requests of a second) or <code>quota_exceeded</code> (of a day or a month), and
<code>Retry-After</code> in seconds. It costs nothing. Wait for that time plus a random delay:`,
  },
  free: {
    title: 'What is free',
    requests: [
      html`<b>304.</b> Send the <code>ETag</code> of a reply as <code>If-None-Match</code>:
an unchanged reply costs no request, up to 3,000 times a minute (fewer for replies over 64 KiB).`,
      html`Everything below <code>/v1/account</code>: keys, usage, webhooks; up to 600 requests a minute.`,
      html`This documentation, <code>/v1/openapi.json</code>, <code>/v1/asyncapi.json</code> and the page of
<a href="../leagues.html">leagues</a>.`,
      'Events of a stream, and deliveries of webhooks. Connecting costs a request.',
    ],
    freshness: html`<code>Cache-Control</code> says how long a reply stays fresh: seconds for a live match, an hour for a finished one, a day for reference
lists.`,
  },
};

/** The plans in words and as a table. */
const plans = {
  noPlan: 'no plan of this service',
  onePlan: 'the plan {plan}',
  somePlans: 'the plans {plans} and {last}',
  columns: {
    plan: 'Plan',
    price: 'A month',
    windows: 'At most',
    perAddress: 'One visitor',
    access: 'Matches',
    streams: 'Open streams',
    webhooks: 'Webhooks',
  },
  streams: '{streams}, and {publishable} of publishable keys',
  included: 'yes',
  notIncluded: 'no',
  allMatches: 'all',
  oneTournament: '1 tournament',
  tournaments: '{count} tournaments',
};

export const GUIDES = {
  title: 'Guides',
  next: (name: string, title: string): Html => html`Next: <a href="${name}">${title}</a>. `,
  reference: (docs: string): Html => html`Everything in detail:
<a href="${docs}">the reference</a>.`,
  besides: html`Besides them: <a href="../docs">the reference</a> of every request with examples, <a href="../docs/leagues.html">the leagues</a> and how
much is known of each.`,
  quickStart,
  streaming,
  webhooks,
  agents,
  limits,
  plans,
};
