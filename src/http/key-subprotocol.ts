/**
 * An API key as a WebSocket subprotocol: `Sec-WebSocket-Protocol: touchline.v1, key.<base64url of the key>`. Browsers
 * cannot set other headers on a WebSocket, and proxies write the query to their logs.
 */
import { Problem } from './errors.ts';
import { hidesKey } from './hidden-keys.ts';

/** The streaming protocol. The handshake's response names this protocol, and never the key. */
export const STREAM_PROTOCOL = 'touchline.v1';
const KEY_PREFIX = 'key.';
const BASE64URL = /^[A-Za-z0-9_-]+$/;

const parseOffers = (header: string): string[] => header.split(',').map((offer) => offer.trim());

/**
 * @param header `Sec-WebSocket-Protocol`
 * @returns the key; undefined if the header has none
 * @throws {Problem} bad_request for two keys, or for a key without `touchline.v1`; key_invalid for a key that is not
 *   base64url
 */
export function keyOfProtocols(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const offers = parseOffers(header);
  const [key, ...more] = offers.filter((offer) => offer.startsWith(KEY_PREFIX));
  if (key === undefined) return undefined;
  if (more.length > 0) throw new Problem('bad_request', 'Offer one key as a subprotocol, not several.');
  if (!offers.includes(STREAM_PROTOCOL)) {
    throw new Problem('bad_request', `Offer the subprotocol ${STREAM_PROTOCOL} in addition to the key.`);
  }
  const encoded = key.slice(KEY_PREFIX.length);
  const decoded = Buffer.from(encoded, 'base64url');
  // Node's decoder accepts more than base64url.
  if (!BASE64URL.test(encoded) || decoded.toString('base64url') !== encoded) {
    throw new Problem('key_invalid', `The subprotocol ${KEY_PREFIX}… is not a key in base64url.`);
  }
  return decoded.toString();
}

/** Returns the protocol for the handshake's response. Whatever the client offers, this is never a key. */
export function answeredProtocol(offers: ReadonlySet<string>): string | false {
  if (offers.has(STREAM_PROTOCOL)) return STREAM_PROTOCOL;
  // For compatibility, any protocol name is accepted.
  return [...offers].find((offer) => !offer.startsWith(KEY_PREFIX) && !hidesKey(offer)) ?? false;
}
