/** Starts a job as the role `jobs` does, with a test's dependencies. */
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import type { Job, JobContext } from '../../src/jobs/job.ts';
import { createJobMetrics } from '../../src/jobs/metrics.ts';
import { startJob } from '../../src/jobs/runner.ts';
import { createSourceMetrics } from '../../src/sources/metrics.ts';

interface Given {
  pool: pg.Pool;
  clock: JobContext['clock'];
  changes?: Pick<JobContext['changes'], 'publish'>;
  clickhouse?: object;
  config?: object;
  logger?: JobContext['logger'];
  registry?: Registry;
}

/** Returns the context that the role gives to jobs. */
export function jobContext({ config, logger, registry = new Registry(), ...given }: Given): JobContext {
  return {
    ...given,
    changes: { publish: () => {}, publishJoined: () => {}, onJoined: () => () => {}, ...given.changes },
    config: { precedence: BUILT_IN, ...config },
    logger: logger ?? pino({ level: 'silent' }),
    registry,
    sources: createSourceMetrics(registry, given.pool, given.clock),
  } as unknown as JobContext;
}

/** @returns a function that ends the job */
export function startTestJob(job: Job, given: Given) {
  const context = jobContext(given);
  return startJob(job, context, createJobMetrics(context.registry, given.pool));
}
