/** The role `dispatcher`, which sends webhooks. */
import { planVariables } from '../accounts/config.ts';
import { OfferedPlans } from '../accounts/plans/index.ts';
import { defineRole } from '../role.ts';
import { dispatcherVariables } from './config.ts';
import { channel } from './delivery/asyncapi-channel.ts';
import { openSender } from './delivery/attempt.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { createGuard } from './subscriptions/address-guard.ts';
import { webhookPolicy } from './subscriptions/operator-limits.ts';

export const dispatcher = defineRole({
  name: 'dispatcher',
  summary: 'sends webhooks; its processes share the subscriptions',
  variables: { ...dispatcherVariables, ...planVariables },
  secrets: ['secretKeys'],
  connections: 8,
  needs: ['eventLog', 'livenessLock'],
  routes: [],
  channels: [channel],
  async start({ config, pool, eventLog, livenessLock, clock, logger, registry }) {
    const running = await startDispatcher({
      pool,
      log: eventLog,
      clock,
      logger,
      sender: openSender({ guard: createGuard({ allow: config.webhookAllow }) }),
      livenessLock,
      secretKeys: config.secretKeys,
      policy: webhookPolicy(config),
      plans: new OfferedPlans(config.plans, logger),
      group: config.dispatcherGroup,
      registry,
    });
    return { stop: () => running.stop() };
  },
});
