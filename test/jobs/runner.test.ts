import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { LeaseLost } from '../../src/db/lease.ts';
import type { Run } from '../../src/jobs/job.ts';
import { defineJob, jobLease } from '../../src/jobs/job.ts';
import type { Schedule } from '../../src/jobs/schedule.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const LEASE = jobLease('tested');

describe('running a job', () => {
  let db: TestDatabase;
  let now: number;
  let registry: Registry;
  let lines: string[];
  let running: { stop(): Promise<void> }[];
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    await db.pool.query('DELETE FROM job');
    now = Date.parse('2026-03-01T12:00:00Z');
    registry = new Registry();
    lines = [];
    running = [];
  });
  afterEach(() => Promise.all(running.map((one) => one.stop())));

  const jobOf = (
    schedule: Schedule,
    run: (signal: AbortSignal, generation: number) => Promise<Run>,
    limitMs = 60_000,
  ) =>
    defineJob({
      name: 'tested',
      summary: 'is tested',
      variables: {},
      lease: LEASE,
      schedule,
      retryMs: 1,
      limitMs,
      failed: 'the test failed, retrying',
      recovered: 'the test works again',
      open: () => (generation) => ({ run: (signal) => run(signal, generation) }),
    });
  function start(job: ReturnType<typeof jobOf>) {
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
    const one = startTestJob(job, { pool: db.pool, clock: { now: () => now }, logger, registry });
    running.push(one);
    return one;
  }
  const row = async () =>
    (await db.pool.query<{ holder: string | null; succeeded_at: Date | null }>('SELECT holder, succeeded_at FROM job'))
      .rows[0];
  const metric = async (line: string) => Number((await registry.metrics()).split(`\n${line} `)[1]?.split('\n')[0]);
  const done = async (): Promise<Run> => ({ result: 'done' });

  it('is done by one of two processes, and the second continues when the first stops', async () => {
    const runs: string[] = [];
    const process = (name: string) => {
      registry = new Registry();
      return start(
        jobOf({ everyMs: 5 }, async () => {
          runs.push(name);
          return { result: 'done' };
        }),
      );
    };
    const first = process('first');
    await until('the first runs', () => runs.length > 0);
    process('second');
    await until('it runs again', () => runs.length > 10);
    assert.deepEqual(new Set(runs), new Set(['first']));
    await first.stop();
    await until('the second runs', () => runs.includes('second'));
    const taken = runs.indexOf('second');
    assert.ok(runs.slice(taken).every((name) => name === 'second'));
  });

  it('passes to a new process once a vanished process’s lease has expired', async () => {
    const runs: string[] = [];
    start(
      jobOf({ everyMs: 5 }, async () => {
        runs.push('successor');
        return { result: 'done' };
      }),
    );
    await until('the row is there', async () => (await row()) !== undefined);
    await running[0]!.stop();
    runs.length = 0;
    registry = new Registry();
    // As after kill -9, nobody releases the lease until it expires.
    assert.notEqual(await LEASE.take(db.pool, 'vanished'), null);
    start(
      jobOf({ everyMs: 5 }, async () => {
        runs.push('successor');
        return { result: 'done' };
      }),
    );
    assert.equal((await row())!.holder, 'vanished');
    assert.deepEqual(runs, []);
    await db.pool.query('UPDATE job SET expires_at = clock_timestamp()');
    await until('the successor runs', () => runs.length > 0);
  });

  it('is aborted if the lease is taken away, and the process waits for the lease again', async () => {
    let generation = 0;
    let reason: unknown;
    const job = jobOf({ everyMs: 5 }, async (_, own) => {
      generation = own;
      await LEASE.transaction(db.pool, own, async () => {});
      return { result: 'idle' };
    });
    start(job);
    await until('it runs', () => generation > 0);
    const former = generation;
    await db.pool.query("UPDATE job SET expires_at = '-infinity'");
    await until('it is taken', async () => {
      await db.pool.query("UPDATE job SET expires_at = '-infinity'");
      return (await LEASE.take(db.pool, 'another')) !== null;
    });
    await until('the loss is logged', () => lines.length > 0);
    assert.deepEqual(lines, ['tested: another process has taken over']);
    assert.equal((await row())!.holder, 'another');
    await assert.rejects(
      LEASE.transaction(db.pool, former, async () => {}).catch((error) => {
        reason = error;
        throw error;
      }),
    );
    assert.ok(reason instanceof LeaseLost);
    assert.equal(await metric('touchline_job_runs_total{name="tested",result="lost"}'), 1);
  });

  it('happens once a night for a daily job, in whichever process, and is made up for after a missed night', async () => {
    let runs = 0;
    const job = jobOf({ dailyAtHour: 4 }, async () => {
      runs += 1;
      return { result: 'done' };
    });
    const restart = async () => {
      await Promise.all(running.splice(0).map((one) => one.stop()));
      registry = new Registry();
      const before = (await row())?.holder;
      start(job);
      await until('it leads', async () => ((await row())?.holder ?? before) !== before);
    };
    const settle = async (expected: number) => {
      await restart();
      if (runs < expected) await until('it has run', () => runs >= expected);
      await Promise.all(running.splice(0).map((one) => one.stop()));
      assert.equal(runs, expected);
    };
    await settle(0);
    now = Date.parse('2026-03-02T03:59:59Z');
    await settle(0);
    now = Date.parse('2026-03-02T04:00:00Z');
    await settle(1);
    now += 23 * HOUR;
    await settle(1);
    now += 72 * HOUR;
    await settle(2);
    await settle(2);
  });

  it('is logged once and counted as a failure, not a success, if it fails', async () => {
    let fails = true;
    let runs = 0;
    start(
      jobOf({ everyMs: 5 }, async () => {
        runs += 1;
        if (fails) throw new Error('no');
        return { result: 'done' };
      }),
    );
    await until('it has failed twice', () => runs > 2);
    assert.equal((await row())!.succeeded_at, null);
    fails = false;
    await until('it has succeeded', async () => (await row())!.succeeded_at !== null);
    // The log line is written after the row.
    await until('it is logged', () => lines.length > 1);
    assert.deepEqual(lines, ['the test failed, retrying', 'the test works again']);
    assert.ok((await metric('touchline_job_runs_total{name="tested",result="failed"}')) >= 2);
    assert.equal(await metric('touchline_job_last_success_timestamp_seconds{name="tested"}'), now / 1_000);
    assert.equal(await metric('touchline_job_interval_seconds{name="tested"}'), 0.005);
  });

  const hang = (signal: AbortSignal) =>
    new Promise<Run>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('is aborted by a stop, which releases the lease', async () => {
    let begun = 0;
    start(
      jobOf({ everyMs: 5 }, (signal) => {
        begun += 1;
        return hang(signal);
      }),
    );
    await until('it runs', () => begun > 0);
    await running[0]!.stop();
    assert.equal((await row())!.holder, null);
    assert.deepEqual(lines, []);
  });

  it('is aborted beyond its time limit, and the lease is released', async () => {
    let begun = 0;
    start(
      jobOf(
        { everyMs: 5 },
        (signal) => {
          begun += 1;
          return begun === 1 ? hang(signal) : done();
        },
        10,
      ),
    );
    await until('it runs again', async () => (await row())?.succeeded_at != null);
    assert.deepEqual(lines, ['the test failed, retrying', 'the test works again']);
  });

  it('does not happen if the configuration turns the job off, and the job then has no interval', async () => {
    const job = { ...jobOf({ everyMs: 5 }, done), open: () => null };
    await start(job).stop();
    assert.equal(await row(), undefined);
    assert.ok(Number.isNaN(await metric('touchline_job_interval_seconds{name="tested"}')));
  });
});
