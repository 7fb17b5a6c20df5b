/** Clubs by the names in NHLData. */
import type { CodedTeam } from '../../providers/index.ts';
import { NHL_TEAMS } from '../../providers/nhl/index.ts';
import { dataRows } from '../../wire/data-file.ts';

const SPECIAL = dataRows('identity/nhl-clubs.csv', ['written', 'from', 'until', 'name', 'name_ru', 'country']).map(
  ({ written, from, until, ...club }) => ({
    written,
    club,
    from: Number(from),
    until: until === '' ? Number.POSITIVE_INFINITY : Number(until),
  }),
);

/** @param season year in which the season begins @returns undefined for an unknown club */
export function findClub(written: string, season: number): CodedTeam | undefined {
  const special = SPECIAL.find((row) => row.written === written && season >= row.from && season <= row.until);
  return special?.club ?? NHL_TEAMS.findNamed(written);
}
