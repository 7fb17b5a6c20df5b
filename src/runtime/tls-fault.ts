/** What a TLS connection failed by, in words that say what to mend. */

/** Of OpenSSL's check of a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const NOT_TRUSTED =
  /^(UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|(CERT|CRL)_\w+|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/;
const WRONG_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;
/** The other side's word on our certificate. */
const REFUSED = /^ERR_SSL_\w*ALERT_((BAD_|UNSUPPORTED_)?CERTIFICATE\w*|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)$/;

/**
 * @param error of a socket, or one that passes on its `code`
 * @param client whether we have a certificate of our own
 * @returns null: it failed by something else
 */
export function tlsFault(error: unknown, { client = false }: { client?: boolean } = {}): string | null {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (typeof code !== 'string') return null;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === WRONG_HOST) return `its certificate is for another host: ${message.replace(/^.*altnames: /, '')}`;
  if (NOT_TRUSTED.test(code)) return `its certificate is not trusted: ${message.replace(/^Connection error: /, '')}`;
  if (NO_TLS.test(code)) return 'it answers without TLS';
  if (REFUSED.test(code))
    return client
      ? `it refuses our client certificate (${alertOf(code)})`
      : `it asks for a client certificate (${alertOf(code)})`;
  return null;
}

const alertOf = (code: string) =>
  code
    .replace(/^.*ALERT_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
