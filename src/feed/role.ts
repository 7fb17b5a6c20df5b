/**
 * The role `ingest`: receives feed updates, does the housekeeping of matches, fetches their weather, measures coverage,
 * refreshes the search, and plays the demo.
 */
import { applyUpdates } from '../apply/apply.ts';
import { startHousekeeping } from '../apply/housekeeping.ts';
import { startCoverage } from '../catalogue/coverage/refresh.ts';
import { startSearchRefresh } from '../catalogue/search/refresh.ts';
import { playDemo, prepareDemo } from '../demo/demo.ts';
import { bindRoutes } from '../http/route.ts';
import { precedenceVariables } from '../identity/config.ts';
import { baseDeps, defineRole } from '../role.ts';
import { weatherVariables } from '../weather/config.ts';
import { startWeather } from '../weather/weather.ts';
import { countResults, createIngestMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export const ingest = defineRole({
  name: 'ingest',
  summary:
    'the feed, by which providers write; one process fetches the weather, one measures the coverage, one refreshes the search',
  variables: { ...precedenceVariables, ...weatherVariables },
  secrets: ['feedToken'],
  needs: [],
  routes,
  async start(context) {
    const { config, pool, clock, changes, logger, progress, registry } = context;
    const metrics = createIngestMetrics({ registry, db: pool, clock, listed: config.precedence.live });
    const demo = {
      pool,
      clock,
      logger,
      async apply(...[updates, options]: Parameters<Parameters<typeof prepareDemo>[0]['apply']>) {
        const results = await applyUpdates({ config, pool, clock, changes }, updates, options);
        // The sample catalogue counts as an import.
        if (options.events) countResults(metrics, updates, results);
        return results;
      },
    };
    if (config.demo) {
      const count = await prepareDemo(demo);
      if (count > 0) progress(`Loaded the sample catalogue: ${count} updates`);
    }
    const housekeeping = startHousekeeping({ config, pool, clock, changes, logger });
    return {
      routes: bindRoutes(routes, { ...baseDeps(context), metrics }),
      serving() {
        const stopWeather = startWeather({ config, pool, clock, changes, logger, registry });
        const coverage = startCoverage({ pool, clock, logger });
        const search = startSearchRefresh({ pool, clock, logger });
        const abort = new AbortController();
        const playing = config.demo ? playDemo(demo, abort.signal) : Promise.resolve();
        return async () => {
          abort.abort();
          await Promise.all([stopWeather(), coverage.stop(), search.stop(), playing]);
        };
      },
      stop: () => housekeeping.stop(),
    };
  },
});
