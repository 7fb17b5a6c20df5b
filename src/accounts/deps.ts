/** Dependencies of the account routes. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/index.ts';
import type { AccountConfig } from './config.ts';
import type { Mail } from './mail.ts';
import type { PasswordHasher } from './members/password-hasher.ts';
import type { SignInLimits } from './members/sign-in-limits.ts';
import type { OfferedPlans } from './plans/plans.ts';
import type { ReadTxt } from './single-sign-on/domains.ts';
import type { Providers } from './single-sign-on/provider.ts';

export interface AccountDeps extends Deps {
  config: AccountConfig;
  plans: OfferedPlans;
  mail: Mail;
  passwords: PasswordHasher;
  signInLimits: SignInLimits;
  /** The identity providers of organisations and of this service. */
  providers: Providers;
  /** Reads the records that verify domains. */
  readTxt: ReadTxt;
}

export const route = routeFor<AccountDeps>();
