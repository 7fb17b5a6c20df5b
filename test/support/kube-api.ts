/** Calls to the Kubernetes API by path, for programs that stand in for parts of a cluster. */
import { Agent, request } from 'node:https';

export interface KubeServer {
  url: string;
  ca: string;
  token: string;
}

export class KubeError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A resource as JSON. The code that reads it knows the API. */
// biome-ignore lint/suspicious/noExplicitAny: every kind of the API has its own type
export type Resource = any;

export type KubeApi = (method: string, path: string, body?: unknown) => Promise<Resource>;

const TIMEOUT_MS = 10_000;

/** @throws {KubeError} if the status is not 2xx */
export function kubeApi({ url, ca, token }: KubeServer): KubeApi & { close(): void } {
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 16 });
  const call: KubeApi = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const ask = request(
        new URL(path, url),
        {
          method,
          agent,
          timeout: TIMEOUT_MS,
          headers: {
            Authorization: `Bearer ${token}`,
            Accept: 'application/json',
            'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
            // Node would send a DELETE's body without a length, and the server would take it for the next request.
            ...(sent !== undefined && { 'Content-Length': Buffer.byteLength(sent) }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.once('error', reject);
          response.once('end', () => {
            const status = response.statusCode!;
            let value: Resource;
            try {
              value = JSON.parse(text);
            } catch {
              value = { message: text };
            }
            if (status < 300) resolve(value);
            else reject(new KubeError(status, `${method} ${path}: ${status} ${value.message}`));
          });
        },
      );
      ask.once('timeout', () => ask.destroy(new Error(`${method} ${path}: no answer`)));
      ask.once('error', reject);
      ask.end(sent);
    });
  return Object.assign(call, { close: () => agent.destroy() });
}
