/** The command `touchline serve`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, isWellFormedKey } from './accounts/keys/index.ts';
import type { RoleName } from './config/config.ts';
import { serializeError } from './http/index.ts';
import { type RoleConfig, type Running, readRoleConfig, serve } from './main.ts';
import { type Clock, createSetClock, systemClock } from './runtime/clock.ts';
import { collectGarbage } from './runtime/collect-garbage.ts';
import { openLogger } from './runtime/logger.ts';
import { traceFields } from './runtime/tracing.ts';
import { logUncaught } from './runtime/uncaught.ts';
import { wantsTracing } from './start-tracing.ts';
import { wireTime } from './wire/time.ts';

type Say = (line: string) => void;

export interface ServeCommandOptions {
  role: RoleName;
  /** The time that the service's clock shows at the start, as text. By default, it shows this machine's time. */
  now?: string | undefined;
}

/** Resolves when the service has stopped. @param say prints a line */
export async function serveCommand({ role, now }: ServeCommandOptions, say: Say): Promise<void> {
  const begun = performance.now();
  const config = await readRoleConfig(process.env, role);
  const clock = now === undefined ? systemClock : readClock(now, role, config);
  const logger = openLogger(config.logLevel, wantsTracing(config) ? traceFields : undefined);
  // Listens from the beginning. A stop during the start waits until the start is complete, so that nothing stays half
  // open. It does not wait for unavailable stores, though.
  const asked = stopAsked(say);
  const waiting = new AbortController();
  void asked.then(() => waiting.abort());
  logUncaught(logger);
  const options = {
    role,
    clock,
    progress: (line: string) => say(`  ${line}`),
    signal: waiting.signal,
    // A process with all roles runs in a terminal, where a quick start matters more.
    ...(role !== 'all' && { onLoaded: collectGarbage }),
  };
  // Handled errors are logged without stacks. Uncaught errors are always logged with their stacks.
  const serviceLogger = logger.child({}, { serializers: { err: serializeError } });
  const running = await serve(config, serviceLogger, options).catch((error) => {
    if (!waiting.signal.aborted) throw error;
    return null;
  });
  if (running === null) {
    say('Stopped');
    return;
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const { address, adminAddress } = running;
  const name = role === 'all' ? 'Touchline' : `Touchline ${role}`;
  say(
    `${name} is ready after ${seconds} s: ${address === null ? '' : `${address} `}(health and metrics: ${adminAddress})`,
  );
  if (clock.isSet) say(`  The clock of the service shows ${wireTime(clock.now())}`);
  if (config.demo && role === 'all') say(await demoLines(address!, running, config));
  void running.analytics.then((state) => {
    if ('version' in state) say(`  ClickHouse ${state.version} is ready`);
  });
  await asked;
  await running.stop();
  say('Stopped');
  // Needed because the embedded engine's threads would keep the process alive.
  process.exit(0);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Returns a clock that is set to a past time, so that history looks as it did then. Only allowed with embedded stores,
 * because other processes on the same stores would see times that do not fit their own clocks.
 * @throws {Error} with a one-line message
 */
function readClock(now: string, role: RoleName, { databaseUrl, clickhouseUrl, kafkaBrokers }: RoleConfig): Clock {
  const time = TIME.test(now) ? Date.parse(now) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`--now: ${now} is not a time such as 2026-05-10T12:00:00Z`);
  if (time > Date.now()) throw new Error(`--now: ${now} is in the future`);
  if (role !== 'all' || databaseUrl !== undefined || clickhouseUrl !== undefined || kafkaBrokers.length > 0)
    throw new Error('--now: only a process with all roles and embedded stores accepts it');
  return createSetClock(time);
}

/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. */
function stopAsked(say: Say): Promise<void> {
  return new Promise((resolve) => {
    let heard = false;
    const stop = () => {
      if (heard) process.exit(1);
      heard = true;
      say('Stopping');
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

/**
 * Returns lines for the demo, with its key. The key is stored in the data folder, so that each start can show it. The
 * stores that the key gives access to are in the same folder.
 */
async function demoLines(
  address: string,
  { deps: { pool }, plans }: Pick<Running, 'deps' | 'plans'>,
  { dataDir }: RoleConfig,
): Promise<string> {
  const file = join(dataDir, 'demo-key');
  let key = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (!isWellFormedKey(key)) {
    const { list } = plans;
    const plan = (list.find(({ name }) => name === 'pro') ?? list.findLast(({ stream }) => stream) ?? list.at(-1)!)
      .name;
    ({ key } = await createKey(pool, systemClock, plans, { email: 'demo@touchline.invalid', plan, name: 'make run' }));
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
  }
  const { rows } = await pool.query<{ id: number }>(
    "SELECT m.id FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.demo ORDER BY (m.status = 'live') DESC, (m.status = 'finished') DESC, m.updated_at DESC LIMIT 1",
  );
  return `
  Open ${address}/ for the live matches, ${address}/docs for the documentation.
  Demo key: ${key}

  A card:        curl -s -H 'X-API-Key: ${key}' ${address}/v1/event/${rows[0]?.id ?? 1}
  The live list: curl -s -H 'X-API-Key: ${key}' ${address}/v1/events/live
  The stream:    curl -sN -H 'X-API-Key: ${key}' ${address}/v1/stream
`;
}
