/** Signing up creates an account with its owner and a first key. */
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, maskAddress, Problem, rateLimited } from '../../http/index.ts';
import { DAY_MS, HOUR_SECONDS } from '../../wire/time.ts';
import { type Actor, audit } from '../audit.ts';
import { type Link, readLink, useLink } from '../credentials/one-time-links.ts';
import { chooseAccount } from '../credentials/sessions.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { insertKey } from '../keys/key-store.ts';
import type { OfferedPlans } from '../plans/plans.ts';
import { sendAddressLink } from './address-link.ts';
import { type Member, type MemberDeps, readMember, type SignedInMember } from './members.ts';
import { checkName } from './memberships.ts';
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

/** @throws {Problem} not_found, invalid_parameter */
function checkOpen({ config }: Pick<MemberDeps, 'config'>, invitation: string | undefined): void {
  if (config.signUp === 'off') throw closed();
  if (!invitation && config.signUp === 'invite')
    throw invalidParameter('invitation', 'missing', 'is required: only invited people can sign up here');
}

/**
 * Checks everything that can be checked before the password is hashed.
 * @returns whether an invitation is used
 */
async function checkSignUp(deps: MemberDeps, { email, password, invitation }: SignUp): Promise<boolean> {
  const { pool, clock } = deps;
  checkOpen(deps, invitation);
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

interface NewAccount {
  email: string;
  /** The client address. */
  address: string;
  /** Invitation token of an operator, which is used up. If the plan that it gives has been withdrawn, the default plan applies. */
  invitation: string | undefined;
  awaitsVerification: boolean;
}

/** Creates an account without members. @returns null if an account has the email. @throws {Problem} invalid_parameter, rate_limited */
async function insertAccount(
  { clock, config, mail, plans }: SignUpDeps,
  db: Queryable,
  { email, address, invitation, awaitsVerification }: NewAccount,
): Promise<{ accountId: number; awaitsApproval: boolean } | null> {
  const now = new Date(clock.now());
  const network = maskAddress(address);
  const link = invitation ? checkInvitation(await useLink(db, clock, 'invitation', invitation), email) : null;
  const isUnproven = link === null && !mail.isConfigured;
  if (isUnproven) await checkNetwork(db, network, now.getTime());
  const given = link?.plan ?? plans.default;
  const plan = (await plans.lock(db, given)) ? given : plans.default;
  const awaitsApproval = config.signUp === 'approve' && link === null;
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account (email, plan, created_at, signed_up_from, awaits_verification, suspended_at, awaits_approval)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
    [email, plan, now, isUnproven ? network : null, awaitsVerification, awaitsApproval ? now : null, awaitsApproval],
  );
  const accountId = rows[0]?.id;
  if (accountId === undefined) return null;
  await audit(db, clock, { accountId, actor: { name: email, address }, action: 'account.created', details: { plan } });
  return { accountId, awaitsApproval };
}

/**
 * Creates an organisation for a person who has signed in, and owns none with this address. The person owns it, and the session
 * acts for it unless an operator has to approve it first.
 * @throws {Problem} not_found if sign-up is off; invalid_parameter; conflict if an organisation has the person's address; rate_limited
 */
export async function createOrganisation(
  deps: SignUpDeps,
  acting: SignedInMember,
  { name: given, invitation }: { name?: string | undefined; invitation?: string | undefined },
): Promise<{ accountId: number; awaitsApproval: boolean }> {
  const { pool, clock, mail, signInLimits } = deps;
  const { memberId, address } = acting;
  const email = normalEmail(acting.email);
  signInLimits.signUp(address);
  checkOpen(deps, invitation);
  const name = given?.trim();
  if (name !== undefined) checkName(name);
  return transaction(pool, async (db) => {
    const { rows } = await db.query<{ isVerified: boolean }>(
      'SELECT verified_at IS NOT NULL AS "isVerified" FROM member WHERE id = $1 FOR NO KEY UPDATE',
      [memberId],
    );
    const awaitsVerification = mail.isConfigured && rows[0]?.isVerified !== true;
    const account = await insertAccount(deps, db, { email, address, invitation, awaitsVerification });
    if (account === null) throw new Problem('conflict', 'There is already an organisation with your address.');
    const { accountId, awaitsApproval } = account;
    await db.query('UPDATE account SET name = $2 WHERE id = $1', [accountId, name ?? null]);
    await db.query("INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, 'owner', $3)", [
      accountId,
      memberId,
      new Date(clock.now()),
    ]);
    if (awaitsApproval) return account;
    await db.query('UPDATE member SET account_id = coalesce(account_id, $2) WHERE id = $1', [memberId, accountId]);
    await chooseAccount(db, acting, accountId);
    return account;
  });
}

/**
 * Creates an account with a first member and a first key. With a mail server, sends a link that verifies the address.
 * @param address the client address
 * @throws {Problem} invalid_parameter; not_found if sign-up is off; conflict if an account has the email; rate_limited;
 * unavailable
 */
export async function signUp(deps: SignUpDeps, input: SignUp, address: string): Promise<SignedUp> {
  const { pool, clock, mail, passwords, signInLimits } = deps;
  signInLimits.signUp(address);
  const isInvited = await checkSignUp(deps, input);
  const email = normalEmail(input.email);
  const network = maskAddress(address);
  const hashed = await passwords.hash(input.password, { network, isKnown: isInvited });
  const made = await transaction(pool, async (db) => {
    const now = new Date(clock.now());
    const { invitation } = input;
    const account = await insertAccount(deps, db, {
      email,
      address,
      invitation,
      awaitsVerification: mail.isConfigured,
    });
    if (account === null) throw taken();
    const { accountId, awaitsApproval } = account;
    const { rows: members } = await db.query<{ id: number }>(
      `INSERT INTO member (account_id, email, password, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
      [accountId, email, hashed, now],
    );
    if (members[0] === undefined) throw taken();
    const actor: Actor = { name: email, address };
    const first = await insertKey(db, clock, accountId, { name: 'First key' });
    const target = `key ${first.keyId}`;
    await audit(db, clock, { accountId, actor, action: 'key.created', target, details: { kind: 'sk' } });
    return { member: (await readMember(db, members[0].id))!, awaitsApproval, ...first };
  });
  if (mail.isConfigured) await sendAddressLink(deps, made.member.id, email);
  return made;
}
