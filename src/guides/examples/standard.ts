import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? ''); // whsec_…

/** @throws if the request is not from Touchline, or older than 5 minutes; reply with 400 */
export const verified = (headers: IncomingHttpHeaders, body: Buffer) =>
  webhook.verify(body.toString(), headers as Record<string, string>) as {
    id: string;
    type: string;
  };
