/**
 * The protocol for one connection, as a pure state machine. A step takes an event and returns the frames to send and
 * the next state. The state machine has no socket, no clock and no store. The cursor in every frame is the connection's
 * position.
 */
import { countBytes, type LogRecord } from '../events/index.ts';

/** Maximum number of missed events that are sent after a reconnect (spec: up to 500). */
const REPLAYED_EVENTS = 500;
/** Maximum number of events that a resume examines. If there are more, the client gets a gap frame. */
export const EXAMINED_EVENTS = 20_000;
export const EXAMINED_BYTES = 8 * 1024 * 1024;

type GapReason = 'limit' | 'expired' | 'ahead';

export type Frame =
  | { kind: 'connected'; cursor: number }
  | { kind: 'event'; record: LogRecord }
  | { kind: 'gap'; from: number; to: number; reason: GapReason }
  | { kind: 'keep-alive'; cursor: number }
  | { kind: 'cycle'; cursor: number };

export type ConnectionState =
  /** Reads the log from `cursor` to `bound`, which was the head when the client connected. */
  | { phase: 'replaying'; cursor: number; bound: number; sent: number; examined: number; bytes: number }
  /** Follows the ring. The client already has events up to `cursor` (a different pod may have been ahead). */
  | { phase: 'following'; cursor: number }
  | { phase: 'ended'; cursor: number };

export interface Step {
  state: ConnectionState;
  frames: Frame[];
}

export interface Opening {
  /** The cursor that the client sent in order to resume. Null if it sent none. */
  presented: number | null;
  /** The newest cursor that this process has seen. */
  head: number;
  /** The newest cursor in the log. */
  logHead: number;
  /** The oldest cursor from which a client can still resume. */
  oldest: number;
}

export function open({ presented, head, logHead, oldest }: Opening): Step {
  const connected = (cursor: number): Frame => ({ kind: 'connected', cursor });
  if (presented === null) return { state: { phase: 'following', cursor: head }, frames: [connected(head)] };
  if (presented > Math.max(head, logHead)) {
    return {
      state: { phase: 'following', cursor: head },
      frames: [connected(head), { kind: 'gap', from: presented, to: head, reason: 'ahead' }],
    };
  }
  if (presented < oldest) {
    const to = Math.max(head, oldest);
    return {
      state: { phase: 'following', cursor: to },
      frames: [connected(presented), { kind: 'gap', from: presented, to, reason: 'expired' }],
    };
  }
  if (presented >= head) return { state: { phase: 'following', cursor: presented }, frames: [connected(presented)] };
  return {
    state: { phase: 'replaying', cursor: presented, bound: head, sent: 0, examined: 0, bytes: 0 },
    frames: [connected(presented)],
  };
}

/**
 * Handles a page from the log, which begins after the connection's cursor.
 * @param records all records read, in order; empty if the log has no more
 * @param wanted whether an event passes the filter
 */
export function replayed(
  state: ConnectionState,
  records: readonly LogRecord[],
  wanted: (record: LogRecord) => boolean,
): Step {
  if (state.phase !== 'replaying') return { state, frames: [] };
  const frames: Frame[] = [];
  let { cursor, bound, sent, examined, bytes } = state;
  const gap = (): Step => {
    frames.push({ kind: 'gap', from: cursor, to: bound, reason: 'limit' });
    return { state: { phase: 'following', cursor: bound }, frames };
  };
  for (const record of records) {
    if (record.cursor > bound) break;
    if (examined >= EXAMINED_EVENTS || bytes >= EXAMINED_BYTES) return gap();
    if (wanted(record)) {
      if (sent === REPLAYED_EVENTS) return gap();
      frames.push({ kind: 'event', record });
      sent += 1;
    }
    cursor = record.cursor;
    examined += 1;
    bytes += countBytes(record);
  }
  const done = records.length === 0 || records.at(-1)!.cursor >= bound;
  return {
    state: done ? { phase: 'following', cursor: bound } : { phase: 'replaying', cursor, bound, sent, examined, bytes },
    frames,
  };
}

/** Handles a lost position. The log dropped the next events before they could be read. */
export function lostPosition(state: ConnectionState): Step {
  if (state.phase !== 'replaying') return { state, frames: [] };
  const { cursor, bound } = state;
  return {
    state: { phase: 'following', cursor: bound },
    frames: [{ kind: 'gap', from: cursor, to: bound, reason: 'expired' }],
  };
}

/**
 * Moves the connection on to `examined`. The ring entries up to there have been examined, and those that match have
 * been sent.
 */
export function followed(state: ConnectionState, examined: number): ConnectionState {
  return state.phase === 'following' ? { ...state, cursor: Math.max(state.cursor, examined) } : state;
}

export const keptAlive = (state: ConnectionState): Frame => ({ kind: 'keep-alive', cursor: state.cursor });

/** Asks the client to reconnect, because 60 minutes have passed, the server is stopping or the client reads too slowly. */
export function cycled(state: ConnectionState): Step {
  if (state.phase === 'ended') return { state, frames: [] };
  return { state: { phase: 'ended', cursor: state.cursor }, frames: [{ kind: 'cycle', cursor: state.cursor }] };
}
