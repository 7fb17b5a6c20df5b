/**
 * Limits on password and code attempts, sign-ups and mails. Failed attempts from one network lock out only that
 * network. Strangers can never lock out a browser that has signed in before (see `device`), or a person with a link
 * from a mail.
 */
import { type BucketLimit, createBuckets, maskAddress, rateLimited } from '../../http/index.ts';
import { isAppCode } from '../credentials/second-factor.ts';
import { normalEmail } from '../email-address.ts';

const QUARTER_HOUR_SECONDS = 900;
/** For one network and all accounts together, so that the network cannot occupy the processors with hashing. */
const PER_NETWORK: BucketLimit = { requests: 60, seconds: 60 };
/** For one site, which has 65,536 IPv6 networks that may all belong to one person. */
const PER_SITE: BucketLimit = { requests: 180, seconds: 60 };
const PER_ACCOUNT_AND_NETWORK: BucketLimit = { requests: 10, seconds: QUARTER_HOUR_SECONDS };
/** For all browsers together that have not signed in to the account before. They get at most 10,000 guesses a day. */
const PER_ACCOUNT: BucketLimit = { requests: 100, seconds: QUARTER_HOUR_SECONDS };
const PER_DEVICE: BucketLimit = { requests: 20, seconds: QUARTER_HOUR_SECONDS };
/** For all browsers together that have signed in to the account before. */
const PER_DEVICES: BucketLimit = { requests: 60, seconds: QUARTER_HOUR_SECONDS };
/** For the second factor's six-digit code. */
const PER_CODE: BucketLimit = { requests: 6, seconds: QUARTER_HOUR_SECONDS };
/**
 * A recovery code cannot be guessed, so this limit only keeps the load low. Recovery codes have a limit of their own,
 * so that wrong app codes do not block recovery.
 */
const PER_RECOVERY_CODE: BucketLimit = { requests: 20, seconds: QUARTER_HOUR_SECONDS };
export const MAILS: BucketLimit = { requests: 3, seconds: 3_600 };
/** For one organisation, so that nobody can use this service to send mail to many strangers. */
const INVITATIONS: BucketLimit = { requests: 50, seconds: 86_400 };
/** For one network, over REST and the form together. High enough for a classroom behind one address. */
const SIGN_UPS: BucketLimit = { requests: 60, seconds: 3_600 };
const SIGN_UPS_OF_SITE: BucketLimit = { requests: 180, seconds: 3_600 };

/** A provider gives a /48 to one site (RFC 6177). */
const SITE_BYTES = 6;

type Taken = readonly (readonly [string, BucketLimit])[];

export interface Attempt {
  /** Gives the attempt back because the password or code was right or was not checked. */
  giveBack(): void;
}

export interface SignInLimits {
  /** @param device the mark of a browser that has signed in as this member before. @throws {Problem} rate_limited */
  password(email: string, address: string, device: { mark: string; memberId: number } | null): Attempt;
  /** Counts an attempt with a passkey, which nobody can guess: this keeps the load low. @throws {Problem} rate_limited */
  passkey(address: string): Attempt;
  /** @param code an app or recovery code, as typed; each kind has its own limit. @throws {Problem} rate_limited */
  code(memberId: number, code: string, address: string): Attempt;
  /** Counts an attempt to confirm the current password within a session. @throws {Problem} rate_limited */
  current(memberId: number): void;
  /** Counts the beginning of a sign-in at an identity provider. @throws {Problem} rate_limited */
  company(address: string): void;
  /** @throws {Problem} rate_limited */
  signUp(address: string): void;
  /** Whether a mail with such a link may be sent to this address now. Counts the mail if so. */
  mail(purpose: 'reset' | 'address' | 'invitation', email: string): boolean;
  /** Counts an invitation by mail. @throws {Problem} rate_limited if the organisation has sent too many */
  invitation(accountId: number): void;
}

/** @param now ms */
export function createSignInLimits(now: () => number): SignInLimits {
  const buckets = createBuckets(now);

  /** Takes a token from every bucket, or from none if one is empty. */
  function take(wanted: Taken, detail: string): Attempt {
    const taken: [string, BucketLimit][] = [];
    const giveBack = () => {
      for (const [name, limit] of taken) buckets.refund(name, limit);
    };
    for (const [name, limit] of wanted) {
      const wait = buckets.take(name, limit);
      if (wait > 0) {
        giveBack();
        throw rateLimited(detail, wait);
      }
      taken.push([name, limit]);
    }
    return { giveBack };
  }
  const takeAttempt = (wanted: Taken) =>
    take(wanted, 'Too many attempts. Wait, or set a new password by a link that is sent to you.');

  return {
    password(email, address, device) {
      if (device !== null)
        return takeAttempt([
          [`device ${device.mark}`, PER_DEVICE],
          [`devices ${device.memberId}`, PER_DEVICES],
        ]);
      const account = normalEmail(email);
      const network = maskAddress(address);
      return takeAttempt([
        [`network ${network}`, PER_NETWORK],
        [`site ${maskAddress(address, SITE_BYTES)}`, PER_SITE],
        [`pair ${account} ${network}`, PER_ACCOUNT_AND_NETWORK],
        [`account ${account}`, PER_ACCOUNT],
      ]);
    },
    passkey: (address) =>
      takeAttempt([
        [`network ${maskAddress(address)}`, PER_NETWORK],
        [`site ${maskAddress(address, SITE_BYTES)}`, PER_SITE],
      ]),
    code: (memberId, code, address) =>
      takeAttempt(
        isAppCode(code)
          ? [[`code ${memberId}`, PER_CODE]]
          : [[`recovery ${memberId} ${maskAddress(address)}`, PER_RECOVERY_CODE]],
      ),
    current: (memberId) => void takeAttempt([[`current ${memberId}`, PER_DEVICE]]),
    company(address) {
      take(
        [
          [`company ${maskAddress(address)}`, PER_NETWORK],
          [`companies ${maskAddress(address, SITE_BYTES)}`, PER_SITE],
        ],
        'Too many sign-ins begin in your network. Wait a minute.',
      );
    },
    signUp(address) {
      take(
        [
          [`sign-up ${maskAddress(address)}`, SIGN_UPS],
          [`sign-ups ${maskAddress(address, SITE_BYTES)}`, SIGN_UPS_OF_SITE],
        ],
        'Too many accounts are created from your network. Wait, or ask the operator of this service.',
      );
    },
    invitation(accountId) {
      take([[`invitations ${accountId}`, INVITATIONS]], 'Your organisation has sent many invitations. Wait.');
    },
    mail: (purpose, email) => buckets.take(`mail ${purpose} ${normalEmail(email)}`, MAILS) === 0,
  };
}
