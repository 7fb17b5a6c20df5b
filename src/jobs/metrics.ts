/** Metrics for all jobs. The label for a job is `name`, because Prometheus uses `job` for the target. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Queryable } from '../db/postgres.ts';
import { storeGauges } from '../runtime/store-gauge.ts';
import type { Job } from './job.ts';
import { lastSuccesses } from './queries.ts';
import { intervalMs } from './schedule.ts';

/** `lost` means that another process has taken the lease. */
const RESULTS = ['done', 'idle', 'failed', 'lost'] as const;
export type RunResult = (typeof RESULTS)[number];

export interface JobMetrics {
  /** Adds a job that this process may run. */
  add(job: Job): void;
  /** Removes the interval of a job that this process no longer runs, so that the job does not count as overdue. */
  remove(job: Job): void;
  /** Counts a run. @param seconds how long the run took */
  count(job: Job, result: RunResult, seconds: number): void;
}

export function createJobMetrics(registry: Registry, db: Queryable): JobMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: 'touchline_job_runs_total',
    help: 'Job runs by result: done, idle (nothing to do), failed, lost (a second process has taken the lease).',
    labelNames: ['name', 'result'],
    registers,
  });
  const duration = new Histogram({
    name: 'touchline_job_duration_seconds',
    help: 'Duration of job runs that had something to do.',
    labelNames: ['name'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  });
  const interval = new Gauge({
    name: 'touchline_job_interval_seconds',
    help: 'Time between two job runs without work.',
    labelNames: ['name'],
    registers,
  });
  storeGauges({
    registry,
    name: 'touchline_job_last_success_timestamp_seconds',
    help: 'The last successful run of a job in any process; if there is none, when the job was added.',
    label: 'name',
    async read() {
      return new Map([...(await lastSuccesses(db))].map(([name, ms]) => [name, ms / 1_000]));
    },
  });
  return {
    add({ name, schedule }) {
      interval.set({ name }, intervalMs(schedule) / 1_000);
      for (const result of RESULTS) runs.inc({ name, result }, 0);
    },
    remove({ name }) {
      interval.remove({ name });
    },
    count({ name }, result, seconds) {
      runs.inc({ name, result });
      if (result !== 'idle') duration.observe({ name }, seconds);
    },
  };
}
