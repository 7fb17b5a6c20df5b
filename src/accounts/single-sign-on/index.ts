/** Public exports: single sign-on of organisations, and of operators. */
export { attemptCookie, readAttemptToken } from './attempts.ts';
export { beginCompanySignIn, callbackPath, finishCompanySignIn } from './company-sign-in.ts';
export { systemTxt, verifyDomain } from './domains.ts';
export { Providers } from './provider.ts';
export {
  changeSettings,
  type Domain,
  GIVEN_ROLES,
  readSettings,
  removeSettings,
  type Settings,
  type SettingsChange,
  SINGLE_SIGN_ON_SECRETS,
  settingsChange,
} from './settings.ts';
