/** Why an attempt failed, as a text for the owner and as one of a few causes for metrics and filters. */

import { AddressRefused } from '../../outbound/index.ts';
import { readErrorCode } from '../../runtime/unknown-values.ts';

/**
 * `dns` means that the name cannot be resolved. `address` means that sending to the address is not allowed. `connect`
 * means that no connection could be opened. `tls` means a bad certificate or handshake. `timeout` means that no
 * complete reply came in time. `reply` means that the reply broke off or is not HTTP. `challenge` means that the reply
 * does not repeat the challenge. `rejected` means that a broker or a chat service has refused the event. `redirect`, `client_error` and `server_error` stand for a reply status of 3xx, 4xx and
 * 5xx.
 */
export const FAILURE_CAUSES = [
  'dns',
  'address',
  'connect',
  'tls',
  'timeout',
  'reply',
  'challenge',
  'rejected',
  'redirect',
  'client_error',
  'server_error',
  'other',
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

export interface Failure {
  /** A short reason. The texts are fixed because a URL, a header or a reply may contain secrets. */
  failure: string;
  cause: FailureCause;
}

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
};
const UNTRUSTED = 'the certificate is not trusted';
const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};
/** Matches other TLS error codes, from OpenSSL and Node. */
const TLS_CODE =
  /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH)/;
const BROKEN = 'connection broken';

/** Describes why an attempt got no complete reply. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof AddressRefused) {
    return error.code === 'not_resolved'
      ? { failure: error.message, cause: 'dns' }
      : { failure: `the address ${error.message}`, cause: 'address' };
  }
  const code = readErrorCode(error) ?? '';
  if (code.startsWith('HPE_')) return { failure: 'the reply is not HTTP', cause: 'reply' };
  if (CONNECT[code] !== undefined) return { failure: CONNECT[code], cause: 'connect' };
  const shown = /^[A-Z0-9_]{1,60}$/.test(code) ? code : BROKEN;
  if (TLS_CODE.test(code) || TLS[code] !== undefined) return { failure: TLS[code] ?? shown, cause: 'tls' };
  const isBroken = shown === BROKEN || code === 'ECONNRESET' || code === 'EPIPE';
  return isBroken ? { failure: BROKEN, cause: 'reply' } : { failure: shown, cause: 'other' };
}

export const timedOut = (seconds: number): Failure => ({ failure: `no reply within ${seconds} s`, cause: 'timeout' });

const CAUSE_BY_CLASS: Readonly<Record<number, FailureCause>> = { 3: 'redirect', 4: 'client_error', 5: 'server_error' };

/** Describes a reply's status as a failure. @returns null for a status 2xx, which means delivered */
export function failureOfStatus(status: number): Failure | null {
  const statusClass = Math.floor(status / 100);
  if (statusClass === 2) return null;
  return { failure: `status ${status}`, cause: CAUSE_BY_CLASS[statusClass] ?? 'other' };
}
