/** A fixture of the demo league. */
import type { Club } from './clubs.ts';

export interface Fixture {
  /** The match's id, which is also its seed. */
  id: string;
  home: Club;
  away: Club;
  round: number;
  season: string;
  /** ISO 8601. */
  kickOff: string;
}

export const LEAGUE = { name: 'Touchline Demo League', name_ru: 'Демонстрационная лига Touchline', country: 'INT' };
