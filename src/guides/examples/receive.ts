import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env; // whsec_…
const TOLERANCE_SECONDS = 5 * 60;

/** @param body the bytes as received, before any parsing */
function isFromTouchline(headers: IncomingMessage['headers'], body: Buffer): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const wanted = createHmac('sha256', WEBHOOK_SECRET)
    .update(`${timestamp}.`)
    .update(body)
    .digest();
  // For 24 hours after a rotation there are two: v1=<hex>,v1=<hex>
  return String(headers['x-service-signature'])
    .split(',')
    .map((part) => Buffer.from(part.trim().replace(/^v1=/, ''), 'hex'))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}

/** Belongs in your database, because a delivery may be repeated. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isFromTouchline(request.headers, body)) return response.writeHead(400).end();
  const { id, type, data } = JSON.parse(body.toString());
  // Asks once whether this address wants events; repeating the challenge in the reply confirms it.
  if (type === 'webhook.challenge') return response.writeHead(200).end(data.challenge);
  if (!handled.has(id)) console.log(type, id, JSON.stringify(data));
  handled.add(id);
  response.writeHead(204).end();
});
server.listen(Number(PORT), () =>
  console.log('listening on', (server.address() as AddressInfo).port),
);
