/** The role `stream`: SSE, WebSocket and replay. */
import { defineRole } from '../role.ts';
import { openAdmission } from './admission.ts';
import { openHub } from './hub.ts';
import { createStreamMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export const stream = defineRole({
  name: 'stream',
  summary: 'streams (SSE and WebSocket) and replay',
  variables: {},
  secrets: ['secretKeys'],
  needs: ['eventLog'],
  routes,
  async start({ eventLog, clock, logger, pool, registry }) {
    const metrics = createStreamMetrics(registry);
    const hub = await openHub({ log: eventLog, clock, logger, metrics });
    const admission = openAdmission({ pool, logger, metrics });
    return {
      provides: { eventLog, hub, admission },
      async drain(spreadMs: number) {
        admission.drain();
        await hub.close(spreadMs);
      },
      stop: () => admission.close(),
    };
  },
});
