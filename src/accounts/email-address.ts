/** How email addresses are validated and normalised. */
import { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { invalidParameter } from '../http/index.ts';

const MAX_LENGTH = 254;
/** Allows ASCII only, so that JavaScript and Postgres fold an accepted address alike. */
const format = z.email().max(MAX_LENGTH);

/**
 * The normal form in which addresses are compared everywhere: NFKC, with ASCII letters in lower case. Letters outside
 * ASCII keep their case, since JavaScript and Postgres fold some of them differently (`İ`).
 */
export const normalEmail = (email: string): string =>
  email.normalize('NFKC').replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** @throws {Problem} invalid_parameter if it is not an email address, or if its normal form is another address */
export function checkEmail(email: string): void {
  if (format.safeParse(email).success && email.normalize('NFKC') === email) return;
  throw invalidParameter('email', 'invalid_email', `${JSON.stringify(email)} is not an email address`);
}

export interface UnclearEmail {
  accountId: number;
  email: string;
  /** The address's normal form. Several accounts have it, or the account cannot be found by it. */
  normal: string;
  /** How many accounts have this normal form. */
  accounts: number;
}

/**
 * Lists accounts that share a normal form, and accounts that cannot be found by their address. Older versions accepted
 * such addresses.
 */
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
