/**
 * Measures analytics on two generated histories in one run. It measures the latency of cards that the job keeps up to date, of cards that
 * are computed on request, and of cached cards; the same figures from Postgres; a rebuild against a plain insert; and how soon a result is
 * visible. The histories have SIZES=50000,5000000 matches. KEEP=folder keeps the generated data for the next run.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOW } from './analytics/generate.ts';
import { type Ready, runService } from './analytics/service.ts';

const [SMALL, LARGE] = (process.env.SIZES ?? '50000,5000000').split(',').map(Number) as [number, number];
/** Number of requests for each kind of reply and each number of clients. */
const REQUESTS = 600;
const CACHED_CARDS = 100;
const CACHED_MS = 3_000;
const CACHED_CLIENTS = 32;
const RESULTS = 100;
/** Goals from the project's issue. */
const GOAL_KEPT_P99_MS = { 1: 10, 4: 25 } as const;
const GOAL_P99_MS = { 1: 80, 4: 150 } as const;
const GOAL_P50_MS = 30;
const GOAL_GROWTH = 1.2;
const GOAL_FRESH_MS = 5_000;
const GOAL_CACHED = 3_000;
const GOAL_WHOLE = 10;
const GOAL_REBUILD = 0.3;
const GOAL_VISIBLE_MS = 2_000;

const self = fileURLToPath(import.meta.url);

interface Service {
  size: number;
  process: ChildProcess;
  ready: Ready;
  ask<T>(what: string): Promise<T>;
}

function startService(folder: string, size: number): Promise<Service> {
  const data = join(folder, String(size));
  mkdirSync(data, { recursive: true });
  return new Promise((resolve, reject) => {
    const started = fork(self, ['service'], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '16', BENCH_DATA: data, BENCH_MATCHES: String(size) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ask = <T>(what: string) =>
      new Promise<T>((answered) => {
        started.once('message', (message) => answered((message as { answer: T }).answer));
        started.send({ ask: what });
      });
    started.once('message', (ready) => resolve({ size, process: started, ready: ready as Ready, ask }));
    started.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

const stop = ({ process: one }: Service) =>
  new Promise<void>((resolve) => {
    one.removeAllListeners('exit');
    one.once('exit', () => resolve());
    one.send({ ask: 'stop' });
  });

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function ask(url: string, headers: Record<string, string>, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const get = ({ ready }: Service, path: string) => ask(ready.url + path, { 'X-API-Key': ready.key });

async function timesOf(service: Service, paths: readonly string[], clients: number): Promise<number[]> {
  const waiting = [...paths];
  const times: number[] = [];
  const client = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const begun = performance.now();
      await get(service, path);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
const met = (holds: boolean) => (holds ? 'met' : 'MISSED');

/** Paths that have not been requested yet. Each path is returned only once. */
class Paths {
  private next = 0;
  private readonly ready: Ready;
  constructor(ready: Ready) {
    this.ready = ready;
  }

  take(kind: 'card' | 'trends' | 'profile', count: number): string[] {
    return Array.from({ length: count }, () => {
      const n = this.next++;
      const { matches, sides, seasons } = this.ready;
      if (kind === 'card')
        return `/v1/event/${matches[n % matches.length]}/analytics?sample=${n < matches.length ? 'season' : 'window'}`;
      if (kind === 'trends')
        return `/v1/participant/${sides[n % sides.length]}/trends?last=${1 + (Math.floor(n / sides.length) % 50)}`;
      const { id, tournament_id } = seasons[n % seasons.length]!;
      return `/v1/tournament/${tournament_id}/profile?season=${id}`;
    });
  }
}

const ROUNDS = 4;

interface Figures {
  p50: number;
  p99: number;
}

/**
 * Measures both sizes alternately, so that background load on the machine affects both.
 * @param take returns paths for a size that have not been requested yet
 */
async function compare(
  name: string,
  services: readonly [Service, Service],
  take: (index: 0 | 1, count: number) => string[],
  goals: { clients: 1 | 4; count: number; p99: number; p50?: number },
): Promise<void> {
  const { clients, count } = goals;
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const index of [0, 1] as const)
      times[index].push(...(await timesOf(services[index], take(index, Math.floor(count / ROUNDS)), clients)));
  const [small, large] = times.map((all) => {
    const sorted = all.sort((a, b) => a - b);
    return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
  }) as [Figures, Figures];
  const show = ({ p50, p99 }: Figures) => `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)}`;
  const growth = large.p50 / small.p50;
  const isMet = Math.max(small.p99, large.p99) <= goals.p99 && large.p50 <= (goals.p50 ?? Number.POSITIVE_INFINITY);
  console.log(
    `${name}, ${clients} client${clients > 1 ? 's' : ' '}  ${LARGE}: ${show(large)} ms   ${SMALL}: ${show(small)} ms  goal p99 ${goals.p99}${goals.p50 ? `, p50 ${goals.p50}` : ''}  ${met(isMet)}   growth of p50 ${growth.toFixed(2)}  goal ${GOAL_GROWTH}  ${met(growth <= GOAL_GROWTH)}`,
  );
}

/** Measures analytics that the job keeps up to date, for matches, sides and leagues in the next days. */
async function kept(services: readonly [Service, Service]): Promise<void> {
  for (const service of services) {
    const { seconds, cards } = await service.ask<{ seconds: number; cards: number }>('warm');
    console.log(`${service.size}: ${cards} cards kept, computed in ${seconds.toFixed(1)} s by the job`);
  }
  const languages = (path: string) => [`${path}?lang=en`, `${path}?lang=ru`];
  const listPaths = ({ ready }: Service) => ({
    card: ready.fixtures.flatMap(({ id }) =>
      languages(`/v1/event/${id}/analytics`).flatMap((path) => [path, `${path}&explain=true`]),
    ),
    trends: ready.sides.flatMap((id) => languages(`/v1/participant/${id}/trends`)),
  });
  const paths = services.map(listPaths);
  for (const kind of ['card', 'trends'] as const) {
    const next: [number, number] = [0, 0];
    for (const clients of [1, 4] as const)
      await compare(
        `${kind.padEnd(8)} kept    `,
        services,
        // The small history has fewer paths than there are requests. Paths are repeated, but by then their replies are no longer cached.
        (index, count) => {
          const all = paths[index]![kind];
          return Array.from({ length: count }, () => all[next[index]++ % all.length]!);
        },
        { clients, count: REQUESTS, p99: GOAL_KEPT_P99_MS[clients] },
      );
  }
}

/** Measures analytics that are computed on request. */
async function uncached(services: readonly [Service, Service]): Promise<void> {
  for (const kind of ['card', 'trends', 'profile'] as const) {
    const paths = services.map(({ ready }) => new Paths(ready));
    const count = kind === 'profile' ? Math.min(REQUESTS, Math.floor(services[0].ready.seasons.length / 2)) : REQUESTS;
    for (const clients of [1, 4] as const)
      await compare(`${kind.padEnd(8)} computed`, services, (index, wanted) => paths[index]!.take(kind, wanted), {
        clients,
        count,
        p99: GOAL_P99_MS[clients],
        ...(clients === 1 && { p50: GOAL_P50_MS }),
      });
  }
}

/** Measures the time from when the feed has accepted the last result of a round until the league's last card is up to date. */
async function freshAfterRound(service: Service): Promise<void> {
  const { url, feedToken, fixtures } = service.ready;
  const league = fixtures[0]!;
  const round = fixtures.filter(({ tournament, round }) => tournament === league.tournament && round === league.round);
  const begun = performance.now();
  for (const { id, tournament, home, away, start } of round) {
    const match = {
      id: `result-${id}`,
      sport: 'football',
      tournament: { name: tournament, country: 'GB-ENG' },
      season: { label: '2025/26' },
      home: { name: home, country: 'GB-ENG' },
      away: { name: away, country: 'GB-ENG' },
      scheduled_start: start,
      status: 'finished',
      status_detail: 'ended',
      score: { home: 1, away: 0 },
    };
    await feed(url, feedToken, match);
  }
  const fed = performance.now();
  const { cards } = await service.ask<{ cards: number }>('fresh');
  const took = performance.now() - fed;
  console.log(
    `a round of ${round.length}, ${service.size}   fed in ${(fed - begun).toFixed(0)} ms, all ${cards} cards of the league fresh after ${took.toFixed(0)} ms  goal ${GOAL_FRESH_MS}  ${met(took <= GOAL_FRESH_MS)}`,
  );
}

const feed = (url: string, token: string, match: object) =>
  ask(
    `${url}/feed/v1/updates`,
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    JSON.stringify({ schema: 1, kind: 'match', provider: 'bench', observed_at: new Date(NOW).toISOString(), match }),
  );

async function cached(service: Service): Promise<void> {
  const paths = service.ready.matches.slice(0, CACHED_CARDS).map((id) => `/v1/event/${id}/analytics`);
  for (const path of paths) await get(service, path);
  const until = performance.now() + CACHED_MS;
  let count = 0;
  const client = async () => {
    while (performance.now() < until) {
      await get(service, paths[count++ % paths.length]!);
    }
  };
  await Promise.all(Array.from({ length: CACHED_CLIENTS }, client));
  const rate = (count / CACHED_MS) * 1_000;
  console.log(`card     cached              ${rate.toFixed(0)}/s  goal ${GOAL_CACHED}  ${met(rate >= GOAL_CACHED)}`);
}

/** Measures the time from when the feed has committed and accepted a result until a profile includes that match. */
async function visible(service: Service): Promise<void> {
  const { url, feedToken } = service.ready;
  const times: number[] = [];
  let profile = '';
  for (let n = 0; n < RESULTS; n += 1) {
    const match = {
      id: `new-${n}`,
      sport: 'football',
      tournament: { name: 'New league', country: 'GB-ENG' },
      season: { label: '2026' },
      home: { name: `New home ${n}`, country: 'GB-ENG' },
      away: { name: `New away ${n}`, country: 'GB-ENG' },
      scheduled_start: new Date(NOW - 3 * 3_600_000).toISOString(),
      status: 'finished',
      status_detail: 'ended',
      score: { home: 1, away: 0 },
    };
    await feed(url, feedToken, match);
    const begun = performance.now();
    if (profile === '') {
      const { tournaments } = JSON.parse(await get(service, '/v1/tournaments?q=New%20league')) as {
        tournaments: { id: number }[];
      };
      profile = `/v1/tournament/${tournaments[0]!.id}/profile`;
    }
    while ((JSON.parse(await get(service, profile)) as { matches: number }).matches <= n)
      await new Promise((resolve) => setTimeout(resolve, 5));
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const p99 = quantile(times, 0.99);
  console.log(
    `commit to visible            p50 ${quantile(times, 0.5).toFixed(0)} p99 ${p99.toFixed(0)} ms  goal ${GOAL_VISIBLE_MS}  ${met(p99 <= GOAL_VISIBLE_MS)}`,
  );
}

async function plainReads(services: readonly [Service, Service]): Promise<void> {
  for (const [name, pathOf] of [
    ['card', ({ matches }: Ready, n: number) => `/v1/event/${matches[n % matches.length]}`],
    [
      'list',
      ({ seasons }: Ready, n: number) =>
        `/v1/events?tournament=${seasons[n % seasons.length]!.tournament_id}&limit=20&offset=${n}`,
    ],
  ] as const) {
    const medians: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const index of [0, 1] as const) {
        const paths = Array.from({ length: 100 }, (_, n) => pathOf(services[index].ready, round * 100 + n));
        medians[index]!.push(quantile(await timesOf(services[index], paths, 1), 0.5));
      }
    const [small, large] = medians.map((all) => all.reduce((sum, one) => sum + one, 0) / ROUNDS) as [number, number];
    console.log(
      `${name} of Postgres, never read    ${SMALL}: ${small.toFixed(2)} ms  ${LARGE}: ${large.toFixed(2)} ms  ratio ${(large / small).toFixed(2)}`,
    );
  }
}

async function againstPostgres(service: Service): Promise<void> {
  const card = await service.ask<{ ours: number; postgres: number }>('card');
  console.log(
    `reads of a card, ${service.size}    ClickHouse ${card.ours.toFixed(1)} ms  Postgres ${card.postgres.toFixed(1)} ms  ratio ${(card.postgres / card.ours).toFixed(2)}`,
  );
  const whole = await service.ask<{ ours: number; postgres: number }>('whole');
  const ratio = whole.postgres / whole.ours;
  console.log(
    `whole history, ${service.size}    ClickHouse ${whole.ours.toFixed(1)} ms  Postgres ${whole.postgres.toFixed(1)} ms  ratio ${ratio.toFixed(1)}  goal ${GOAL_WHOLE}  ${met(ratio >= GOAL_WHOLE)}`,
  );
}

async function rebuilding(service: Service): Promise<void> {
  const { rebuilt, bare } = await service.ask<{ rebuilt: number; bare: number }>('rebuild');
  const ratio = rebuilt / bare;
  console.log(
    `rebuild, ${service.size}    ${rebuilt.toFixed(0)} matches/s  bare INSERT ${bare.toFixed(0)}/s  ratio ${ratio.toFixed(2)}  goal ${GOAL_REBUILD}  ${met(ratio >= GOAL_REBUILD)}`,
  );
}

async function main(): Promise<void> {
  const folder = process.env.KEEP ?? mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const services: Service[] = [];
  try {
    for (const size of [SMALL, LARGE]) {
      const service = await startService(folder, size);
      services.push(service);
      console.log(`${size} matches: first load ${service.ready.loadSeconds.toFixed(1)} s`);
    }
    const [small, large] = services as [Service, Service];
    await kept([small, large]);
    await uncached([small, large]);
    await freshAfterRound(small);
    await freshAfterRound(large);
    await cached(large);
    await plainReads([small, large]);
    await againstPostgres(large);
    await visible(large);
    await rebuilding(small);
    await rebuilding(large);
    const { rss } = await large.ask<{ rss: number }>('memory');
    console.log(`memory of the process with the embedded engine: ${Math.round(rss / 1e6)} MB`);
  } finally {
    for (const service of services) await stop(service);
    agent.destroy();
    if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'service' ? runService() : main());
