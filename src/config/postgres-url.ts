/** The Postgres address. Its TLS parameters have the meaning that libpq gives them, which differs from the driver's. */
import { z } from 'zod';
import { certificateError, isPair, keyError } from './pem.ts';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
/** libpq's name for the machine's certificate authorities, which the driver uses by default. */
const SYSTEM = 'system';

/** @returns the errors; empty if there are none */
function findErrors(parameters: URLSearchParams): string[] {
  const faults: string[] = [];
  const mode = parameters.get('sslmode');
  const [root, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => parameters.get(name));
  if (mode === 'prefer' || mode === 'allow')
    faults.push(`sslmode=${mode} allows an unencrypted connection: use one of ${MODES.join(', ')}`);
  else if (mode !== null && !MODES.includes(mode))
    faults.push(`sslmode=${mode} is unknown: use one of ${MODES.join(', ')}`);
  for (const [name, path] of Object.entries({ sslrootcert: root, sslcert: cert, sslkey: key })) {
    if (path && (mode === null || mode === 'disable')) faults.push(`${name} is not used without sslmode=verify-full`);
  }
  if (mode === 'verify-ca' && !root) faults.push('sslmode=verify-ca needs sslrootcert=<file>');
  if (root === SYSTEM && mode !== 'verify-full') faults.push('sslrootcert=system needs sslmode=verify-full');
  if (root && root !== SYSTEM) faults.push(...given('sslrootcert', certificateError(root)));
  if (Boolean(cert) !== Boolean(key)) faults.push('sslcert and sslkey must be given together');
  const files = [
    ...(cert ? given('sslcert', certificateError(cert)) : []),
    ...(key ? given('sslkey', keyError(key)) : []),
  ];
  if (cert && key && files.length === 0 && !isPair(cert, key)) files.push('sslkey is not the key of sslcert');
  return [...faults, ...files];
}

const given = (name: string, fault: string | null) => (fault === null ? [] : [`${name}: ${fault}`]);

/**
 * Converts the URL for the driver. Files named in the URL are read again for each connection.
 * @example postgresql://touchline:secret@db.example:5432/touchline?sslmode=verify-full&sslrootcert=/etc/db/ca.crt
 */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
  .transform((text, context) => {
    const [address, query] = text.split(/\?(.*)/s) as [string, string?];
    if (query === undefined) return text;
    const parameters = new URLSearchParams(query);
    for (const message of findErrors(parameters)) context.addIssue({ code: 'custom', message });
    // By default the driver treats every sslmode as verify-full.
    if (parameters.has('sslmode')) parameters.set('uselibpqcompat', 'true');
    if (parameters.get('sslrootcert') === SYSTEM) parameters.delete('sslrootcert');
    if (['prefer', 'require'].includes(parameters.get('channel_binding') ?? ''))
      parameters.set('enableChannelBinding', 'true');
    return `${address}?${parameters}`;
  });
