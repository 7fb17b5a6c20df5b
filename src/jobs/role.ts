/** The role `jobs`. Each job runs in the process that holds the job's lease. */
import { pollingVariables } from '../polling/config.ts';
import { defineRole } from '../role.ts';
import { createSourceMetrics } from '../sources/index.ts';
import { startDeclaredSources } from './declared-sources.ts';
import { JOBS } from './jobs.ts';
import { prepareSources } from './live-sources.ts';
import { createJobMetrics } from './metrics.ts';
import { startJob } from './runner.ts';

export const jobs = defineRole({
  name: 'jobs',
  summary:
    'housekeeping of matches, weather, coverage, search, player links, pairs of participants, ratings, analytics cards, expected goals of earlier releases, purges of caches in front; one process runs each job, the others are on standby',
  variables: { ...Object.fromEntries(JOBS.flatMap(({ variables }) => Object.entries(variables))), ...pollingVariables },
  secrets: [],
  connections: 12,
  needs: ['clickhouse', 'livenessLock'],
  routes: [],
  async start(context) {
    const { config, registry, pool, clock } = context;
    await prepareSources(config, pool);
    const metrics = createJobMetrics(registry, pool);
    const sources = createSourceMetrics(registry, pool, clock);
    return {
      serving() {
        const own = { ...context, sources };
        const running = [...JOBS.map((job) => startJob(job, own, metrics)), startDeclaredSources(own, metrics)];
        return async () => {
          await Promise.all(running.map((one) => one.stop()));
        };
      },
    };
  },
});
