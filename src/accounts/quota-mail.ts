/** Mail about a plan window that is nearly or completely used up. */
import type { Queryable } from '../db/postgres.ts';
import type { WindowNotice } from '../http/index.ts';
import { wireTime } from '../wire/time.ts';
import type { Mail } from './mail.ts';

const KEYS = { sk: 'secret keys', pk: 'publishable keys' } as const;
const REQUESTS = { sk: 'Your requests', pk: 'Your requests by publishable keys' } as const;
const TITLE = { day: 'today', month: 'this month' } as const;
const number = (value: number) => value.toLocaleString('en-GB');

/** Sends the mail to the owners, the admins and those who pay. @param url the usage page's address; undefined if the public address is not configured */
export async function sendWindowNotice(
  db: Queryable,
  mail: Mail,
  { accountId, keys, window, percent, used, quota, resetsAt }: WindowNotice,
  url: string | undefined,
): Promise<void> {
  const { rows } = await db.query<{ to: string; email: string; plan: string }>(
    `SELECT coalesce(m.email, a.email) AS to, a.email, a.plan
     FROM account a LEFT JOIN (membership b JOIN member m ON m.id = b.member_id)
       ON b.account_id = a.id AND b.role IN ('owner', 'admin', 'billing')
     WHERE a.id = $1 AND a.suspended_at IS NULL ORDER BY m.id`,
    [accountId],
  );
  const when = TITLE[window];
  const outcome =
    percent === 100
      ? 'Further requests are answered with 429 until then.'
      : 'Beyond it requests are answered with 429 until then.';
  const subject =
    percent === 100
      ? `${REQUESTS[keys]} for ${when} are used up`
      : `You have used ${percent} % of ${REQUESTS[keys].toLowerCase()} for ${when}`;
  for (const { to, email, plan } of rows) {
    const text = `The ${KEYS[keys]} of ${email} have used ${number(used)} of the ${number(quota)} requests that the plan ${plan} has ${keys === 'pk' ? 'for them ' : ''}${when}.

The count starts again at ${wireTime(resetsAt.getTime())}. ${outcome}
${url === undefined ? '' : `\nBy day, key and endpoint: ${url}\n`}`;
    mail.send({ to, subject, text });
  }
}
