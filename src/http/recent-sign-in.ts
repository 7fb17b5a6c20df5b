/** Changes that need a recent sign-in, so that a stranger who finds an open session cannot make them. */
import { MINUTE_MS } from '../wire/time.ts';
import { Problem } from './errors.ts';

/** How long after a password, a code or a passkey a session may make such a change. */
const RECENT_MS = 10 * MINUTE_MS;

interface ProvedMember {
  /** When the session last had the password, a code or a passkey, in ms since 1970. */
  provedAt: number;
}

/** @param now ms since 1970 */
export const isRecentlyProved = ({ provedAt }: ProvedMember, now: number): boolean => now - provedAt <= RECENT_MS;

/** @throws {Problem} sign_in_required */
export function checkRecentSignIn(member: ProvedMember, now: number): void {
  if (isRecentlyProved(member, now)) return;
  throw new Problem(
    'sign_in_required',
    'This needs a sign-in within the last 10 minutes. Give your password, a code or a passkey at /account/confirm, and try again.',
  );
}
