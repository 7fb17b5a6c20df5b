/** All reply caches in a process. Each has one bound for all routes together. */
import { createPageCache, type PageCache } from './page-cache.ts';
import { type Changes, createReplyCache, type ReplyCache } from './reply-cache.ts';
import { createVersionedReplies, type VersionedReplies } from './versioned-replies.ts';

export interface ReplyCaches {
  /** Replies to requests with a key. */
  replies: ReplyCache;
  /** Public pages. */
  pages: PageCache;
  /** Large replies whose version is checked on each request. */
  versioned: VersionedReplies;
}

export const createReplyCaches = (changes: Changes): ReplyCaches => ({
  replies: createReplyCache(changes),
  pages: createPageCache(changes),
  versioned: createVersionedReplies(),
});
