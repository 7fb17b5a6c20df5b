/** Runs Nchan from Debian's packages (nginx, libnginx-mod-nchan). It is the stream server with the lowest costs that we know. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinned, SERVER_CORE } from '../child.ts';

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';
/** The kernel's process clock has a resolution of 10 ms. */
const US_PER_TICK = 10_000;
const START_MS = 5_000;

export interface Nchan {
  port: number;
  paths: { sse: string; ws: string };
  publish(envelope: string): Promise<void>;
  cpuUs(): number;
  rss(): number;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const settings = (folder: string, port: number) => `
load_module ${MODULE};
daemon off;
worker_processes 1;
user root;
worker_rlimit_nofile 15000;
pid ${folder}/pid;
error_log ${folder}/error.log error;
events { worker_connections 14000; }
http {
  access_log off;
  client_body_temp_path ${folder}/temp;
  proxy_temp_path ${folder}/temp;
  fastcgi_temp_path ${folder}/temp;
  uwsgi_temp_path ${folder}/temp;
  scgi_temp_path ${folder}/temp;
  keepalive_requests 1000000;
  tcp_nodelay on;
  nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 1000; }
    location = /sse { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
    location = /ws { nchan_subscriber websocket; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}
`;

/** @returns null if Nchan is not installed */
export async function startNchan(): Promise<Nchan | null> {
  if (!existsSync(MODULE)) return null;
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'touchline-nchan-'));
  mkdirSync(join(folder, 'temp'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), settings(folder, port));
  const [command, ...before] = [...pinned(SERVER_CORE), 'nginx'];
  const nginx = spawn(command!, [...before, '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()));
  process.once('exit', () => nginx.kill('SIGTERM'));
  const worker = () =>
    readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)[0];
  const deadline = performance.now() + START_MS;
  while (worker() === undefined) {
    if (performance.now() > deadline) throw new Error(`nginx has not started, see ${folder}/error.log`);
    await sleep(20);
  }
  const pid = worker()!;
  const agent = new Agent({ keepAlive: true });
  return {
    port,
    paths: { sse: '/sse', ws: '/ws' },
    publish: (envelope) =>
      new Promise((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json', 'X-EventSource-Event': 'match.goal' };
        const post = request({ agent, host: '127.0.0.1', port, path: '/publish', method: 'POST', headers });
        post.once('response', (response) => {
          response.resume();
          response.once('end', () => {
            if (response.statusCode! < 300) resolve();
            else reject(new Error(`nchan: ${response.statusCode}`));
          });
        });
        post.once('error', reject);
        post.end(envelope);
      }),
    cpuUs() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      // utime and stime are fields 14 and 15 in the line, counted from 1. The first two have been removed here.
      return (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
    },
    rss: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024,
    async stop() {
      agent.destroy();
      nginx.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
