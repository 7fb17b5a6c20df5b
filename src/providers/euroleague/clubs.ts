/** The clubs of the Euroleague by their codes: data/identity/euroleague-clubs.csv. */
import { mergeRows } from '../../identity/merges.ts';

/** A side as a feed update refers to it. */
export interface Club {
  /** Absent for a club whose code has passed to another one. */
  id?: string;
  name: string;
  name_ru: string;
  country: string;
}

interface Row {
  code: string;
  /** First year of the last season in which the club had the code. */
  until: number;
  club: Club;
}

let rows: Row[] | undefined;

function readRows(): Row[] {
  rows ??= mergeRows('euroleague-clubs.csv').map(({ code, until, name, name_ru, country }) => ({
    code: code!,
    until: until ? Number(until) : Number.POSITIVE_INFINITY,
    club: { ...(until ? {} : { id: code! }), name: name!, name_ru: name_ru!, country: country! },
  }));
  return rows;
}

/**
 * @param code of the source; spaces around it are ignored
 * @param season its first year
 */
export const findClub = (code: string, season: number): Club | undefined =>
  readRows().find((row) => row.code === code.trim() && season <= row.until)?.club;

/** Returns the code of a club by its own name, for records without a code. */
export const findClubCode = (name: string): string | undefined =>
  readRows().find(({ club }) => club.name === name.trim())?.code;

export const unknownClub = (code: string) =>
  `the team code ${JSON.stringify(code.trim())} is not known; add it to data/identity/euroleague-clubs.csv`;
