/** The page to which a member returns after signing in. */

const OWN_PATH =
  /^\/(account(\/[a-z0-9-]+)*|(match|team|player|tournament)\/\d{1,16}(\/[\p{L}\p{N}\p{M}-]{1,200})?|rankings|leagues|meetings|search)$/u;
const INVITATION = /^\/account\/join\?token=[A-Za-z0-9_-]{43}$/;

/** Returns the page to show after signing in. It is always in this service, never elsewhere. */
export const ownPath = (path: string): string => (OWN_PATH.test(path) || INVITATION.test(path) ? path : '/account');
