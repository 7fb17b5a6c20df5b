/** Probes a container once, as a kubelet does. */
import { get } from 'node:http';
import type { Resource } from './kube-api.ts';

/**
 * @param spec the container, with its named ports
 * @throws for any probe except httpGet
 */
export async function probePasses(host: string, spec: Resource, probe: Resource): Promise<boolean> {
  const { httpGet, timeoutSeconds = 1 } = probe;
  if (!httpGet) throw new Error('only probes by httpGet are known here');
  const port =
    typeof httpGet.port === 'number'
      ? httpGet.port
      : spec.ports?.find((of: Resource) => of.name === httpGet.port)?.containerPort;
  return new Promise((resolve) => {
    const ask = get(
      { host, port, path: httpGet.path ?? '/', agent: false, timeout: timeoutSeconds * 1_000 },
      (response) => {
        response.resume();
        resolve(response.statusCode! >= 200 && response.statusCode! < 400);
      },
    );
    ask.once('timeout', () => ask.destroy());
    ask.once('close', () => resolve(false));
    ask.once('error', () => resolve(false));
  });
}
