/** The pairings of a round robin, and the ones that no source has listed. Pure. */
import { countMeetings, type Meeting, sidesOf } from './meetings.ts';

/** Two sides that meet, by id. */
export interface Pairing {
  home: number;
  away: number;
  /** Also if it is not known who plays at home. */
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
 * @param listed matches of the season, played or not
 * @param rounds how often each pair meets; null if it is not known: then the sides should have equally many matches
 * @returns the fixtures that are missing, as far as they follow from the format, and the number of all missing ones
 */
export function missingFixtures(
  sides: readonly number[],
  listed: readonly Meeting[],
  rounds: number | null,
): { fixtures: Pairing[]; unknown: number } {
  if (rounds === null) return { fixtures: [], unknown: missingByCount(sides, listed) };
  const met = new Map<string, number>();
  for (const { home_id, away_id } of listed) {
    const meeting = key(home_id, away_id);
    met.set(meeting, (met.get(meeting) ?? 0) + 1);
  }
  const fixtures = sides.flatMap((one, index) =>
    sides
      .slice(index + 1)
      .flatMap((other) =>
        missingMeetings(one, other, [met.get(key(one, other)) ?? 0, met.get(key(other, one)) ?? 0], rounds),
      ),
  );
  return { fixtures, unknown: fixtures.length };
}

/** Both sides have equally many home matches as far as that is possible; an odd match is at a neutral venue. */
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
  const matches = new Map(sides.map((side) => [side, 0]));
  for (const side of listed.flatMap(({ home_id, away_id }) => [home_id, away_id]))
    matches.set(side, matches.get(side)! + 1);
  const most = Math.max(...matches.values());
  return Math.ceil([...matches.values()].reduce((sum, count) => sum + most - count, 0) / 2);
}
