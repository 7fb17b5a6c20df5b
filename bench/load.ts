/** Load on a service in a process of its own. */
import type { ChildProcess } from 'node:child_process';
import { Agent, get } from 'node:http';

const CONNECTIONS = 32;
const WARM_UP_MS = 500;
const MEASURED_MS = 1_000;

/** Ends a forked process, without the error of one that ends by itself. */
export const stop = (one: ChildProcess) =>
  new Promise<void>((resolve) => {
    one.removeAllListeners('exit');
    one.once('exit', () => resolve());
    one.send('stop');
  });

/** Measures requests per second over keep-alive connections; the paths are requested in turn. */
export async function load(urls: readonly string[], key: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  let counted = 0;
  let counting = false;
  const begun = performance.now();
  const once = () =>
    new Promise<void>((resolve, reject) => {
      const url = urls[next++ % urls.length]!;
      get(url, { agent, headers: { 'X-API-Key': key } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.resume();
        response.once('end', () => {
          if (counting) counted += 1;
          resolve();
        });
      }).once('error', reject);
    });
  const worker = async () => {
    while (performance.now() - begun < WARM_UP_MS + MEASURED_MS) {
      counting = performance.now() - begun >= WARM_UP_MS;
      await once();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return counted / (MEASURED_MS / 1_000);
}
