/** Handing an organisation over: an owner offers it to a member, who accepts. The former owner then is an admin. */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, Problem } from '../../http/index.ts';
import { DAY_MS } from '../../wire/time.ts';
import { audit } from '../audit.ts';
import type { SignedInMember } from './members.ts';
import { lockOrganisation, type OrganisationDeps, readTarget, storeRole } from './memberships.ts';
import { sendOrganisationMail } from './organisation-mail.ts';

const OFFER_MS = 7 * DAY_MS;

export interface OwnershipOffer {
  from_id: number;
  from: string;
  to_id: number;
  to: string;
  expires_at: Date;
}

/** Reads the open offer; null if there is none. */
export async function readOffer(
  db: Queryable,
  clock: OrganisationDeps['clock'],
  accountId: number,
): Promise<OwnershipOffer | null> {
  const { rows } = await db.query<OwnershipOffer>(
    `SELECT f.id AS from_id, f.email AS from, t.id AS to_id, t.email AS to, o.expires_at
     FROM ownership_offer o JOIN member f ON f.id = o.from_member_id JOIN member t ON t.id = o.to_member_id
     WHERE o.account_id = $1 AND o.expires_at > $2`,
    [accountId, new Date(clock.now())],
  );
  return rows[0] ?? null;
}

/**
 * Offers the organisation to a member, for 7 days. An earlier offer ends.
 * @throws {Problem} role_not_permitted; invalid_parameter for somebody else; conflict if the member owns it already
 */
export async function offerOwnership(
  { pool, clock, mail }: OrganisationDeps,
  acting: SignedInMember,
  memberId: number,
): Promise<void> {
  const { accountId, email, address } = acting;
  const offered = await transaction(pool, async (db) => {
    const { name } = await lockOrganisation(db, acting, 'organisation');
    const target = await readTarget(db, accountId, memberId);
    if (target === null) throw invalidParameter('member_id', 'unknown_member', 'is not a member of this organisation');
    if (target.role === 'owner') throw new Problem('conflict', 'This member is an owner already.');
    const now = clock.now();
    await db.query(
      `INSERT INTO ownership_offer (account_id, from_member_id, to_member_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id) DO UPDATE SET from_member_id = excluded.from_member_id, to_member_id = excluded.to_member_id,
         created_at = excluded.created_at, expires_at = excluded.expires_at`,
      [accountId, acting.memberId, memberId, new Date(now), new Date(now + OFFER_MS)],
    );
    const details = { member: target.email };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'ownership.offered', details });
    return { target, organisation: name };
  });
  sendOrganisationMail(mail, offered.target, 'ownership_offered', { organisation: offered.organisation, by: email });
}

const noOffer = () => new Problem('conflict', 'There is no open offer.');

/** Takes the open offer back. @throws {Problem} role_not_permitted; conflict if there is none */
export async function withdrawOwnership({ pool, clock }: OrganisationDeps, acting: SignedInMember): Promise<void> {
  const { accountId, email, address } = acting;
  await transaction(pool, async (db) => {
    await lockOrganisation(db, acting, 'organisation');
    const offer = await readOffer(db, clock, accountId);
    if (offer === null) throw noOffer();
    await db.query('DELETE FROM ownership_offer WHERE account_id = $1', [accountId]);
    const details = { member: offer.to };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'ownership.withdrawn', details });
  });
}

/**
 * Accepts or declines the offer, as the member to whom it was made.
 * @throws {Problem} conflict if there is none, also if it is for somebody else
 */
export async function answerOwnership(
  { pool, clock, mail }: OrganisationDeps,
  acting: SignedInMember,
  answer: 'accept' | 'decline',
): Promise<void> {
  const { accountId, memberId, email, address } = acting;
  const former = await transaction(pool, async (db) => {
    const { name } = await lockOrganisation(db, acting, 'personal');
    const offer = await readOffer(db, clock, accountId);
    if (offer === null || offer.to_id !== memberId) throw noOffer();
    await db.query('DELETE FROM ownership_offer WHERE account_id = $1', [accountId]);
    const entry = { accountId, actor: { name: email, address }, details: { from: offer.from, to: email } };
    if (answer === 'decline') {
      await audit(db, clock, { ...entry, action: 'ownership.declined' });
      return null;
    }
    await storeRole(db, accountId, memberId, 'owner');
    await storeRole(db, accountId, offer.from_id, 'admin');
    await audit(db, clock, { ...entry, action: 'ownership.transferred' });
    return { ...(await readTarget(db, accountId, offer.from_id))!, organisation: name };
  });
  if (former === null) return;
  for (const reader of [former, { email, language: former.language }])
    sendOrganisationMail(mail, reader, 'ownership_transferred', { organisation: former.organisation, by: email });
}
