/** The service as `touchline serve` runs it, in a process that can be asked what it has used. */
import { pino } from 'pino';
import { type Role, readConfig } from '../../src/config/config.ts';
import { serve } from '../../src/main.ts';
import { answer } from './child.ts';
import { memory, usage } from './usage.ts';

const logger = pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2));
const running = await serve(readConfig(process.env), logger, { role: process.env.BENCH_ROLE as Role });

const api = {
  /** 0 where the role serves nothing. */
  port: () => (running.address === null ? 0 : Number(new URL(running.address).port)),
  connections: () => running.deps.hub.connections(),
  head: () => running.deps.hub.head(),
  usage,
  memory,
};
export type ServiceApi = typeof api;
answer(api);
