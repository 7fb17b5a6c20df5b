/** All kinds of tenancy resources. */
import { account } from './account.ts';
import { apiKey } from './api-key.ts';
import { feedToken } from './feed-token.ts';
import type { Kind } from './kind.ts';
import { plan } from './plan.ts';
import { source } from './source.ts';

export const KINDS: readonly Kind[] = [account, apiKey, feedToken, plan, source];
