/** A real nginx with the configuration that ships as an example. Only the addresses in it are replaced. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

const SHIPPED = new URL('../../k8s/nginx/', import.meta.url);
/** Number of attempts. A different program may take a port that was free a moment ago. */
const TRIES = 3;
const PATIENCE_MS = 20_000;

/** Ports on 127.0.0.1 of the processes behind nginx. */
export interface Upstreams {
  api: readonly number[];
  ingest: readonly number[];
  stream: readonly number[];
}

export interface Nginx {
  port: number;
  url: string;
  /** Reloads the configuration as `nginx -s reload` does. Resolves when new workers serve. */
  reload(upstreams?: Upstreams): Promise<void>;
  /**
   * Returns one of the logs: those that the shipped configuration names, or the error log from the main configuration.
   */
  log(name: 'access.log' | 'error.log' | 'main.log'): string;
  close(): Promise<void>;
}

const PROGRAM = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);
export const canRunNginx = (): boolean => PROGRAM !== undefined;

/** Returns a shipped file, with the test's folder in place of the system's. */
const shipped = (name: string, folder: string): string =>
  readFileSync(new URL(name, SHIPPED), 'utf8')
    .replaceAll(/\/var\/(log|cache)\/nginx\//g, `${folder}/`)
    .replaceAll('/etc/nginx/conf.d/', `${folder}/`);

function shippedConfiguration(port: number, upstreams: Upstreams, folder: string): string {
  let text = shipped('touchline.conf', folder).replace('listen 80;', `listen 127.0.0.1:${port};`);
  for (const [name, ports] of Object.entries(upstreams)) {
    text = text.replace(new RegExp(`(upstream touchline_${name} \\{)([^}]*)\\}`), (_, head: string, body: string) => {
      const [line = ''] = /^ *server .*\n/m.exec(body)!;
      const rest = body.replaceAll(/^ *server .*\n/gm, '');
      const servers = (ports as number[]).map((one) => line.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${one}`)).join('');
      return `${head}${rest}${servers}}`;
    });
  }
  return text;
}

/** Returns the main configuration around the shipped file. Like a careless one, it compresses everything. */
const around = (folder: string) => `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/main.log notice;
events { worker_connections 4096; }
http {
  gzip on;
  gzip_min_length 1;
  gzip_types *;
  gzip_proxied any;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/touchline*.conf;
}
`;

/** Whether a worker has stopped listening. nginx shows this in the process's name. */
function hasStoppedListening(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('shutting down');
  } catch {
    return true;
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

interface NginxOptions {
  /** Whether to add the shipped cache for pages. */
  isCaching?: boolean;
  tries?: number;
}

export async function startNginx(
  upstreams: Upstreams,
  { isCaching = false, tries = TRIES }: NginxOptions = {},
): Promise<Nginx> {
  if (PROGRAM === undefined) throw new Error('nginx is not installed (Debian: apt-get install nginx)');
  const [port] = (await freePorts(1)) as [number];
  const folder = mkdtempSync(join(tmpdir(), 'touchline-nginx-'));
  chmodSync(folder, 0o755);
  const configure = (given: Upstreams) =>
    writeFileSync(join(folder, 'touchline.conf'), shippedConfiguration(port, given, folder));
  configure(upstreams);
  for (const name of isCaching ? ['touchline-cache.conf', 'touchline-cache.inc'] : [])
    writeFileSync(join(folder, name), shipped(name, folder));
  writeFileSync(join(folder, 'nginx.conf'), around(folder));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  let said = '';
  const child: ChildProcess = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  async function close(): Promise<void> {
    process.off('exit', atExit);
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
  await until('nginx listens', async () => child.exitCode !== null || (await answers(port)), PATIENCE_MS);
  if (child.exitCode !== null) {
    await close();
    if (tries > 1 && said.includes('in use')) return startNginx(upstreams, { isCaching, tries: tries - 1 });
    throw new Error(`nginx does not start: ${said}`);
  }
  const workers = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async reload(given) {
      if (given !== undefined) configure(given);
      const before = new Set(workers());
      const { status, stderr } = spawnSync(PROGRAM, [...args, '-s', 'reload'], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`nginx cannot read its configuration again: ${stderr}`);
      await until('new workers serve', () => workers().some((pid) => !before.has(pid)), PATIENCE_MS);
      // Until an old worker gets the signal, it accepts connections and uses the old upstreams.
      await until('no old one does', () => [...before].every(hasStoppedListening), PATIENCE_MS);
    },
    log: (name) => readFileSync(join(folder, name), 'utf8'),
    close,
  };
}
