/** The role `stream`: SSE, WebSocket and replay, and the streams for this service's pages. */
import { planVariables } from '../accounts/config.ts';
import { bindRoutes } from '../http/index.ts';
import { baseDeps, defineRole } from '../role.ts';
import { LivePages } from '../web/live/page-streams.ts';
import { liveRoutes } from '../web/live/stream-route.ts';
import { Admission } from './admission.ts';
import { startBalancer } from './balance.ts';
import { channels } from './channels.ts';
import { startHub } from './hub.ts';
import { createStreamMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export const stream = defineRole({
  name: 'stream',
  summary: 'streams (SSE and WebSocket) and replay',
  variables: planVariables,
  secrets: [],
  connections: 8,
  needs: ['eventLog', 'livenessLock'],
  routes: [...routes, ...liveRoutes],
  channels,
  async start(context) {
    const { eventLog, livenessLock, clock, logger, pool, registry, usage, plans, changes } = context;
    const metrics = createStreamMetrics(registry);
    const hub = await startHub({ log: eventLog, clock, logger, metrics });
    const balancer = startBalancer({ pool, hub });
    const admission = new Admission({ pool, logger, plans, livenessLock, metrics, usage, notices: changes });
    const livePages = new LivePages({ pool, clock, logger, metrics, notices: changes });
    const provides = { plans, eventLog, hub, admission, livePages };
    return {
      routes: bindRoutes([...routes, ...liveRoutes], { ...baseDeps(context), ...provides }),
      provides,
      async drain(spreadMs) {
        admission.drain();
        balancer.drain();
        await hub.close(spreadMs);
      },
      async stop() {
        await balancer.stop();
        // Without this, a process that failed to start would not close the hub.
        await hub.close();
        await admission.close();
        await livePages.close();
      },
    };
  },
});
