/** Finds a round robin's pairings that no source has listed. Pure. */
import { countMatches, countMeetings, type Meeting, sidesOf, tally } from './meetings.ts';

/** Two sides that meet, by id. */
export interface Pairing {
  home: number;
  away: number;
  /** True if the venue is neutral, or if it is unknown which side plays at home. */
  neutral: boolean;
}

const key = (home: number, away: number) => `${home}-${away}`;

/** @returns how often each pair of sides met in a season; null if not all pairs met equally often */
export function wholeRounds(matches: readonly Meeting[]): number | null {
  const sides = sidesOf(matches);
  const met = countMeetings(matches);
  const [rounds] = met.values();
  const isWhole = met.size === (sides.size * (sides.size - 1)) / 2 && [...met.values()].every((n) => n === rounds);
  return isWhole ? (rounds ?? null) : null;
}

/**
 * @param listed the season's matches, whether played or not
 * @param rounds how often each pair meets; null if unknown, in which case all sides should have equally many matches
 * @returns the missing fixtures that the format determines, and the total number of missing fixtures
 */
export function missingFixtures(
  sides: readonly number[],
  listed: readonly Meeting[],
  rounds: number | null,
): { fixtures: Pairing[]; unknown: number } {
  if (rounds === null) return { fixtures: [], unknown: missingByCount(sides, listed) };
  const met = tally(listed.map(({ home_id, away_id }) => key(home_id, away_id)));
  const fixtures = sides.flatMap((one, index) =>
    sides
      .slice(index + 1)
      .flatMap((other) =>
        missingMeetings(one, other, [met.get(key(one, other)) ?? 0, met.get(key(other, one)) ?? 0], rounds),
      ),
  );
  return { fixtures, unknown: fixtures.length };
}

/** Gives both sides equally many home matches. If they meet an odd number of times, one match is at a neutral venue. */
function missingMeetings(one: number, other: number, [first, second]: [number, number], rounds: number): Pairing[] {
  const fixtures: Pairing[] = [];
  let [atOne, atOther] = [first, second];
  while (atOne + atOther < rounds) {
    const isLast = atOne + atOther + 1 === rounds;
    const neutral = atOne === atOther && isLast;
    if (atOne <= atOther) {
      fixtures.push({ home: one, away: other, neutral });
      atOne += 1;
    } else {
      fixtures.push({ home: other, away: one, neutral });
      atOther += 1;
    }
  }
  return fixtures;
}

function missingByCount(sides: readonly number[], listed: readonly Meeting[]): number {
  const matches = countMatches(listed);
  const counts = sides.map((side) => matches.get(side) ?? 0);
  const most = Math.max(...counts);
  return Math.ceil(counts.reduce((sum, count) => sum + most - count, 0) / 2);
}
