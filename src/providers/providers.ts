/** The list of live data providers. */
import { provider as euroleague } from './euroleague/provider.ts';
import { provider as mlb } from './mlb/provider.ts';
import { provider as nhl } from './nhl/provider.ts';
import { provider as openfootball } from './openfootball/provider.ts';
import { provider as openligadb } from './openligadb/provider.ts';
import type { Provider } from './provider.ts';
import { provider as squiggle } from './squiggle/provider.ts';

export const PROVIDERS: readonly Provider[] = [openligadb, euroleague, nhl, mlb, squiggle, openfootball];
