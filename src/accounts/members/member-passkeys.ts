/** A member's own passkeys: adding, renaming and removing them. */
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, Problem } from '../../http/index.ts';
import { audit } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { checkCreated } from '../credentials/passkey-answers.ts';
import { deletePasskey, insertPasskey, type ListedPasskey, updateName } from '../credentials/passkeys.ts';
import { dropUnneededCodes, HAS_SECOND_FACTOR, renewRecoveryCodes } from '../credentials/second-factor.ts';
import { confirmSession } from '../credentials/sessions.ts';
import type { MemberDeps, SignedInMember } from './members.ts';
import type { PasskeyAnswer } from './passkey-sign-in.ts';
import { sendNotice } from './security-notice.ts';

const MAX_NAME_LENGTH = 100;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

type Deps = Pick<MemberDeps, 'pool' | 'clock' | 'mail'>;

function checkName(name: string): void {
  if (name === '' || [...name].length > MAX_NAME_LENGTH)
    throw invalidParameter('name', 'invalid_length', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  if (CONTROL.test(name)) throw invalidParameter('name', 'invalid_text', 'has control characters');
}

/**
 * Adds the passkey that the browser has made, ends all sessions but this one, and notifies the member by mail.
 * @returns recovery codes, shown once, if the member had no second factor before; otherwise null
 * @throws {Problem} key_invalid; invalid_parameter; conflict if it has been added before, or if there are as many as possible
 */
export async function addPasskey(
  deps: Deps,
  member: SignedInMember,
  { site, text, name }: PasskeyAnswer & { name: string },
): Promise<string[] | null> {
  checkName(name);
  const { pool, clock, mail } = deps;
  const { memberId, sessionHash, accountId, email, address } = member;
  const made = await checkCreated(deps, site, sessionHash, text);
  const codes = await transaction(pool, async (db) => {
    await db.query('SELECT FROM member WHERE id = $1 FOR UPDATE', [memberId]);
    const hadFactor = await hasFactor(db, memberId);
    const id = await insertPasskey(db, clock, memberId, { ...made, name });
    await endOthers(db, clock, member);
    // Making a passkey verifies the member like using one.
    await confirmSession(db, clock, sessionHash, 'factor');
    const actor = { name: email, address };
    const entry = {
      accountId,
      actor,
      action: 'member.passkey_added',
      target: `passkey ${id}`,
      details: { name },
    } as const;
    await audit(db, clock, entry);
    return hadFactor ? null : renewRecoveryCodes(db, memberId);
  });
  sendNotice(mail, email, 'passkey_added', address);
  return codes;
}

/**
 * Renames a passkey.
 * @throws {Problem} invalid_parameter; not_found, also for another member's passkey
 */
export async function renamePasskey(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { accountId, memberId, email, address }: SignedInMember,
  id: number,
  name: string,
): Promise<ListedPasskey> {
  checkName(name);
  return transaction(pool, async (db) => {
    const renamed = await updateName(db, memberId, id, name);
    if (renamed === null) throw noPasskey(id);
    const { before, ...passkey } = renamed;
    if (before === name) return passkey;
    await audit(db, clock, {
      accountId,
      actor: { name: email, address },
      action: 'member.passkey_renamed',
      target: `passkey ${id}`,
      details: { from: before, to: name },
    });
    return passkey;
  });
}

const noPasskey = (id: number) => new Problem('not_found', `There is no passkey ${id}.`);

/**
 * Removes a passkey, ends all sessions but this one, and notifies the member by mail. The recovery codes end with the last factor.
 * @throws {Problem} not_found, also for another member's passkey
 */
export async function removePasskey({ pool, clock, mail }: Deps, member: SignedInMember, id: number): Promise<void> {
  const { memberId, accountId, email, address } = member;
  await transaction(pool, async (db) => {
    await db.query('SELECT FROM member WHERE id = $1 FOR UPDATE', [memberId]);
    const name = await deletePasskey(db, memberId, id);
    if (name === null) throw noPasskey(id);
    await dropUnneededCodes(db, memberId);
    await endOthers(db, clock, member);
    const actor = { name: email, address };
    const entry = {
      accountId,
      actor,
      action: 'member.passkey_removed',
      target: `passkey ${id}`,
      details: { name },
    } as const;
    await audit(db, clock, entry);
  });
  sendNotice(mail, email, 'passkey_removed', address);
}

const endOthers = (
  db: Queryable,
  clock: Deps['clock'],
  { accountId, memberId, email, sessionHash, address }: SignedInMember,
) =>
  endCredentials(db, clock, 'factor_changed', {
    accountId,
    memberId,
    keptSession: sessionHash,
    actor: { name: email, address },
  });

async function hasFactor(db: Queryable, memberId: number): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    `SELECT ${HAS_SECOND_FACTOR} AS has FROM member m WHERE m.id = $1`,
    [memberId],
  );
  return firstRow(rows).has;
}
