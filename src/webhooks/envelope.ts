/** Envelopes of pings and tests: outside the cursor, and to one subscription. */
export function ownEnvelope(
  type: 'webhook.ping' | 'webhook.test',
  id: string,
  subscriptionId: number,
  now: number,
): string {
  const sentAt = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return JSON.stringify({ id, type, data: { subscription_id: subscriptionId, sent_at: sentAt } });
}
