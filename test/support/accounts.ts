/** Accounts and keys on the built-in plans. */
import type pg from 'pg';
import * as accounts from '../../src/accounts/accounts.ts';
import * as keys from '../../src/accounts/keys/key-store.ts';
import * as invitations from '../../src/accounts/members/invitations.ts';
import { BUILT_IN } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import type { Queryable } from '../../src/db/postgres.ts';

/** Plans that a service without PLANS_FILE has. */
export const BUILT_IN_PLANS = new OfferedPlans(BUILT_IN);

interface Clock {
  now(): number;
}

export const createKey = (pool: pg.Pool, clock: Clock, input: keys.NewKey, plans = BUILT_IN_PLANS) =>
  keys.createKey(pool, clock, plans, input);

export const createAccount = (pool: pg.Pool, clock: Clock, input: Parameters<typeof accounts.createAccount>[1]) =>
  accounts.createAccount({ pool, clock, plans: BUILT_IN_PLANS }, input);

export const createInvitation = (
  db: Queryable,
  clock: Clock,
  input: Parameters<typeof invitations.createInvitation>[3],
) => invitations.createInvitation(db, clock, BUILT_IN_PLANS, input);
