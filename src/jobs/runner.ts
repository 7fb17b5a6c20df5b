/** Runs a job on schedule in the process that holds the lease. Processes without the lease are on standby. */
import { LeaseLost, leaseHolder } from '../db/lease.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import type { Job, JobContext, LeadingJob } from './job.ts';
import type { JobMetrics, RunResult } from './metrics.ts';
import { addJob, lastSuccesses, saveSuccess } from './queries.ts';
import { intervalMs, isDailyDue } from './schedule.ts';

/** Time between two attempts to take the lease. */
const STANDBY_MS = 3_000;
/** Time between two checks for whether a daily job is due. */
const LOOK_MS = 60_000;
/** Minimum time between two writes of the last success, for a job that succeeds more often. */
const SAVE_EVERY_MS = 30_000;
/** Number of renewals within the lease's duration. */
const RENEWALS = 3;

/** The state while this process holds the lease. */
interface Leadership {
  generation: number;
  job: LeadingJob;
  /** Stops the renewals. */
  stopRenewing(): void;
}

class JobRunner {
  readonly #job: Job;
  readonly #begin: (generation: number) => LeadingJob;
  readonly #context: JobContext;
  readonly #metrics: JobMetrics;
  readonly #holder = leaseHolder();
  #isAdded = false;
  #leading: Leadership | null = null;
  /** The controller that aborts the run in progress. */
  #abort: AbortController | null = null;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(job: Job, begin: (generation: number) => LeadingJob, context: JobContext, metrics: JobMetrics) {
    this.#job = job;
    this.#begin = begin;
    this.#context = context;
    this.#metrics = metrics;
  }

  /** Takes the lease, or runs the job if it is due. @returns milliseconds until the next turn */
  async turn(): Promise<number> {
    this.#leading ??= await this.#lead();
    if (this.#leading === null) return STANDBY_MS;
    if (!(await this.#isDue())) return LOOK_MS;
    return this.#run(this.#leading);
  }

  /** Aborts the run in progress. */
  abort(reason: Error): void {
    this.#abort?.abort(reason);
  }

  /** Ends the leadership, so that the next process can begin at once. */
  async release(): Promise<void> {
    if (this.#leading === null) return;
    const { generation } = this.#leading;
    this.#stepDown();
    await this.#job.lease.release(this.#context.pool, generation).catch(() => {});
  }

  async #lead(): Promise<Leadership | null> {
    const { name, lease } = this.#job;
    const { pool, clock, livenessLock } = this.#context;
    if (!this.#isAdded) await addJob(pool, name, clock.now());
    this.#isAdded = true;
    const generation = await lease.take(pool, this.#holder, livenessLock);
    if (generation === null) return null;
    return { generation, job: this.#begin(generation), stopRenewing: this.#renew(generation) };
  }

  /** Renews the lease between runs and during long ones. @returns a function that stops the renewals */
  #renew(generation: number): () => void {
    const { lease } = this.#job;
    let isRenewing = false;
    const timer = setInterval(
      async () => {
        if (isRenewing) return;
        isRenewing = true;
        try {
          await lease.renew(this.#context.pool, generation);
        } catch (error) {
          // Only a lost lease ends the leadership. A brief Postgres outage does not.
          if (error instanceof LeaseLost && this.#leading?.generation === generation) this.#lose(error);
        }
        isRenewing = false;
      },
      (lease.seconds * 1_000) / RENEWALS,
    );
    return () => clearInterval(timer);
  }

  #lose(error: LeaseLost): void {
    const { name } = this.#job;
    this.#context.logger.info({ generation: this.#leading?.generation }, `${name}: another process has taken over`);
    this.#stepDown();
    this.abort(error);
  }

  #stepDown(): void {
    this.#leading?.stopRenewing();
    this.#leading?.job.end?.();
    this.#leading = null;
  }

  async #isDue(): Promise<boolean> {
    const { name, schedule } = this.#job;
    if ('everyMs' in schedule) return true;
    const { pool, clock } = this.#context;
    const last = (await lastSuccesses(pool)).get(name);
    return isDailyDue(schedule.dailyAtHour, last ?? Number.NEGATIVE_INFINITY, clock.now());
  }

  async #run(leading: Leadership): Promise<number> {
    const { name, schedule, limitMs } = this.#job;
    const controller = new AbortController();
    this.#abort = controller;
    const limit = setTimeout(() => {
      leading.stopRenewing();
      controller.abort(new Error(`the job ${name} has run longer than its limit of ${limitMs / 1_000} s`));
    }, limitMs);
    const begun = performance.now();
    const count = (result: RunResult) => this.#metrics.count(this.#job, result, (performance.now() - begun) / 1_000);
    try {
      const { result, pauseMs = intervalMs(schedule) } = await leading.job.run(controller.signal);
      await this.#saveSuccess();
      count(result);
      return 'everyMs' in schedule ? pauseMs : LOOK_MS;
    } catch (error) {
      const isLost = error instanceof LeaseLost || controller.signal.reason instanceof LeaseLost;
      count(isLost ? 'lost' : 'failed');
      if (!isLost) throw error;
      if (this.#leading === leading) this.#lose(new LeaseLost());
      return STANDBY_MS;
    } finally {
      clearTimeout(limit);
      this.#abort = null;
      // An aborted run must not keep the lease, which is no longer renewed after the time limit.
      if (controller.signal.aborted) await this.release();
    }
  }

  async #saveSuccess(): Promise<void> {
    const { name, schedule } = this.#job;
    const { pool, clock } = this.#context;
    if ('everyMs' in schedule && performance.now() - this.#savedAt < SAVE_EVERY_MS) return;
    await saveSuccess(pool, name, clock.now());
    this.#savedAt = performance.now();
  }
}

/** Starts a job, unless the configuration turns it off. The returned `stop` aborts the run in progress. */
export function startJob(job: Job, context: JobContext, metrics: JobMetrics): Pick<Loop, 'stop'> {
  const begin = job.open(context);
  if (begin === null) return { stop: async () => {} };
  metrics.add(job);
  const runner = new JobRunner(job, begin, context, metrics);
  const { retryMs, failed, recovered } = job;
  const loop = startLoop({ run: () => runner.turn(), retryMs, failed, recovered, logger: context.logger });
  return {
    async stop() {
      const stopped = loop.stop();
      runner.abort(new Error('the process stops'));
      await stopped;
      await runner.release();
      metrics.remove(job);
    },
  };
}
