/** The role `dispatcher`, which sends webhooks. */
import { planVariables } from '../accounts/config.ts';
import { createGuard } from '../outbound/index.ts';
import { pushSubject, startPush } from '../push/index.ts';
import { defineRole } from '../role.ts';
import { dispatcherVariables } from './config.ts';
import { channel } from './delivery/asyncapi-channel.ts';
import { openSender } from './destinations/attempt.ts';
import { openDestinations } from './destinations/connections.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { webhookPolicy } from './subscriptions/operator-limits.ts';
import { SHARED } from './subscriptions/subscription.ts';

export const dispatcher = defineRole({
  name: 'dispatcher',
  summary: 'sends webhooks, and notifications to browsers; its processes share the subscriptions',
  variables: { ...dispatcherVariables, ...planVariables },
  secrets: ['secretKeys'],
  connections: 8,
  needs: ['eventLog', 'livenessLock'],
  routes: [],
  channels: [channel],
  async start({ config, pool, eventLog, livenessLock, clock, logger, registry, plans }) {
    const common = { pool, log: eventLog, clock, logger, livenessLock, secretKeys: config.secretKeys, registry };
    const guard = createGuard({ allow: config.webhookAllow });
    const sender = openSender({ guard });
    const running = await startDispatcher({
      ...common,
      sender,
      destinations: openDestinations({ guard, sender }),
      policy: webhookPolicy(config),
      plans,
      group: config.dispatcherGroup,
    });
    if (config.dispatcherGroup !== SHARED) return { stop: () => running.stop() };
    const pushSender = openSender({ guard });
    const push = startPush({ ...common, sender: pushSender, subject: pushSubject(config.baseUrl) });
    return {
      async stop() {
        await Promise.all([running.stop(), push.stop()]);
        pushSender.close();
      },
    };
  },
});
