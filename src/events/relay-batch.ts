/** The relay's batch size: how much of the outbox it appends to the log in one transaction. */
import type { ReadLimit } from './event-log.ts';

export const RELAY_BATCH: ReadLimit = { records: 500, bytes: 512 * 1024 };
