/**
 * Writes src/examples.json, with the reply of each documented route on the sample catalogue. With `--check`, compares
 * the file instead of writing it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { allRoutes } from '../../src/all-roles.ts';
import type { Example } from '../../src/http/openapi.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import type { FeedUpdateInput } from '../../src/wire/feed-update.ts';
import { type SampleService, startSampleService } from './sample-service.ts';

const FILE = new URL('../../src/examples.json', import.meta.url);
/** Maximum number of items shown in a list. Longer lists in a reply are cut. */
const SHOWN_ITEMS = 3;

const UPDATE: FeedUpdateInput = {
  schema: 1,
  kind: 'match',
  provider: 'acme',
  observed_at: '2026-03-01T11:59:58Z',
  match: {
    id: 'm-4711',
    sport: 'football',
    tournament: { id: 't-17', name: 'Premier League', country: 'GB-ENG' },
    season: { label: '2025/26' },
    home: { id: 'c-1', name: 'Arsenal', country: 'GB-ENG' },
    away: { id: 'c-2', name: 'Everton', country: 'GB-ENG' },
    scheduled_start: '2026-03-01T11:30:00Z',
    status: 'live',
    status_detail: 'in_play',
    minute: 23,
    score: { home: 1, away: 0 },
    incidents: [
      {
        id: 'i-1',
        kind: 'goal',
        minute: 23,
        period: '1H',
        side: 'home',
        player: { id: 'p-7', name: 'Bukayo Saka', birth_date: '2001-09-05' },
        payload: { goal_type: 'regular', score: { home: 1, away: 0 } },
      },
    ],
  },
};

/** Fixed cursors for the example of sync. The real ones depend on how far the relay was while the sample was loaded. */
const SYNC_CURSORS = { next_cursor: 'WzEsImxLaWlsTG5UdWR4bSIsMSwxMzMsMTcsZmFsc2Vd.N9LTfpn8', stream_cursor: 17 };

/** Fixed counts for the example of usage, which is stored only every few seconds. */
const USED = { not_modified: 0, rejected: 0 };
const USAGE = {
  windows: [
    { name: 'burst', limit: 20, used: null, remaining: null, resets_at: null },
    { name: 'day', limit: 500_000, used: 1_204, remaining: 498_796, resets_at: '2026-03-02T00:00:00Z' },
  ],
  totals: { requests: 1_260, billable: 1_204, not_modified: 56, rejected: 0 },
  count: 3,
  usage: [
    { endpoint: '/v1/event/{id}', status: 200, requests: 1_198, billable: 1_198, ...USED },
    { endpoint: '/v1/event/{id}', status: 304, requests: 56, billable: 0, not_modified: 56, rejected: 0 },
    { endpoint: '/v1/events', status: 200, requests: 6, billable: 6, ...USED },
  ],
  activity: [
    { day: '2026-03-01', streams_peak: 2, events_delivered: 3_117, webhook_attempts: 41, webhook_deliveries: 41 },
  ],
};
/** Replies in which some parts differ between runs. */
const FIXED: Readonly<Record<string, JsonObject>> = { '/v1/sync': SYNC_CURSORS, '/v1/account/usage': USAGE };

/** Routes that would ask other services. Their replies are those of other routes. */
const LIKE: Readonly<Record<string, string>> = {
  'POST /v1/account/single-sign-on/verify': 'GET /v1/account/single-sign-on',
};
/** Routes that need a second person, or end the session with which the examples are made. */
const WITHOUT_EXAMPLE = new Set([
  'DELETE /v1/account',
  'POST /v1/account/leave',
  'POST /v1/account/organisations',
  'POST /v1/account/ownership-offer',
  'POST /v1/account/ownership-offer/answer',
  'DELETE /v1/account/ownership-offer',
]);

/**
 * Whether an example shows a route's reply. It does for JSON and events, except for the API document, pages and
 * pictures.
 */
export const isShown = ({ method, response, undocumented, path }: AnyRoute): boolean =>
  undocumented !== true &&
  !WITHOUT_EXAMPLE.has(`${method} ${path}`) &&
  path !== '/v1/openapi.json' &&
  (!('contentType' in response) || /\b(?:json|event-stream)/.test(response.contentType));

/** Shortens the lists in a body to their first items. */
function abridged(body: JsonObject): JsonObject {
  const cut = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, SHOWN_ITEMS) : value,
  ]);
  const short = Object.fromEntries(cut) as JsonObject;
  const [list] = Object.values(short).filter(Array.isArray);
  return 'count' in body && list !== undefined ? { ...short, count: list.length } : short;
}

/** Returns a stream's head and first event. */
const firstFrames = (url: string, key: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'X-API-Key': key }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const end = text.indexOf('\n\n', text.indexOf('event: '));
        if (!text.includes('event: ') || end === -1) return;
        resolve(text.slice(0, end + 2));
        request.destroy();
      });
    }).on('error', reject);
  });

/** Returns the first two messages. */
const firstMessages = (url: string, key: string): Promise<Json> =>
  new Promise((resolve, reject) => {
    const frames: Json[] = [];
    const socket = new WebSocket(url.replace('http:', 'ws:'), { headers: { 'X-API-Key': key } });
    socket.on('error', reject).on('message', (data) => {
      frames.push(JSON.parse(String(data)) as Json);
      if (frames.length < 2) return;
      resolve(frames.slice(0, 2));
      socket.terminate();
    });
  });

/** Webhook URL for the example. The sample's real URL is on this machine. */
const RECEIVER = 'https://example.com/hooks/touchline';

/** Masks texts that differ between runs. */
const masked = (text: string) =>
  text
    .replace(/(?<="[sp]k_live_)[0-9A-Za-z]{38}(?=")/g, '…')
    .replace(/(?<="link":")[^"]+/g, 'https://touchline.example.com/account/join?token=il_live_…')
    .replace(/(?<="whsec_)[^"]+(?=")/g, '…')
    .replace(/(?<="prefix":")[sp]k_live_\w+/g, 'sk_live_4mA9')
    .replace(/(?<="last_four":")\w+/g, 'x7Qz')
    .replace(/(?<="reply":")[\w-]{43}(?=")/g, '…')
    .replace(/(?<="duration_ms":)\d+/g, '31')
    .replace(/(?<="last_used_at":)null/g, '"2026-03-01T12:00:00Z"')
    .replace(/(?<="last_used_from":)null/g, '"127.0.0.1"');

async function ask(service: SampleService, route: AnyRoute, request: string): Promise<Json> {
  const body = route.rawBody === undefined ? route.exampleBody : [UPDATE];
  const sent = JSON.stringify(body)?.replaceAll(RECEIVER, service.receiverUrl);
  const response = await fetch(service.url + request, {
    method: route.method,
    headers: { ...service.credentialsOf(route), ...(body && { 'Content-Type': 'application/json' }) },
    ...(sent && { body: sent }),
  });
  const text = masked(await response.text())
    .replaceAll(service.receiverUrl, RECEIVER)
    .replaceAll(service.url, 'https://touchline.example.com');
  if (response.status === 204) return null;
  if (response.ok) {
    const shown = abridged(JSON.parse(text) as JsonObject);
    return { ...shown, ...FIXED[route.path] };
  }
  throw new Error(
    `${route.method} ${request} is answered with ${response.status}: set \`example\` of the route\n${text}`,
  );
}

async function exampleOf(service: SampleService, route: AnyRoute): Promise<Example> {
  const request = service.targetOf(route);
  const { url, key } = service;
  if (route.upgrade !== undefined) return { request, response: await firstMessages(url + request, key) };
  if (route.isStream) return { request, response: await firstFrames(url + request, key) };
  const response = await ask(service, route, request);
  const requestBody = route.rawBody && {
    'application/json': [UPDATE] as unknown as Json,
    'application/x-ndjson': `${JSON.stringify(UPDATE)}\n`,
  };
  return { request, ...(requestBody && { requestBody }), response };
}

async function examples(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-examples-'));
  const service = await startSampleService({ DATA_DIR: folder });
  try {
    const shown: Record<string, Example> = {};
    // Reads come before writes, so that they show only the sample. Feed routes come last, and feed reads show the feed's writes.
    const order = ({ method, access }: AnyRoute) => {
      if (access === 'feed') return method === 'GET' ? 4 : 3;
      return method === 'GET' ? 0 : method === 'DELETE' ? 2 : 1;
    };
    for (const route of allRoutes.filter(isShown).sort((a, b) => order(a) - order(b))) {
      const name = `${route.method} ${route.path}`;
      const other = shown[LIKE[name] ?? ''];
      shown[name] =
        other === undefined ? await exampleOf(service, route) : { ...other, request: service.targetOf(route) };
    }
    return `${JSON.stringify(shown, null, 2)}\n`;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Number of attempts for the check. On a busy machine, the service's background work may change a reply between two
 * requests.
 */
const ATTEMPTS = 3;

/** Whether the file has the routes' current replies. */
async function isCurrent(): Promise<boolean> {
  const stored = readFileSync(FILE, 'utf8');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const text = await examples();
    if (text === stored) return true;
    const [lines, expected] = [text, stored].map((one) => one.split('\n'));
    const at = lines!.findIndex((line, index) => line !== expected![index]);
    console.error(`src/examples.json:${at + 1}: ${expected![at]?.trim()}; the route answers ${lines![at]?.trim()}`);
  }
  return false;
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--check')) writeFileSync(FILE, await examples());
  else if (!(await isCurrent())) {
    console.error('src/examples.json does not show what the routes answer: run `make generated`');
    process.exitCode = 1;
  }
  // Exits, because the embedded engine's threads keep running.
  process.exit();
}
