/** The role `relay`, which moves outbox rows into the event log. One process works at a time, and the others stand by. */
import { defineRole } from '../role.ts';
import { startRelay } from './relay.ts';
import { measuredWriter } from './relay-metrics.ts';

export const relay = defineRole({
  name: 'relay',
  summary: 'moves match events from Postgres into the event log; one process works, the others are on standby',
  variables: {},
  secrets: [],
  connections: 5,
  needs: ['eventLog', 'livenessLock'],
  routes: [],
  async start({ eventLog, livenessLock, pool, clock, logger, changes, registry }) {
    const running = startRelay({
      pool,
      log: measuredWriter(eventLog, pool, registry),
      clock,
      logger,
      livenessLock,
      onChange: (listener) => changes.subscribe(listener),
    });
    return { stop: () => running.stop() };
  },
});
