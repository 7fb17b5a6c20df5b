/** Limits that no plan has, on a client's POSTs in progress, and on the POSTs and tool lists that it sends in a minute. */
import {
  type AwaitBurst,
  type BucketLimit,
  createBuckets,
  maskAddress,
  type Principal,
  rateLimited,
} from '../http/index.ts';

/** For an account's secret keys, or for the publishable keys at one address. An agent calls several tools at once. */
const MOST_BY_KEY = 20;
/** For all keys at one address, or for an account's publishable keys at all addresses, since many clients may share either. */
const MOST_SHARED = 60;
const IN_PROGRESS_RETRY_S = 1;
/** One account's secret keys share a bucket. Publishable keys share one for each address. */
const POSTS: BucketLimit = { requests: 1_200, seconds: 60 };
/** A tool list takes as much processor time as ten pings. */
const LIST_COST = 10;

/** One POST that was admitted. */
export interface AdmittedPost {
  /** Counts the POST. Both functions wait, as inner requests do. @throws {Problem} rate_limited */
  begin(wait: AwaitBurst): Promise<void>;
  /** Counts a tool list. @throws {Problem} rate_limited */
  list(wait: AwaitBurst): Promise<void>;
  /** Call it once, when the POST has been answered. */
  leave(): void;
}

/** @throws {Problem} rate_limited, for a client with too many POSTs in progress */
export type AdmitPost = (principal: Principal, address: string) => AdmittedPost;

/** @param now ms */
export function createPostLimits(now: () => number): AdmitPost {
  const inProgress = new Map<string, number>();
  const buckets = createBuckets(now);

  async function take(key: string, count: number, wait: AwaitBurst): Promise<void> {
    let seconds = buckets.take(key, POSTS, count);
    // An immediate 429 would not slow a client down that ignores Retry-After.
    while (seconds > 0 && (await wait(seconds * 1_000))) seconds = buckets.take(key, POSTS, count);
    if (seconds === 0) return;
    const detail = `At most ${POSTS.requests} POSTs in ${POSTS.seconds} s; a list of tools counts as ${LIST_COST}.`;
    throw rateLimited(detail, seconds);
  }

  return ({ kind, accountId }, address) => {
    const from = maskAddress(address);
    const account = `${kind} ${accountId}`;
    const key = kind === 'pk' ? `${account} ${from}` : account;
    const bounds = new Map([
      [from, MOST_SHARED],
      [account, MOST_SHARED],
      [key, MOST_BY_KEY],
    ]);
    for (const [name, most] of bounds) {
      if ((inProgress.get(name) ?? 0) < most) continue;
      throw rateLimited(`At most ${most} POSTs of one client may be in progress.`, IN_PROGRESS_RETRY_S);
    }
    for (const name of bounds.keys()) inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
    return {
      begin: (wait) => take(key, 1, wait),
      list: (wait) => take(key, LIST_COST, wait),
      leave() {
        for (const name of bounds.keys()) {
          const left = inProgress.get(name)! - 1;
          if (left === 0) inProgress.delete(name);
          else inProgress.set(name, left);
        }
      },
    };
  };
}
