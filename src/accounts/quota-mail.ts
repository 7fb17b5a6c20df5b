/** Mail about a plan window that is nearly or completely used up. */
import type { Queryable } from '../db/postgres.ts';
import type { WindowNotice } from '../http/index.ts';
import { wireTime } from '../wire/time.ts';
import type { Mail } from './mail.ts';

const KEYS = { sk: 'secret keys', pk: 'publishable keys' } as const;
const REQUESTS = { sk: 'Your requests', pk: 'Your requests by publishable keys' } as const;
const TITLE = { day: 'today', month: 'this month' } as const;
const number = (value: number) => value.toLocaleString('en-GB');

/** @param url the usage page's address; undefined if the public address is not configured */
export async function sendWindowNotice(
  db: Queryable,
  mail: Mail,
  { accountId, keys, window, percent, used, quota, resetsAt }: WindowNotice,
  url: string | undefined,
): Promise<void> {
  const { rows } = await db.query<{ email: string; plan: string }>(
    'SELECT email, plan FROM account WHERE id = $1 AND suspended_at IS NULL',
    [accountId],
  );
  const account = rows[0];
  if (account === undefined) return;
  const when = TITLE[window];
  const outcome =
    percent === 100
      ? 'Further requests are answered with 429 until then.'
      : 'Beyond it requests are answered with 429 until then.';
  mail.send({
    to: account.email,
    subject:
      percent === 100
        ? `${REQUESTS[keys]} for ${when} are used up`
        : `You have used ${percent} % of ${REQUESTS[keys].toLowerCase()} for ${when}`,
    text: `The ${KEYS[keys]} of ${account.email} have used ${number(used)} of the ${number(quota)} requests that the plan ${account.plan} has ${keys === 'pk' ? 'for them ' : ''}${when}.

The count starts again at ${wireTime(resetsAt.getTime())}. ${outcome}
${url === undefined ? '' : `\nBy day, key and endpoint: ${url}\n`}`,
  });
}
