/**
 * Measures a cache in front of the pages of live matches: nginx with the files in k8s/nginx. READERS=1000 readers open pages, with all files
 * of a page, and reload every RELOAD_SECONDS=1 on average, while goals are fed. After SECONDS=20 it prints the share of requests that have
 * not reached the service, and the longest time for which a reader was shown a score from before a goal that had been fed.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { shippedRecording } from '../src/demo/recording.ts';
import type { MatchUpdateInput } from '../src/wire/feed-update.ts';
import { canRunNginx, startNginx } from '../test/support/nginx.ts';
import { line, printFigure, printRow } from './report.ts';
import { openStage } from './stream/stage.ts';

const READERS = Number(process.env.READERS ?? 1_000);
const RELOAD_MS = Number(process.env.RELOAD_SECONDS ?? 1) * 1_000;
const SECONDS = Number(process.env.SECONDS ?? 20);
/** As many matches as the demo plays at the same time. */
const MATCHES = 8;
const GOAL_EVERY_MS = 300;
/** Goals from the project's issue. */
const FROM_CACHE = 0.95;
const VISIBLE_WITHIN_S = 2;
/** One in this many readers looks at the front page; the rest look at a match. */
const FRONT_PAGE_EVERY = 5;
/** One in this many readers has chosen a language on a page, which makes each page personal. */
const PERSONAL_EVERY = 100;
const ENGLISH = [
  'en',
  'en-US,en;q=0.9',
  'en-GB,en;q=0.8',
  'en-GB,en-US;q=0.9,en;q=0.8',
  'de-DE,de;q=0.9,en;q=0.8',
  'fr,en;q=0.7',
];
const RUSSIAN = ['ru', 'ru-RU,ru;q=0.9', 'ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'uk-UA,uk;q=0.9,ru;q=0.8'];
const ZONES = ['Europe/Berlin', 'Europe/London', 'Europe/Kyiv', 'UTC'];
const CODINGS = ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip, deflate'];

type Match = MatchUpdateInput['match'];

/** Returns the demo's recording at its last moment without a goal, as a match of its own. */
async function liveMatch(index: number): Promise<Match> {
  const recording = await shippedRecording('world-cup-final-2022');
  const goalless = recording.filter(({ update: { match } }) => match.status === 'live' && !match.score?.home);
  const { match } = goalless.at(-1)!.update;
  const start = new Date(Date.now() - 30 * 60_000).toISOString();
  const [home, away] = [{ name: `Home ${index}` }, { name: `Away ${index}` }];
  return {
    ...match,
    id: `edge-${index}`,
    home,
    away,
    scheduled_start: start,
    tournament: { name: 'Edge League', country: 'INT' },
  };
}

function withGoals(match: Match, count: number): Match {
  const goals = Array.from({ length: count }, (_, n) => ({
    id: `goal-${n}`,
    minute: 21,
    period: '1H' as const,
    kind: 'goal' as const,
    side: 'home' as const,
    player: { name: `Scorer ${n}` },
    payload: { goal_type: 'regular' as const, score: { home: n + 1, away: 0 } },
  }));
  const score = { home: count, away: 0 };
  return {
    ...match,
    score,
    period_scores: [{ period: '1H', ...score }],
    incidents: [...(match.incidents ?? []), ...goals],
  };
}

if (!canRunNginx()) {
  console.error('nginx is not installed (Debian: apt-get install nginx)');
  process.exit(1);
}
const stage = await openStage({
  PUBLIC_SITE: '1',
  BASE_URL: 'http://edge.example.com',
  TRUSTED_PROXIES: '127.0.0.1',
  WEATHER_URL: 'off',
});
const [api, ingest] = [await stage.startApi(), await stage.startRole('ingest')];
const [port, feedPort] = [await api.call('port'), await ingest.call('port')];
const nginx = await startNginx({ api: [port], ingest: [feedPort], stream: [port] }, { isCaching: true });

/** When each match's goals were fed, in ms of performance.now(): the n-th time belongs to the score n:0. */
const fedAt: number[][] = Array.from({ length: MATCHES }, () => []);
const matches = await Promise.all(fedAt.map((_, index) => liveMatch(index)));

async function feed(match: Match): Promise<void> {
  const update = { schema: 1, kind: 'match', provider: 'edge', observed_at: new Date().toISOString(), match };
  const reply = await fetch(`http://127.0.0.1:${feedPort}/feed/v1/updates`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stage.env.FEED_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
    body: `${JSON.stringify(update)}\n`,
  });
  const text = await reply.text();
  if (reply.status !== 200 || (JSON.parse(text) as { accepted: number }).accepted !== 1) throw new Error(text);
}

async function feedGoal(index: number): Promise<void> {
  await feed(withGoals(matches[index]!, fedAt[index]!.length + 1));
  // The service has answered, so from now on every page should show the goal.
  fedAt[index]!.push(performance.now());
}

for (const match of matches) await feed(withGoals(match, 0));
const { rows } = await stage.stores.pool.query<{ id: number; name: string }>(
  "SELECT m.id, p.name FROM match m JOIN participant p ON p.id = m.home_id WHERE p.name LIKE 'Home %'",
);
const ids = matches.map((_, index) => rows.find(({ name }) => name === `Home ${index}`)!.id);

const agent = new Agent({ keepAlive: true, maxSockets: READERS });
let total = 0;
let reached = 0;
let isMeasuring = false;
let latest = 0;
const statuses = new Map<string, number>();

interface Reply {
  status: number;
  etag: string;
  text: string;
}

async function ask(path: string, headers: Record<string, string>): Promise<Reply> {
  const sent = request(nginx.url + path, { agent, headers });
  sent.end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const coding = reply.headers['content-encoding'];
  const plain = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  if (isMeasuring) {
    const cached = String(reply.headers['x-cache-status'] ?? '-');
    total += 1;
    if (cached !== 'HIT') reached += 1;
    const what = `${reply.statusCode} ${cached}`;
    statuses.set(what, (statuses.get(what) ?? 0) + 1);
  }
  return { status: reply.statusCode!, etag: String(reply.headers.etag), text: plain.toString() };
}

/** Returns the home side's score in each match that the page shows. */
function scoresIn(text: string): Map<number, number> {
  const scores = new Map<number, number>();
  for (const [index, id] of ids.entries()) {
    const shown = new RegExp(
      `data-match="${id}"[^]*?(?:class="score" data-side="home"|data-side="home"[^]*?class="score")[^>]*>(\\d+)<`,
    );
    const found = shown.exec(text);
    if (found !== null) scores.set(index, Number(found[1]));
  }
  return scores;
}

/** Compares the page that a reader has just received with what had been fed. */
function judge(scores: ReadonlyMap<number, number>): void {
  if (scores.size === 0) throw new Error('a page shows no score');
  for (const [index, score] of scores) {
    const missing = fedAt[index]![score];
    if (missing !== undefined && isMeasuring) latest = Math.max(latest, performance.now() - missing);
  }
}

const some = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

async function read(number: number, until: number): Promise<void> {
  const index = number % MATCHES;
  const isFront = number % FRONT_PAGE_EVERY === 0;
  const path = isFront ? '/' : `/match/${ids[index]}`;
  const headers: Record<string, string> = {
    Host: 'edge.example.com',
    'Accept-Encoding': some(CODINGS, number % 50 === 0 ? 2 : number % 2),
    'Accept-Language': number % 3 === 0 ? some(RUSSIAN, number) : some(ENGLISH, number),
    'X-Forwarded-For': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    ...(number % PERSONAL_EVERY === 0 && { Cookie: 'touchline_lang=en' }),
  };
  // Readers come over the first seconds.
  await sleep(Math.random() * RELOAD_MS);
  let page = await ask(path, headers);
  let scores = scoresIn(page.text);
  judge(scores);
  const own = new URL(path, nginx.url);
  const files = [...page.text.matchAll(/(?:href|src)="([^"#?]*(?:assets|sides)\/[^"#]*)"/g)].map(
    ([, address]) => new URL(address!, own),
  );
  await Promise.all([...new Set(files.map(({ pathname }) => pathname))].map((file) => ask(file, headers)));
  // The page's script stores the zone, and other software its own cookies.
  headers.Cookie = [headers.Cookie, `touchline_tz=${some(ZONES, number)}`, `_ga=GA1.1.${number}`]
    .filter(Boolean)
    .join('; ');
  while (performance.now() < until) {
    await sleep(RELOAD_MS * (0.5 + Math.random()));
    const next = await ask(path, { ...headers, 'If-None-Match': page.etag });
    if (next.status === 200) {
      page = next;
      scores = scoresIn(page.text);
    } else if (next.status !== 304) throw new Error(`${path} answered ${next.status}`);
    judge(scores);
  }
}

// Renders each page and file once, since the first request for a page is not about a cache.
for (const id of ids) await ask(`/match/${id}`, { Host: 'edge.example.com' });
isMeasuring = true;
const before = await api.call('usage');
const end = performance.now() + SECONDS * 1_000;
const feeding = (async () => {
  for (let number = 0; performance.now() < end; number += 1) {
    await feedGoal(number % MATCHES);
    await sleep(GOAL_EVERY_MS);
  }
})();
await Promise.all([feeding, ...Array.from({ length: READERS }, (_, number) => read(number, end))]);
isMeasuring = false;
const after = await api.call('usage');

const share = 1 - reached / total;
line(
  `${READERS} readers`,
  `${total} requests in ${SECONDS} s, ${reached} reached the service, ${fedAt.flat().length} goals`,
);
line(
  'replies',
  [...statuses]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', '),
);
line('role api', `${(((after.cpuUs - before.cpuUs) / (after.at - before.at)) * 100).toFixed(0)} % of a core`);
printRow({
  path: 'edge, answered by the cache',
  ours: `${(share * 100).toFixed(1)} %`,
  bound: `goal ${FROM_CACHE * 100} %`,
  ratio: share / FROM_CACHE,
  goal: 1,
  isRate: true,
});
printFigure('edge, goal visible, longest', { value: latest / 1_000, goal: VISIBLE_WITHIN_S, unit: ' s', digits: 2 });
agent.destroy();
await nginx.close();
await stage.close();
process.exit(0);
