/**
 * Lists every kind of credential, and which events end it. Used by sign-out everywhere, new passwords, resets,
 * suspensions and removals.
 */
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Actor, audit } from '../audit.ts';
import { revokeKey } from '../keys/manage-keys.ts';
import { dropCalendarTokens } from './calendar-token.ts';
import { dropIdentitiesOfAccount, endSingleSignOn } from './end-single-sign-on.ts';
import { dropIdentities } from './identities.ts';
import { endInvitationsFrom, endLinks } from './one-time-links.ts';
import { deletePasskeys, requirePassword } from './passkeys.ts';
import { dropBrowsers } from './push-browsers.ts';
import { removeSecondFactor } from './second-factor.ts';
import { endAccountSessions, endSessions } from './sessions.ts';

/** Events after which credentials end, worded as in the documentation. */
export const OCCASIONS = {
  signed_out: 'sessions ended: everywhere, or all others',
  moved: 'another address',
  factor_changed: 'a second factor or a passkey added or removed',
  new_password: 'new password, by the one before',
  reset: 'new password, by a link',
  reset_with_keys: 'the same, with all keys',
  factor_lost: 'reset with the second factor',
  suspended: 'suspension',
  removed: 'removal',
} as const;
export type Occasion = keyof typeof OCCASIONS;

/** The account whose credentials end. */
export interface CredentialOwner {
  accountId: number;
  /**
   * If set, ends only this person's credentials. Otherwise ends all sessions that act for the account, and the other
   * credentials of the people who belong to no other organisation.
   */
  memberId?: number;
  /** The acting member's current session, which does not end. */
  keptSession?: Buffer;
  /** For the audit log. */
  actor: Actor;
}

interface Ending extends CredentialOwner {
  db: Queryable;
  clock: Clock;
  occasion: Occasion;
  memberIds: readonly number[];
}

interface CredentialKind {
  name: string;
  opens: string;
  /** Database columns that hold the secret or a hash. */
  stored: readonly string[];
  /** Page or command that revokes a single credential. */
  revokedBy: string;
  /**
   * `ends`: the credential ends for good. `waits`: it is refused until the suspension is lifted. An occasion that is
   * missing has no effect.
   */
  outcome: Partial<Record<Occasion, 'ends' | 'waits'>>;
  /**
   * Ends all of an owner's credentials of this kind, and returns how many. A kind without this function ends when the
   * password, the second factor or the row on which it depends is removed.
   */
  end?: (ending: Ending) => Promise<number>;
}

/** The outcome for a credential that every occasion ends. */
const EVER = Object.fromEntries(Object.keys(OCCASIONS).map((name) => [name, 'ends'])) as Record<Occasion, 'ends'>;
const { moved: _, factor_changed: __, ...WITH_ACCESS } = EVER;
const WITH_PASSWORD = {
  new_password: 'ends',
  reset: 'ends',
  reset_with_keys: 'ends',
  factor_lost: 'ends',
  suspended: 'waits',
  removed: 'ends',
} as const;
const WITH_KEYS = { reset_with_keys: 'ends', suspended: 'waits', removed: 'ends' } as const;
const WITH_FACTOR = { factor_lost: 'ends', suspended: 'waits', removed: 'ends' } as const;
const OF_OPERATOR = {
  reset: 'ends',
  reset_with_keys: 'ends',
  factor_lost: 'ends',
  suspended: 'ends',
  removed: 'ends',
} as const;

export const CREDENTIALS = [
  {
    name: 'session',
    opens: 'the pages of a member with their live changes',
    stored: ['member_session.hash'],
    revokedBy: '`/account/security`, `/operator/sessions`',
    outcome: EVER,
    end: ({ db, accountId, memberId, keptSession }) =>
      memberId === undefined
        ? endAccountSessions(db, accountId, { kept: keptSession })
        : endSessions(db, memberId, keptSession),
  },
  {
    name: 'mark of a browser',
    opens: 'more attempts at the password',
    stored: [],
    revokedBy: 'a new password',
    outcome: WITH_PASSWORD,
  },
  {
    name: 'passkey',
    opens: 'signing in, with the password',
    stored: [],
    revokedBy: '`/account/security`',
    outcome: WITH_FACTOR,
    end: ({ db, memberIds }) => endEach(memberIds, (id) => deletePasskeys(db, id)),
  },
  {
    name: 'passkey alone',
    opens: 'signing in, without the password',
    stored: [],
    revokedBy: '`/account/security`, and a new password until the passkey has been used together with it',
    outcome: WITH_PASSWORD,
    end: ({ db, memberIds }) => endEach(memberIds, (id) => requirePassword(db, id)),
  },
  {
    name: 'second factor',
    opens: 'signing in, with the password',
    stored: ['member.totp_secret', 'member.totp_pending'],
    revokedBy: '`/account/security`',
    outcome: WITH_FACTOR,
    end: ({ db, memberIds }) => endEach(memberIds, (id) => removeSecondFactor(db, id)),
  },
  {
    name: 'recovery code',
    opens: 'signing in, with the password, once',
    stored: ['recovery_code.hash'],
    revokedBy: 'new ones at `/account/security`',
    outcome: WITH_FACTOR,
  },
  {
    name: 'identity at a provider',
    opens: 'signing in, at the identity provider of an organisation or of the operators',
    stored: [],
    revokedBy: 'another address of the account',
    outcome: { moved: 'ends', ...WITH_KEYS },
    end: ({ db, accountId, memberIds, occasion }) =>
      occasion === 'reset_with_keys' ? dropIdentitiesOfAccount(db, accountId) : dropIdentities(db, memberIds),
  },
  {
    name: 'sign-in that has begun at a provider',
    opens: 'finishing it, in the same browser, once and within 10 minutes',
    stored: ['sign_in_attempt.hash'],
    revokedBy: 'removing single sign-on',
    outcome: WITH_KEYS,
  },
  {
    name: 'client secret of single sign-on',
    opens: 'asking the identity provider in the name of this service',
    stored: ['single_sign_on.client_secret'],
    revokedBy: '`/account/single-sign-on`',
    outcome: WITH_KEYS,
    end: ({ db, clock, accountId, actor, occasion }) =>
      // It is removed together with the account.
      occasion === 'removed' ? Promise.resolve(0) : endSingleSignOn(db, clock, { accountId, actor }),
  },
  {
    name: 'password link',
    opens: 'setting a new password, once and within an hour',
    stored: ['account_link.hash'],
    revokedBy: 'a new one',
    outcome: EVER,
    end: ({ db, accountId, memberIds }) => endLinks(db, 'reset', accountId, memberIds),
  },
  {
    name: 'address link',
    opens: 'verifying an address, once and within a day',
    stored: ['account_link.hash'],
    revokedBy: 'a new one',
    outcome: EVER,
    end: ({ db, accountId, memberIds }) => endLinks(db, 'address', accountId, memberIds),
  },
  {
    name: 'invitation of an operator',
    opens: 'signing up, once and within 7 days',
    stored: ['account_link.hash'],
    revokedBy: '`/operator/approval`',
    outcome: OF_OPERATOR,
    end: endInvitations,
  },
  {
    name: 'invitation to an organisation',
    opens: 'joining the organisation, once and within 7 days, for one address',
    stored: ['member_invitation.hash'],
    revokedBy: '`/account/members`',
    outcome: WITH_PASSWORD,
    end: endMemberInvitations,
  },
  {
    name: 'address of a calendar',
    opens: 'the calendars of a member',
    stored: ['calendar_token.hash'],
    revokedBy: '`/account/calendar`',
    outcome: WITH_ACCESS,
    end: endCalendars,
  },
  {
    name: 'browser with notifications',
    opens: 'news of the favourite teams of a member, for whoever holds the browser',
    stored: ['push_browser.secret'],
    revokedBy: '`/account/notifications`, the end of the session that added it',
    outcome: WITH_ACCESS,
    end: ({ db, memberIds, keptSession }) => dropBrowsers(db, memberIds, keptSession),
  },
  {
    name: 'secret key',
    opens: 'data, streams, the feed of events to agents, and the account over REST',
    stored: ['api_key.hash'],
    revokedBy: '`/account/keys`, `touchline key revoke`',
    outcome: WITH_KEYS,
    end: (ending) => endKeys(ending, 'sk'),
  },
  {
    name: 'publishable key',
    opens: 'data and streams',
    stored: ['api_key.hash'],
    revokedBy: '`/account/keys`, `touchline key revoke`',
    outcome: WITH_KEYS,
    end: (ending) => endKeys(ending, 'pk'),
  },
  {
    name: 'webhook',
    opens: 'events of the plan, for whoever has its URL; its secret signs them',
    stored: [
      'webhook_subscription.secret',
      'webhook_subscription.previous_secret',
      'webhook_subscription.destination_secret',
    ],
    revokedBy: '`/account/webhooks`: pause, delete, a new secret',
    outcome: WITH_KEYS,
    end: endWebhooks,
  },
  {
    name: 'feed token',
    opens: 'the feed, for one provider: it belongs to no account',
    stored: ['feed_token.hash', 'feed_token.secret'],
    revokedBy: '`touchline feed token revoke`',
    outcome: {},
  },
] as const satisfies CredentialKind[];
export type CredentialName = (typeof CREDENTIALS)[number]['name'];

/**
 * Ends an account's credentials. Open streams and live pages close within 5 s. Must be called after the change that
 * locks people out (a new password or a suspension), in the same transaction.
 * @returns how many have ended, by kind
 */
export async function endCredentials(
  db: Queryable,
  clock: Clock,
  occasion: Occasion,
  owner: CredentialOwner,
): Promise<ReadonlyMap<CredentialName, number>> {
  const memberIds = owner.memberId === undefined ? await membersOfOnly(db, owner.accountId) : [owner.memberId];
  const ending: Ending = { ...owner, db, clock, occasion, memberIds };
  const ended = new Map<CredentialName, number>();
  for (const { name, outcome, end } of CREDENTIALS as readonly (CredentialKind & { name: CredentialName })[])
    if (outcome[occasion] === 'ends' && end !== undefined) ended.set(name, await end(ending));
  return ended;
}

/** Returns the people who belong to this account alone. */
async function membersOfOnly(db: Queryable, accountId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT member_id AS id FROM membership b WHERE account_id = $1
       AND NOT EXISTS (SELECT FROM membership o WHERE o.member_id = b.member_id AND o.account_id <> $1) ORDER BY id`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

async function endEach(ids: readonly number[], end: (id: number) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const id of ids) sum += await end(id);
  return sum;
}

async function endInvitations({ db, clock, accountId, actor, occasion }: Ending): Promise<number> {
  const ended = await endInvitationsFrom(db, accountId);
  if (occasion !== 'removed')
    for (const { id, email, plan } of ended)
      await audit(db, clock, {
        accountId,
        actor,
        action: 'invitation.revoked',
        target: `invitation ${id}`,
        details: { email, plan },
      });
  return ended.length;
}

async function endMemberInvitations({ db, memberIds }: Ending): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM member_invitation WHERE invited_by = ANY ($1)', [memberIds]);
  return rowCount ?? 0;
}

async function endCalendars({ db, clock, accountId, memberIds, actor, occasion }: Ending): Promise<number> {
  const ended = await dropCalendarTokens(db, memberIds);
  if (ended > 0 && occasion !== 'removed')
    await audit(db, clock, { accountId, actor, action: 'member.calendar_address_revoked' });
  return ended;
}

async function endKeys({ db, clock, accountId, actor, occasion }: Ending, kind: 'sk' | 'pk'): Promise<number> {
  if (occasion === 'removed') {
    const { rowCount } = await db.query('DELETE FROM api_key WHERE account_id = $1 AND kind = $2', [accountId, kind]);
    return rowCount ?? 0;
  }
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM api_key WHERE account_id = $1 AND kind = $2 AND revoked_at IS NULL ORDER BY id',
    [accountId, kind],
  );
  for (const { id } of rows) await revokeKey(db, clock, id, actor, accountId);
  return rows.length;
}

/**
 * Pauses subscriptions, so that the owner can check each URL without losing events. Subscriptions of custom resources
 * are not paused, because no member created them.
 */
async function endWebhooks({ db, clock, accountId, actor, occasion }: Ending): Promise<number> {
  if (occasion === 'removed') {
    const subscriptions = 'SELECT id FROM webhook_subscription WHERE account_id = $1';
    await db.query(`DELETE FROM webhook_attempt WHERE subscription_id IN (${subscriptions})`, [accountId]);
    await db.query(`DELETE FROM webhook_delivery WHERE subscription_id IN (${subscriptions})`, [accountId]);
    const { rowCount } = await db.query('DELETE FROM webhook_subscription WHERE account_id = $1', [accountId]);
    return rowCount ?? 0;
  }
  const { rows } = await db.query<{ id: number }>(
    `UPDATE webhook_subscription SET paused = true, failing_since = NULL, version = version + 1
     WHERE account_id = $1 AND ended_at IS NULL AND managed_uid IS NULL AND NOT paused RETURNING id`,
    [accountId],
  );
  for (const { id } of rows)
    await audit(db, clock, { accountId, actor, action: 'webhook.paused', target: `webhook ${id}` });
  return rows.length;
}
