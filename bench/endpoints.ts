/**
 * Measures each endpoint's latency (p50 and p99) on an imported catalogue, with four clients. Each address is requested only once. DATA_DIR
 * is the data folder, after `make import-open-data`. REQUESTS=… is the number of requests for each line of the table, CLIENTS=… is the
 * number of clients, SLOWEST=… lists each line's slowest requests, and ONLY=… is a list of parts of the lines' names, such as `page ,sync`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OPEN_PLANS } from './plans.ts';
import { printFigure, verdict } from './report.ts';

const CLIENTS = Number(process.env.CLIENTS ?? 4);
const REQUESTS = Number(process.env.REQUESTS ?? 300);
/** How many of each line's slowest requests to list. */
const SLOWEST = Number(process.env.SLOWEST ?? 0);
/** Number of requests before the measurement. */
const WARM_UP = 20;
/** Goals from the project's issue, in ms. A line may have a p99 goal of its own, and a goal for p50. */
const GOAL_P99_MS = 50;
const GOALS_P99_MS: Readonly<Record<string, number>> = {
  '/v1/search': 25,
  '/v1/map of a register': 10,
  '/v1/resolve, 1 id': 10,
  '/v1/resolve, 1 name': 10,
};
const GOALS_P50_MS: Readonly<Record<string, number>> = {
  '/v1/events?offset=100000': 30,
  '/v1/tournaments?limit=100': 10,
};

interface Ready {
  url: string;
  key: string;
  matches: number[];
  tournaments: number[];
  participants: number[];
  players: number[];
  names: string[];
  venues: number[];
  referees: number[];
  coaches: number[];
  days: string[];
  /** Ids of teams at Wikidata; empty without an imported register. */
  registerIds: string[];
}

/** A path to request, or one to which a body is posted. */
type Asked = string | { path: string; body: object };
/** Lines of the table, by path in the API document. A line returns the n-th address to request. */
type Line = (ready: Ready, n: number) => Asked;
const of = (list: readonly (number | string)[], n: number) => encodeURIComponent(list[n % list.length]!);
const event =
  (tail: string): Line =>
  (ready, n) =>
    `/v1/event/${of(ready.matches, n)}${tail}`;
const tournament =
  (tail: string): Line =>
  (ready, n) =>
    `/v1/tournament/${of(ready.tournaments, n)}${tail}`;
const participant =
  (tail: string): Line =>
  (ready, n) =>
    `/v1/participant/${of(ready.participants, n)}${tail}`;
const posted = (rows: readonly object[]): Asked => ({ path: '/v1/resolve', body: { rows } });
const same =
  (path: string): Line =>
  (_, n) =>
    `${path}${path.includes('?') ? '&' : '?'}n=${n}`;
const LINES: Readonly<Record<string, Readonly<Record<string, Line>>>> = {
  '/v1/events': {
    '/v1/events': (_, n) => `/v1/events?offset=${n}`,
    '/v1/events?offset=100000': (_, n) => `/v1/events?offset=${100_000 + n}`,
    '/v1/events?status&sport&offset': (_, n) => `/v1/events?status=finished&sport=football&offset=${50_000 + n}`,
    '/v1/events?date': ({ days }, n) => `/v1/events?date=${of(days, n)}&n=${n}`,
    '/v1/events?date&top': ({ days }, n) => `/v1/events?date=${of(days, n)}&top=true&offset=${n % 3}`,
    '/v1/events?tournament': ({ tournaments }, n) => `/v1/events?tournament=${of(tournaments, n)}&offset=${n % 50}`,
    '/v1/events?participant': ({ participants }, n) => `/v1/events?participant=${of(participants, n)}`,
    '/v1/events?min_importance': (_, n) => `/v1/events?min_importance=50&offset=${n}`,
    '/v1/events?limit=1000': (_, n) => `/v1/events?limit=1000&offset=${n * 100}`,
  },
  '/v1/events/live': { '/v1/events/live': same('/v1/events/live') },
  '/v1/event/{id}': { '/v1/event/{id}': event('') },
  '/v1/event/{id}/analytics': { '/v1/event/{id}/analytics': event('/analytics') },
  '/v1/event/{id}/probabilities': { '/v1/event/{id}/probabilities': event('/probabilities') },
  '/v1/event/{id}/weather': { '/v1/event/{id}/weather': event('/weather') },
  '/v1/event/{id}/odds/history': { '/v1/event/{id}/odds/history': event('/odds/history') },
  '/v1/tournaments': {
    '/v1/tournaments?limit=100': (_, n) => `/v1/tournaments?limit=100&offset=${n % 100}`,
    '/v1/tournaments?q': ({ names }, n) => `/v1/tournaments?q=${of(names, n)}`,
  },
  '/v1/tournament/{id}': { '/v1/tournament/{id}': tournament('') },
  '/v1/tournament/{id}/seasons': { '/v1/tournament/{id}/seasons': tournament('/seasons') },
  '/v1/tournament/{id}/standings': {
    '/v1/tournament/{id}/standings': tournament('/standings'),
    '/v1/tournament/{id}/standings?date': ({ tournaments, days }, n) => `/v1/tournament/${of(tournaments, n)}/standings?date=${of(days, n)}`,
  },
  '/v1/tournament/{id}/standings/history': { '/v1/tournament/{id}/standings/history': tournament('/standings/history') },
  '/v1/tournament/{id}/scorers': { '/v1/tournament/{id}/scorers': tournament('/scorers') },
  '/v1/tournament/{id}/bracket': { '/v1/tournament/{id}/bracket': tournament('/bracket') },
  '/v1/tournament/{id}/outlook': { '/v1/tournament/{id}/outlook': tournament('/outlook') },
  '/v1/tournament/{id}/profile': { '/v1/tournament/{id}/profile': tournament('/profile') },
  '/v1/participant/{id}': {
    '/v1/participant/{id}': participant(''),
    '/v1/participant/{id} of a player': ({ players }, n) => `/v1/participant/${of(players, n)}`,
  },
  '/v1/participant/{id}/events': { '/v1/participant/{id}/events': participant('/events?when=past') },
  '/v1/participant/{id}/transfers': {
    '/v1/participant/{id}/transfers': participant('/transfers'),
    '/v1/participant/{id}/transfers of a player': ({ players }, n) => `/v1/participant/${of(players, n)}/transfers`,
  },
  '/v1/participant/{id}/trends': { '/v1/participant/{id}/trends': participant('/trends') },
  '/v1/participant/{id}/image': { '/v1/participant/{id}/image': participant('/image') },
  '/v1/participants/search': {
    '/v1/participants/search': ({ names }, n) => `/v1/participants/search?q=${of(names, n)}`,
  },
  '/v1/participant/{id}/statistics': { '/v1/participant/{id}/statistics': participant('/statistics') },
  '/v1/participant/{id}/squad': { '/v1/participant/{id}/squad': participant('/squad') },
  '/v1/participant/{id}/missing': { '/v1/participant/{id}/missing': participant('/missing') },
  '/v1/participant/{id}/rating': { '/v1/participant/{id}/rating': participant('/rating') },
  '/v1/participants': { '/v1/participants?ids': ({ participants }, n) => `/v1/participants?ids=${of(participants, n)}` },
  '/v1/tournament/{id}/missing': { '/v1/tournament/{id}/missing': tournament('/missing') },
  '/v1/odds': { '/v1/odds': ({ days }, n) => `/v1/odds?date=${of(days, n)}&market=1X2&limit=${50 + (n % 50)}` },
  '/v1/tv': { '/v1/tv': ({ days }, n) => `/v1/tv?date=${of(days, n)}&limit=${50 + (n % 50)}` },
  '/v1/tournament/{id}/leaders': { '/v1/tournament/{id}/leaders': tournament('/leaders') },
  '/v1/tournament/{id}/rounds': { '/v1/tournament/{id}/rounds': tournament('/rounds') },
  '/v1/venues': {
    '/v1/venues': (_, n) => `/v1/venues?offset=${n}`,
    '/v1/venues?q': ({ names }, n) => `/v1/venues?q=${of(names, n)}`,
  },
  '/v1/venue/{id}': { '/v1/venue/{id}': ({ venues }, n) => `/v1/venue/${of(venues, n)}` },
  '/v1/referees': {
    '/v1/referees': (_, n) => `/v1/referees?offset=${n}`,
    '/v1/referees?q': ({ names }, n) => `/v1/referees?q=${of(names, n)}`,
  },
  '/v1/referee/{id}': { '/v1/referee/{id}': ({ referees }, n) => `/v1/referee/${of(referees, n)}` },
  '/v1/coaches': {
    '/v1/coaches': (_, n) => `/v1/coaches?offset=${n}`,
    '/v1/coaches?q': ({ names }, n) => `/v1/coaches?q=${of(names, n)}`,
  },
  '/v1/coach/{id}': { '/v1/coach/{id}': ({ coaches }, n) => `/v1/coach/${of(coaches, n)}` },
  '/v1/search': { '/v1/search': ({ names }, n) => `/v1/search?q=${of(names, n)}` },
  '/v1/h2h': { '/v1/h2h': ({ participants }, n) => `/v1/h2h?participants=${of(participants, n)},${of(participants, n + 1)}` },
  '/v1/map': {
    '/v1/map': (_, n) => `/v1/map?provider=openfootball&type=match&ids=${n}`,
    '/v1/map of a register': ({ registerIds }, n) => `/v1/map?provider=wikidata&type=team&ids=${of(registerIds, n)}`,
  },
  '/v1/resolve': {
    '/v1/resolve, 1 id': ({ registerIds }, n) =>
      posted([{ type: 'team', provider: 'wikidata', external_id: registerIds[n % registerIds.length] }]),
    '/v1/resolve, 1 name': ({ names }, n) => posted([{ type: 'team', name: names[n % names.length] }]),
    '/v1/resolve, 500 names': ({ names }, n) =>
      posted(names.slice(n % 1_000, (n % 1_000) + 500).map((name) => ({ type: 'player', name }))),
  },
  '/v1/external-ids': { '/v1/external-ids': ({ matches }, n) => `/v1/external-ids?provider=openfootball&type=match&ids=${of(matches, n)}` },
  '/v1/rankings': { '/v1/rankings': (_, n) => `/v1/rankings?kind=elo_clubs&limit=100&offset=${n % 200}` },
  '/v1/countries': { '/v1/countries': same('/v1/countries') },
  '/v1/sports': { '/v1/sports': same('/v1/sports') },
  '/v1/reference/event-types': { '/v1/reference/event-types': same('/v1/reference/event-types') },
  '/v1/reference/incident-kinds': { '/v1/reference/incident-kinds': same('/v1/reference/incident-kinds') },
  '/v1/reference/statuses': { '/v1/reference/statuses': same('/v1/reference/statuses') },
  '/v1/sync': { '/v1/sync': ({ tournaments }, n) => `/v1/sync?tournament=${of(tournaments, n)}&limit=${100 + (n % 50)}` },
  '/widget/standings': { '/widget/standings': ({ tournaments }, n) => `/widget/standings?tournament=${of(tournaments, n)}&n=${n}` },
  '/widget/trends': { '/widget/trends': ({ tournaments }, n) => `/widget/trends?tournament=${of(tournaments, n)}&n=${n}` },
  '/widget/live': { '/widget/live': same('/widget/live') },
  '/widget/match': { '/widget/match': ({ matches }, n) => `/widget/match?event=${of(matches, n)}&n=${n}` },
  '/widget/fixtures': { '/widget/fixtures': ({ tournaments }, n) => `/widget/fixtures?tournament=${of(tournaments, n)}&n=${n}` },
  '/docs/leagues.html': { '/docs/leagues.html': same('/docs/leagues.html') },
}; // biome-ignore format: a table
/** Pages for readers. First, each address is requested once, then one address again and again. */
const PAGES: Readonly<Record<string, Line>> = {
  '/': ({ days }, n) => `/?date=${of(days, n)}`,
  '/match/{id}': ({ matches }, n) => `/match/${of(matches, n)}`,
  '/tournament/{id}': ({ tournaments }, n) => `/tournament/${of(tournaments, n)}?stat=${n % 2 ? 'goals' : 'assists'}`,
  '/team/{id}': ({ participants }, n) => `/team/${of(participants, n)}`,
  '/player/{id}': ({ players }, n) => `/player/${of(players, n)}`,
  '/venue/{id}': ({ venues }, n) => `/venue/${of(venues, n)}`,
  '/referee/{id}': ({ referees }, n) => `/referee/${of(referees, n)}`,
  '/coach/{id}': ({ coaches }, n) => `/coach/${of(coaches, n)}`,
  '/rankings': (_, n) => `/rankings?kind=elo_clubs&page=${(n % 20) + 1}`,
  '/search': ({ names }, n) => `/search?q=${of(names, n)}`,
  '/leagues': ({ names }, n) => `/leagues?q=${encodeURIComponent([...names[n % names.length]!].slice(0, 3).join(''))}`,
};
/** Goals at p99, in ms. A page may have one of its own for `cold`. */
const PAGE_GOALS_MS = { cold: 100, hot: 20 };
const COLD_PAGE_GOALS_MS: Readonly<Record<string, number>> = {
  '/': 20,
  '/match/{id}': 80,
  '/tournament/{id}': 80,
  '/leagues': 80,
  '/team/{id}': 80,
  '/player/{id}': 80,
};

/** Paths that are not measured: streams, and endpoints that do not read the catalogue. */
const LEFT_OUT =
  /^\/v1\/stream|^\/v1\/(openapi|asyncapi)|^\/docs$|^\/docs\/(models|assets|guides)|^\/assets|\.(css|svg)$|^\/feed|^\/v1\/account/;

async function service(): Promise<void> {
  const [{ pino }, { readRoleConfig, serve }, { createKey }, { systemClock }] = await Promise.all([
    import('pino'),
    import('../src/main.ts'),
    import('../test/support/accounts.ts'),
    import('../src/runtime/clock.ts'),
  ]);
  const env = {
    PLANS: OPEN_PLANS,
    DATA_DIR: process.env.DATA_DIR,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const started = new Date().toISOString();
  const running = await serve(await readRoleConfig(env, 'all'), pino({ level: 'warn' }, pino.destination(2)), {
    role: 'all',
  });
  const { pool } = running.deps;
  const { key } = await createKey(pool, systemClock, { email: 'bench@touchline.invalid', plan: 'business' });
  const list = async <T>(sql: string) => (await pool.query<{ value: T }>(sql)).rows.map(({ value }) => value);
  // Waits for the background work that follows an import or a start: autovacuum, the loader, coverage, season figures, player links.
  await pool.query('VACUUM (ANALYZE)');
  const settled = () =>
    list<boolean>(
      `SELECT caught_up_at IS NOT NULL AND measured_cursor >= change_seq AND NOT EXISTS (
         SELECT FROM season_team u LEFT JOIN team_figures f USING (season_id, team_id) WHERE f.revision IS DISTINCT FROM u.revision
       ) AND EXISTS (SELECT FROM job WHERE name = 'player_links' AND succeeded_at > '${started}') AS value FROM analytics_loader, coverage_refresh, relay`,
    );
  while (!(await settled())[0]) await new Promise((resolve) => setTimeout(resolve, 500));
  const end = async () => {
    await running.stop();
    process.exit(0);
  };
  process.once('message', end).once('disconnect', end);
  process.send!({
    url: running.address!,
    key,
    matches: await list('SELECT id AS value FROM match ORDER BY hashint8(id) LIMIT 2000'),
    tournaments: await list('SELECT tournament_id AS value FROM season GROUP BY 1 ORDER BY hashint8(tournament_id)'),
    participants: await list(
      "SELECT home_id AS value FROM (SELECT DISTINCT home_id FROM match) side JOIN participant p ON p.id = home_id AND p.type = 'team' ORDER BY hashint8(home_id) LIMIT 2000",
    ),
    players: await list(
      'SELECT id AS value FROM (SELECT DISTINCT participant_id AS id FROM match_player WHERE participant_id IS NOT NULL) p ORDER BY hashint8(id) LIMIT 2000',
    ),
    // The most matches first, since these take the longest.
    venues: await list(
      'SELECT venue_id AS value FROM match WHERE venue_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 2000',
    ),
    referees: await list(
      `SELECT coalesce(person_id, id) AS value FROM match_staff s JOIN participant p ON p.id = s.participant_id
       WHERE role = 'referee' GROUP BY 1 ORDER BY count(*) DESC LIMIT 2000`,
    ),
    coaches: await list(
      `SELECT coalesce(person_id, id) AS value FROM match_staff s JOIN participant p ON p.id = s.participant_id
       WHERE role = 'coach' GROUP BY 1 ORDER BY count(*) DESC LIMIT 2000`,
    ),
    names: await list('SELECT name AS value FROM participant ORDER BY hashint8(id) LIMIT 2000'),
    days: await list(
      `SELECT day::text AS value FROM (SELECT DISTINCT (scheduled_start AT TIME ZONE 'UTC')::date AS day FROM match) d ORDER BY hashtext(day::text) LIMIT 2000`,
    ),
    registerIds: await list(
      "SELECT external_id AS value FROM external_ref WHERE provider = 'wikidata' AND entity = 'team' ORDER BY hashtext(external_id) LIMIT 2000",
    ),
  } satisfies Ready);
}

/** How long to wait after a refused request. */
const PAUSE_MS = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** @returns null if the service refuses the request for now, because it limits how many pages it renders per second */
function ask({ url, key }: Ready, asked: Asked): Promise<string | null> {
  const { path, body } = typeof asked === 'string' ? { path: asked, body: null } : asked;
  return new Promise((resolve, reject) => {
    // Requests appear to come from many client addresses, because each address is limited on pages without a key.
    const from = `10.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
    const headers = { 'X-API-Key': key, 'X-Forwarded-For': from, 'Content-Type': 'application/json' };
    const sent = request(url + path, { agent, headers, method: body === null ? 'GET' : 'POST' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else if (response.statusCode === 429) resolve(null);
        else reject(new Error(`${path}: ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.once('error', reject).end(body === null ? undefined : JSON.stringify(body));
  });
}

async function measured(ready: Ready, line: Line): Promise<{ p50: number; p99: number }> {
  for (let n = REQUESTS; n < REQUESTS + WARM_UP; n++) await ask(ready, line(ready, n));
  const times: { path: string; ms: number }[] = [];
  let next = 0;
  const client = async () => {
    while (next < REQUESTS) {
      const asked = line(ready, next++);
      const path = typeof asked === 'string' ? asked : asked.path;
      let begun = performance.now();
      while ((await ask(ready, asked)) === null) {
        await sleep(PAUSE_MS);
        begun = performance.now();
      }
      times.push({ path, ms: performance.now() - begun });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  times.sort((a, b) => a.ms - b.ms);
  for (const { path, ms } of SLOWEST > 0 ? times.slice(-SLOWEST) : []) console.log(`  ${ms.toFixed(1)} ms ${path}`);
  const at = (share: number) => times[Math.floor(times.length * share)]!.ms;
  return { p50: at(0.5), p99: at(0.99) };
}

async function main(): Promise<void> {
  const started: ChildProcess = fork(fileURLToPath(import.meta.url), ['service'], {
    env: { UV_THREADPOOL_SIZE: '16', ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    started.once('message', (message) => resolve(message as Ready));
    started.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const document = JSON.parse((await ask(ready, '/v1/openapi.json'))!) as { paths: Record<string, { get?: unknown }> };
  const paths = Object.keys(document.paths).filter(
    (path) => (document.paths[path]!.get || LINES[path]) && !LEFT_OUT.test(path),
  );
  const missing = paths.filter((path) => LINES[path] === undefined);
  if (missing.length > 0) throw new Error(`no requests are known for ${missing.join(', ')}`);
  const report = (name: string, { p50, p99 }: { p50: number; p99: number }, goal: number) => {
    printFigure(
      `${name}, p99`,
      { value: p99, goal, unit: ' ms', digits: 1 },
      `p50 ${p50.toFixed(1)} ms${GOALS_P50_MS[name] === undefined ? '' : ` goal ${GOALS_P50_MS[name]} ${verdict(p50 <= GOALS_P50_MS[name])}`}`,
    );
  };
  const parts = (process.env.ONLY ?? '').split(',');
  const isWanted = (name: string) => parts.some((part) => name.includes(part));
  for (const [name, line] of Object.entries(PAGES).filter(([page]) => isWanted(`page ${page}`))) {
    report(`page ${name}, cold`, await measured(ready, line), COLD_PAGE_GOALS_MS[name] ?? PAGE_GOALS_MS.cold);
    report(`page ${name}, hot`, await measured(ready, (facts) => line(facts, 7)), PAGE_GOALS_MS.hot);
  }
  for (const [name, line] of paths.flatMap((path) => Object.entries(LINES[path]!)).filter(([one]) => isWanted(one)))
    report(name, await measured(ready, line), GOALS_P99_MS[name] ?? GOAL_P99_MS);
  agent.destroy();
  started.removeAllListeners('exit');
  const ended = new Promise((resolve) => started.once('exit', resolve));
  started.send('stop');
  await ended;
}

await (process.argv[2] === 'service' ? service() : main());
