/** Events that were dropped from the log before a subscription had examined them. */
export interface Gap {
  /** Time of its detection, in UTC. */
  at: string;
  /** The cursor that the subscription had reached. */
  from: number;
  /** The last cursor that was dropped. */
  to: number;
}

/** @param stored JSON of any kind. @returns null if it is not a gap */
export function parseGap(stored: unknown): Gap | null {
  if (stored === null || typeof stored !== 'object') return null;
  const { at, from, to } = stored as Partial<Gap>;
  const isGap = typeof at === 'string' && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return isGap ? { at, from: from!, to: to! } : null;
}
