import { DAY_MS } from '../wire/time.ts';

/** Events stay readable for 7 days. */
export const RETENTION_MS = 7 * DAY_MS;
