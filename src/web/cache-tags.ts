/** Tags replies that caches in front of the service may keep. */
import type { Config } from '../config/config.ts';
import type { Reply } from '../http/index.ts';
import { SITE_TAG } from '../wire/cache-tags.ts';
import { isPublic } from './site-access.ts';

/**
 * Returns the tags for a reply that is the same for every anonymous reader. There are none on a site for members only,
 * and none without BASE_URL, because the links in a page would then depend on the Host header of whoever asked first.
 * @param tags what the reply shows, in addition to the tag that all pages have
 */
export const cacheTags = (
  config: Pick<Config, 'host' | 'publicSite' | 'baseUrl'>,
  ...tags: readonly string[]
): Pick<Reply, 'cacheTags'> =>
  isPublic(config) && config.baseUrl !== undefined ? { cacheTags: [SITE_TAG, ...tags] } : {};
