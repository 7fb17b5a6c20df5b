/**
 * The role `operator`, which turns WebhookSubscription resources into subscriptions and dispatchers, and tenancy resources
 * into accounts, keys, tokens, plans and sources.
 */
import { defineRole } from '../src/role.ts';
import { operatorVariables } from './config.ts';

export const operator = defineRole({
  name: 'operator',
  summary: 'reconciles `WebhookSubscription` resources; one process works, the others are on standby',
  variables: operatorVariables,
  secrets: ['secretKeys'],
  connections: 5,
  needs: [],
  routes: [],
  async start({ config, pool, clock, logger, registry, plans }) {
    // Imported only here, because the library is large and only this role needs it.
    const { startOperator } = await import('./operator.ts');
    const running = await startOperator({ config, pool, clock, logger, registry, plans });
    return { caughtUp: () => running.caughtUp(), stop: () => running.stop() };
  },
});
