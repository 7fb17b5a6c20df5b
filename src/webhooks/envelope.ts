/** Envelopes of pings and tests, which are outside the cursor and to one subscription; ids of all. */
import { wireTime } from '../wire/time.ts';

export function ownEnvelope(
  type: 'webhook.ping' | 'webhook.test',
  id: string,
  subscriptionId: number,
  now: number,
): string {
  const sentAt = wireTime(now);
  return JSON.stringify({ id, type, data: { subscription_id: subscriptionId, sent_at: sentAt } });
}

const ID_AT = '{"id":"'.length;
/** The id that an envelope begins with. */
export const eventIdOf = (envelope: string): string => envelope.slice(ID_AT, envelope.indexOf('"', ID_AT));
