/**
 * A webhook example for a newcomer to the cluster on this machine: a resource to apply, and a receiver that verifies
 * requests.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { path, SECRETS } from '../../operators/runtime/kube-api.ts';
import { SUBSCRIPTIONS } from '../../operators/webhook-subscription/crd.ts';
import { verifyWebhook, type WebhookEvent, webhookReply } from '../../src/client/webhook.ts';
import { type KubeCluster, NAMESPACE } from './kube-cluster.ts';
import { type Received, startReceiver } from './webhook-receiver.ts';

/**
 * @param host an address, or a network of addresses
 * @returns chart values that let dispatchers reach the receiver. The cluster's authority has signed its certificate,
 * and each namespace has that authority in a ConfigMap
 */
export const receiverValues = (host: string) => ({ allow: [`${host}:*`], caConfigMapName: 'kube-root-ca.crt' });

/** @param url the receiver's URL */
export const exampleResource = (url: string, account: string) => `apiVersion: touchline.dev/v1beta1
kind: WebhookSubscription
metadata: { name: goals }
spec:
  url: ${url}/goals
  account: ${account}
  eventTypes: [match.goal, match.card, match.substitution]
  secretRef: { name: touchline-webhooks }
`;

/** Returns the secret that signs a resource's deliveries, from the Secret named in the resource's status. */
async function secretOf({ api }: KubeCluster, name: string): Promise<string> {
  const { spec, status } = await api('GET', path(SUBSCRIPTIONS, NAMESPACE, name));
  const { data } = await api('GET', path(SECRETS, NAMESPACE, status.secret));
  return Buffer.from(data[spec.secretRef.key], 'base64').toString();
}

/** Returns a line that describes a delivery. */
function described({ headers }: Received, event: WebhookEvent): string {
  const attempt = headers['x-service-attempt'];
  if (!('match' in event.data)) return `verified ${event.type} ${event.id}, attempt ${attempt}`;
  const { home, away } = event.data.match;
  return `verified ${event.type} ${event.id}, attempt ${attempt}: ${home.name} ${home.score}:${away.score} ${away.name}`;
}

/**
 * Starts a receiver for all resources in the cluster's namespace: deliveries for `goals` go to `/goals`. Refuses
 * unverified requests with 400.
 * @param say receives a line for each request
 */
export async function startVerifyingReceiver(
  cluster: KubeCluster,
  say: (line: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const certificate = (kind: string) =>
    readFileSync(join(cluster.kube.folder, 'certificates', `apiserver.${kind}`), 'utf8');
  const receiver = await startReceiver(
    async (request, response) => {
      try {
        const event = verifyWebhook(request.headers, request.body, await secretOf(cluster, request.path.slice(1)));
        say(described(request, event));
        response.writeHead(200).end(webhookReply(event));
      } catch (error) {
        say(`REFUSED ${request.path}: ${(error as Error).message}`);
        response.writeHead(400).end();
      }
    },
    { host: cluster.network.host, tls: { key: certificate('key'), cert: certificate('crt') } },
  );
  return { url: new URL(receiver.url).origin, close: () => receiver.close() };
}
