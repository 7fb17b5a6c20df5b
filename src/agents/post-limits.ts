/** Limits of what no plan counts: POSTs of one client that are in progress, and POSTs and lists of tools a minute. */
import { maskAddress } from '../http/address-limit.ts';
import type { Principal } from '../http/auth.ts';
import { type BucketLimit, createBuckets } from '../http/buckets.ts';
import type { AwaitBurst } from '../http/charge.ts';
import { Problem } from '../http/errors.ts';

/** By the secret keys of one account; by its publishable keys, from one address. An agent calls several tools at once. */
const MOST_BY_KEY = 20;
/** From one address, by any keys, and by the publishable keys of one account, from any address: many may share either. */
const MOST_SHARED = 60;
const IN_PROGRESS_RETRY_S = 1;
/** Of the secret keys of one account; of its publishable keys, from one address. */
const POSTS: BucketLimit = { requests: 1_200, seconds: 60 };
/** A list of tools costs the service as much as so many other messages that no plan counts. */
const LIST_COST = 10;

/** One POST that was admitted. */
export interface AdmittedPost {
  /** Counts it. Both wait as the requests of the POST do. @throws {Problem} rate_limited */
  begin(wait: AwaitBurst): Promise<void>;
  /** Counts a list of tools. @throws {Problem} rate_limited */
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
    let retryAfter = buckets.take(key, POSTS, count);
    // A client that does not wait by itself would ask again at once.
    while (retryAfter > 0 && (await wait(retryAfter * 1_000))) retryAfter = buckets.take(key, POSTS, count);
    if (retryAfter === 0) return;
    throw new Problem(
      'rate_limited',
      `At most ${POSTS.requests} POSTs in ${POSTS.seconds} s, and a tenth of it lists.`,
      {
        headers: { 'Retry-After': String(retryAfter) },
      },
    );
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
      throw new Problem('rate_limited', `At most ${most} POSTs of one client may be in progress.`, {
        headers: { 'Retry-After': String(IN_PROGRESS_RETRY_S) },
      });
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
