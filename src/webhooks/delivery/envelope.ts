/** The envelopes of pings, test events and challenges, which have no cursor and go to one subscription only. */
import { wireTime } from '../../wire/time.ts';

export type OwnEventType = 'webhook.ping' | 'webhook.test' | 'webhook.challenge';

/** @param challenge text of a challenge */
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

const OCCURRED_AT = /"occurred_at":"([^"]+)"/;

/** @returns milliseconds since 1970; null for an envelope without a time */
export function readOccurredAt(envelope: string): number | null {
  const at = Date.parse(OCCURRED_AT.exec(envelope)?.[1] ?? '');
  return Number.isNaN(at) ? null : at;
}

const MATCH_AT = '"match":{';
/** Quotation marks within a text are escaped, so no name can match. */
const SIDES = /"(?:home|away)":\{"id":(\d+)/g;

/** Returns the ids of both sides of an event's match, without parsing all of the envelope. */
export function readParticipants(envelope: string): number[] {
  const at = envelope.indexOf(MATCH_AT);
  if (at === -1) return [];
  SIDES.lastIndex = at;
  const [home, away] = [SIDES.exec(envelope), SIDES.exec(envelope)];
  return [home, away].flatMap((found) => (found === null ? [] : [Number(found[1])]));
}
