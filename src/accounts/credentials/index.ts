/** Public exports: sessions, second factors, calendar addresses. */
export { calendarTokenSince, findCalendarMember, renewCalendarToken, revokeCalendarToken } from './calendar-token.ts';
export { endCredentials } from './credentials.ts';
export { deviceCookie } from './device-mark.ts';
export { hasIdentity } from './identities.ts';
export {
  addOptions,
  passkeySite,
  useOptions,
} from './passkey-answers.ts';
export { createHolder, readHolder } from './passkey-challenges.ts';
export { type ListedPasskey, listPasskeys, MAX_PASSKEYS } from './passkeys.ts';
export {
  addBrowser,
  BROWSER_SECRETS,
  listBrowsers,
  MAX_BROWSERS,
  type PushAddress,
  type PushBrowser,
  removeBrowser,
  removeGoneBrowsers,
  renewBrowser,
} from './push-browsers.ts';
export { PUSH_KEY_SECRETS, type PushKeys, readPublicKey, readPushKeys } from './push-keys.ts';
export {
  beginSecondFactor,
  confirmSecondFactor,
  MEMBER_SECRETS,
  removeSecondFactor,
  renewRecoveryCodes,
  takeCode,
} from './second-factor.ts';
export { sessionCookie, sessionHash } from './session-cookie.ts';
export {
  type Client,
  confirmSession,
  createSession,
  endSession,
  findAwaitingCode,
  findMember,
  type ListedSession,
  lastingSessions,
  listSessions,
  MAX_LISTED_SESSIONS,
} from './sessions.ts';
