/**
 * Cards and lists per second against a bare Koa server that returns the same bytes, each in a process of its own, in
 * one run. Hot: the same card repeatedly, with key check, quota hook and ETag. Cold: every request reads Postgres,
 * either the version only, to validate a cached reply, or, if the card was never read before, all of it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { load, stop } from './load.ts';
import { OPEN_PLANS } from './plans.ts';

/** The two servers take turns, so that other load on the machine falls on both. */
const ROUNDS = 5;
/** Bounds of the project's issue: hot and with every request reading Postgres. */
const HOT_GOAL = 0.5;
const COLD_GOAL = 0.25;

interface Ready {
  url: string;
  key: string;
  cards: number[];
  /** URL of its database. */
  database: string;
}

const self = fileURLToPath(import.meta.url);

function child(role: string, env: Record<string, string>): Promise<{ process: ChildProcess; ready: Ready }> {
  return new Promise((resolve, reject) => {
    const started = fork(self, [role], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.once('message', (ready) => resolve({ process: started, ready: ready as Ready }));
    started.once('exit', (code) => reject(new Error(`${role} ended with ${code}`)));
  });
}

async function bareServer(): Promise<void> {
  const { default: Koa } = await import('koa');
  const app = new Koa();
  const bodies = new Map<string, Buffer>();
  process.on('message', (message) => {
    if (message === 'stop') process.exit(0);
    const { path, body } = message as { path: string; body: string };
    bodies.set(path, Buffer.from(body));
    process.send!({ stored: path });
  });
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = bodies.get(ctx.url) ?? '{}';
  });
  const server = app.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    process.send!({ url, key: 'none', cards: [], database: '' });
  });
}

async function service(): Promise<void> {
  const [
    { pino },
    { readRoleConfig, serve },
    { createKey },
    { systemClock },
    { applyUpdates },
    { EntityCache },
    { sampleUpdates },
  ] = await Promise.all([
    import('pino'),
    import('../src/main.ts'),
    import('../test/support/accounts.ts'),
    import('../src/runtime/clock.ts'),
    import('../src/apply/apply.ts'),
    import('../src/identity/entities.ts'),
    import('../src/demo/league.ts'),
  ]);
  const config = await readRoleConfig(
    { PLANS: OPEN_PLANS, DATA_DIR: process.env.BENCH_DATA!, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' },
    'all',
  );
  const running = await serve(config, pino({ level: 'warn' }, pino.destination(2)), { role: 'all' });
  const { pool, changes } = running.deps;
  await applyUpdates(
    { pool, clock: systemClock, changes, entities: new EntityCache() },
    await sampleUpdates(Date.now()),
    { events: false },
  );
  const { key } = await createKey(pool, systemClock, { email: 'bench@touchline.invalid', plan: 'business' });
  const { rows } = await pool.query<{ id: number }>(
    'SELECT match_id AS id FROM match_block GROUP BY 1 ORDER BY sum(length(json)) DESC, 1 LIMIT 50',
  );
  process.on('message', async () => {
    await running.stop();
    process.exit(0);
  });
  const database = pool.options.connectionString!;
  process.send!({ url: running.address!, key, cards: rows.map((row) => row.id), database } satisfies Ready);
}

/** Tells the service, like another process, that matches have changed: long before the same request repeats. */
async function notify(database: string, matches: string) {
  const client = new pg.Client(database);
  await client.connect();
  let isStopped = false;
  const notifying = (async () => {
    while (!isStopped) {
      await client.query(`NOTIFY touchline_changes, 'bench:${matches}'`);
      await sleep(1);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await notifying;
      await client.end();
    },
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  chmodSync(folder, 0o755);
  const bare = await child('bare', {});
  const row = (name: string, ours: number, bound: number, goal: number) => {
    const ratio = ours / bound;
    console.log(
      `${name.padEnd(34)} ${ours.toFixed(0).padStart(7)}/s  bare Koa ${bound.toFixed(0).padStart(7)}/s  ratio ${ratio.toFixed(2)}  goal ${goal}  ${ratio >= goal ? 'met' : 'MISSED'}`,
    );
  };
  const run = async (state: string, changed: '' | 'each' | 'all', goal: number) => {
    const { process: started, ready } = await child('service', {
      BENCH_DATA: join(folder, 'data'),
    });
    const cold = changed !== '';
    const notices = cold ? await notify(ready.database, changed === 'all' ? 'all' : ready.cards.join(',')) : null;
    const cardPaths = cold ? ready.cards.map((id) => `/v1/event/${id}`) : [`/v1/event/${ready.cards[0]}`];
    const listPaths = cold
      ? Array.from({ length: 50 }, (_, index) => `/v1/events?limit=20&offset=${index}`)
      : ['/v1/events?limit=20'];
    for (const [name, paths] of [
      ['card', cardPaths],
      ['list of 20', listPaths],
    ] as const) {
      for (const path of paths) {
        const body = await (await fetch(ready.url + path, { headers: { 'X-API-Key': ready.key } })).text();
        bare.process.send({ path, body });
        await new Promise((resolve) => bare.process.once('message', resolve));
      }
      const rates = { bare: 0, ours: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.bare +=
          (await load(
            paths.map((path) => bare.ready.url + path),
            'none',
          )) / ROUNDS;
        rates.ours +=
          (await load(
            paths.map((path) => ready.url + path),
            ready.key,
          )) / ROUNDS;
      }
      row(`${name}, ${state}`, rates.ours, rates.bare, goal);
    }
    await notices?.stop();
    await stop(started);
  };
  try {
    await run('hot', '', HOT_GOAL);
    await run('every request reads Postgres', 'each', COLD_GOAL);
    await run('never read before', 'all', COLD_GOAL);
  } finally {
    await stop(bare.process);
    rmSync(folder, { recursive: true, force: true });
  }
}

const role = process.argv[2];
await (role === 'bare' ? bareServer() : role === 'service' ? service() : main());
