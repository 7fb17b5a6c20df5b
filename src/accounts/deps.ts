/** What the routes of accounts get. */
import type { Deps } from '../deps.ts';
import { routeFor } from '../http/route.ts';
import type { AccountConfig } from './config.ts';
import type { Mail } from './mail.ts';
import type { SignInLimits } from './members/sign-in-limits.ts';

export interface AccountDeps extends Deps {
  config: AccountConfig;
  mail: Mail;
  signInLimits: SignInLimits;
}

export const route = routeFor<AccountDeps>();
