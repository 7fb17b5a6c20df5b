/** The role `ingest`: takes feed updates, does the housekeeping of matches, and plays the demo. */
import { applyUpdates } from '../apply/apply.ts';
import { startHousekeeping } from '../apply/housekeeping.ts';
import { playDemo, prepareDemo } from '../demo/demo.ts';
import { bindRoutes } from '../http/route.ts';
import { precedenceVariables } from '../identity/config.ts';
import { defineRole, depsOf } from '../role.ts';
import { routes } from './routes.ts';

export const ingest = defineRole({
  name: 'ingest',
  summary: 'the feed, by which providers write',
  variables: precedenceVariables,
  secrets: ['feedToken'],
  needs: [],
  routes,
  async start(context) {
    const { config, pool, clock, changes, logger, progress } = context;
    const demo = {
      pool,
      clock,
      logger,
      apply: (...[updates, options]: Parameters<Parameters<typeof prepareDemo>[0]['apply']>) =>
        applyUpdates({ config, pool, clock, changes }, updates, options),
    };
    if (config.demo) {
      const count = await prepareDemo(demo);
      if (count > 0) progress(`Loaded the sample catalogue: ${count} updates`);
    }
    const housekeeping = startHousekeeping({ config, pool, clock, changes, logger });
    return {
      routes: bindRoutes(routes, depsOf(context)),
      ...(config.demo && {
        serving() {
          const abort = new AbortController();
          const playing = playDemo(demo, abort.signal);
          return () => {
            abort.abort();
            return playing;
          };
        },
      }),
      stop: () => housekeeping.stop(),
    };
  },
});
