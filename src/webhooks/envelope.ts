/** The envelopes of pings and test events, which have no cursor and go to one subscription only; and the id of any envelope. */
import { wireTime } from '../wire/time.ts';

export function ownEnvelope(
  type: 'webhook.ping' | 'webhook.test',
  id: string,
  subscriptionId: number,
  now: number,
): string {
  return JSON.stringify({ id, type, data: { subscription_id: subscriptionId, sent_at: wireTime(now) } });
}

const ID_AT = '{"id":"'.length;
/** The id that an envelope begins with. */
export const eventIdOf = (envelope: string): string => envelope.slice(ID_AT, envelope.indexOf('"', ID_AT));
