/** Streams, reconnecting, replay and sync. */
import { RETENTION_MS } from '../events/index.ts';
import { html } from '../site/html.ts';
import { DAY_MS } from '../wire/time.ts';
import { example, examples, exampleText } from './example.ts';
import { type Guide, quotable } from './page.ts';
import { plansWithText } from './plan-facts.ts';

const RETENTION_DAYS = RETENTION_MS / DAY_MS;

export const streaming: Guide = {
  name: 'streaming',
  title: 'Streaming',
  summary: 'Events as they happen, by SSE or WebSocket, without losing any.',
  body: ({ baseUrl, plans }) => html`
<p>Streams and replay are included in ${plansWithText(plans, 'stream')}. Sync is part of every plan.</p>

<h2 id="watch">Watch</h2>
${example('watch.sh')}
<p>Each event has a type, such as <code>match.goal</code>, <code>match.card</code> or <code>match.finished</code>, an <code>id</code>, and
the match with its new score. <code>sport</code>, <code>league</code> (tournament ids) and <code>event_type</code> filter;
each accepts several values separated by commas, and <code>event_type=match.*</code> selects all events of matches.
In a page, with a publishable key:</p>
${example('browser.js', exampleText('browser.js').replace('https://sports.example.com', quotable(baseUrl)))}
<p>A browser reconnects by itself and continues where it stopped.</p>

<h2 id="reconnect">Reconnect with the cursor</h2>
<p>Every event has a cursor, an increasing number: the <code>id:</code> line of SSE, <code>cursor</code> in each frame of the WebSocket.
Store the last one together with your data from the event. When the connection ends, connect again and send it as the header
<code>Last-Event-ID</code> (SSE) or as <code>cursor=</code> in the query (WebSocket). The stream first sends what you missed.</p>
<ul>
<li>A stream ends after about an hour; this is not an error.</li>
<li>The service sends a keep-alive every 15 s. A stream that is silent for 45 s is dead: close it and connect again.</li>
<li>Wait for a random time of at least a second before you connect again.</li>
<li>After a crash an event may be repeated, with the same <code>id</code>.</li>
</ul>

<h2 id="gap">After a gap</h2>
<p>If you missed more than the stream sends again, it reports the gap in a frame and continues live after it: <code>event:
stream.gap</code> (SSE) or <code>{"type": "gap"}</code> (WebSocket), with <code>from</code>, <code>to</code> and a <code>reason</code>:</p>
<dl class="terms">
<div>
<dt><code>limit</code></dt>
<dd>More than 500 events: read them by <a href="#replay">replay</a>, starting at <code>from</code>.</dd>
</div>
<div>
<dt><code>expired</code></dt>
<dd>Events are stored for ${RETENTION_DAYS} days, and some of the missed ones have expired:
read the matches themselves by <a href="#sync">sync</a>.</dd>
</div>
<div>
<dt><code>ahead</code></dt>
<dd>The service does not know the cursor, because it was restored from a backup, for example:
read the matches by <a href="#sync">sync</a>, and discard stored event ids.</dd>
</div>
</dl>

<h2 id="replay">Replay</h2>
<p>Replay returns past events in pages. <code>next_cursor</code> is the <code>since</code> of the next page;
continue until <code>has_more</code> is false. A page may be empty although there are more events.
A cursor older than ${RETENTION_DAYS} days gets the reply 410 <code>cursor_expired</code>.</p>
${example('replay.sh')}

<h2 id="sync">Sync</h2>
<p>Sync returns every match that was added, changed or removed since a sync cursor, as a whole.
Begin without a cursor, continue with <code>next_cursor</code>, and store it: <code>has_more: false</code> means that you are up to date.
Sync cursors never expire. Start a stream at <code>stream_cursor</code> to continue without a gap.</p>
${example('sync.sh')}

<h2 id="client">All of it together</h2>
<p>This program keeps a copy of the matches of one tournament: first sync, then the stream; replay or sync after a gap.</p>
${example('follow.ts')}
<p>In Python, with <a href="https://pypi.org/project/httpx-sse/" rel="noreferrer">httpx-sse</a>, events only:</p>
${example('follow.py')}
<p>In JavaScript and TypeScript there is a client that does all of this and has a typed REST API:
the package <code>touchline-client</code>, which this service also serves to pages, as
<a href="../../client/touchline.js">/client/touchline.js</a>. The package <code>touchline</code> for Python does the same, for threads and
for asyncio.</p>

<h2 id="websocket">WebSocket</h2>
<p>The key is sent as a subprotocol, since proxies log queries; <code>key=</code> in the query works as well.
The events are the same, and the client can send messages: <code>subscribe</code> changes the filters, <code>replay</code> requests a page,
and the reply to <code>ping</code> is <code>pong</code>. Because browsers do not show the status of a refused WebSocket, the service accepts
it and closes it with a code: 4401 key, 4402 plan, 4403 origin, 4409 taken over by a newer connection of the same <code>client</code>, 4422
parameter, 4429 too many. 1012 means that the client should reconnect.</p>
${examples('websocket.ts')}`,
};
