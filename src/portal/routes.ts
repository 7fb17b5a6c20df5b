/** The account pages at `/account`, and the operator pages at `/operator`. */
import type { RouteValue } from '../http/index.ts';
import { accountPages } from './account-pages.ts';
import { addressPages } from './address-pages.ts';
import { calendarPages } from './calendar-pages.ts';
import { companySignInPages } from './company-sign-in-pages.ts';
import { confirmPages } from './confirm-pages.ts';
import type { PortalDeps } from './deps.ts';
import { eventPages } from './event-pages.ts';
import { favouriteRoutes } from './favourite-routes.ts';
import { joinPages } from './join-pages.ts';
import { keyPages } from './key-pages.ts';
import { memberPages } from './member-pages.ts';
import { notificationPages } from './notification-pages.ts';
import { operatorPages } from './operator/routes.ts';
import { passkeyPages } from './passkey-pages.ts';
import { securityPages } from './security-pages.ts';
import { sessionPages } from './session-pages.ts';
import { signInPages } from './sign-in-pages.ts';
import { signUpPages } from './sign-up-pages.ts';
import { singleSignOnPages } from './single-sign-on-pages.ts';
import { usagePages } from './usage-page.ts';
import { webhookLogPages } from './webhook-log-pages.ts';
import { webhookPages } from './webhook-pages.ts';

export const routes: RouteValue<PortalDeps>[] = [
  ...accountPages,
  ...signUpPages,
  ...signInPages,
  ...confirmPages,
  ...companySignInPages,
  ...joinPages,
  ...memberPages,
  ...keyPages,
  ...usagePages,
  ...securityPages,
  ...passkeyPages,
  ...addressPages,
  ...sessionPages,
  ...singleSignOnPages,
  ...webhookPages,
  ...webhookLogPages,
  ...eventPages,
  ...calendarPages,
  ...favouriteRoutes,
  ...notificationPages,
  ...operatorPages,
];
