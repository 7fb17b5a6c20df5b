/**
 * Files that a process reads once. Their entity tags and compressed forms are also computed once, and stay in memory
 * with the file.
 */
import { markFile } from './compression.ts';
import { weakEtag } from './etag.ts';
import type { Reply } from './route.ts';

export type StaticFile = () => Promise<Pick<Reply, 'body' | 'etag'>>;

/** @param read called at the first request, and again if it has failed */
export function staticFile(read: () => Promise<Buffer>): StaticFile {
  let loading: ReturnType<StaticFile> | null = null;
  return () => {
    if (loading === null) {
      loading = read().then((body) => {
        markFile(body);
        return { body, etag: weakEtag(body).slice('W/"'.length, -1) };
      });
      loading.catch(() => {
        loading = null;
      });
    }
    return loading;
  };
}
