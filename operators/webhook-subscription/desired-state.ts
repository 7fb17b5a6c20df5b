/** Computes the names and the row that a resource should have. Pure. */

import { type DestinationSettings, parseDestination } from '../../src/webhooks/destinations/index.ts';
import { type Ordering, SHARED, type Subscription, type Wanted } from '../../src/webhooks/subscriptions/index.ts';
import type { OwnerReference } from '../runtime/kube-api.ts';
import { GROUP } from '../runtime/labels.ts';
import { KIND, type Spec, VERSION, type WebhookSubscription } from './crd.ts';

export const GROUP_LABEL = `${GROUP}/dispatcher-group`;
/** A Secret with this label may be sent as the value of a header. */
export const HEADERS_LABEL = `${GROUP}/webhook-headers`;
/** A Secret with this label may be sent to a destination, as a password or a token. */
export const DESTINATION_LABEL = `${GROUP}/webhook-destination`;
/** Returns the dispatcher group that a resource requests. */
export const dispatcherGroup = ({
  metadata,
  spec,
}: {
  metadata: { uid: string };
  spec: Pick<Spec, 'isolation'>;
}): string => (spec.isolation === 'Dedicated' ? dedicatedGroup(metadata.uid) : SHARED);
export const dedicatedGroup = (uid: string): string => `whs-${uid}`;

export const secretName = ({ metadata, spec }: { metadata: { name: string }; spec: Pick<Spec, 'secretRef'> }): string =>
  spec.secretRef.name ?? `${metadata.name}-webhook`;

const same = (a: readonly (string | number)[], b: readonly (string | number)[]) =>
  a.length === b.length && [...a].sort().join() === [...b].sort().join();
const href = (url: string) => (URL.canParse(url) ? new URL(url).href : url);

export const wantedOrdering = ({ ordering, destination }: Pick<Spec, 'ordering' | 'destination'>): Ordering =>
  (ordering ?? (destination === undefined ? 'None' : 'Match')) === 'Match' ? 'match' : 'none';

/** The name of the setting that a kind of destination keeps secret. */
const SECRET_SETTINGS = { Kafka: 'password', MQTT: 'password', Slack: 'url', Discord: 'url', Telegram: 'token' };

/**
 * Returns a resource's destination in the form that the service checks.
 * @param secret the value from the Secret
 * @throws {Problem} invalid_parameter
 */
export function wantedDestination(
  { kind, mechanism, homeAssistant, chatId, secretKeyRef: _, ...others }: NonNullable<Spec['destination']>,
  secret: string | undefined,
): DestinationSettings {
  return parseDestination({
    ...others,
    kind: kind.toLowerCase(),
    ...(mechanism !== undefined && { mechanism: mechanism.toLowerCase() }),
    ...(homeAssistant !== undefined && { home_assistant: homeAssistant }),
    ...(chatId !== undefined && { chat_id: chatId }),
    ...(secret !== undefined && { [SECRET_SETTINGS[kind]]: secret }),
  });
}

/**
 * Returns the changes that bring the row in line with the spec. `paused` is applied only while the spec is new. After
 * that, a subscription that was paused or resumed elsewhere stays as it is.
 */
export function diffSpec(spec: Spec, row: Subscription, { isNew }: { isNew: boolean }): Partial<Wanted> {
  return {
    ...(spec.url !== undefined && href(spec.url) !== row.url && { url: spec.url }),
    ...(!same(spec.eventTypes, row.eventTypes) && { eventTypes: spec.eventTypes }),
    ...(!same(spec.sports, row.sports) && { sports: spec.sports }),
    ...(!same(spec.leagues, row.leagues) && { leagues: spec.leagues }),
    ...(!same(spec.matchIds, row.matchIds) && { matchIds: spec.matchIds }),
    ...(!same(spec.participantIds, row.participantIds) && { participantIds: spec.participantIds }),
    ...(!same(spec.conditions, row.conditions) && { conditions: spec.conditions }),
    ...(wantedOrdering(spec) !== row.ordering && { ordering: wantedOrdering(spec) }),
    ...((spec.maxPerSecond ?? null) !== row.maxPerSecond && { maxPerSecond: spec.maxPerSecond ?? null }),
    ...((spec.maxInFlight ?? null) !== row.maxInFlight && { maxInFlight: spec.maxInFlight ?? null }),
    // A resource that was stored under an earlier CRD has no delay.
    ...((spec.delay ?? 0) !== row.delay && { delay: spec.delay ?? 0 }),
    ...(isNew && spec.paused !== row.paused && { paused: spec.paused }),
  };
}

export const ownerReference = ({ metadata }: WebhookSubscription): OwnerReference => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: KIND,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
});
