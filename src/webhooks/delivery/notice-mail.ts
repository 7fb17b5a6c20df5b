/**
 * Sends the notices about subscriptions by mail. Each notice is acquired for a while before it is sent: if the process ends
 * meanwhile, another one sends it after that, with the same Message-ID.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Mail } from '../../accounts/mail.ts';
import { mailReaders } from '../../accounts/members/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { NOTICE_COLUMNS, type StoredNotice } from './notice-queries.ts';

/** Minimum time between two mails about a subscription, other than the mail that it has been disabled. */
const MAIL_EVERY_MS = 3_600_000;
/** Time for which a notice is acquired, and after which a mail is tried again. */
const ACQUIRED_MS = 5 * 60_000;
/** A notice that could not be sent for this long is dropped. */
const LATEST_MS = 24 * 3_600_000;
const POLL_MS = 10_000;

/** Writes the mail about a notice. @param language of the reader. Null for English @param page address of the subscription's page */
export type WriteNotice = (
  notice: StoredNotice,
  language: string | null,
  page: string,
) => { subject: string; text: string };

interface NoticeMailDeps {
  pool: pg.Pool;
  clock: Clock;
  mail: Mail;
  write: WriteNotice;
}

/**
 * Acquires the newest unsent notice of a subscription, $1 is now. If the last mail is too recent, the notice waits, and a later
 * notice replaces it.
 */
const ACQUIRE = `UPDATE webhook_notice n SET mail_due_at = $1::timestamptz + make_interval(secs => $2)
  FROM webhook_subscription s
  WHERE s.id = n.subscription_id AND n.id = (
    SELECT d.id FROM webhook_notice d
    WHERE d.mail_due_at <= $1 AND d.at > $1::timestamptz - make_interval(secs => $3)
      AND NOT EXISTS (SELECT FROM webhook_notice l WHERE l.subscription_id = d.subscription_id AND l.id > d.id)
      AND (d.type = 'webhook.disabled' OR NOT EXISTS (
        SELECT FROM webhook_notice m WHERE m.subscription_id = d.subscription_id AND m.mailed_at > $1::timestamptz - make_interval(secs => $4)
      ))
    ORDER BY d.id LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING ${NOTICE_COLUMNS}, s.ended_at IS NOT NULL OR s.paused AS "isUnwanted", (
    SELECT m.type FROM webhook_notice m WHERE m.subscription_id = n.subscription_id AND m.mailed_at IS NOT NULL ORDER BY m.id DESC LIMIT 1
  ) AS "mailedType"`;

interface AcquiredNotice extends StoredNotice {
  /** True if the subscription has been paused or has ended. */
  isUnwanted: boolean;
  /** Type of the last notice about the subscription that was sent. */
  mailedType: string | null;
}

/** Marks the notice, and earlier ones about the same subscription, as done. */
const FINISH = `UPDATE webhook_notice SET mail_due_at = NULL, mailed_at = CASE WHEN id = $1 AND $3 THEN $4::timestamptz ELSE mailed_at END
  WHERE subscription_id = $2 AND id <= $1 AND mail_due_at IS NOT NULL`;

/** @returns whether there was a notice to send */
export async function sendOneNotice({ pool, clock, mail, write }: NoticeMailDeps): Promise<boolean> {
  const now = new Date(clock.now());
  const bounds = [ACQUIRED_MS, LATEST_MS, MAIL_EVERY_MS].map((ms) => ms / 1_000);
  const { rows } = await pool.query<AcquiredNotice>(ACQUIRE, [now, ...bounds]);
  const notice = rows[0];
  if (notice === undefined) return false;
  const { id, subscription_id, account_id, type, isUnwanted, mailedType } = notice;
  // Nobody has to know that it has recovered from failures that no mail was about.
  const isNews = type !== 'webhook.recovered' || (mailedType !== null && mailedType !== 'webhook.recovered');
  const readers = isNews && !isUnwanted ? await mailReaders(pool, account_id) : [];
  const page = mail.link(`/account/webhooks/${subscription_id}`);
  for (const { email, language } of readers) {
    const letter = {
      to: email,
      ...write(notice, language, page),
      id: `webhook-notice-${id}@${new URL(page).hostname}`,
    };
    if (!(await mail.deliver(letter))) return true;
  }
  await pool.query(FINISH, [id, subscription_id, readers.length > 0, now]);
  return true;
}

export const startNoticeMail = (deps: NoticeMailDeps, logger: Pick<Logger, 'error' | 'info'>): Loop =>
  startLoop({
    run: async () => ((await sendOneNotice(deps)) ? 0 : POLL_MS),
    retryMs: POLL_MS,
    failed: 'sending notices about webhooks by mail failed, retrying',
    recovered: 'notices about webhooks are sent by mail again',
    logger,
  });
