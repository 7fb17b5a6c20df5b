/** Configuration for the operator's pages. */
import { z } from 'zod';
import { postgresUrl } from '../config/postgres-url.ts';
import type { Variables } from '../config/variable.ts';

export const portalVariables = {
  databaseCorrectionsUrl: {
    name: 'DATABASE_CORRECTIONS_URL',
    schema: postgresUrl.optional(),
    unset: '`DATABASE_URL`',
    meaning:
      'the address with which operators change matches on pages, if `DATABASE_URL` has [only the rights of `api`](least-privilege.md)',
  },
  /** The `_FILE` form of the variable above, read a second time to keep the path, not the content. */
  databaseCorrectionsUrlFile: {
    name: 'DATABASE_CORRECTIONS_URL_FILE',
    schema: z.string().optional(),
    meaning: 'a file with that address; its user and password are read again for each connection',
  },
} satisfies Variables;
