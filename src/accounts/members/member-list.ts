import type { Queryable } from '../../db/postgres.ts';

export interface ListedMember {
  id: number;
  email: string;
  has_password: boolean;
  has_second_factor: boolean;
  created_at: Date;
  /** null if the member has never signed in. */
  signed_in_at: Date | null;
  /** null if the member is not an operator of this service. */
  operator_since: Date | null;
}

/** Lists the members of an account, oldest first. */
export async function listMembers(db: Queryable, accountId: number): Promise<ListedMember[]> {
  const { rows } = await db.query<ListedMember>(
    `SELECT id, email, password IS NOT NULL AS has_password, totp_secret IS NOT NULL AS has_second_factor, created_at,
       signed_in_at, operator_since FROM member WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
  return rows;
}
