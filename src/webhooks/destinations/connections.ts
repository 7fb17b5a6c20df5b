/** Sends events to destinations. Each subscription has one connection, which stays open while it is used. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '../../outbound/index.ts';
import { ATTEMPT_TIMEOUT_MS, type AttemptResult, type Sender } from './attempt.ts';
import { type Connection, type Message, Refused, type Reply } from './destination.ts';
import { classifyFailure, type Failure, timedOut } from './failure-cause.ts';
import { type Destination, openConnection } from './kinds.ts';

/** Connections that have not been used for this long are closed. */
const IDLE_MS = 60_000;
/** Limit on open connections. Beyond it, the one that has been idle for longest is closed. */
const MAX_OPEN = 1_000;

interface Open {
  /** The destination's key when the connection was opened. */
  key: string;
  connection: Connection;
  inFlight: number;
  usedAt: number;
}

export interface Destinations {
  /** Makes one attempt, which takes at most 8 s; never rejects. */
  send(destination: Destination, message: Message): Promise<AttemptResult>;
  close(): void;
}

export interface DestinationsOptions {
  guard: Guard;
  sender: Sender;
  timeoutMs?: number | undefined;
  /** Certificates that tests trust in addition to the public ones. */
  ca?: string | undefined;
}

/** Opens each connection when the first event is sent. The caller closes it. */
export function openDestinations({ timeoutMs = ATTEMPT_TIMEOUT_MS, ...context }: DestinationsOptions): Destinations {
  /** By subscription, the one used last at the end. */
  const open = new Map<number, Open>();
  let timer: NodeJS.Timeout | null = null;

  function drop(id: number, one: Open): void {
    if (open.get(id) === one) open.delete(id);
    one.connection.close();
  }

  function closeIdle(): void {
    const now = performance.now();
    for (const [id, one] of open) if (one.inFlight === 0 && now - one.usedAt >= IDLE_MS) drop(id, one);
    if (open.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function use(destination: Destination): Open {
    const { subscriptionId } = destination;
    let one = open.get(subscriptionId);
    if (one !== undefined && one.key !== destination.key) {
      drop(subscriptionId, one);
      one = undefined;
    }
    if (one === undefined) {
      const idle = open.size < MAX_OPEN ? undefined : [...open].find(([, { inFlight }]) => inFlight === 0);
      if (idle !== undefined) drop(...idle);
      one = { key: destination.key, connection: openConnection(destination, context), inFlight: 0, usedAt: 0 };
    }
    open.delete(subscriptionId);
    open.set(subscriptionId, one);
    timer ??= setInterval(closeIdle, IDLE_MS / 2).unref();
    return one;
  }

  return {
    async send(destination, message) {
      const begun = performance.now();
      const ended = (reply: Reply): AttemptResult => ({ ...reply, durationMs: Math.round(performance.now() - begun) });
      const failed = (failure: Failure) => ended({ status: null, reply: null, retryAfter: null, ...failure });
      const one = use(destination);
      one.inFlight += 1;
      const stop = new AbortController();
      const timeout = sleep(timeoutMs, null, { signal: stop.signal }).catch(() => null);
      try {
        const sending = one.connection.send(message);
        sending.catch(() => {});
        const reply = await Promise.race([sending, timeout]);
        if (reply !== null) return ended(reply);
        drop(destination.subscriptionId, one);
        return failed(timedOut(timeoutMs / 1_000));
      } catch (error) {
        if (!(error instanceof Refused && error.keepsConnection)) drop(destination.subscriptionId, one);
        return failed(
          error instanceof Refused ? { failure: error.message, cause: 'rejected' } : classifyFailure(error),
        );
      } finally {
        stop.abort();
        one.inFlight -= 1;
        one.usedAt = performance.now();
      }
    },
    close() {
      if (timer !== null) clearInterval(timer);
      for (const [id, one] of open) drop(id, one);
    },
  };
}
