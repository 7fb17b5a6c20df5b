/**
 * Opens 100,000 streams on 10 processes. It then measures how many statements per second the connection slots, the key checks and the
 * balancing send to Postgres, and compares the number with a bound. STREAMS=100000. Measures for SECONDS=60.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { BUILT_IN } from '../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../src/accounts/plans/plans.ts';
import { openLivenessLock } from '../src/db/liveness-lock.ts';
import { type MatchChanges, openMatchChanges } from '../src/db/notices.ts';
import { openPool } from '../src/db/postgres.ts';
import type { KeyPrincipal } from '../src/http/key-cache.ts';
import { Admission, type AdmittedStream } from '../src/stream/admission.ts';
import { startBalancer } from '../src/stream/balance.ts';
import type { ReplacedNotices } from '../src/stream/connection-slots.ts';
import { startTestServer } from '../test/support/postgres-server.ts';
import { randomNumbers } from '../test/support/random.ts';

const STREAMS = Number(process.env.STREAMS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 60);
const PROCESSES = 10;
/** Bound from the project's issue. */
const GOAL = 50;
/** Mean life of a stream, which is half of the maximum. */
const LIFE_S = 30 * 60;
/** Share of the clients that reconnect to another process before the service knows that the old connection has ended. */
const TAKEN_OVER = 0.1;
/** Share of the opened streams that exceed the account's limit and are therefore refused. */
const REFUSED = 0.02;
const SETTLED_MS = 10_000;
const EVERY_MS = 20;

/** Accounts by plan and key kind. An account has `from` to `to` streams. */
const MIX = [
  { plan: 'pro', kind: 'sk', share: 0.3, from: 1, to: 5 },
  { plan: 'business', kind: 'sk', share: 0.1, from: 1, to: 5 },
  { plan: 'pro', kind: 'pk', share: 0.2, from: 20, to: 90 },
  { plan: 'business', kind: 'pk', share: 0.4, from: 200, to: 950 },
] as const;

interface Account {
  principal: KeyPrincipal;
  streams: number;
}
interface Stream {
  account: Account;
  process: number;
  client: string;
  admitted: AdmittedStream;
}

const random = randomNumbers(36);
const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
const silent = pino({ level: 'silent' });
const server = await startTestServer();
const { url } = server;
const admin = openPool(url, silent, 1);

async function addAccounts(): Promise<Account[]> {
  const planned = MIX.flatMap(({ plan, kind, share, from, to }) => {
    const one: { plan: string; kind: 'sk' | 'pk'; streams: number }[] = [];
    for (let left = STREAMS * share; left >= 1; left -= one.at(-1)!.streams)
      one.push({ plan, kind, streams: Math.min(Math.round(left), between(from, to)) });
    return one;
  });
  const { rows } = await admin.query<{ keyId: number; accountId: number }>(
    `WITH made AS (
       INSERT INTO account (email, plan, created_at)
       SELECT 'bench' || n || '@touchline.invalid', plan, now() FROM unnest($1::text[]) WITH ORDINALITY AS p (plan, n) ORDER BY n RETURNING id
     ), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM made), keys AS (
       INSERT INTO api_key (account_id, kind, hash, hint, created_at)
       SELECT id, kind, sha256(id::text::bytea), 'mark', now() FROM numbered JOIN unnest($2::text[]) WITH ORDINALITY AS k (kind, n) USING (n)
       RETURNING id, account_id
     ) SELECT id AS "keyId", account_id AS "accountId" FROM keys ORDER BY account_id`,
    [planned.map(({ plan }) => plan), planned.map(({ kind }) => kind)],
  );
  return planned.map(({ plan, kind, streams }, n) => ({
    principal: {
      ...rows[n]!,
      plan,
      kind,
      awaitsVerification: false,
      origins: null,
      addresses: null,
      scopes: null,
      permissions: null,
    },
    streams,
  }));
}

/** Durations of statements, by name. */
const times = new Map<string, number[]>();
let isMeasuring = false;

/** Parts of statement texts, each with a name for the statements that contain it. */
const NAMES = [
  ['WITH asked', 'requests and releases'],
  ['FROM api_key', 'check of keys'],
  ['pg_try_advisory', 'slots of ended processes'],
  ['stream_load', 'balance'],
  ['INTO stream_process', 'renewal'],
  ['SELECT subject, holder FROM', 'comparison'],
] as const;

/** Counts a statement, and measures how long it takes. */
async function measured<T>(text: string, answer: Promise<T>): Promise<T> {
  const sent = performance.now();
  const result = await answer;
  const name = NAMES.find(([part]) => text.includes(part))?.[1] ?? text;
  if (isMeasuring) times.set(name, [...(times.get(name) ?? []), performance.now() - sent]);
  return result;
}

function withTimes(pool: pg.Pool): pg.Pool {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  pool.query = ((...args: unknown[]) => measured(String(args[0]), query(...args))) as pg.Pool['query'];
  return pool;
}

/** Counts notices as statements. They have a connection of their own, and all notices in a call are one statement. */
const withCount = (changes: MatchChanges): ReplacedNotices => ({
  onReplaced: changes.onReplaced,
  publishReplaced(names) {
    if (names.length > 0) void measured('notices', Promise.resolve());
    changes.publishReplaced(names);
  },
});

const plans = new OfferedPlans(BUILT_IN);
const accounts = await addAccounts();
await admin.query('ANALYZE');
const streams: Stream[] = [];
const processes = await Promise.all(
  Array.from({ length: PROCESSES }, async (_, process) => {
    const pool = withTimes(openPool(url, silent));
    const [livenessLock, changes] = await Promise.all([openLivenessLock(url, silent), openMatchChanges(url, silent)]);
    const admission = new Admission({ pool, logger: silent, plans, livenessLock, notices: withCount(changes) });
    const connections = () => streams.filter((stream) => stream.process === process).length;
    const balancer = startBalancer({ pool, hub: { connections, moveOldest: () => 0 } });
    return {
      admission,
      async close() {
        await balancer.stop();
        await admission.close();
        await Promise.all([livenessLock.close(), changes.close()]);
        await pool.end();
      },
    };
  }),
);

/** How long each stream waited until it was admitted. */
const waits: number[] = [];
let clients = 0;

async function open(account: Account, client: string): Promise<Stream> {
  const process = between(0, PROCESSES - 1);
  const begun = performance.now();
  const admitted = await processes[process]!.admission.admit(account.principal, client);
  if (isMeasuring) waits.push(performance.now() - begun);
  return { account, process, client, admitted };
}
function newClient(): string {
  clients += 1;
  return `client-${clients}`;
}

let refused = 0;
/** Ends a stream, and opens a new one for the same client or for another client of the account. */
async function replaceOne(): Promise<void> {
  const at = between(0, streams.length - 1);
  const former = streams[at]!;
  streams[at] = streams.at(-1)!;
  streams.pop();
  const isTakenOver = random() < TAKEN_OVER;
  if (!isTakenOver) former.admitted.left();
  streams.push(await open(former.account, isTakenOver ? former.client : newClient()));
  if (isTakenOver) former.admitted.left();
}

/** Opens a stream for an account that already has the maximum number. */
async function openOneTooMany(): Promise<void> {
  const { account } = streams.find(({ account: one }) => one.streams === 5)!;
  await open(account, newClient()).then(
    ({ admitted }) => admitted.left(),
    () => (refused += 1),
  );
}

const begun = performance.now();
const wanted = accounts.flatMap((account) => Array.from({ length: account.streams }, () => account));
for (let from = 0; from < wanted.length; from += 5_000)
  streams.push(...(await Promise.all(wanted.slice(from, from + 5_000).map((one) => open(one, newClient())))));
console.log(
  `${streams.length} streams of ${accounts.length} accounts on ${PROCESSES} processes, opened in ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
);
await sleep(SETTLED_MS);

const since = performance.now();
isMeasuring = true;
const churn: Promise<void>[] = [];
const perTick = (STREAMS / LIFE_S) * (EVERY_MS / 1_000);
for (let due = 0, end = performance.now() + SECONDS * 1_000; performance.now() < end; await sleep(EVERY_MS)) {
  for (due += perTick; due >= 1; due -= 1) {
    churn.push(replaceOne());
    if (random() < REFUSED) churn.push(openOneTooMany());
  }
}
await Promise.all(churn);
isMeasuring = false;
const seconds = (performance.now() - since) / 1_000;

const count = [...times.values()].reduce((sum, taken) => sum + taken.length, 0);
const rate = count / seconds;
const at = (values: number[], share: number) => values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
console.log(
  `${(churn.length / seconds).toFixed(1)} streams a second end and are opened again, a tenth of them by taking over; ${refused} refused`,
);
console.log(
  `statements a second  ${rate.toFixed(1)}  bound ${GOAL}  ratio ${(rate / GOAL).toFixed(2)}  ${rate <= GOAL ? 'met' : 'MISSED'}`,
);
for (const [name, taken] of [...times].sort((a, b) => b[1].length - a[1].length)) {
  console.log(
    `  ${name.padEnd(26)} ${(taken.length / seconds).toFixed(1).padStart(5)}/s  p50 ${at(taken, 0.5).toFixed(1)} ms  p99 ${at(taken, 0.99).toFixed(1)} ms`,
  );
}
console.log(`admission of a stream  p50 ${at(waits, 0.5).toFixed(0)} ms  p99 ${at(waits, 0.99).toFixed(0)} ms`);
for (const one of processes) await one.close();
await admin.end();
await server.stop();
process.exitCode = rate <= GOAL ? 0 : 1;
