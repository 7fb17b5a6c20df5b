/** Environment variables for every process that applies updates. */
import type { ConfigOf, Variables } from '../config/variable.ts';
import { BUILT_IN, precedence } from './precedence.ts';

export const precedenceVariables = {
  precedence: {
    name: 'PRECEDENCE',
    schema: precedence.default(BUILT_IN),
    unset: 'the built-in order',
    meaning: 'the [source precedence](feed.md#source-precedence) as YAML, usually given by `PRECEDENCE_FILE`',
  },
} satisfies Variables;

export type PrecedenceConfig = ConfigOf<typeof precedenceVariables>;
