/** For webhook receivers: verifies that a request comes from the service, and parses it. For Node; no dependencies. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventData, EventFrame } from './api.ts';

/** Maximum difference between a request's time and the receiver's clock (spec: 5 minutes). */
const TOLERANCE_SECONDS = 5 * 60;

export interface WebhookOptions {
  toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

interface Delivered<Type, Data> {
  id: string;
  type: Type;
  data: Data;
}
/** Data in `webhook.ping`, `webhook.test` and `webhook.challenge`, about the subscription itself. */
interface SubscriptionData {
  subscription_id: number;
  /** A time. */
  sent_at: string;
}
/** A delivered event, discriminated by `type`. */
export type WebhookEvent =
  | Delivered<Exclude<EventFrame['type'], 'webhook.ping' | 'webhook.test' | 'webhook.challenge'>, EventData>
  | Delivered<'webhook.ping', SubscriptionData>
  | Delivered<'webhook.test', SubscriptionData>
  | Delivered<'webhook.challenge', SubscriptionData & { challenge: string }>;

/**
 * @param headers Node's `request.headers` or fetch's `Headers`
 * @param rawBody the bytes as received, before any parsing
 * @param secret `whsec_…`; several during a rotation
 * @returns the envelope `{ id, type, data }`; it may be delivered again, so remember the `id`
 * @throws {TypeError} without a secret, or with an empty one, which is the receiver's mistake, since anybody can sign with it
 * @throws if the request cannot be trusted; reply with 400 then
 *
 * @example const { id, type, data } = verifyWebhook(request.headers, body, process.env.TOUCHLINE_SECRET);
 */
export function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  rawBody: Uint8Array | string,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: WebhookOptions = {},
): WebhookEvent {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => !one)) throw new TypeError('The secret of the webhook is missing.');
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const timestamp = header('x-service-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) throw new Error('the timestamp is missing');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new Error('the timestamp is too old or too new');
  const wanted = secrets.map((one) => createHmac('sha256', one).update(`${timestamp}.`).update(rawBody).digest());
  const given = header('x-service-signature')
    .split(',')
    .map((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1]);
  const good = given.some((hex) => hex && wanted.some((digest) => timingSafeEqual(digest, Buffer.from(hex, 'hex'))));
  if (!good) throw new Error('no signature matches');
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
}

/**
 * @param event a verified event, because an unverified challenge may confirm a stranger's subscription
 * @returns the body for your 200 reply; for a `webhook.challenge` it is the challenge, which confirms that you want
 * events at this address, otherwise it is empty
 *
 * @example response.end(webhookReply(event));
 */
export const webhookReply = (event: WebhookEvent): string =>
  event.type === 'webhook.challenge' ? event.data.challenge : '';
