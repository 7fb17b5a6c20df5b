/** Dependencies of the account routes. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';
import type { AccountConfig } from './config.ts';
import type { Mail } from './mail.ts';
import type { PasswordHasher } from './members/password-hasher.ts';
import type { SignInLimits } from './members/sign-in-limits.ts';
import type { OfferedPlans } from './plans/plans.ts';

export interface AccountDeps extends Deps {
  config: AccountConfig;
  plans: OfferedPlans;
  mail: Mail;
  passwords: PasswordHasher;
  signInLimits: SignInLimits;
}

export const route = routeFor<AccountDeps>();
