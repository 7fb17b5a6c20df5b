/**
 * The protocol of one connection as a pure state machine: a step takes an event and returns the frames to send and the
 * next session. It has no socket, no clock and no store. The cursor in every frame is the connection's own position.
 */
import type { LogRecord } from '../events/event-log.ts';
import { countBytes } from '../events/ring.ts';

/** Limit of missed events sent after a reconnect (spec: up to 500). */
const REPLAYED_EVENTS = 500;
/** Limit of events that a resume examines; beyond it the client gets the gap frame. */
export const EXAMINED_EVENTS = 20_000;
export const EXAMINED_BYTES = 8 * 1024 * 1024;

type GapReason = 'limit' | 'expired' | 'ahead';

export type Frame =
  | { kind: 'connected'; cursor: number }
  | { kind: 'event'; record: LogRecord }
  | { kind: 'gap'; from: number; to: number; reason: GapReason }
  | { kind: 'keep-alive'; cursor: number }
  | { kind: 'cycle'; cursor: number };

export type Session =
  /** Reads the log from `cursor` to `bound`, the head when it connected. */
  | { phase: 'replaying'; cursor: number; bound: number; sent: number; examined: number; bytes: number }
  /** Follows the ring; its client already has events up to `cursor` (another pod may have been ahead). */
  | { phase: 'following'; cursor: number }
  | { phase: 'ended'; cursor: number };

export interface Step {
  session: Session;
  frames: Frame[];
}

export interface Opening {
  /** The cursor that the client presents; null: none. */
  presented: number | null;
  /** The newest cursor that this process has seen. */
  head: number;
  /** The newest cursor of the log. */
  logHead: number;
  /** The smallest cursor that can still be resumed from. */
  oldest: number;
}

export function open({ presented, head, logHead, oldest }: Opening): Step {
  const connected = (cursor: number): Frame => ({ kind: 'connected', cursor });
  if (presented === null) return { session: { phase: 'following', cursor: head }, frames: [connected(head)] };
  if (presented > Math.max(head, logHead)) {
    return {
      session: { phase: 'following', cursor: head },
      frames: [connected(head), { kind: 'gap', from: presented, to: head, reason: 'ahead' }],
    };
  }
  if (presented < oldest) {
    const to = Math.max(head, oldest);
    return {
      session: { phase: 'following', cursor: to },
      frames: [connected(presented), { kind: 'gap', from: presented, to, reason: 'expired' }],
    };
  }
  if (presented >= head) return { session: { phase: 'following', cursor: presented }, frames: [connected(presented)] };
  return {
    session: { phase: 'replaying', cursor: presented, bound: head, sent: 0, examined: 0, bytes: 0 },
    frames: [connected(presented)],
  };
}

/**
 * Handles a page of the log after the session's cursor.
 * @param records all records read, in order; empty: the log has no more
 * @param wanted the filter
 */
export function replayed(
  session: Session,
  records: readonly LogRecord[],
  wanted: (record: LogRecord) => boolean,
): Step {
  if (session.phase !== 'replaying') return { session, frames: [] };
  const frames: Frame[] = [];
  let { cursor, bound, sent, examined, bytes } = session;
  const gap = (): Step => {
    frames.push({ kind: 'gap', from: cursor, to: bound, reason: 'limit' });
    return { session: { phase: 'following', cursor: bound }, frames };
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
    session: done
      ? { phase: 'following', cursor: bound }
      : { phase: 'replaying', cursor, bound, sent, examined, bytes },
    frames,
  };
}

/** Handles the loss of the session's position: the log has dropped the next events while they were read. */
export function lostPosition(session: Session): Step {
  if (session.phase !== 'replaying') return { session, frames: [] };
  const { cursor, bound } = session;
  return {
    session: { phase: 'following', cursor: bound },
    frames: [{ kind: 'gap', from: cursor, to: bound, reason: 'expired' }],
  };
}

/**
 * Moves the session on to `examined`: ring entries up to there have been examined, and matching ones have been sent.
 */
export function followed(session: Session, examined: number): Session {
  return session.phase === 'following' ? { ...session, cursor: Math.max(session.cursor, examined) } : session;
}

export const keptAlive = (session: Session): Frame => ({ kind: 'keep-alive', cursor: session.cursor });

/** Asks for a reconnect: after 60 minutes, when the server stops, or if the reader is too slow. */
export function cycled(session: Session): Step {
  if (session.phase === 'ended') return { session, frames: [] };
  return { session: { phase: 'ended', cursor: session.cursor }, frames: [{ kind: 'cycle', cursor: session.cursor }] };
}
