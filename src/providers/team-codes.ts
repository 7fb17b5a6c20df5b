/**
 * Finds teams by a service's codes. A reviewed file in data/identity has the columns code, until, name, name_ru and
 * country.
 */
import { dataRows } from '../wire/data-file.ts';

/** A side as a feed update refers to it. */
export interface CodedTeam {
  /** Absent for a team whose code another team took over later. */
  id?: string;
  name: string;
  name_ru: string;
  country: string;
}

interface Row {
  code: string;
  /** First year of the last season in which the team had the code. */
  until: number;
  team: CodedTeam;
}

export class TeamCodes {
  readonly #file: string;
  #rows: Row[] | undefined;

  /** @param file name in data/identity; read when first needed */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * @param code in the service; spaces around it are ignored
   * @param season first year
   */
  find(code: string, season: number): CodedTeam | undefined {
    return this.#read().find((row) => row.code === code.trim() && season <= row.until)?.team;
  }

  /** Returns a team's code by the team's name, for records without a code. */
  findCode(name: string): string | undefined {
    return this.#read().find(({ team }) => team.name === name.trim())?.code;
  }

  /** Returns the present team with this name, for records without codes. */
  findNamed(name: string): CodedTeam | undefined {
    return this.#read().find(({ team, until }) => team.name === name && until === Number.POSITIVE_INFINITY)?.team;
  }

  /** Returns the error text for a code that the file does not have. */
  unknown(code: string): string {
    return `the team code ${JSON.stringify(code.trim())} is not known; add it to data/identity/${this.#file}`;
  }

  #read(): Row[] {
    this.#rows ??= dataRows(`identity/${this.#file}`, ['code', 'until', 'name', 'name_ru', 'country']).map(
      ({ code, until, name, name_ru, country }) => ({
        code,
        until: until ? Number(until) : Number.POSITIVE_INFINITY,
        team: { ...(until ? {} : { id: code }), name, name_ru, country },
      }),
    );
    return this.#rows;
  }
}
