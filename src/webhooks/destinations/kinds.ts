/** The kinds of destinations. A new kind is added to the list here. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { decryptSecret, encryptSecret } from '../../accounts/index.ts';
import { invalidParameter } from '../../http/index.ts';
import { AddressRefused, type Guard } from '../../outbound/index.ts';
import type { Connection, ConnectionContext, DestinationKind } from './destination.ts';
import { discord } from './discord.ts';
import { kafka } from './kafka.ts';
import { mqtt } from './mqtt.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';

// biome-ignore lint/suspicious/noExplicitAny: each kind has settings of its own
const KINDS: Readonly<Record<string, DestinationKind<any>>> = { kafka, mqtt, slack, discord, telegram };
export const DESTINATION_KINDS = Object.keys(KINDS);

/** @param suffix of the schemas' names, since what is required differs between requests and replies */
const union = <S extends string>(suffix: S) =>
  z.discriminatedUnion('kind', [
    kafka.settings.meta({ id: `KafkaDestination${suffix}` }),
    mqtt.settings.meta({ id: `MqttDestination${suffix}` }),
    slack.settings.meta({ id: `SlackDestination${suffix}` }),
    discord.settings.meta({ id: `DiscordDestination${suffix}` }),
    telegram.settings.meta({ id: `TelegramDestination${suffix}` }),
  ]);
/** The settings of a destination, as an owner sends them and as replies show them. */
export const destinationSettings = union('Settings');
export const shownDestination = union('');
export type DestinationSettings = z.output<typeof destinationSettings>;

/** A destination as dispatchers read it. */
export interface Destination {
  kind: DestinationKind<{ kind: string }>;
  settings: DestinationSettings;
  subscriptionId: number;
  participantIds: readonly number[];
  /** Differs if a new connection is needed. */
  key: string;
  /** The name of the host to which most connections go. Limits on a host's load count by it. */
  host: string;
}

const HOST = /^[a-z]+:\/\/(?<host>\[[^\]]*\]|[^/:,?#]+)/;
/** Returns the host of an address, or its first host. A URL's host is as in `URL.hostname`. Empty for a malformed address. */
export const readHost = (address: string): string =>
  /^https?:/.test(address) && URL.canParse(address)
    ? new URL(address).hostname
    : (HOST.exec(address)?.groups?.host ?? '');

const findKind = ({ kind }: { kind: string }): DestinationKind<{ kind: string }> => KINDS[kind]!;

/** A destination in the form in which it is stored. */
export interface StoredDestination {
  /** Without the secret. Null for a URL. */
  destination: DestinationSettings | null;
  /** The secret, encrypted. Null if there is none. */
  destinationSecret: string | null;
}
export const NO_DESTINATION: StoredDestination = { destination: null, destinationSecret: null };

/**
 * Checks complete settings and resolves the names of hosts.
 * @returns the address to store
 * @throws {Problem} invalid_parameter
 */
export async function checkDestination(guard: Guard, settings: DestinationSettings): Promise<string> {
  const kind = findKind(settings);
  try {
    await kind.check(settings, guard);
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidParameter('destination', error.code, error.message);
    throw error;
  }
  return kind.address(settings);
}

/** Returns whether events are sent with their signature. @param settings null for a URL */
export const isSigned = (settings: DestinationSettings | null): boolean =>
  settings === null || findKind(settings).isSigned;

/** @throws {Problem} invalid_parameter if the settings do not prove that the receiver wants events */
export function requireAuthorized(settings: DestinationSettings): void {
  if (findKind(settings).isAuthorized(settings)) return;
  throw invalidParameter(
    'destination',
    'unauthorized_destination',
    'must have a user name and a password, or be an address of the service itself, since the plan requires that the receiver has agreed',
  );
}

/** Parses settings that were not checked before. @throws {Problem} invalid_parameter; the message names no value */
export function parseDestination(value: unknown): DestinationSettings {
  const parsed = destinationSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw invalidParameter('destination', 'invalid_destination', `${path === '' ? '' : `${path}: `}${issue?.message}`);
}

const readSecret = (settings: DestinationSettings, name: string) =>
  (settings as unknown as Record<string, string | null>)[name] ?? null;
const withSecret = (settings: DestinationSettings, name: string, value: string | null) =>
  ({ ...settings, [name]: value }) as DestinationSettings;

/**
 * Completes settings by the stored secret if they have none of their own.
 * @param former the stored destination. Its secret is kept only if it still goes to the same receiver.
 * @throws {Problem} invalid_parameter if a secret is missing
 */
export function completeDestination(
  settings: DestinationSettings,
  former: StoredDestination,
  secretKeys: readonly string[],
): DestinationSettings {
  const kind = findKind(settings);
  const { secret } = kind;
  if (readSecret(settings, secret) !== null || !kind.needsSecret(settings)) return settings;
  const { destination, destinationSecret } = former;
  const isSame = destination?.kind === settings.kind && kind.receiver(destination) === kind.receiver(settings);
  if (isSame && destinationSecret !== null)
    return withSecret(settings, secret, decryptSecret(destinationSecret, secretKeys));
  throw invalidParameter('destination', 'missing_secret', `${secret} is missing`);
}

/** @param settings complete settings; null for a URL */
export function toStoredDestination(
  settings: DestinationSettings | null,
  secretKeys: readonly string[],
): StoredDestination {
  if (settings === null) return NO_DESTINATION;
  const { secret } = findKind(settings);
  const value = readSecret(settings, secret);
  return {
    destination: withSecret(settings, secret, null),
    destinationSecret: value === null ? null : encryptSecret(value, secretKeys),
  };
}

/** @throws if the settings cannot be read */
function openStored({ destination, destinationSecret }: StoredDestination, secretKeys: readonly string[]) {
  const settings = destinationSettings.parse(destination);
  if (destinationSecret === null) return settings;
  return withSecret(settings, findKind(settings).secret, decryptSecret(destinationSecret, secretKeys));
}

/** Reads a stored destination with the secret. @throws if it cannot be read */
export function readDestination(
  stored: StoredDestination,
  { id, participantIds, secretKeys }: { id: number; participantIds: readonly number[]; secretKeys: readonly string[] },
): Destination {
  const settings = openStored(stored, secretKeys);
  const kind = findKind(settings);
  return {
    kind,
    settings,
    subscriptionId: id,
    participantIds,
    key: JSON.stringify([settings, participantIds]),
    host: readHost(kind.address(settings)),
  };
}

/** Returns whether stored settings are other than the wanted ones. */
export function isOtherDestination(
  wanted: DestinationSettings,
  stored: StoredDestination,
  secretKeys: readonly string[],
): boolean {
  try {
    return !isDeepStrictEqual(openStored(stored, secretKeys), wanted);
  } catch {
    return true;
  }
}

export const openConnection = (
  { kind, settings, subscriptionId, participantIds }: Destination,
  context: Omit<ConnectionContext, 'subscriptionId' | 'participantIds'>,
): Connection => kind.open(settings, { ...context, subscriptionId, participantIds });
