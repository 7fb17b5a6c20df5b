/** Runs the official conformance suite for the Model Context Protocol against a running service. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Starts a proxy that adds a key to each request, since the suite cannot send one. It changes nothing else. */
async function startKeyProxy(target: string, key: string) {
  const server = createServer((asked, response) => {
    const { method, headers, url } = asked;
    const passed = request(`${target}${url}`, { method, headers: { ...headers, 'x-api-key': key } }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * @param node path of a Node, version 22 or later, to run the suite
 * @param url the service's URL
 * @param revision the protocol revision to check
 * @returns all checks from all scenarios that this revision requires of a server
 */
export async function runConformance(node: string, url: string, key: string, revision: string): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const proxy = await startKeyProxy(url, key);
  try {
    const address = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    const args = [SUITE, 'server', '--url', address, '--requirements', revision, '--output-dir', folder];
    const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (log += text));
    await new Promise((resolve) => child.once('close', resolve));
    if (!log.includes('=== SUMMARY ===')) throw new Error(`the suite has not finished: ${log.slice(-2_000)}`);
    return readdirSync(folder).flatMap((name) => {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Omit<Check, 'scenario'>[];
      return checks.map((check) => ({ ...check, scenario }));
    });
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}
