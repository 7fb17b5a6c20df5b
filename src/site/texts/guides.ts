/** Texts for the guides, with a section for each guide. */
import type { Lang } from '../../http/index.ts';
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
Filters are <code>event_types</code>, <code>sports</code>, <code>leagues</code>, <code>match_ids</code>, <code>participant_ids</code> and
<code>conditions</code> (such as <code>data.match.minute &gt;= 80</code>);
an event has to pass all filters that are set. The address must be public and https.`,
    challenge: html`A new address may have to confirm first: a subscription in the state <code>unconfirmed</code> receives only a signed
<code>webhook.challenge</code>, until a reply repeats its <code>data.challenge</code>, as the receivers below do.
The challenge arrives within seconds, and again after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h;
<code>POST /v1/account/webhooks/{id}/confirm</code> requests one at once, when your receiver has the secret.`,
    test: html`Send yourself a signed <code>webhook.test</code>; the reply has the result of your endpoint:`,
  },
  conditions: {
    title: 'Only the events that you need',
    fields: html`Conditions test the fields of an event: <code>=</code>, <code>in</code>, <code>&gt;=</code>, <code>&lt;=</code> and
<code>exists</code>, at most 10 in a subscription. Try them before you save them:`,
  },
  laptop: {
    title: 'On your own machine',
    listen: html`Our servers cannot reach <code>localhost</code>. <code>touchline listen</code> reads the stream of your account and sends each
event to your program, signed like a delivery. A sample event saves you from waiting for a goal. It goes to the streams that are open
with your secret key, and has <code>data.sample</code>:`,
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
  order: {
    title: 'Order and pace',
    settings: html`With <code>ordering</code>, the events of a match arrive one after the other. The other two settings limit how many
requests reach you within a second, and how many may wait for your reply:`,
    held: html`If an event fails, only its match waits, until the event is delivered, has had its last retry, or you skip it with
<code>POST …/deliveries/{delivery_id}/skip</code>. If you are overloaded, reply with 429 and <code>Retry-After</code>: no event is sent until
then, and no retry is lost.`,
    repeats: 'An event may still come twice, and then the second one may come late. The sequence recognizes it:',
  },
  headers: {
    title: 'Your own headers',
    secret: html`A gateway in front of your server may expect a token. The value of a <code>secret</code> header is stored encrypted and
never shown again:`,
  },
  notices: {
    title: 'Know when it fails',
    mail: html`You get a mail when a subscription has failed for five minutes, when it is disabled, and when it has recovered. Another
subscription can get the same notices as events, never about itself:`,
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
    desktop: html`Claude Desktop, and other clients that start a local program:`,
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
A result has at most 16,000 characters, a full one 48,000. What is longer is cut: in a match, momentum and commentary go before incidents,
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

/** The page that builds a widget. */
const widgets = {
  title: 'Widgets',
  summary: 'Tables, matches and trends for any site, in a frame, without a key.',
  about: html`A widget is a complete page that a frame shows. It needs no key and no cookie. A small script keeps it current and tells
the page its height; without scripts it is complete too. Build your widget here, and copy the code.`,
  build: 'Build a widget',
  fields: {
    widget: 'Content',
    widgets: {
      standings: "A tournament's table",
      fixtures: "A tournament's or a team's matches",
      live: 'Matches in progress',
      match: 'One match',
      trends: "A tournament's trends",
    },
    subject: 'Tournament, team or match',
    subjectHint: 'The address of its page on this site. For matches in progress it may be empty, which shows all.',
    theme: 'Theme',
    themes: { light: 'light', dark: 'dark' },
    language: 'Language of the widget',
    languages: { ru: 'Russian', en: 'English' },
    title: 'Show the heading',
    submit: 'Show',
  },
  result: 'Result',
  code: 'Code for your site',
  codeNote: 'The script gives frames the height of their widgets. A page with several widgets needs it once.',
  problems: {
    subject: 'Give the address of a page on this site, such as …/tournament/1.',
    tournament: 'This widget needs the address of a tournament.',
    match: 'This widget needs the address of a match.',
    either: 'This widget needs the address of a tournament or a team.',
  },
  more: 'The reference lists all other parameters, such as the season and the number of rows, in the section Widgets.',
};

const en = {
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
  widgets,
};

const ru: typeof en = {
  title: 'Руководства',
  next: (name: string, title: string): Html => html`Дальше: <a href="${name}">${title}</a>. `,
  reference: (docs: string): Html => html`Всё в подробностях:
<a href="${docs}">справочник</a>.`,
  besides: html`Кроме них: <a href="../docs">справочник</a> по всем запросам с примерами, <a href="../docs/leagues.html">лиги</a> и полнота
данных о каждой.`,
  quickStart: {
    title: 'Быстрый старт',
    summary: 'Ключ, первый запрос, команда с её матчами и способы следить за ними.',
    key: {
      title: '1. Получите ключ',
      signUp: {
        open: html`<a href="../../account/sign-up">Зарегистрируйтесь</a>. Ключ вы получите сразу.`,
        approve: html`<a href="../../account/sign-up">Зарегистрируйтесь</a>. Ключ вы получите сразу, а работать он начнёт, когда оператор этого
сервиса одобрит аккаунт.`,
        invite: html`Попросите приглашение у оператора этого сервиса и <a href="../../account/sign-up">зарегистрируйтесь</a> по нему.
Ключ вы получите сразу.`,
        off: 'Попросите аккаунт и ключ у оператора этого сервиса.',
      },
      environment: 'Ключ показывается один раз. Примеры читают его и адрес сервиса из переменных окружения:',
      kinds: html`Секретному ключу (<code>sk_live_…</code>) место на сервере, а не на странице и не в приложении.
Для них <a href="../../account/keys">создайте</a> публичный ключ (<code>pk_live_…</code>); его можно ограничить адресами своего сайта.
Он читает все данные и потоки в пределах собственных лимитов и ничего из вашего аккаунта.`,
    },
    request: {
      title: '2. Запросите матчи',
      lists: html`Ответы приходят в JSON. Списки принимают <code>limit</code> и <code>offset</code> и фильтры, например <code>date</code>,
<code>status</code>, <code>tournament</code> и <code>participant</code>. Матчи, которые идут сейчас:`,
    },
    search: {
      title: '3. Найдите команду',
      names: 'Поиск находит названия на английском и русском и прощает опечатки.',
      matches: html`По её <code>id</code> находятся её матчи:`,
    },
    match: {
      title: '4. Прочитайте матч целиком',
      blocks: html`<code>blocks</code> выбирает части ответа; без него в ответе будут все.`,
    },
    program: {
      title: '5. То же программой',
      node: html`Node 22.18 и новее запускает TypeScript сам; более старым нужен <code>npx tsx</code>.`,
    },
    keepUp: {
      title: '6. Следите за изменениями',
      ways: [
        html`<b>Синхронизация</b> возвращает каждый матч, который изменился с прошлого запроса. Она есть в каждом тарифе:
см. <a href="streaming#sync">синхронизацию</a>.`,
        html`<b><a href="streaming">Потоки</a></b> присылают события сразу, а после обрыва и пропущенные.`,
        html`<b><a href="webhooks">Вебхуки</a></b> присылают те же события на ваш сервер.`,
      ],
      free: html`Повторный запрос неизменившихся данных <a href="limits#free">бесплатен</a>.`,
    },
    goodToKnow: {
      title: 'Полезно знать',
      facts: [
        html`Время — UTC: <code>2026-03-01T12:00:00Z</code>.`,
        html`Id — целые числа и никогда не меняются. Повторы матчей объединяются, об этом сообщает <a
href="streaming#sync">синхронизация</a>.`,
        html`Ошибка — это <code>application/problem+json</code>. Её <code>code</code> постоянен, <code>detail</code> предназначен людям, а по
<code>request_id</code> оператор найдёт запрос.`,
      ],
    },
  },
  streaming: {
    title: 'Потоки',
    summary: 'События сразу, по SSE или WebSocket, без потерь.',
    plans: 'Потоки и повтор входят в {plans}. Синхронизация есть в каждом тарифе.',
    watch: {
      title: 'Следить',
      events: html`У каждого события есть тип, например <code>match.goal</code>, <code>match.card</code> или <code>match.finished</code>,
<code>id</code> и матч с новым счётом. Фильтры — <code>sport</code>, <code>league</code> (id турниров) и <code>event_type</code>;
каждый принимает несколько значений через запятую, а <code>event_type=match.*</code> выбирает все события матчей.
На странице, с публичным ключом:`,
      reconnects: 'Браузер переподключается сам и продолжает с того же места.',
    },
    reconnect: {
      title: 'Переподключайтесь с курсором',
      cursor: html`У каждого события есть курсор, растущее число: строка <code>id:</code> в SSE, <code>cursor</code> в каждом кадре WebSocket.
Храните последний вместе с тем, что взяли из события. Когда соединение оборвётся, подключитесь снова и передайте его в заголовке
<code>Last-Event-ID</code> (SSE) или в <code>cursor=</code> (WebSocket). Сначала поток пришлёт пропущенное.`,
      rules: [
        'Примерно через час поток закрывается; это не ошибка.',
        'Каждые 15 с сервис напоминает о себе. Поток, который молчит 45 с, мёртв: закройте его и подключитесь снова.',
        'Перед новым подключением подождите случайное время, не меньше секунды.',
        html`После сбоя событие может повториться с тем же <code>id</code>.`,
      ],
    },
    gap: {
      title: 'После пропуска',
      report: html`Если пропущено больше, чем поток присылает заново, он сообщает о пропуске кадром и продолжает после него:
<code>event: stream.gap</code> (SSE) или <code>{"type": "gap"}</code> (WebSocket), с <code>from</code>, <code>to</code> и причиной
<code>reason</code>:`,
      reasons: (days: number): Record<string, Html> => ({
        limit: html`Больше 500 событий: прочитайте их <a href="#replay">повтором</a>, начиная с <code>from</code>.`,
        expired: html`События хранятся ${days} дней, и часть пропущенных уже удалена:
прочитайте сами матчи <a href="#sync">синхронизацией</a>.`,
        ahead: html`Сервис не знает этого курсора, например после восстановления из копии:
прочитайте матчи <a href="#sync">синхронизацией</a> и забудьте сохранённые id событий.`,
      }),
    },
    replay: {
      title: 'Повтор',
      pages: (days: number): Html =>
        html`Повтор возвращает прошлые события страницами. <code>next_cursor</code> — это <code>since</code> следующей страницы;
продолжайте, пока <code>has_more</code> не станет <code>false</code>. Страница может быть пустой, хотя события ещё есть.
На курсор старше ${days} дней ответ — 410 <code>cursor_expired</code>.`,
    },
    sync: {
      title: 'Синхронизация',
      cursor: html`Синхронизация возвращает целиком каждый матч, который появился, изменился или удалён после её курсора.
Начните без курсора, продолжайте с <code>next_cursor</code> и храните его: <code>has_more: false</code> значит, что у вас всё.
Курсоры синхронизации не устаревают. Чтобы продолжить без пропуска, начните поток с <code>stream_cursor</code>.`,
    },
    client: {
      title: 'Всё вместе',
      program:
        'Эта программа хранит копию матчей одного турнира: сначала синхронизация, потом поток; после пропуска — повтор или синхронизация.',
      python: html`На Python, с <a href="https://pypi.org/project/httpx-sse/" rel="noreferrer" lang="en">httpx-sse</a>, только события:`,
      packages: html`Для JavaScript и TypeScript есть клиент, который делает всё это и знает типы REST API: пакет
<code>touchline-client</code>; страницам этот сервис отдаёт его как <a href="../../client/touchline.js"><code>/client/touchline.js</code></a>. Пакет
<code>touchline</code> для Python делает то же, для потоков и для asyncio.`,
    },
    webSocket: {
      title: 'WebSocket',
      messages: html`Ключ передаётся как подпротокол, потому что прокси записывают запросы; подойдёт и <code>key=</code> в запросе.
События те же, а клиент может отправлять сообщения: <code>subscribe</code> меняет фильтры, <code>replay</code> запрашивает страницу,
на <code>ping</code> приходит <code>pong</code>. Браузеры не показывают статус отклонённого WebSocket, поэтому сервис принимает его и
закрывает с кодом: 4401 ключ, 4402 тариф, 4403 сайт, 4409 соединение занято новым с тем же <code>client</code>, 4422 параметр,
4429 слишком много. 1012 значит, что клиенту надо переподключиться.`,
    },
  },
  webhooks: {
    title: 'Вебхуки',
    summary: 'События подписанными запросами на ваш сервер: подписка, проверка, ответ.',
    plans: 'Вебхуки входят в {plans}.',
    subscribe: {
      title: 'Подпишитесь',
      reply: html`В ответе есть секрет <code>secret</code> (<code>whsec_…</code>), которым подписаны наши запросы. Он показывается один раз.
С тем же <code>Idempotency-Key</code> запрос можно повторять 24 часа, и подписка будет одна.
Фильтры — <code>event_types</code>, <code>sports</code>, <code>leagues</code>, <code>match_ids</code>, <code>participant_ids</code> и
<code>conditions</code> (например, <code>data.match.minute &gt;= 80</code>);
событие должно пройти все заданные. Адрес должен быть публичным и https.`,
      challenge: html`Новый адрес, возможно, сначала надо подтвердить: подписка в состоянии <code>unconfirmed</code> получает только подписанный
<code>webhook.challenge</code>, пока ответ не повторит его <code>data.challenge</code>, как делают приёмники ниже.
Проверка приходит через несколько секунд, потом через 5 с, 30 с, 2 мин, 10 мин, 30 мин и 2 ч;
<code>POST /v1/account/webhooks/{id}/confirm</code> запрашивает её сразу, когда у приёмника есть секрет.`,
      test: html`Отправьте себе подписанный <code>webhook.test</code>; в ответе — чем кончилось обращение к вашему адресу:`,
    },
    conditions: {
      title: 'Только нужные события',
      fields: html`Условия проверяют поля события: <code>=</code>, <code>in</code>, <code>&gt;=</code>, <code>&lt;=</code> и
<code>exists</code>, до 10 в подписке. Проверьте их до сохранения:`,
    },
    laptop: {
      title: 'На своём компьютере',
      listen: html`Наши серверы не видят <code>localhost</code>. Команда <code>touchline listen</code> читает поток вашего аккаунта и отправляет
каждое событие вашей программе, подписав его как доставку. Чтобы не ждать гола, отправьте пробное событие. Оно придёт в потоки, открытые
с вашим секретным ключом, с полем <code>data.sample</code>:`,
    },
    verify: {
      title: 'Проверяйте',
      receivers: `Отправить запрос на ваш адрес может кто угодно. Прежде всего проверьте на байтах, как они пришли, что подпись верна, а время
отличается от ваших часов меньше чем на 5 минут. Каждый из этих приёмников полон:`,
      signature: html`Подпись — HMAC-SHA256 от <code>&lt;timestamp&gt;.&lt;body&gt;</code>, ключ — текст секрета, в шестнадцатеричном виде:`,
    },
    libraries: {
      title: 'С библиотекой',
      headers: html`В каждом запросе есть и заголовки <a href="https://www.standardwebhooks.com" rel="noreferrer" lang="en">Standard Webhooks</a>
(<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>), поэтому его проверяют и эти библиотеки:`,
    },
    answer: {
      title: 'Отвечайте',
      rules: (disabledAfterHours: number): (string | Html)[] => [
        'Любой ответ 2xx за 8 секунд значит «получено». Сохраните событие, ответьте и обработайте его потом. Перенаправление — ошибка.',
        html`Всё остальное повторяется до 6 раз: через 5 с, 30 с, 2 мин, 10 мин, 30 мин и 2 ч.
Ваш <code>Retry-After</code> может продлить ожидание.`,
        `410 отключает подписку. Отключают её и ${disabledAfterHours} ч без единого успеха.`,
        html`<b>Одно событие может прийти дважды</b>, с тем же <code>id</code> (и <code>webhook-id</code>).
Храните id обработанных.`,
        html`События могут прийти не по порядку. События матча нумерует <code>data.sequence</code>.`,
        html`На <code>webhook.challenge</code> отвечайте 200 и текстом его <code>data.challenge</code>, но только если подпись верна:
иначе ваш адрес мог бы подписать кто-то другой.`,
        'Число запросов в секунду к одному хосту ограничено. Остальные запросы ждут.',
        html`После 15 минут тишины мы отправляем <code>webhook.ping</code>; ответьте на него, как на любое событие.`,
      ],
    },
    order: {
      title: 'Порядок и скорость',
      settings: html`С настройкой <code>ordering</code> события матча приходят одно за другим. Две другие настройки ограничивают, сколько запросов
вы получаете за секунду и сколько могут ждать вашего ответа:`,
      held: html`Если событие не доставлено, ждёт только его матч: пока доставка не удастся, не пройдёт последний повтор или вы не пропустите её
запросом <code>POST …/deliveries/{delivery_id}/skip</code>. При перегрузке ответьте 429 с <code>Retry-After</code>: до этого времени ничего
не отправляется, и повторы не тратятся.`,
      repeats: 'Событие всё же может прийти дважды, и второй раз — с опозданием. Его узнают по номеру:',
    },
    headers: {
      title: 'Свои заголовки',
      secret: html`Шлюз перед вашим сервером может требовать токен. Значение заголовка с <code>secret</code> хранится в зашифрованном виде и больше
не показывается:`,
    },
    notices: {
      title: 'Узнавайте о сбоях',
      mail: html`Вы получите письмо, если доставки подписки не проходят пять минут, если она отключена и когда она снова работает. Другая
подписка может получать те же уведомления как события, но никогда о себе самой:`,
    },
    rotate: {
      title: 'Замена секрета',
      overlap: `В ответе новый секрет. Ещё {hours} часа подписывают оба, поэтому приёмник с любым из них принимает все запросы:
установите новый за это время.`,
    },
    log: {
      title: 'Посмотрите, что было',
      deliveries: html`В журнале есть каждая доставка с попытками; неудавшиеся можно повторить.
Подписки и их журналы есть и <a href="../../account/webhooks">в вашем аккаунте</a>.`,
    },
  },
  agents: {
    title: 'Агенты',
    summary: 'Чтение данных как инструменты языковой модели, по протоколу Model Context Protocol.',
    connect: {
      title: 'Подключение',
      server: (address: string): Html =>
        html`Сервер — <code>${address}</code>: HTTP с потоковыми ответами, без сеансов. Ключи API те же, что у REST:
<code>Authorization: Bearer</code> или <code>X-API-Key</code>. Сервера OAuth нет: задайте ключ заголовком в настройках клиента.
Claude Code:`,
      desktop: html`<span lang="en">Claude Desktop</span> и другие клиенты, которые запускают программу на вашей машине:`,
      sdk: 'В программе, с официальным SDK:',
      withoutClient: 'Вызвать инструмент можно и без клиента:',
    },
    tools: {
      title: 'Инструменты',
      names: html`Инструмент — каждый адрес, который читает данные; назван он по пути: <code>/v1/events/live</code> — это
<code>events_live</code>, <code>/v1/event/{id}/analytics</code> — <code>event_analytics</code>. Его аргументы — параметры этого адреса и ещё:`,
      arguments: {
        id: 'Один id или список до 10: тогда результат — список с ответом или ошибкой для каждого.',
        fields: html`Имена полей ответа, которые нужно вернуть, например <code>["event_id", "model"]</code>.`,
        full_reply: html`С <code>true</code> — ответ, как его даёт REST.`,
      },
    },
    results: {
      title: 'Результаты',
      shortForm: html`Первый текст результата — JSON. Это краткая форма: без пустых полей и null, без картинок и вторых языков, а в списках — с главными
полями матчей. В списке 20 элементов, если <code>limit</code> не просит до 100.
В результате не больше 16 000 символов, в полном — 48 000. Лишнее отрезается: в матче график давления и комментарии раньше событий,
составов и статистики. Второй текст говорит, что пропущено и с каким аргументом продолжить.`,
    },
    limits: {
      title: 'Лимиты и ошибки',
      costs: html`Вызов стоит столько же, сколько его адрес, за каждый id; неверные аргументы стоят один запрос. Список инструментов бесплатен.
Один POST делает не больше 20 запросов и ждёт до 5 секунд, пока тариф их допустит; на остальные ответ <code>rate_limited</code>.
Ошибка — это результат с <code>isError</code> и кодом <code>code</code> из REST;
после <code>rate_limited</code> подождите <code>retry_after_seconds</code>. На неизвестный, истёкший или отозванный ключ ответ — HTTP 401.
Страница другого сайта может пользоваться только публичным ключом и только с его сайтов.`,
    },
  },
  limits: {
    title: 'Лимиты и тарифы',
    summary: 'Что входит в каждый тариф, как узнать остаток и что ничего не стоит.',
    plans: {
      title: 'Тарифы',
      questions: (contact: Html): Html => html`Вопросы о тарифах: ${contact}.`,
      kinds: `Лимиты действуют на все секретные ключи аккаунта вместе и отдельно на все его публичные ключи: посетители сайта делят
последние и не могут израсходовать запросы и потоки ваших серверов. Один посетитель — это один адрес (в IPv6 — сеть /64), который
пользуется вашими публичными ключами. Сутки и месяцы — по UTC.`,
    },
    headers: {
      title: 'Сколько осталось',
      quota: html`В каждом ответе на запрос с ключом есть эти заголовки: <code>q</code> — лимит окна, <code>w</code> — его длина в секундах;
<code>r</code> — остаток, <code>t</code> — на сколько секунд.`,
    },
    exceeded: {
      title: 'Когда лимит исчерпан',
      reply: html`Ответ — 429 с кодом <code>rate_limited</code> (запросы за секунду) или <code>quota_exceeded</code> (за сутки или месяц) и
<code>Retry-After</code> в секундах. Он ничего не стоит. Подождите это время и ещё случайное:`,
    },
    free: {
      title: 'Что бесплатно',
      requests: [
        html`<b>304.</b> Передайте <code>ETag</code> ответа в <code>If-None-Match</code>:
неизменившийся ответ не стоит запроса, до 3000 раз в минуту (меньше для ответов больше 64 КиБ).`,
        html`Всё под <code>/v1/account</code>: ключи, расход, вебхуки; до 600 запросов в минуту.`,
        html`Эта документация, <code>/v1/openapi.json</code>, <code>/v1/asyncapi.json</code> и страница
<a href="../leagues.html">лиг</a>.`,
        'События потока и доставки вебхуков. Подключение стоит один запрос.',
      ],
      freshness: html`<code>Cache-Control</code> говорит, сколько ответ остаётся свежим: секунды для идущего матча, час для законченного, сутки для
справочников.`,
    },
  },
  plans: {
    noPlan: 'ни один тариф этого сервиса',
    onePlan: 'тариф {plan}',
    somePlans: 'тарифы {plans} и {last}',
    columns: {
      plan: 'Тариф',
      price: 'В месяц',
      windows: 'Не больше',
      perAddress: 'Один посетитель',
      access: 'Матчи',
      streams: 'Открытые потоки',
      webhooks: 'Вебхуки',
    },
    streams: '{streams} и {publishable} на публичных ключах',
    included: 'да',
    notIncluded: 'нет',
    allMatches: 'все',
    oneTournament: 'турниров: 1',
    tournaments: 'турниров: {count}',
  },
  widgets: {
    title: 'Виджеты',
    summary: 'Таблицы, матчи и тенденции для любого сайта, во фрейме, без ключа.',
    about: html`Виджет — готовая страница, которую показывает фрейм. Ей не нужны ни ключ, ни cookie. Небольшой скрипт обновляет её и сообщает
странице высоту; без скриптов она тоже полна. Соберите свой виджет здесь и скопируйте код.`,
    build: 'Соберите виджет',
    fields: {
      widget: 'Что показать',
      widgets: {
        standings: 'Таблица турнира',
        fixtures: 'Матчи турнира или команды',
        live: 'Матчи, которые идут сейчас',
        match: 'Один матч',
        trends: 'Тенденции турнира',
      },
      subject: 'Турнир, команда или матч',
      subjectHint: 'Адрес страницы на этом сайте. Для идущих матчей можно оставить пустым: тогда все.',
      theme: 'Тема',
      themes: { light: 'светлая', dark: 'тёмная' },
      language: 'Язык виджета',
      languages: { ru: 'Русский', en: 'Английский' },
      title: 'Показать заголовок',
      submit: 'Показать',
    },
    result: 'Результат',
    code: 'Код для вашего сайта',
    codeNote: 'Скрипт задаёт фреймам высоту виджета. На странице с несколькими виджетами он нужен один раз.',
    problems: {
      subject: 'Укажите адрес страницы на этом сайте, например …/tournament/1.',
      tournament: 'Для этого виджета нужен адрес турнира.',
      match: 'Для этого виджета нужен адрес матча.',
      either: 'Для этого виджета нужен адрес турнира или команды.',
    },
    more: 'Остальные параметры, такие как сезон и число строк, перечислены в справочнике, в разделе Widgets.',
  },
};

export const GUIDES: Record<Lang, typeof en> = { en, ru };
