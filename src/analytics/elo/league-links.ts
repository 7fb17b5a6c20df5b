/** Finds leagues that are comparable because their clubs have met, directly or through third clubs. Pure. */

export class LeagueLinks {
  /** Country -> other country -> start of the last match between their clubs, in seconds since 1970. */
  readonly #links = new Map<string, Map<string, number>>();

  note(one: string, other: string, start: number): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const links = this.#links.get(from) ?? new Map<string, number>();
      this.#links.set(from, links.set(to, start));
    }
  }

  /**
   * Countries are linked if their clubs have met since the given time. Returns the group of linked countries with the most clubs.
   * @param clubs club count by country
   * @returns an empty set if no two countries are linked
   */
  largestGroup(clubs: ReadonlyMap<string, number>, since: number): Set<string> {
    let largest = { countries: new Set<string>(), clubs: 0 };
    const seen = new Set<string>();
    for (const country of [...clubs.keys()].toSorted()) {
      if (seen.has(country)) continue;
      const countries = this.#reachable(country, since);
      for (const one of countries) seen.add(one);
      const count = [...countries].reduce((sum, one) => sum + (clubs.get(one) ?? 0), 0);
      if (countries.size > 1 && count > largest.clubs) largest = { countries, clubs: count };
    }
    return largest.countries;
  }

  #reachable(start: string, since: number): Set<string> {
    const found = new Set([start]);
    for (const country of found)
      for (const [other, last] of this.#links.get(country) ?? []) if (last >= since) found.add(other);
    return found;
  }
}
