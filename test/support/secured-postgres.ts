/** A Postgres like a managed one: with TLS, for a user with a password who is not a superuser. */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Authority } from './certificates.ts';

const OWNER = 'touchline';
const OWNER_PASSWORD = 'a password of tests: %@$=1';
/** User that signs in by a client certificate. */
export const MACHINE = 'machine';

export interface SecuredPostgres {
  /** Returns the URL with `sslmode=verify-full` and the authority. @param parameters of the URL instead of these */
  url(parameters?: Record<string, string>): string;
  /** URL of the database for its superuser, by the Unix socket. */
  admin: string;
}

/**
 * @param admin the URL of a running server by its Unix socket, which listens at `host` as well
 * @param folder of its data; above `postgres`
 * @param ca a file with the authority, as clients read it
 * @param network of allowed clients: `10.244.0.1/24`
 */
export async function securePostgres(
  admin: string,
  {
    folder,
    host,
    port = 5432,
    network,
    authority,
    ca,
  }: {
    folder: string;
    host: string;
    port?: number;
    network: string;
    authority: Authority;
    ca: string;
  },
): Promise<SecuredPostgres> {
  const data = join(folder, 'postgres');
  const { uid, gid } = statSync(data);
  const keep = (name: string, text: string) => {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  };
  const { cert, key } = authority.sign(`IP:${host}`);
  keep('server.crt', cert);
  keep('server.key', key);
  keep('clients.crt', authority.ca);
  // Replaces the file of initdb, which trusts this machine.
  keep(
    'pg_hba.conf',
    `local all all trust\nhostssl all ${MACHINE} ${network} cert map=any\nhostssl all all ${network} scram-sha-256\n`,
  );
  keep('pg_ident.conf', `any /^.*$ ${MACHINE}\n`);
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  const database = client.escapeIdentifier(client.database!);
  for (const statement of [
    "SET password_encryption = 'scram-sha-256'",
    `CREATE ROLE ${OWNER} LOGIN PASSWORD ${client.escapeLiteral(OWNER_PASSWORD)}`,
    `CREATE ROLE ${MACHINE} LOGIN IN ROLE ${OWNER}`,
    `ALTER DATABASE ${database} OWNER TO ${OWNER}`,
    "ALTER SYSTEM SET ssl_ca_file = 'clients.crt'",
    'ALTER SYSTEM SET ssl = on',
    'SELECT pg_reload_conf()',
  ])
    await client.query(statement);
  const name = client.database!;
  await client.end();
  return {
    admin,
    url: (parameters = { sslmode: 'verify-full', sslrootcert: ca }) =>
      `postgresql://${OWNER}:${encodeURIComponent(OWNER_PASSWORD)}@${host}:${port}/${name}?${new URLSearchParams(parameters)}`,
  };
}
