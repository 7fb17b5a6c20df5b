/** The `loader` role moves finished matches, prices and usage to ClickHouse. One process works while the rest stand by. */
import { startUsageMover } from '../accounts/usage/index.ts';
import { defineRole } from '../role.ts';
import { startLoader } from './loader/loader.ts';
import { measureLoader } from './loader/loader-metrics.ts';

export const loader = defineRole({
  name: 'loader',
  summary: 'moves finished matches, prices and usage into ClickHouse; one process works, the others stand by',
  variables: {},
  secrets: [],
  connections: 5,
  needs: ['clickhouse', 'livenessLock'],
  routes: [],
  async start({ pool, clickhouse, livenessLock, clock, logger, changes, registry }) {
    measureLoader(pool, registry);
    return {
      provides: { clickhouse },
      // The embedded engine opens in the background, while the process already serves requests.
      serving() {
        const running = startLoader({
          pool,
          clickhouse,
          isOpen: clickhouse.isOpen,
          livenessLock,
          logger,
          onChange: (listener) => changes.subscribe(listener),
        });
        const mover = startUsageMover({ pool, clickhouse, clock, logger });
        return async () => {
          await mover.stop();
          await running.stop();
        };
      },
    };
  },
});
