/**
 * Match ids do not contain the day, so that a rescheduled match keeps its id. Instead, an id contains the meeting's
 * number.
 */

/** Counts the meetings between two teams at one venue in a season. A match that is listed twice counts once. */
export class Meetings {
  #seen = new Map<string, string[]>();

  /** Returns "" for the first meeting, "/2" for the second and so on. */
  suffix(pairing: string, match: string): string {
    const matches = this.#seen.get(pairing) ?? [];
    if (!matches.includes(match)) matches.push(match);
    this.#seen.set(pairing, matches);
    const number = matches.indexOf(match) + 1;
    return number === 1 ? '' : `/${number}`;
  }
}
