/** Events on resources, for `kubectl describe`: one object for each message, with a count of its repetitions. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../src/runtime/clock.ts';
import { wireTime } from '../../src/wire/time.ts';
import { type Api, apiVersion, EVENTS } from './api.ts';
import { GROUP, KIND, VERSION, type WebhookSubscription } from './crd.ts';
import { MANAGER } from './desired.ts';

export interface Recorder {
  /** Never rejects: the status and the log contain the same. */
  record(resource: WebhookSubscription, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>;
}

/** The API server stores Events for an hour; the same one is not written again within this time. */
const QUIET_MS = 300_000;
const REMEMBERED = 5_000;
const MESSAGE_CHARACTERS = 1_000;

export function createRecorder({ api, clock, logger }: { api: Api; clock: Clock; logger: Logger }): Recorder {
  const recorded = new LRUCache<string, { first: string; at: number; count: number }>({ max: REMEMBERED });
  return {
    async record({ metadata }, type, reason, message) {
      const now = clock.now();
      const key = createHash('sha256')
        .update(`${metadata.uid} ${type} ${reason} ${message}`)
        .digest('hex')
        .slice(0, 16);
      const before = recorded.get(key);
      if (before !== undefined && now - before.at < QUIET_MS) {
        before.count += 1;
        return;
      }
      const at = wireTime(now);
      const event = { first: before?.first ?? at, at: now, count: (before?.count ?? 0) + 1 };
      const name = `${metadata.name}.${key}`;
      try {
        await api.apply(
          EVENTS,
          { namespace: metadata.namespace, name },
          {
            apiVersion: apiVersion(EVENTS),
            kind: 'Event',
            metadata: { name, namespace: metadata.namespace },
            involvedObject: {
              apiVersion: `${GROUP}/${VERSION}`,
              kind: KIND,
              name: metadata.name,
              namespace: metadata.namespace,
              uid: metadata.uid,
            },
            type,
            reason,
            message: message.slice(0, MESSAGE_CHARACTERS),
            source: { component: MANAGER },
            reportingComponent: MANAGER,
            firstTimestamp: event.first,
            lastTimestamp: at,
            count: event.count,
          },
        );
        recorded.set(key, event);
      } catch (error) {
        logger.info(
          { resource: metadata.name, event: reason, reason: (error as Error).message },
          'recording an Event failed',
        );
      }
    },
  };
}
