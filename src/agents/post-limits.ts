/**
 * Limits that apply on every plan: how many POSTs a client has in progress, and how many POSTs and tool lists it sends
 * in a minute.
 */
import {
  type AwaitBurst,
  type BucketLimit,
  createBuckets,
  maskAddress,
  type Principal,
  rateLimited,
} from '../http/index.ts';

/**
 * Maximum number of POSTs in progress with all secret keys of one account, or with an account's publishable keys from
 * one address. Agents call several tools at once.
 */
const MOST_BY_KEY = 20;
/**
 * Maximum number of POSTs in progress from one address with any keys, or with one account's publishable keys from any
 * address. Many clients may share an address, or such keys.
 */
const MOST_SHARED = 60;
const IN_PROGRESS_RETRY_S = 1;
/** One account's secret keys share a bucket. Its publishable keys share a bucket for each address. */
const POSTS: BucketLimit = { requests: 1_200, seconds: 60 };
/** A tool list counts as this many POSTs, because it takes as much processor time as ten pings. */
const LIST_COST = 10;

/** One POST that was admitted. */
export interface AdmittedPost {
  /**
   * Counts the POST. Like `list`, waits for the limit if `wait` allows it.
   * @throws {Problem} rate_limited
   */
  begin(wait: AwaitBurst): Promise<void>;
  /** Counts a tool list. @throws {Problem} rate_limited */
  list(wait: AwaitBurst): Promise<void>;
  /** Call it once, when the POST has been answered. */
  leave(): void;
}

/**
 * Admits a POST.
 * @throws {Problem} rate_limited if the client has too many POSTs in progress
 */
export type AdmitPost = (principal: Principal, address: string) => AdmittedPost;

/** @param now ms */
export function createPostLimits(now: () => number): AdmitPost {
  const inProgress = new Map<string, number>();
  const buckets = createBuckets(now);

  async function take(key: string, count: number, wait: AwaitBurst): Promise<void> {
    let seconds = buckets.take(key, POSTS, count);
    // Waits, because an immediate 429 would not slow down a client that ignores Retry-After.
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
