/** The push services that browsers use. Notifications are sent only to these hosts. */
import { AddressRefused, type Guard } from '../outbound/index.ts';

interface PushService {
  name: string;
  /** A host, or a suffix that begins with a dot. */
  host: string;
}

const SERVICES: readonly PushService[] = [
  { name: 'google', host: 'fcm.googleapis.com' },
  { name: 'mozilla', host: 'updates.push.services.mozilla.com' },
  { name: 'apple', host: '.push.apple.com' },
  { name: 'microsoft', host: '.notify.windows.com' },
];
/** Hosts that WEBHOOK_ALLOW names: a push service of the operator, or of a test. */
const OTHER = 'other';

/** The services that have a position in the log each. */
export const SERVICE_NAMES: readonly string[] = [...SERVICES.map(({ name }) => name), OTHER];

/** Longest endpoint. Real ones have at most 700 characters. */
const MAX_ENDPOINT_LENGTH = 1_024;

/**
 * Returns the service of an endpoint.
 * @throws {AddressRefused} if it is not the https address of a listed service
 */
export function pushService(endpoint: string, guard: Pick<Guard, 'parse' | 'isListed'>): string {
  if (endpoint.length > MAX_ENDPOINT_LENGTH)
    throw new AddressRefused('invalid_url', `has more than ${MAX_ENDPOINT_LENGTH} characters`);
  const url = guard.parse(endpoint);
  const known = SERVICES.find(({ host }) =>
    host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host,
  );
  if (known !== undefined && url.protocol === 'https:') return known.name;
  if (guard.isListed(url)) return OTHER;
  throw new AddressRefused('address_refused', 'is not the address of a known push service');
}
