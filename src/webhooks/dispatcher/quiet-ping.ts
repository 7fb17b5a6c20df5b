/** The `webhook.ping` to a quiet subscription, which shows the receiver that the connection works. */

/** Time without any attempt after which a ping is sent (spec: 15 minutes). */
const PING_AFTER_MS = 15 * 60_000;

/** @param lastSentAt when the last attempt started, in milliseconds since 1970 like `now` */
export const isPingDue = (lastSentAt: number, inFlight: number, now: number): boolean =>
  now - lastSentAt >= PING_AFTER_MS && inFlight === 0;
