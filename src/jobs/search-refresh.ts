import { SearchRefresh, searchLease } from '../catalogue/search/index.ts';
import { defineJob } from './job.ts';

export const searchRefresh = defineJob({
  name: 'search_refresh',
  summary: 'refreshes aliases and prominence for the search, after an import and once a day',
  variables: {},
  lease: searchLease,
  // An import counts as ended after a longer time without changes.
  schedule: { everyMs: 2_000 },
  retryMs: 30_000,
  limitMs: 120_000,
  failed: 'refreshing the search failed, retrying',
  recovered: 'the search is refreshed again',
  open:
    ({ pool, clock }) =>
    (generation) => {
      const refresh = new SearchRefresh({ pool, clock }, generation);
      return { run: async () => ({ result: (await refresh.look()) ? 'done' : 'idle' }) };
    },
});
