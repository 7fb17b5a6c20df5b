/** Email addresses: which are accepted, and which are the same. */
import { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { invalidParameter } from '../http/errors.ts';

const MAX_LENGTH = 254;
/** Allows ASCII alone, so that an accepted address is folded alike by JavaScript and by Postgres. */
const format = z.email().max(MAX_LENGTH);

/**
 * The form in which addresses are compared, everywhere: NFKC, then ASCII letters in lower case. Letters beyond ASCII stay as they
 * are, since JavaScript and Postgres fold some of them differently (`İ`).
 */
export const normalEmail = (email: string): string =>
  email.normalize('NFKC').replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** @throws {Problem} invalid_parameter for what is no address, or is another one in its normal form */
export function checkEmail(email: string): void {
  if (format.safeParse(email).success && email.normalize('NFKC') === email) return;
  throw invalidParameter('email', 'invalid_email', `${JSON.stringify(email)} is not an email address`);
}

export interface UnclearEmail {
  accountId: number;
  email: string;
  /** The normal form, by which others have the address too, or by which nobody can find the account. */
  normal: string;
  /** The number of accounts with that normal form. */
  accounts: number;
}

/** Lists accounts that share the normal form of their address, or that are not found by it: older versions accepted more. */
export async function listUnclearEmails(db: Queryable): Promise<UnclearEmail[]> {
  const { rows } = await db.query<{ id: number; email: string; found_by: string }>(
    'SELECT id, email, lower(email) AS found_by FROM account ORDER BY id',
  );
  const counts = new Map<string, number>();
  for (const { email } of rows) counts.set(normalEmail(email), (counts.get(normalEmail(email)) ?? 0) + 1);
  return rows
    .map(({ id, email, found_by }) => {
      const normal = normalEmail(email);
      return { accountId: id, email, normal, accounts: counts.get(normal)!, isFound: found_by === normal };
    })
    .filter(({ accounts, isFound }) => accounts > 1 || !isFound)
    .map(({ isFound, ...one }) => one);
}
