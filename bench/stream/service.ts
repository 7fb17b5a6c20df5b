/** Runs the service like `touchline serve`, in a process that reports how many resources it uses. */
import type { RoleName } from '../../src/config/config.ts';
import { readRoleConfig, serve } from '../../src/main.ts';
import { openLogger } from '../../src/runtime/logger.ts';
import type { StreamDeps } from '../../src/stream/deps.ts';
import { answer } from '../child.ts';
import { holder, memory, usage } from '../usage.ts';

const logger = openLogger(process.env.LOG_LEVEL ?? 'error');
const role = process.env.BENCH_ROLE as RoleName;
const running = await serve(await readRoleConfig(process.env, role), logger, { role });
/** Returns the hub of a process that serves streams. */
const hub = () => (running.provides.stream as Pick<StreamDeps, 'hub'>).hub;

const api = {
  /** Returns the server's port; 0 if the role has no server. */
  port: () => (running.address === null ? 0 : Number(new URL(running.address).port)),
  metrics: async () => (await fetch(`${running.adminAddress}/metrics`)).text(),
  connections: () => hub().connections(),
  head: () => hub().head(),
  usage,
  memory,
  held: holder(running.deps.pool),
};
export type ServiceApi = typeof api;
answer(api);
