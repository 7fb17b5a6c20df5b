/**
 * Reads a subscription's settings for a dispatcher, from a row that may be invalid. The owner's input was checked, but
 * an edit by SQL, a restored backup or a key missing in SECRET_KEY can break a row later.
 */
import type { OfferedPlans } from '../../accounts/plans/index.ts';
import { FilterError, MAX_DELAY } from '../../events/index.ts';
import { errorMessage } from '../../runtime/unknown-values.ts';
import { type Destination, readDestination } from '../destinations/kinds.ts';
import { readHeaders } from './custom-headers.ts';
import { filterField, type WebhookFilter } from './event-filter.ts';
import { ORDERINGS } from './settings.ts';
import { SigningKeys } from './signing-keys.ts';
import { toFilter } from './subscription.ts';
import type { SubscriptionRow } from './subscription-row.ts';

/**
 * Thrown for a row that cannot be used. The owner sees the message. It contains neither a secret nor the URL, since a
 * URL may contain a secret.
 */
export class UnreadableSubscription extends Error {}

export interface StoredSettings {
  /** A URL, or another destination. */
  endpoint: URL | Destination;
  /** The name of the endpoint's host, by which limits on a host's load count. */
  host: string;
  filter: WebhookFilter;
  keys: SigningKeys;
  /** The headers that the owner has added. */
  headers: Readonly<Record<string, string>>;
  /** Infinity if the owner has set no limit, as below. */
  maxPerSecond: number;
  maxInFlight: number;
  /** In seconds. */
  delay: number;
}

/** Columns that must be safe integers. A larger number loses digits in JavaScript, and the dispatcher would write the wrong row or none. */
const COUNTED = ['position', 'generation', 'version'] as const;

export interface SettingsContext {
  secretKeys: readonly string[];
  plans: OfferedPlans;
  /** Current time in milliseconds since 1970. */
  now: number;
}

/** @throws {UnreadableSubscription} */
export function readSettings(row: SubscriptionRow, { secretKeys, plans, now }: SettingsContext): StoredSettings {
  for (const column of COUNTED) {
    if (!Number.isSafeInteger(row[column])) throw new UnreadableSubscription(`${column} is out of range`);
  }
  if (!ORDERINGS.includes(row.ordering)) throw new UnreadableSubscription('ordering is unknown');
  if (row.delay < 0 || row.delay > MAX_DELAY) throw new UnreadableSubscription('delay is out of range');
  return {
    ...readEndpoint(row, secretKeys),
    filter: filterOfRow(row, plans),
    keys: openKeys(row, secretKeys, now),
    headers: openHeaders(row, secretKeys),
    maxPerSecond: readLimit(row, 'max_per_second'),
    maxInFlight: readLimit(row, 'max_in_flight'),
    delay: row.delay,
  };
}

function readLimit(row: SubscriptionRow, column: 'max_per_second' | 'max_in_flight'): number {
  const limit = row[column] ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw new UnreadableSubscription(`${column} is out of range`);
  return limit;
}

function readEndpoint(row: SubscriptionRow, secretKeys: readonly string[]): Pick<StoredSettings, 'endpoint' | 'host'> {
  const { id, url, destination, destination_secret: destinationSecret, participant_ids: participantIds } = row;
  if (destination === null) {
    if (!URL.canParse(url)) throw new UnreadableSubscription('url cannot be parsed');
    const endpoint = new URL(url);
    return { endpoint, host: endpoint.hostname };
  }
  try {
    const endpoint = readDestination({ destination, destinationSecret }, { id, participantIds, secretKeys });
    return { endpoint, host: endpoint.host };
  } catch {
    // The settings are not named, since they may contain a secret.
    throw new UnreadableSubscription('destination cannot be read');
  }
}

function filterOfRow(row: SubscriptionRow, plans: OfferedPlans): WebhookFilter {
  try {
    return toFilter(
      {
        eventTypes: row.event_types,
        sports: row.sports,
        leagues: row.leagues,
        matchIds: row.match_ids,
        participantIds: row.participant_ids,
        conditions: row.conditions,
      },
      plans.named(row.plan),
    );
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new UnreadableSubscription(`${filterField(error)}: ${error.message}`);
  }
}

function openKeys(row: SubscriptionRow, secretKeys: readonly string[], now: number): SigningKeys {
  try {
    return new SigningKeys(row, secretKeys, now);
  } catch (error) {
    throw new UnreadableSubscription(`secret cannot be read: ${errorMessage(error)}`);
  }
}

function openHeaders({ headers, secret_headers: secretHeaders }: SubscriptionRow, secretKeys: readonly string[]) {
  try {
    return readHeaders({ headers, secretHeaders }, secretKeys);
  } catch (error) {
    throw new UnreadableSubscription(`headers cannot be read: ${errorMessage(error)}`);
  }
}
