/** Signing up creates an account with its owner and a first key. */
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, maskAddress, Problem, rateLimited } from '../../http/index.ts';
import { DAY_MS, HOUR_SECONDS } from '../../wire/time.ts';
import { type Actor, audit } from '../audit.ts';
import { type Link, readLink, useLink } from '../credentials/one-time-links.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { insertKey } from '../keys/key-store.ts';
import type { OfferedPlans } from '../plans/plans.ts';
import { sendAddressLink } from './address-link.ts';
import { type Member, type MemberDeps, readMember } from './members.ts';
import { checkNewPassword } from './password-rules.ts';

/**
 * Maximum number of accounts that one network may create in a day if no mail server is configured, so that addresses
 * cannot be verified. Invited people are not counted.
 */
const UNPROVEN_ACCOUNTS_PER_NETWORK = 30;

export interface SignUpDeps extends MemberDeps {
  plans: OfferedPlans;
}

export interface SignUp {
  email: string;
  password: string;
  /** Invitation token. */
  invitation?: string | undefined;
}

export interface SignedUp {
  member: Member;
  /** The first key, which cannot be shown again. */
  key: string;
  keyId: number;
  /** True if the key and the password are refused until an operator approves the account. */
  awaitsApproval: boolean;
}

const closed = () =>
  new Problem('not_found', 'Nobody can sign up here. Ask the operator of this service for an account.');

const taken = () =>
  new Problem('conflict', 'There is already an account with this email. Sign in, or set a new password.');

const invalidInvitation = () => invalidParameter('invitation', 'invalid_invitation', 'is unknown, expired or used');

function checkInvitation(link: Link | null, email: string): Link {
  if (link === null) throw invalidInvitation();
  if (link.email !== null && normalEmail(link.email) !== email)
    throw invalidParameter('invitation', 'other_email', 'is for another email');
  return link;
}

/**
 * Checks everything that can be checked before the password is hashed.
 * @returns whether an invitation is used
 */
async function checkSignUp(deps: MemberDeps, { email, password, invitation }: SignUp): Promise<boolean> {
  const { pool, clock, config } = deps;
  if (config.signUp === 'off') throw closed();
  if (!invitation && config.signUp === 'invite')
    throw invalidParameter('invitation', 'missing', 'is required: only invited people can sign up here');
  checkEmail(email);
  if (invitation) checkInvitation(await readLink(pool, clock, 'invitation', invitation), normalEmail(email));
  await checkNewPassword(password, email);
  const { rows } = await pool.query(
    'SELECT FROM account WHERE lower(email) = $1 UNION ALL SELECT FROM member WHERE lower(email) = $1',
    [normalEmail(email)],
  );
  if (rows.length > 0) throw taken();
  return Boolean(invitation);
}

/** Sign-ups from one network wait for each other here, so that the count is exact. @throws {Problem} rate_limited */
async function checkNetwork(db: Queryable, network: string, now: number): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-up ${network}`]);
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM account WHERE signed_up_from = $1 AND created_at > $2',
    [network, new Date(now - DAY_MS)],
  );
  if (firstRow(rows).count < UNPROVEN_ACCOUNTS_PER_NETWORK) return;
  throw rateLimited(
    `At most ${UNPROVEN_ACCOUNTS_PER_NETWORK} accounts a day are created from one network. Ask the operator of this service for an invitation.`,
    HOUR_SECONDS,
  );
}

/**
 * Creates an account with a first member and a first key. With a mail server, sends a link that verifies the address.
 * @param address the client address
 * @throws {Problem} invalid_parameter; not_found if sign-up is off; conflict if an account has the email; rate_limited;
 * unavailable
 */
export async function signUp(deps: SignUpDeps, input: SignUp, address: string): Promise<SignedUp> {
  const { pool, clock, config, mail, passwords, signInLimits, plans } = deps;
  signInLimits.signUp(address);
  const isInvited = await checkSignUp(deps, input);
  const email = normalEmail(input.email);
  const network = maskAddress(address);
  const hashed = await passwords.hash(input.password, { network, isKnown: isInvited });
  const made = await transaction(pool, async (db) => {
    const now = new Date(clock.now());
    const link = isInvited ? checkInvitation(await useLink(db, clock, 'invitation', input.invitation!), email) : null;
    const isUnproven = link === null && !mail.isConfigured;
    if (isUnproven) await checkNetwork(db, network, now.getTime());
    const plan = link?.plan ?? plans.default;
    const awaitsApproval = config.signUp === 'approve' && link === null;
    const { rows } = await db.query<{ id: number }>(
      `INSERT INTO account (email, plan, created_at, signed_up_from, awaits_verification, suspended_at, awaits_approval)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
      [email, plan, now, isUnproven ? network : null, mail.isConfigured, awaitsApproval ? now : null, awaitsApproval],
    );
    const accountId = rows[0]?.id;
    if (accountId === undefined) throw taken();
    const { rows: members } = await db.query<{ id: number }>(
      `INSERT INTO member (account_id, email, password, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
      [accountId, email, hashed, now],
    );
    if (members[0] === undefined) throw taken();
    const actor: Actor = { name: email, address };
    await audit(db, clock, { accountId, actor, action: 'account.created', details: { plan } });
    const first = await insertKey(db, clock, accountId, { name: 'First key' });
    const target = `key ${first.keyId}`;
    await audit(db, clock, { accountId, actor, action: 'key.created', target, details: { kind: 'sk' } });
    return { member: (await readMember(db, members[0].id))!, awaitsApproval, ...first };
  });
  if (mail.isConfigured) await sendAddressLink(deps, made.member.id, email);
  return made;
}
