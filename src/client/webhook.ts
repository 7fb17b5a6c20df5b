/** For webhook receivers: verifies that a request comes from the service, and parses it. For Node; no dependencies. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditEvent, EventData, EventFrame } from './api.ts';

/** Maximum difference between the time in a request and the receiver's clock (spec: 5 minutes). */
const TOLERANCE_SECONDS = 5 * 60;

export interface WebhookOptions {
  toleranceSeconds?: number;
  /** The receiver's time, in milliseconds since 1970. */
  now?: number;
}

interface Delivered<Type, Data> {
  id: string;
  type: Type;
  data: Data;
}
/** Data in `webhook.ping`, `webhook.test` and `webhook.challenge`, which are about the subscription itself. */
interface SubscriptionData {
  subscription_id: number;
  /** When the message was sent. */
  sent_at: string;
}
/** Data in notices, which are about another subscription of the account. */
interface NoticeData extends SubscriptionData {
  host: string;
  description: string;
  /** The first failure after the last success. */
  since: string | null;
  failure: string | null;
}
/** A delivered event, discriminated by `type`. */
export type WebhookEvent =
  | Delivered<Extract<EventFrame['type'], `match.${string}`>, EventData>
  | Delivered<'webhook.ping', SubscriptionData>
  | Delivered<'webhook.test', SubscriptionData>
  | Delivered<'webhook.failing', NoticeData>
  | Delivered<'webhook.disabled', NoticeData & { reason: 'no_success' | 'gone'; cursor: number }>
  | Delivered<'webhook.recovered', NoticeData>
  | Delivered<'account.changed', AuditEvent>
  | Delivered<'webhook.challenge', SubscriptionData & { challenge: string }>;

/**
 * @param headers Node's `request.headers` or fetch's `Headers`
 * @param rawBody the bytes as received, before any parsing
 * @param secret the webhook's secret, `whsec_…`, or a list of secrets during a rotation
 * @returns the envelope `{ id, type, data }`. It may be delivered again, so store the `id` to recognize repeats
 * @throws {TypeError} if the secret is missing or empty. This is a mistake in the receiver, since anybody can sign with
 *   an empty secret
 * @throws {Error} if the request cannot be trusted. Reply with 400 in that case
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
 * @param event a verified event. An unverified challenge might confirm a stranger's subscription
 * @returns the body for your 200 reply. For a `webhook.challenge`, this is the challenge, which confirms that you want
 *   events at this address. Otherwise it is empty
 *
 * @example response.end(webhookReply(event));
 */
export const webhookReply = (event: WebhookEvent): string =>
  event.type === 'webhook.challenge' ? event.data.challenge : '';
