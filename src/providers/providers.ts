/** The list of providers of live data. */
import { openligadb } from './openligadb/provider.ts';
import type { Provider } from './provider.ts';

export const PROVIDERS: readonly Provider[] = [openligadb];
