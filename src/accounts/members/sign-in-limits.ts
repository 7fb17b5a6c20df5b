/**
 * How often passwords and codes may be tried. Who tries an account from one network locks out that network alone; a browser that has
 * signed in before (see `device`) and a link from a mail get in whatever others do.
 */
import { networkOf } from '../../http/address-limit.ts';
import { type BucketLimit, createBuckets } from '../../http/buckets.ts';
import { Problem } from '../../http/errors.ts';

const QUARTER_HOUR_SECONDS = 900;
/** Of all accounts together, so that no address takes the processors by hashing. */
const PER_NETWORK: BucketLimit = { requests: 60, seconds: 60 };
const PER_ACCOUNT_AND_NETWORK: BucketLimit = { requests: 10, seconds: QUARTER_HOUR_SECONDS };
/** Of many networks together that have not signed in before: 10,000 guesses a day at most. */
const PER_ACCOUNT: BucketLimit = { requests: 100, seconds: QUARTER_HOUR_SECONDS };
const PER_DEVICE: BucketLimit = { requests: 20, seconds: QUARTER_HOUR_SECONDS };
/** Of the six digits of the second factor. */
const PER_CODE: BucketLimit = { requests: 6, seconds: QUARTER_HOUR_SECONDS };
const MAILS: BucketLimit = { requests: 3, seconds: 3_600 };

type Taken = readonly (readonly [string, BucketLimit])[];

export interface Attempt {
  /** Gives it back: it was right. */
  succeeded(): void;
}

export interface SignInLimits {
  /** @param device of a browser that has signed in to this account before. @throws {Problem} rate_limited */
  password(email: string, address: string, device: string | null): Attempt;
  /** @throws {Problem} rate_limited */
  code(memberId: number): Attempt;
  /** The current password, asked again in a session. @throws {Problem} rate_limited */
  current(memberId: number): void;
  /** Whether a mail may be sent to this address now. */
  mail(email: string): boolean;
}

/** @param now ms */
export function createSignInLimits(now: () => number): SignInLimits {
  const buckets = createBuckets(now);

  function take(wanted: Taken): Attempt {
    const taken: [string, BucketLimit][] = [];
    for (const [name, limit] of wanted) {
      const retryAfter = buckets.take(name, limit);
      if (retryAfter > 0) {
        throw new Problem(
          'rate_limited',
          'Too many attempts. Wait, or set a new password by a link that is sent to you.',
          { headers: { 'Retry-After': String(retryAfter) } },
        );
      }
      taken.push([name, limit]);
    }
    return {
      succeeded() {
        for (const [name, limit] of taken) buckets.refund(name, limit);
      },
    };
  }

  return {
    password(email, address, device) {
      const account = email.toLowerCase();
      if (device !== null) return take([[`device ${device}`, PER_DEVICE]]);
      const network = networkOf(address);
      return take([
        [`network ${network}`, PER_NETWORK],
        [`pair ${account} ${network}`, PER_ACCOUNT_AND_NETWORK],
        [`account ${account}`, PER_ACCOUNT],
      ]);
    },
    code: (memberId) => take([[`code ${memberId}`, PER_CODE]]),
    current: (memberId) => void take([[`current ${memberId}`, PER_DEVICE]]),
    mail: (email) => buckets.take(`mail ${email.toLowerCase()}`, MAILS) === 0,
  };
}
