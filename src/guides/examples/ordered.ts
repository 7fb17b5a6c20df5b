interface Event {
  id: string;
  type: string;
  data: { sequence: number; match: { id: number } };
}

/** The last sequence by match. Belongs in your database, beside what you make of the events. */
const last = new Map<number, number>();

/** @returns false for an event that was handled before, since the first of each comes in order */
export function isNew({ type, data }: Event): boolean {
  if (!type.startsWith('match.')) return true;
  const { sequence, match } = data;
  if (sequence <= (last.get(match.id) ?? 0)) return false;
  last.set(match.id, sequence);
  return true;
}
