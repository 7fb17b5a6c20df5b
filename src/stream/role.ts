/** The role `stream`: SSE, WebSocket and replay. */
import { bindRoutes } from '../http/route.ts';
import { defineRole, depsOf } from '../role.ts';
import { Admission } from './admission.ts';
import { startHub } from './hub.ts';
import { createStreamMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export const stream = defineRole({
  name: 'stream',
  summary: 'streams (SSE and WebSocket) and replay',
  variables: {},
  secrets: ['secretKeys'],
  needs: ['eventLog', 'session'],
  routes,
  async start(context) {
    const { eventLog, session, clock, logger, pool, registry, usage, changes } = context;
    const metrics = createStreamMetrics(registry);
    const hub = await startHub({ log: eventLog, clock, logger, metrics });
    const admission = new Admission({ pool, logger, session, metrics, usage, notices: changes });
    const provides = { eventLog, hub, admission };
    return {
      routes: bindRoutes(routes, { ...depsOf(context), ...provides }),
      provides,
      async drain(spreadMs) {
        admission.drain();
        await hub.close(spreadMs);
      },
      async stop() {
        // A process that fails to start has not been drained.
        await hub.close();
        await admission.close();
      },
    };
  },
});
