/** The settings that an owner gives a subscription, and their checks. */
import { MAX_DELAY } from '../../events/index.ts';
import { invalidParameter } from '../../http/index.ts';
import { AddressRefused, type Guard } from '../../outbound/index.ts';
import {
  checkDestination,
  completeDestination,
  type DestinationSettings,
  NO_DESTINATION,
  type StoredDestination,
} from '../destinations/kinds.ts';
import { type CustomHeader, checkHeaders } from './custom-headers.ts';
import { checkSettings, type FilterSettings } from './event-filter.ts';

/** How a subscription can order events: not at all, or each match's events by their sequence. */
export const ORDERINGS = ['none', 'match'] as const;
export type Ordering = (typeof ORDERINGS)[number];

export interface Wanted extends FilterSettings {
  /** A new subscription has either this or `destination`. */
  url?: string | undefined;
  destination?: DestinationSettings | undefined;
  /** Headers that are added to each request. */
  headers?: readonly CustomHeader[] | undefined;
  ordering?: Ordering | undefined;
  /** Limit on requests that are received within any second. Null for the service's limit. */
  maxPerSecond?: number | null | undefined;
  /** Limit on requests without a reply. Null for the service's limit. */
  maxInFlight?: number | null | undefined;
  /** How many seconds after an event it is sent. */
  delay?: number | undefined;
  /** The owner's description. */
  description?: string | undefined;
  /** Names and values that the owner has attached. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** The group of dispatchers that send to the subscription. By default, the shared one. */
  dispatcherGroup?: string | undefined;
  paused?: boolean | undefined;
}

/** Limit on the description, in characters. */
export const MAX_DESCRIPTION = 500;
export const METADATA_LIMITS = { pairs: 50, key: 40, value: 500 } as const;

/** The largest limits that an owner can set. `inFlight` also applies if the owner has set none. */
export const PACE_LIMITS = { perSecond: 10_000, inFlight: 32 } as const;

const countCharacters = (text: string) => [...text].length;
const fits = (text: string, max: number) => countCharacters(text) <= max && !text.includes('\0');

/** @throws {Problem} invalid_parameter */
function checkNotes({ description = '', metadata = {} }: Pick<Wanted, 'description' | 'metadata'>): void {
  if (!fits(description, MAX_DESCRIPTION)) {
    throw invalidParameter(
      'description',
      'invalid_text',
      `must have at most ${MAX_DESCRIPTION} characters, without NUL`,
    );
  }
  const { pairs, key, value } = METADATA_LIMITS;
  const entries = Object.entries(metadata);
  const areValid = entries.every(([name, text]) => name !== '' && fits(name, key) && fits(text, value));
  if (entries.length <= pairs && areValid) return;
  throw invalidParameter(
    'metadata',
    'invalid_metadata',
    `must have at most ${pairs} pairs, keys of 1 to ${key} and values of at most ${value} characters, without NUL`,
  );
}

const isWithin = (value: number | null | undefined, most: number) =>
  value == null || (Number.isInteger(value) && value >= 1 && value <= most);

/** Checks the order, the pace and the delay of deliveries. @throws {Problem} invalid_parameter */
function checkPace({ ordering = 'none', maxPerSecond, maxInFlight, delay = 0 }: Partial<Wanted>): void {
  const { perSecond, inFlight } = PACE_LIMITS;
  if (!ORDERINGS.includes(ordering))
    throw invalidParameter('ordering', 'invalid_ordering', `must be one of ${ORDERINGS.join(', ')}`);
  if (!isWithin(maxPerSecond, perSecond))
    throw invalidParameter('max_per_second', 'out_of_range', `must be a whole number from 1 to ${perSecond}`);
  if (!isWithin(maxInFlight, inFlight))
    throw invalidParameter('max_in_flight', 'out_of_range', `must be a whole number from 1 to ${inFlight}`);
  if (!Number.isInteger(delay) || delay < 0 || delay > MAX_DELAY)
    throw invalidParameter('delay', 'out_of_range', `must be a whole number from 0 to ${MAX_DELAY}`);
}

/** Checks all settings but the URL. @throws {Problem} invalid_parameter */
function checkAllButUrl(settings: Partial<Wanted>): void {
  checkSettings(settings);
  checkNotes(settings);
  checkPace(settings);
  checkHeaders(settings.headers ?? []);
}

/** @returns the URL as it is stored. @throws {Problem} invalid_parameter */
async function checkUrl(guard: Guard, url: string): Promise<string> {
  try {
    const parsed = guard.parse(url);
    await guard.check(parsed);
    return parsed.href;
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidParameter('url', error.code, error.message);
    throw error;
  }
}

/** Settings that `checkWanted` has checked. `url` is the address to store, also of another destination. */
export type Checked<W extends Partial<Wanted> = Wanted> = W & { url?: string | undefined };

/**
 * Checks the subscription settings that are given, and resolves the names of hosts.
 * @param former the subscription's stored destination, whose secret is kept; null for a new subscription
 * @throws {Problem} invalid_parameter
 */
export async function checkWanted<W extends Partial<Wanted>>(
  { guard, secretKeys }: { guard: Guard; secretKeys: readonly string[] },
  wanted: W,
  former: StoredDestination | null = null,
): Promise<Checked<W>> {
  checkAllButUrl(wanted);
  const { url, destination } = wanted;
  if (former === null && url === undefined && destination === undefined)
    throw invalidParameter('url', 'required', 'is required, unless a destination is given');
  if (url !== undefined && destination !== undefined)
    throw invalidParameter('destination', 'invalid_destination', 'must not be given together with a url');
  if (destination === undefined) {
    if (url !== undefined && former?.destination != null)
      throw invalidParameter('url', 'immutable', 'cannot replace the destination: create another subscription');
    return url === undefined ? wanted : { ...wanted, url: await checkUrl(guard, url) };
  }
  if (former !== null && former.destination?.kind !== destination.kind)
    throw invalidParameter(
      'destination',
      'immutable',
      'cannot become one of another kind: create another subscription',
    );
  if ((wanted.headers ?? []).length > 0)
    throw invalidParameter('headers', 'invalid_header', 'are added only to requests to a url');
  const complete = completeDestination(destination, former ?? NO_DESTINATION, secretKeys);
  return { ...wanted, destination: complete, url: await checkDestination(guard, complete) };
}
