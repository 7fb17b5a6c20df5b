/** All reply caches in a process. Each cache has one size limit, for all routes together. */
import { createPageCache, type PageCache } from './page-cache.ts';
import { type Changes, createReplyCache, type ReplyCache } from './reply-cache.ts';
import { createVersionedReplies, type VersionedReplies } from './versioned-replies.ts';

export interface ReplyCaches {
  /** Cached replies to requests with a key. */
  replies: ReplyCache;
  /** Public pages. */
  pages: PageCache;
  /** Large replies. Each request checks whether the version is current. */
  versioned: VersionedReplies;
}

export const createReplyCaches = (changes: Changes): ReplyCaches => ({
  replies: createReplyCache(changes),
  pages: createPageCache(changes),
  versioned: createVersionedReplies(),
});
