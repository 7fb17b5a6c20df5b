/** A Postgres that resembles a managed one: with TLS, and with a user who has a password and is not a superuser. */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Authority, Certificate } from './certificates.ts';

const OWNER = 'touchline';
const OWNER_PASSWORD = 'a password of tests: %@$=1';
/** A user who signs in with a client certificate. */
export const MACHINE = 'machine';

export interface SecuredPostgres {
  /**
   * Returns the URL with `sslmode=verify-full` and the authority.
   * @param parameters URL parameters that replace these
   */
  url(parameters?: Record<string, string>): string;
  /** URL for the superuser, over the Unix socket. */
  admin: string;
  /** Replaces the server's certificate. Connections that exist are left alone. */
  renew(certificate: Certificate): Promise<void>;
}

/**
 * @param admin URL, over the Unix socket, of a running server that also listens on `host`
 * @param folder the folder that contains `postgres`, where the data is
 * @param ca a file with the authority, for clients
 * @param network network of the clients that may connect, such as `10.244.0.1/24`
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
  const keepCertificate = ({ cert, key }: Certificate) => {
    keep('server.crt', cert);
    keep('server.key', key);
  };
  keepCertificate(authority.sign(`IP:${host}`));
  keep('clients.crt', authority.ca);
  // Replaces the file that initdb has written, which trusts all clients on this machine.
  keep(
    'pg_hba.conf',
    `local all all trust\nlocal replication all trust\nhostssl all ${MACHINE} ${network} cert map=any\nhostssl all all ${network} scram-sha-256\n`,
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
    async renew(certificate) {
      keepCertificate(certificate);
      const reloading = new pg.Client({ connectionString: admin });
      await reloading.connect();
      await reloading.query('SELECT pg_reload_conf()');
      await reloading.end();
    },
    url: (parameters = { sslmode: 'verify-full', sslrootcert: ca }) =>
      `postgresql://${OWNER}:${encodeURIComponent(OWNER_PASSWORD)}@${host}:${port}/${name}?${new URLSearchParams(parameters)}`,
  };
}
