/** Records Events on resources, for `kubectl describe`. Each message has one Event object with a repetition count. */

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../src/runtime/clock.ts';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import { wireTime } from '../../src/wire/time.ts';
import { type Api, apiVersion, EVENTS } from './kube-api.ts';
import { MANAGER } from './labels.ts';

/** The object that an Event is about. */
export interface Involved {
  apiVersion: string;
  kind: string;
  namespace: string;
  name: string;
  uid: string;
}

export interface Recorder {
  /** Records an Event. Never rejects, because the status or the log contains the message as well. */
  record(involved: Involved, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>;
}

/** Time within which the same Event is not written again. The API server stores Events for an hour. */
const QUIET_MS = 300_000;
const REMEMBERED = 5_000;
const MESSAGE_CHARACTERS = 1_000;

export function createRecorder({ api, clock, logger }: { api: Api; clock: Clock; logger: Logger }): Recorder {
  const recorded = new LRUCache<string, { first: string; at: number; count: number }>({ max: REMEMBERED });
  return {
    async record({ apiVersion: version, kind, namespace, name, uid }, type, reason, message) {
      const now = clock.now();
      const key = createHash('sha256').update(`${uid} ${type} ${reason} ${message}`).digest('hex').slice(0, 16);
      const before = recorded.get(key);
      if (before !== undefined && now - before.at < QUIET_MS) {
        before.count += 1;
        return;
      }
      const at = wireTime(now);
      const entry = { first: before?.first ?? at, at: now, count: (before?.count ?? 0) + 1 };
      const event = `${name}.${key}`;
      try {
        await api.apply(
          EVENTS,
          { namespace, name: event },
          {
            apiVersion: apiVersion(EVENTS),
            kind: 'Event',
            metadata: { name: event, namespace },
            involvedObject: { apiVersion: version, kind, name, namespace, uid },
            type,
            reason,
            message: message.slice(0, MESSAGE_CHARACTERS),
            source: { component: MANAGER },
            reportingComponent: MANAGER,
            firstTimestamp: entry.first,
            lastTimestamp: at,
            count: entry.count,
          },
        );
        recorded.set(key, entry);
      } catch (error) {
        logger.info({ object: name, event: reason, reason: errorMessage(error) }, 'recording an Event failed');
      }
    },
  };
}
