/** Pings, test events and challenges, which have no cursor and go to one subscription only. */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { wireTime } from '../../wire/time.ts';

export type OwnEventType = 'webhook.ping' | 'webhook.test' | 'webhook.challenge';

/** @param challenge the challenge text */
export function ownEnvelope(
  type: OwnEventType,
  id: string,
  subscriptionId: number,
  now: number,
  challenge: string | null = null,
): string {
  const data = { subscription_id: subscriptionId, sent_at: wireTime(now), ...(challenge !== null && { challenge }) };
  return JSON.stringify({ id, type, data });
}

/** Returns a new event id, evt_0_<n>. */
export async function newEventId(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ n: number }>("SELECT nextval('webhook_event_number') AS n");
  return `evt_0_${firstRow(rows).n}`;
}
