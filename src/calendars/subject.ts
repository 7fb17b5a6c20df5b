/** The team or tournament that a calendar is about. */
import { findParticipantName, findTournamentName } from '../catalogue/index.ts';
import type { Queryable } from '../db/postgres.ts';
import { Problem } from '../http/index.ts';
import type { CalendarKind } from '../wire/calendar.ts';

export interface CalendarSubject {
  kind: CalendarKind;
  /** The requested id, or, if the team was merged into another team, that team's id. */
  id: number;
  name: string;
  name_ru: string | null;
}

/** @throws {Problem} not_found if the id is unknown, or if it is a person's id */
export async function calendarSubject(
  db: Queryable,
  { kind, id }: Pick<CalendarSubject, 'kind' | 'id'>,
  now: number,
): Promise<CalendarSubject> {
  const unknown = () => new Problem('not_found', `There is no ${kind} ${id}.`);
  if (kind === 'tournament') {
    const names = await findTournamentName(db, id);
    if (names === null) throw unknown();
    return { kind, id, ...names };
  }
  const found = await findParticipantName(db, id, new Date(now));
  if (found === null) throw unknown();
  const { type, ...subject } = found;
  if (type !== 'team') throw new Problem('not_found', `${id} is a ${type}: only teams and tournaments have calendars.`);
  return { kind, ...subject };
}
