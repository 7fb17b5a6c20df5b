import { readMember } from '../../runtime/unknown-values.ts';

/** Events that the log dropped before a subscription had examined them. */
export interface Gap {
  /** When the gap was detected, in UTC. */
  at: string;
  /** The cursor that the subscription had reached. */
  from: number;
  /** The last cursor that was dropped. */
  to: number;
}

const isCursor = (value: unknown): value is number => Number.isSafeInteger(value);

/** Reads a stored gap. @param stored any JSON @returns null if it is not a gap */
export function parseGap(stored: unknown): Gap | null {
  const [at, from, to] = [readMember(stored, 'at'), readMember(stored, 'from'), readMember(stored, 'to')];
  return typeof at === 'string' && isCursor(from) && isCursor(to) ? { at, from, to } : null;
}
