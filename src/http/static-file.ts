/** Files that a process reads once: as long as it has them in memory, their tag and their compressed forms are made once too. */
import { weakEtag } from './etag.ts';
import type { Reply } from './route.ts';

export type StaticFile = () => Promise<Pick<Reply, 'body' | 'etag'>>;

/** @param read at the first request, and again after it has failed */
export function staticFile(read: () => Promise<Buffer>): StaticFile {
  let loading: ReturnType<StaticFile> | null = null;
  return () => {
    if (loading === null) {
      loading = read().then((body) => ({ body, etag: weakEtag(body).slice('W/"'.length, -1) }));
      loading.catch(() => {
        loading = null;
      });
    }
    return loading;
  };
}
