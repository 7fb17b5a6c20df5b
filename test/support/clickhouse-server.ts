/**
 * A ClickHouse server for tests: the embedded engine in a separate process, behind those parts of ClickHouse's HTTP
 * interface that the service uses.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ClickHouseConfig } from '../../src/db/clickhouse.ts';
import type { Certificate } from './certificates.ts';
import { TSX } from './tsx.ts';

export interface ClickHouseServer {
  url: string;
  folder: string;
  /** The queries received so far, with the client's address. */
  asked: Asked[];
  /** Lets only these users in, each with one of the passwords. Before the first call, everybody may ask. */
  setUsers(users: Users): Promise<void>;
  /** Replaces the certificate. Connections that were opened with the former one end after their next reply. */
  renew(certificate: Certificate): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the configuration for a client. */
export const clickhouseAt = (clickhouseUrl: string): ClickHouseConfig => ({
  clickhouseUrl,
  dataDir: '/nowhere',
  clickhouseQueryMemoryMb: 256,
});

const SELF = new URL(import.meta.url).pathname;

/** Passwords by user. */
type Users = Readonly<Record<string, readonly string[]>>;

/** What a test changes while the server runs. */
interface Change {
  users?: Users;
  certificate?: Certificate;
}

interface Asked {
  /** The client's IP address. */
  from: string;
  query: string;
}

/** @param certificate if set, the server uses HTTPS */
export async function startClickHouseServer(host = '127.0.0.1', certificate?: Certificate): Promise<ClickHouseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-clickhouse-'));
  const child: ChildProcess = fork(SELF, [host, folder], {
    execArgv: [...TSX],
    env: { ...process.env, ...(certificate && { CERTIFICATE: JSON.stringify(certificate) }) },
  });
  const atExit = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', atExit);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the ClickHouse server ended with ${code}`);
  });
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string];
  const asked: Asked[] = [];
  const settled = new EventEmitter();
  child.on('message', (one) => (one === 'changed' ? settled.emit('changed') : asked.push(one as Asked)));
  const change = async (to: Change) => {
    const done = once(settled, 'changed');
    child.send(to);
    await done;
  };
  return {
    url,
    folder,
    asked,
    setUsers: (users) => change({ users }),
    renew: (renewed) => change({ certificate: renewed }),
    async stop() {
      failed.catch(() => {});
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the query, which is in the address, in the body, or in both: it may begin in the address, with the rest and
 * the data in the body.
 */
async function queryOf(request: IncomingMessage, parameters: URLSearchParams): Promise<string> {
  const body = await text(request);
  return [parameters.get('query'), body].filter((part) => part).join('\n');
}

const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' };
/** Decodes a parameter, which is escaped as in a tab-separated file. */
const unescaped = (value: string) => value.replace(/\\(.)/gs, (_, letter) => ESCAPED[letter] ?? letter);

/** Whether the request is from one of the users. With TLS, the client sends its credentials in headers of ClickHouse. */
function isAdmitted({ headers }: IncomingMessage, users: Users | null): boolean {
  if (users === null) return true;
  const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const [user, password] = basic.split(/:(.*)/s);
  const given = String(headers['x-clickhouse-key'] ?? password);
  return users[String(headers['x-clickhouse-user'] ?? user)]?.includes(given) ?? false;
}

/** What ClickHouse answers with status 403. */
const REFUSED =
  'Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 24.8.1.1)\n';

async function serve(host: string, folder: string): Promise<void> {
  let users: Users | null = null;
  /** The connections with the current certificate; null if it has never changed. */
  let current: WeakSet<object> | null = null;
  const { Session } = await import('chdb');
  const session = new Session(folder);
  const certificate = process.env.CERTIFICATE;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (current?.has(request.socket) === false) response.shouldKeepAlive = false;
    if (pathname === '/ping') {
      response.end('Ok.\n');
      return;
    }
    try {
      const query = await queryOf(request, searchParams);
      if (!isAdmitted(request, users)) {
        response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' }).end(REFUSED);
        return;
      }
      process.send!({ from: request.socket.remoteAddress!, query } satisfies Asked);
      const format = searchParams.get('default_format') ?? 'TabSeparated';
      const given = [...searchParams].filter(([name]) => name.startsWith('param_'));
      const values = Object.fromEntries(given.map(([name, value]) => [name.slice('param_'.length), unescaped(value)]));
      const result = await (given.length === 0
        ? session.queryAsync(query, { format })
        : session.queryBindAsync(query, values, { format }));
      response.end(result.bytes());
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  };
  const server =
    certificate === undefined
      ? createServer(answer)
      : createSecureServer(JSON.parse(certificate) as Certificate, answer);
  server.on('secureConnection', (socket) => current?.add(socket));
  process.on('message', ({ users: changed, certificate: renewed }: Change) => {
    if (changed !== undefined) users = changed;
    if (renewed !== undefined) {
      (server as SecureServer).setSecureContext(renewed);
      current = new WeakSet();
    }
    process.send!('changed');
  });
  server.listen(0, host);
  await once(server, 'listening');
  process.send!(`http${certificate === undefined ? '' : 's'}://${host}:${(server.address() as AddressInfo).port}`);
  process.once('disconnect', () => process.exit(0));
}

if (process.argv[1] === SELF) await serve(process.argv[2]!, process.argv[3]!);
