/** Describes why a TLS connection failed, so that an operator can fix the cause. */
import { readErrorCode, readMember } from './unknown-values.ts';

/** OpenSSL's certificate check codes: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const NOT_TRUSTED =
  /^(UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|(CERT|CRL)_\w+|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/;
const WRONG_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;
/** Alerts with which the peer refuses our certificate. Node 24 writes a slash into the code: ERR_SSL_SSL/TLS_ALERT_…. */
const REFUSED = /^ERR_SSL_[\w/]*ALERT_((BAD_|UNSUPPORTED_)?CERTIFICATE\w*|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)$/;

/**
 * @param who names the peer, as the sentence's subject
 * @param error a socket error, or an error with the same `code`
 * @param hasOwn whether we have a certificate
 * @returns null if the failure has another cause
 */
export function tlsError(who: string, error: unknown, hasOwn = false): string | null {
  const code = readErrorCode(error);
  if (code === undefined) return null;
  const message = String(readMember(error, 'message') ?? '');
  const its = `${who}'s certificate`;
  if (code === 'CERT_HAS_EXPIRED') return `${its} has expired`;
  if (code === WRONG_HOST) return `${its} is for another host: ${message.replace(/^.*altnames: /, '')}`;
  if (NOT_TRUSTED.test(code)) return `${its} is not trusted: ${message.replace(/^Connection error: /, '')}`;
  if (NO_TLS.test(code)) return `${who} answers without TLS`;
  if (!REFUSED.test(code)) return null;
  return `${who} ${hasOwn ? 'refuses our' : 'asks for a'} client certificate (${tlsAlert(code)})`;
}

const tlsAlert = (code: string) =>
  code
    .replace(/^.*ALERT_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
