/** A real PgBouncer (from Debian's package) between a test and its Postgres. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

export const whyNoPgBouncer = (): string | null =>
  spawnSync('pgbouncer', ['--version'], { env: { PATH: PROGRAMS } }).status === 0 ? null : 'pgbouncer is not installed';
const PROGRAMS = `${process.env.PATH}:/usr/sbin`;

export interface PgBouncer {
  url: string;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  mode: 'session' | 'transaction' | 'statement';
  /** Maximum number of server connections. */
  size?: number;
  /** Further settings. */
  settings?: Record<string, string | number>;
}

/** @param url the database's URL, over its server's Unix socket */
export async function startPgBouncer(
  url: string,
  { mode, size = 100, settings = {} }: PgBouncerOptions,
): Promise<PgBouncer> {
  const own = new URL(url);
  const socket = own.searchParams.get('host')!;
  const folder = mkdtempSync(join(tmpdir(), 'touchline-pgbouncer-'));
  own.searchParams.set('host', folder);
  const all = {
    // Uses the default port, but only on the Unix socket.
    listen_port: 5432,
    unix_socket_dir: folder,
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: size,
    max_client_conn: 500,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = host=${socket} user=postgres\n[pgbouncer]\n${lines.join('\n')}\n`);
  // PgBouncer refuses to run as root, and only the server's user may use the socket.
  const { uid, gid } = statSync(socket);
  chownSync(folder, uid, gid);
  const child = spawn('pgbouncer', [file], {
    ...(process.getuid?.() === 0 && { uid, gid }),
    env: { PATH: PROGRAMS },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  await until('PgBouncer answers', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    const client = new pg.Client({ connectionString: own.href });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    url: own.href,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
