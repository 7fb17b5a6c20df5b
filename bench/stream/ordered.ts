/**
 * The floor for streams whose events are in one order: plain sockets that get each event from an ordered log in Postgres. The publisher
 * commits an event, a second process moves it into the log, and a third one reads the log and writes to the sockets, as ingest, relay
 * and streams do. It uses only the driver and plain statements. NOTIFY announces each step.
 */
import pg from 'pg';
import { answer, type Child, SERVER_CORE, startChild } from '../child.ts';
import { usage } from '../usage.ts';
import { openPlainSockets, WRITE_EVERY_MS } from './plain-sockets.ts';

const WAITING = 'bench_waiting';
const APPENDED = 'bench_log';
const PAGE = 1_000;
const MOVE = `WITH taken AS (
    DELETE FROM bench_waiting WHERE id = ANY (ARRAY(SELECT id FROM bench_waiting ORDER BY id LIMIT ${PAGE})) RETURNING id, envelope
  ), appended AS (INSERT INTO bench_log (envelope) SELECT envelope FROM taken ORDER BY id RETURNING cursor)
  SELECT count(*)::int AS moved, pg_notify('${APPENDED}', '') FROM appended HAVING count(*) > 0`;
const READ = `SELECT cursor, envelope FROM bench_log WHERE cursor > $1 ORDER BY cursor LIMIT ${PAGE}`;

async function connect(channel: string, wake: () => void): Promise<pg.Client> {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  client.on('notification', wake);
  await client.query(`SET synchronous_commit = on; SET jit = off; SET enable_seqscan = off; LISTEN ${channel}`);
  return client;
}

/** Runs a task once for all wake-ups that come before it starts, and not earlier than `everyMs` after its last start. */
function repeated(everyMs: number, task: () => Promise<void>): () => void {
  let isDue = false;
  let isRunning = false;
  let started = Number.NEGATIVE_INFINITY;
  const run = async () => {
    isDue = false;
    isRunning = true;
    started = performance.now();
    await task();
    isRunning = false;
    if (isDue) schedule();
  };
  const schedule = () => {
    const wait = started + everyMs - performance.now();
    if (wait > 0) setTimeout(run, wait);
    else setImmediate(run);
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (!isRunning) schedule();
  };
}

async function mover() {
  let client: pg.Client;
  const wake = repeated(0, async () => {
    const { rows } = await client.query({ name: 'move', text: MOVE });
    if (rows.length > 0) wake();
  });
  client = await connect(WAITING, wake);
  return { ready: () => true };
}

async function sender() {
  const sockets = await openPlainSockets();
  let client: pg.Client;
  let cursor = '0';
  const wake = repeated(WRITE_EVERY_MS, async () => {
    const { rows } = await client.query({ name: 'read', text: READ, values: [cursor] });
    if (rows.length === 0) return;
    cursor = rows.at(-1).cursor;
    sockets.write(rows.map(({ envelope }) => envelope));
  });
  client = await connect(APPENDED, wake);
  return { port: () => sockets.port, usage };
}

export type MoverApi = Awaited<ReturnType<typeof mover>>;
export type SenderApi = Awaited<ReturnType<typeof sender>>;

export interface OrderedSender extends Child<SenderApi> {
  publish(envelope: string): Promise<void>;
}

/** @param pool the publisher's connections */
export async function startOrderedSender(pool: pg.Pool, databaseUrl: string): Promise<OrderedSender> {
  await pool.query(`CREATE TABLE bench_waiting (id bigserial PRIMARY KEY, envelope text NOT NULL);
    CREATE TABLE bench_log (cursor bigserial PRIMARY KEY, envelope text NOT NULL)`);
  const start = <A extends Record<string, () => unknown>>(part: string, core: number | null) =>
    startChild<A>('stream/ordered.ts', core, { DATABASE_URL: databaseUrl, BENCH_PART: part });
  const moving = start<MoverApi>('mover', null);
  const sending = start<SenderApi>('sender', SERVER_CORE);
  await Promise.all([moving.call('ready'), sending.call('port')]);
  return {
    ...sending,
    async publish(envelope) {
      await pool.query({
        name: 'publish',
        text: 'INSERT INTO bench_waiting (envelope) VALUES ($1)',
        values: [envelope],
      });
      await pool.query(`NOTIFY ${WAITING}`);
    },
    async kill() {
      await moving.kill();
      await sending.kill();
    },
  };
}

if (process.env.BENCH_PART === 'mover') answer(await mover());
else if (process.env.BENCH_PART === 'sender') answer(await sender());
