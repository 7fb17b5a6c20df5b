/** Encrypts notifications for browsers (RFC 8291), and identifies this service to push services (VAPID, RFC 8292). */
import type { PushAddress, PushKeys } from '../accounts/credentials/index.ts';
import type { Lang } from '../http/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import type { News } from './news.ts';

/** A notification about older news is not sent, and a push service drops it. */
export const TTL_MS = 10 * 60_000;

/** How long a signature is used for one push service. It is valid for 12 hours. */
const SIGNED_MS = HOUR_MS;

export interface Message {
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
}

const ENCODING = 'aes128gcm';

export class Messages {
  readonly #keys: PushKeys;
  readonly #subject: string;
  /** By origin of the push service. */
  readonly #signed = new Map<string, { header: string; until: number }>();

  /** @param subject an address by which push services can reach the operator */
  constructor(keys: PushKeys, subject: string) {
    this.#keys = keys;
    this.#subject = subject;
  }

  /** @param now real time, in ms since 1970. @throws if the browser's keys are invalid */
  async create({ endpoint, keys }: PushAddress, lang: Lang, news: News, ttlMs: number, now: number): Promise<Message> {
    const { default: webPush } = await import('web-push');
    const url = new URL(endpoint);
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(news.texts[lang]), {
      TTL: Math.ceil(ttlMs / 1_000),
      topic: news.topic,
      urgency: 'high',
      contentEncoding: ENCODING,
      headers: { Authorization: await this.#authorization(url.origin, now) },
    });
    const sent = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const);
    return { url, headers: Object.fromEntries(sent), body: body as Buffer };
  }

  /** A signature costs more than the rest of a message, and one serves all browsers of a push service. */
  async #authorization(origin: string, now: number): Promise<string> {
    const known = this.#signed.get(origin);
    if (known !== undefined && now < known.until) return known.header;
    const { default: webPush } = await import('web-push');
    const { publicKey, privateKey } = this.#keys;
    const { Authorization: header } = webPush.getVapidHeaders(origin, this.#subject, publicKey, privateKey, ENCODING);
    this.#signed.set(origin, { header, until: now + SIGNED_MS });
    return header;
  }
}
