/**
 * The person behind what a provider says. The lasting key is the issuer with the subject; an address only finds a person at the first
 * sign-in. A provider speaks only for addresses in the verified domains of its organisation.
 */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { Problem, type Role } from '../../http/index.ts';
import { type Actor, audit } from '../audit.ts';
import { endCredentials, type Occasion } from '../credentials/credentials.ts';
import { addIdentity, findIdentity, lockIdentity } from '../credentials/identities.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { type MemberDeps, readMember } from '../members/members.ts';
import { sendNotice } from '../members/security-notice.ts';
import { type Opening, openSession, type SignedIn } from '../members/sign-in.ts';
import { ROLES } from '../roles.ts';
import { type DomainDeps, findOrganisation, readDomain } from './domains.ts';
import type { Claims } from './provider.ts';
import { type GroupRole, notSetUp } from './settings.ts';

export interface PersonDeps extends DomainDeps, Pick<MemberDeps, 'mail'> {}

const refused = (detail: string) => new Problem('key_not_permitted', detail);

/** @returns the address, which the provider has verified. @throws {Problem} key_not_permitted */
function verifiedEmail({ email, emailVerified }: Claims): string {
  if (email === null) throw refused("Your company's identity provider does not say what your address is.");
  if (!emailVerified) throw refused("Your company's identity provider has not verified your address.");
  try {
    checkEmail(email);
  } catch {
    throw refused("Your company's identity provider does not say what your address is.");
  }
  return normalEmail(email);
}

interface Rules {
  default_role: Role;
  group_roles: GroupRole[];
}

/** The role that permits most of those that the groups give. Null if the role does not follow the groups. */
function roleOfGroups({ default_role, group_roles }: Rules, groups: readonly string[]): Role | null {
  if (group_roles.length === 0) return null;
  const given = new Set(groups);
  const roles = new Set<Role>(group_roles.filter(({ group }) => given.has(group)).map(({ role }) => role));
  return ROLES.find((role) => roles.has(role)) ?? default_role;
}

type SignInAs = Pick<Opening, 'before' | 'client'>;

interface Joining {
  db: Queryable;
  clock: PersonDeps['clock'];
  accountId: number;
  claims: Claims;
  email: string;
  actor: Actor;
}

/**
 * Signs in the person about whom an organisation's provider has spoken. Creates the person at the first sign-in, without a password.
 * @throws {Problem} key_not_permitted, not_found
 */
export async function signInPerson(
  deps: PersonDeps,
  accountId: number,
  claims: Claims,
  browser: SignInAs,
): Promise<SignedIn> {
  const { pool, clock, mail } = deps;
  const email = verifiedEmail(claims);
  const organisation = await findOrganisation(deps, email);
  if (organisation?.accountId !== accountId)
    throw refused('Your address does not belong to a verified domain of this organisation.');
  const { address } = browser.client;
  const actor: Actor = { name: email, address };
  const { signedIn, linked } = await transaction(pool, async (db) => {
    const { rows } = await db.query<Rules & { isSuspended: boolean }>(
      `SELECT o.default_role, o.group_roles, a.suspended_at IS NOT NULL AS "isSuspended"
       FROM single_sign_on o JOIN account a ON a.id = o.account_id JOIN single_sign_on_domain d ON d.account_id = a.id
       WHERE a.id = $1 AND d.domain = $2 AND d.verified_at IS NOT NULL FOR SHARE OF o, d`,
      [accountId, readDomain(email)],
    );
    const rules = rows[0];
    if (rules === undefined) throw notSetUp();
    if (rules.isSuspended) throw refused('The account is suspended. Ask the operator of this service.');
    const joining: Joining = { db, clock, accountId, claims, email, actor };
    const found = await findPerson(joining);
    await joinWithRole(joining, found.memberId, rules);
    const member = (await readMember(db, found.memberId))!;
    const signedIn = await openSession(db, clock, member, {
      ...browser,
      origin: { provider: accountId, provedAt: claims.provedAt ?? 0 },
      details: { issuer: claims.issuer },
    });
    return { signedIn, linked: found.isLinked };
  });
  if (linked) sendNotice(mail, signedIn.member.email, 'identity_linked', address);
  return signedIn;
}

/** Finds or creates the person. */
async function findPerson(joining: Joining): Promise<{ memberId: number; isLinked: boolean }> {
  const { db, clock, claims, email } = joining;
  await lockIdentity(db, claims, email);
  const known = await findIdentity(db, claims);
  if (known !== null) return { memberId: known, isLinked: false };
  const { rows: found } = await db.query<Found>(
    `SELECT m.id, m.verified_at, EXISTS (SELECT FROM membership b WHERE b.member_id = m.id AND b.account_id = $2) AS "isJoined"
     FROM member m WHERE lower(m.email) = $1 FOR UPDATE OF m`,
    [email, joining.accountId],
  );
  const memberId = found[0]?.id ?? (await createPerson(joining));
  if (found[0] !== undefined) await linkPerson(joining, found[0]);
  await addIdentity(db, clock, claims, memberId);
  return { memberId, isLinked: found[0] !== undefined };
}

interface Found {
  id: number;
  verified_at: Date | null;
  /** Whether the person belongs to the organisation already. */
  isJoined: boolean;
}

async function createPerson({ db, clock, email }: Joining): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'INSERT INTO member (account_id, email, password, created_at, verified_at) VALUES (NULL, $1, NULL, $2, $2) RETURNING id',
    [email, new Date(clock.now())],
  );
  return rows[0]!.id;
}

/**
 * Links a person who has been here before with the address. If nobody has verified the address, a stranger may have signed up with it in
 * advance, so the password and everything else that opens the account end, unless the organisation has taken the person in already.
 */
async function linkPerson({ db, clock, accountId, claims, email, actor }: Joining, known: Found): Promise<void> {
  if (known.verified_at === null && !known.isJoined) {
    await db.query('UPDATE member SET password = NULL WHERE id = $1', [known.id]);
    const { rows: own } = await db.query<{ account_id: number }>(
      `SELECT account_id FROM membership b WHERE member_id = $1
         AND NOT EXISTS (SELECT FROM membership o WHERE o.account_id = b.account_id AND o.member_id <> $1) ORDER BY account_id`,
      [known.id],
    );
    const end = (occasion: Occasion, ownerId: number) =>
      endCredentials(db, clock, occasion, { accountId: ownerId, memberId: known.id, actor });
    await end('factor_changed', accountId);
    for (const { account_id } of own) {
      await end('factor_lost', account_id);
      await end('reset_with_keys', account_id);
    }
  }
  await db.query('UPDATE member SET verified_at = coalesce(verified_at, $2) WHERE id = $1', [
    known.id,
    new Date(clock.now()),
  ]);
  const details = { member: email, issuer: claims.issuer };
  await audit(db, clock, { accountId, actor, action: 'member.identity_linked', details });
}

/** Joins the person, or changes the role to that of the groups. An owner stays an owner, and nobody becomes one. */
async function joinWithRole(
  { db, clock, accountId, claims, email, actor }: Joining,
  memberId: number,
  rules: Rules,
): Promise<void> {
  const { rows } = await db.query<{ role: Role }>(
    'SELECT role FROM membership WHERE account_id = $1 AND member_id = $2 FOR UPDATE',
    [accountId, memberId],
  );
  const before = rows[0]?.role;
  const role = roleOfGroups(rules, claims.groups);
  const target = `member ${memberId}`;
  if (before === undefined) {
    const given = role ?? rules.default_role;
    await db.query('INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, $3, $4)', [
      accountId,
      memberId,
      given,
      new Date(clock.now()),
    ]);
    await audit(db, clock, {
      accountId,
      actor,
      action: 'member.joined',
      target,
      details: { member: email, role: given },
    });
    return;
  }
  if (role === null || before === 'owner' || before === role) return;
  await db.query('UPDATE membership SET role = $3 WHERE account_id = $1 AND member_id = $2', [
    accountId,
    memberId,
    role,
  ]);
  const details = { member: email, from: before, to: role };
  await audit(db, clock, { accountId, actor, action: 'member.role_changed', target, details });
}

/**
 * Signs in the operator about whom the provider of the operators has spoken. It makes nobody an operator.
 * @throws {Problem} key_not_permitted
 */
export async function signInOperator(
  { pool, clock }: Pick<PersonDeps, 'pool' | 'clock'>,
  claims: Claims,
  browser: SignInAs,
): Promise<SignedIn> {
  const email = verifiedEmail(claims);
  return transaction(pool, async (db) => {
    await lockIdentity(db, claims, email);
    const known = await findIdentity(db, claims);
    const { rows } = await db.query<{ id: number }>(
      `SELECT id FROM member WHERE operator_since IS NOT NULL AND CASE WHEN $2::bigint IS NULL THEN lower(email) = $1 ELSE id = $2 END
       FOR SHARE`,
      [email, known],
    );
    const member = rows[0] === undefined ? null : await readMember(db, rows[0].id);
    if (member === null || member.isSuspended) throw refused('No operator of this service has your address.');
    if (known === null) await addIdentity(db, clock, claims, member.id);
    return openSession(db, clock, member, {
      ...browser,
      origin: { provider: null, provedAt: claims.provedAt ?? 0 },
      details: { issuer: claims.issuer },
    });
  });
}
