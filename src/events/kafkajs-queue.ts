/**
 * Repairs the request queue of kafkajs, which schedules a check every millisecond even if no request is pending, and with a
 * negative time, of which Node warns. The version of kafkajs is pinned.
 */
import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

const require = createRequire(import.meta.url);
const { prototype: queue } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
const schedule = queue.scheduleCheckPendingRequests;
queue.scheduleCheckPendingRequests = function scheduleWhereNeeded() {
  if (this.pending.length > 0) schedule.call(this);
};
