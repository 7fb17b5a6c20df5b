/** Sends mail in the background, with a few retries. A mail that cannot be sent never makes a request fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  /** The Message-ID without the brackets, so that a mail that is sent twice can be recognized. */
  id?: string;
}

export interface Mail {
  /** False if no mail server is configured. */
  isConfigured: boolean;
  /** Returns a page's public address. @param path from the service root */
  link(path: string): string;
  /** Queues a mail and returns at once. @returns false if it is dropped, because too many mails wait or mail cannot be sent */
  send(letter: Letter): boolean;
  /** Sends a mail once. @returns false if the mail server did not accept it */
  deliver(letter: Letter): Promise<boolean>;
  /** Waits for mails that are being sent, and abandons pending retries. */
  close(): Promise<void>;
}

const RETRY_AFTER_MS = [2_000, 15_000, 60_000];
/** Timeout for each protocol step. */
const TIMEOUT_MS = 10_000;
/** Maximum number of letters in memory during a burst. */
const MAX_WAITING = 1_000;

/** @param baseUrl the service's configured address, never an address from a request; required with `smtpUrl` */
export async function openMail(
  { smtpUrl, mailFrom, baseUrl = '' }: { smtpUrl: string | undefined; mailFrom: string; baseUrl: string | undefined },
  logger: Logger,
  retryAfterMs: readonly number[] = RETRY_AFTER_MS,
): Promise<Mail> {
  const link = (path: string) => baseUrl + path;
  if (smtpUrl === undefined)
    return { isConfigured: false, link, send: () => false, deliver: async () => false, close: async () => {} };
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport(
    // Settings in the URL take precedence, so with `?requireTLS=false` mail is sent in clear text if the server offers no STARTTLS.
    {
      url: smtpUrl,
      requireTLS: true,
      pool: true,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    },
    { from: mailFrom, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();

  async function sendOnce({ to, subject, text, id }: Letter, attempt: number): Promise<boolean> {
    try {
      const messageId = id === undefined ? {} : { messageId: `<${id}>` };
      await transport.sendMail({ to: { name: '', address: to }, subject, text, ...messageId });
      return true;
    } catch (error) {
      // The text is not logged because it may contain a one-time link.
      logger.warn({ err: error, subject, attempt }, 'a mail could not be sent');
      return false;
    }
  }

  async function sendWithRetries(letter: Letter): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      if (await sendOnce(letter, attempt + 1)) return;
      const delay = retryAfterMs[attempt];
      if (delay === undefined || closing.signal.aborted) return;
      await sleep(delay, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
    }
  }

  return {
    isConfigured: true,
    link,
    send(letter) {
      if (sending.size >= MAX_WAITING) {
        logger.error({ subject: letter.subject }, 'too many mails are waiting to be sent, dropping this one');
        return false;
      }
      const one = sendWithRetries(letter).finally(() => sending.delete(one));
      sending.add(one);
      return true;
    },
    deliver: (letter) => sendOnce(letter, 1),
    async close() {
      closing.abort();
      await Promise.all(sending);
      transport.close();
    },
  };
}
