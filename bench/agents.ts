/**
 * Measures how long a paying key waits for a card while 20 connections flood /mcp with a key on the smallest plan. A flood consists of
 * batches of calls with ten ids each, 20,000 unknown arguments, or batches of lists; each runs with a secret key and with a publishable
 * key. The p99 during a flood is compared with the p99 just before it, and the result is the median ratio over the rounds. Each flood takes
 * SECONDS=6, and there are ROUNDS=5.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startPostgres } from '../src/db/embedded-postgres.ts';
import { migratePostgres } from '../src/db/migrate.ts';
import { openPool } from '../src/db/postgres.ts';
import { seedCatalogue } from '../src/db/seed.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { createKey } from '../test/support/accounts.ts';
import { FEED_TOKEN } from '../test/support/http.ts';
import { liveMatches } from '../test/support/live-matches.ts';
import { killAll, podEnv, startPod } from '../test/support/pods.ts';
import type { FloodApi, Flooded } from './agents/flood.ts';
import { CLIENT_CORE, canPin, pinSelf, SERVER_CORE, startChild } from './child.ts';
import { line, median, printRow } from './report.ts';

const SECONDS = Number(process.env.SECONDS ?? 6);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CARDS_A_SECOND = 50;
const MOST_RATIO = 3;

const folder = mkdtempSync(join(tmpdir(), 'touchline-agents-'));
const server = await startPostgres(folder);
const pool = openPool(server.url, pino({ level: 'silent' }));
await migratePostgres(pool);
await seedCatalogue(pool);
const pods = await Promise.all([startPod('api', podEnv(server.url)), startPod('ingest', podEnv(server.url))]);
const [api, ingest] = pods;
const pin = ['-a', '-c', '-p', `${SERVER_CORE}`, `${api.started.child.pid}`];
if (canPin) execFileSync('taskset', pin, { stdio: 'ignore' });
pinSelf(CLIENT_CORE);
const keyOf = async (plan: string, kind: 'sk' | 'pk') =>
  (await createKey(pool, systemClock, { email: `${plan}@example.com`, plan, kind })).key;
const paying = await keyOf('business', 'sk');
await fetch(`${ingest.url}/feed/v1/updates`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
  body: JSON.stringify(liveMatches('flooded', 20, 1)),
});

const agent = new Agent({ keepAlive: true });
function readCard(id: number): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    get(`${api.url}/v1/event/${id}`, { agent, headers: { 'x-api-key': paying } }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`the card is answered with ${reply.statusCode}`));
      reply.resume().once('end', () => resolve(performance.now() - begun));
    }).once('error', reject);
  });
}

/** Reads cards at a steady rate. @returns the p99 in ms */
async function cards(seconds: number): Promise<number> {
  const times: Promise<number>[] = [];
  const begun = performance.now();
  for (let n = 0; n < seconds * CARDS_A_SECOND; n += 1) {
    await sleep(Math.max(0, begun + (n * 1_000) / CARDS_A_SECOND - performance.now()));
    times.push(readCard(1 + (n % 20)));
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)]!;
}

interface Round extends Flooded {
  before: number;
  beside: number;
}

function report(name: string, rounds: readonly Round[]): void {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  printRow({
    path: `card beside ${name}, p99`,
    ours: `${of(({ beside }) => beside).toFixed(1)} ms`,
    bound: `before ${of(({ before }) => before).toFixed(1)} ms`,
    ratio: of(({ before, beside }) => beside / before),
    goal: MOST_RATIO,
  });
  const counts: Record<string, number> = {};
  for (const { statuses } of rounds)
    for (const [status, count] of Object.entries(statuses)) counts[status] = (counts[status] ?? 0) + count;
  const answers = Object.entries(counts).map(([status, count]) => `${count} of ${status}`);
  const bytes = rounds.reduce((sum, round) => sum + round.bytes, 0);
  line('', `answers: ${answers.join(', ')}`, `${(bytes / 1e6).toFixed(1)} MB`);
}

try {
  await cards(2);
  const flooder = startChild<FloodApi>('agents/flood.ts', CLIENT_CORE);
  for (const kind of ['calls', 'arguments', 'lists'] as const)
    for (const keyKind of ['sk', 'pk'] as const) {
      const trial = await keyOf('trial', keyKind);
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await cards(SECONDS);
        const flooding = flooder.call('flood', api.url, trial, kind, SECONDS * 1_000);
        const beside = await cards(SECONDS);
        rounds.push({ before, beside, ...(await flooding) });
      }
      report(`${kind}, ${keyKind}`, rounds);
    }
  await flooder.kill();
} finally {
  agent.destroy();
  await killAll(pods);
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
