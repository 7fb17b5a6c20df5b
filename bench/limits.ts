/**
 * A hot card and a hot list with and without the limits of a plan, each in a process of its own, in turns in the same
 * run. Both check the key; with limits every request is charged to three windows and its response has their headers.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, stop } from './load.ts';

const ROUNDS = 8;
/** Bound of the project's issue. */
const GOAL = 0.9;

const PLANS = {
  without: 'default: open\nplans: [{ name: open, title: Open }]',
  with: 'default: open\nplans: [{ name: open, title: Open, windows: { burst: 1000000, day: 1000000000, month: 1000000000 } }]',
};

interface Ready {
  url: string;
  key: string;
  card: number;
}

const self = fileURLToPath(import.meta.url);

function start(plans: string, folder: string): Promise<{ child: ChildProcess; ready: Ready }> {
  return new Promise((resolve, reject) => {
    const child = fork(self, ['service'], {
      env: { ...process.env, PLANS: plans, BENCH_DATA: folder },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', (ready) => resolve({ child, ready: ready as Ready }));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

async function service(): Promise<void> {
  const [
    { pino },
    { readRoleConfig, serve },
    { createKey },
    { OfferedPlans },
    { systemClock },
    { applyUpdates },
    { EntityCache },
    sample,
  ] = await Promise.all([
    import('pino'),
    import('../src/main.ts'),
    import('../src/accounts/keys/keys.ts'),
    import('../src/accounts/plans/plans.ts'),
    import('../src/runtime/clock.ts'),
    import('../src/apply/apply.ts'),
    import('../src/identity/entities.ts'),
    import('../src/demo/league.ts'),
  ]);
  const { PLANS: plans, BENCH_DATA: folder } = process.env;
  const config = await readRoleConfig({ PLANS: plans, DATA_DIR: folder, PORT: '0', ADMIN_PORT: '0' }, 'all');
  const running = await serve(config, pino({ level: 'warn' }, pino.destination(2)), { role: 'all' });
  const { pool, changes } = running.deps;
  const updates = await sample.sampleUpdates(Date.now());
  await applyUpdates({ pool, clock: systemClock, changes, entities: new EntityCache() }, updates, { events: false });
  const { key } = await createKey(pool, systemClock, new OfferedPlans(config.plans), {
    email: 'bench@touchline.invalid',
  });
  const { rows } = await pool.query<{ id: number }>(
    'SELECT match_id AS id FROM match_block GROUP BY 1 ORDER BY sum(length(json)) DESC, 1 LIMIT 1',
  );
  process.on('message', async () => {
    await running.stop();
    process.exit(0);
  });
  process.send!({ url: running.address!, key, card: rows[0]!.id } satisfies Ready);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  chmodSync(folder, 0o755);
  const started = [await start(PLANS.without, join(folder, 'without')), await start(PLANS.with, join(folder, 'with'))];
  const [without, limited] = started.map(({ ready }) => ready) as [Ready, Ready];
  const limitsOf = async ({ url, key }: Ready) =>
    (await fetch(`${url}/v1/sports`, { headers: { 'X-API-Key': key } })).headers.get('ratelimit-policy');
  if ((await limitsOf(without)) !== null || (await limitsOf(limited)) === null)
    throw new Error('the two services do not differ by their limits');
  try {
    for (const [name, pathOf] of [
      ['card, hot', ({ card }: Ready) => `/v1/event/${card}`],
      ['list of 20, hot', () => '/v1/events?limit=20'],
    ] as const) {
      const rates = { without: 0, with: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.without += (await load([without.url + pathOf(without)], without.key)) / ROUNDS;
        rates.with += (await load([limited.url + pathOf(limited)], limited.key)) / ROUNDS;
      }
      const ratio = rates.with / rates.without;
      const met = ratio >= GOAL ? 'met' : 'MISSED';
      console.log(
        `${name.padEnd(16)} with limits ${rates.with.toFixed(0).padStart(6)}/s  without ${rates.without.toFixed(0).padStart(6)}/s  ratio ${ratio.toFixed(2)}  goal ${GOAL}  ${met}`,
      );
    }
  } finally {
    await Promise.all(started.map(({ child }) => stop(child)));
    rmSync(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'service' ? service() : main());
