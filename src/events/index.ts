/** Public exports: the event log, and the outbox before it. */
export { MAX_CONDITION_CHARACTERS, MAX_CONDITIONS, writeCondition } from './conditions.ts';
export { DelayedLog, MAX_DELAY } from './delayed-log.ts';
export {
  CursorExpired,
  type EventLog,
  type LogRecord,
  type LogWriter,
  mayHaveMore,
  RESTORED_STEP,
} from './event-log.ts';
export {
  EVERYTHING,
  type EventFilter,
  FilterError,
  type FilterQuery,
  filterKey,
  MAX_VALUES,
  parseFilter,
  passes,
  within,
} from './filter.ts';
export { type Follower, followLog } from './follower.ts';
export { writeOutbox } from './outbox.ts';
export {
  addPendingChanges,
  markUnsure,
  type PendingChange,
  type PendingChangeRow,
  takePendingChanges,
} from './pending-changes.ts';
export { RELAY_BATCH } from './relay-batch.ts';
export { relayLease } from './relay-lease.ts';
export { noteAllAssigned, raiseChangeCursor, setHistory } from './relay-state.ts';
export { RETENTION_MS } from './retention.ts';
export { countBytes, createRing, RING_EVENTS, type Ring, RingEntry } from './ring.ts';
