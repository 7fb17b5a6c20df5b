/** The role `ingest`, which receives feed updates and plays the demo. */
import { applyUpdates } from '../apply/index.ts';
import { playDemo, prepareDemo } from '../demo/demo.ts';
import { bindRoutes } from '../http/index.ts';
import { precedenceVariables } from '../identity/config.ts';
import { EntityCache } from '../identity/entities.ts';
import { baseDeps, defineRole } from '../role.ts';
import { countResults, createIngestMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export const ingest = defineRole({
  name: 'ingest',
  summary: 'receives feed updates from live providers; checks signatures with `SECRET_KEY`',
  variables: precedenceVariables,
  secrets: ['feedToken'],
  connections: 20,
  needs: [],
  usesReplicas: true,
  routes,
  async start(context) {
    const { config, pool, clock, changes, logger, progress, registry } = context;
    const metrics = createIngestMetrics({
      registry,
      db: pool,
      clock,
      listed: config.precedence.live,
      polled: config.precedence.polled,
    });
    const entities = new EntityCache();
    const unfollow = entities.follow(changes);
    const demo = {
      pool,
      clock,
      logger,
      async apply(...[updates, options]: Parameters<Parameters<typeof prepareDemo>[0]['apply']>) {
        const results = await applyUpdates({ config, pool, clock, changes, entities }, updates, options);
        // The sample catalogue is an import, so its results are not counted.
        if (options.events) countResults(metrics, updates, results);
        return results;
      },
    };
    if (config.demo) {
      const count = await prepareDemo(demo);
      if (count > 0) progress(`Loaded the sample catalogue: ${count} updates`);
    }
    return {
      routes: bindRoutes(routes, { ...baseDeps(context), entities, metrics }),
      serving() {
        const abort = new AbortController();
        const playing = config.demo ? playDemo(demo, abort.signal) : Promise.resolve();
        return async () => {
          abort.abort();
          unfollow();
          await playing;
        };
      },
    };
  },
});
