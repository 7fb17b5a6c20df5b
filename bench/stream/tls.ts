/**
 * Measures nginx at the entry of an installation: its CPU time and memory for each stream over TLS, for each handshake and for each
 * delivery. Behind nginx, plain Node sockets send the same bytes as a stream process.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAuthority } from '../../test/support/certificates.ts';
import { freePorts } from '../../test/support/free-ports.ts';
import { until } from '../../test/support/until.ts';
import { CLIENT_CORE, pinned, SERVER_CORE, startChild } from '../child.ts';
import { line } from '../report.ts';
import type { BoundApi } from './bound.ts';
import { envelopeOf } from './event.ts';
import type { TlsClientsApi } from './tls-clients.ts';

const CONNECTIONS = Number(process.env.CONNECTIONS ?? 4_000);
/** Connections that warm up nginx. They are not counted. */
const FIRST = 200;
const SETTLE_MS = 2_000;
const EVENT_BYTES = 700;
const WRITES = 60;
const WRITES_PER_SECOND = 5;
/** Number of events per write, as in a busy match or for a client that wants everything. */
const BURST = 5;
const PATIENCE_MS = 60_000;
/** The kernel's process clock has a resolution of 10 ms. */
const US_PER_TICK = 10_000;

const settings = (folder: string, port: number, upstream: number) => `
daemon off;
worker_processes 1;
user root;
worker_rlimit_nofile 30000;
pid ${folder}/pid;
error_log ${folder}/error.log error;
events { worker_connections 28000; }
http {
  access_log off;
  client_body_temp_path ${folder}/temp;
  proxy_temp_path ${folder}/temp;
  fastcgi_temp_path ${folder}/temp;
  uwsgi_temp_path ${folder}/temp;
  scgi_temp_path ${folder}/temp;
  server {
    listen 127.0.0.1:${port} ssl backlog=4096;
    ssl_certificate ${folder}/tls.crt;
    ssl_certificate_key ${folder}/tls.key;
    ssl_protocols TLSv1.3;
    # As in k8s/nginx/touchline.conf.
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_read_timeout 65s;
      proxy_socket_keepalive on;
    }
  }
}
`;

interface Entry {
  port: number;
  cpuUs(): number;
  rss(): number;
  stop(): Promise<void>;
}

async function startEntry(upstream: number): Promise<Entry> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-tls-'));
  mkdirSync(join(folder, 'temp'));
  const [port] = (await freePorts(1)) as [number];
  const authority = makeAuthority();
  const { cert, key } = authority.sign('DNS:localhost');
  authority.remove();
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'nginx.conf'), settings(folder, port, upstream));
  const [command, ...before] = [...pinned(SERVER_CORE), 'nginx'];
  const nginx = spawn(command!, [...before, '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()));
  process.once('exit', () => nginx.kill('SIGTERM'));
  const worker = () => readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').trim().split(' ')[0];
  await until('nginx has a worker', () => Boolean(worker()), PATIENCE_MS);
  const pid = worker()!;
  return {
    port,
    cpuUs() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      // utime and stime are fields 14 and 15 in the line, counted from 1. The first two have been removed here.
      return (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
    },
    rss: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024,
    async stop() {
      nginx.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function tls(): Promise<void> {
  const origin = startChild<BoundApi>('stream/bound.ts', null);
  const clients = startChild<TlsClientsApi>('stream/tls-clients.ts', CLIENT_CORE);
  const entry = await startEntry(await origin.call('port'));
  try {
    await clients.call('open', entry.port, FIRST);
    await sleep(SETTLE_MS);
    const [cpu, rss] = [entry.cpuUs(), entry.rss()];
    await clients.call('open', entry.port, CONNECTIONS - FIRST);
    const opened = entry.cpuUs();
    await sleep(SETTLE_MS);
    const perConnection = (value: number) => value / (CONNECTIONS - FIRST);
    const memory = perConnection(entry.rss() - rss);
    /** Returns the CPU time for a write to one client, and the number of bytes before encryption. */
    const measure = async (events: number) => {
      const [before, bytes] = [entry.cpuUs(), await clients.call('received')];
      for (let write = 1; write <= WRITES; write++) {
        const envelopes = Array.from({ length: events }, (_, n) => envelopeOf(1, write * events + n, 1, EVENT_BYTES));
        await origin.call('publish', ...envelopes);
        await sleep(1_000 / WRITES_PER_SECOND);
      }
      const count = WRITES * CONNECTIONS;
      const received = async () => (await clients.call('received')) - bytes;
      await until('all is there', async () => (await received()) >= count * events * EVENT_BYTES, PATIENCE_MS);
      await sleep(SETTLE_MS);
      return { cpuUs: (entry.cpuUs() - before) / count, bytes: (await received()) / count };
    };
    const one = await measure(1);
    const several = await measure(BURST);
    line(
      'tls',
      `${CONNECTIONS} connections`,
      `handshake ${(perConnection(opened - cpu) / 1_000).toFixed(2)} ms of CPU`,
      `memory ${(memory / 1_024).toFixed(1)} KB a connection`,
      `write of an event ${one.cpuUs.toFixed(1)} µs of CPU, ${one.bytes.toFixed(0)} bytes before encryption`,
      `further event in it ${((several.cpuUs - one.cpuUs) / (BURST - 1)).toFixed(1)} µs`,
    );
  } finally {
    await entry.stop();
    await Promise.all([origin.kill(), clients.kill()]);
  }
}
