/** Recomputes side 1's trends independently, with integer fractions instead of doubles, and text instead of tables. */
import type { PlayedMatch } from '../../src/analytics/samples/match-samples.ts';
import type { Venue } from '../../src/analytics/trends/trends.ts';

/** Conditions on a side's match, by goals for, goals against, and the outcome. */
const TESTS: Record<string, (f: number, a: number) => boolean> = {
  won: (f, a) => f > a,
  lost: (f, a) => f < a,
  unbeaten: (f, a) => f >= a,
  winless: (f, a) => f <= a,
  over_1_5: (f, a) => f + a >= 2,
  over_2_5: (f, a) => f + a >= 3,
  over_3_5: (f, a) => f + a >= 4,
  over_4_5: (f, a) => f + a >= 5,
  over_5_5: (f, a) => f + a >= 6,
  over_6_5: (f, a) => f + a >= 7,
  under_2_5: (f, a) => f + a < 3,
  under_4_5: (f, a) => f + a < 5,
  under_5_5: (f, a) => f + a < 6,
  under_6_5: (f, a) => f + a < 7,
  btts: (f, a) => f * a > 0,
  scored: (f) => f >= 1,
  scored_two: (f) => f >= 2,
  scored_four: (f) => f >= 4,
  failed_to_score: (f) => f === 0,
  conceded: (_, a) => a >= 1,
  conceded_two: (_, a) => a >= 2,
  conceded_four: (_, a) => a >= 4,
  clean_sheet: (_, a) => a === 0,
  won_by_5: (f, a) => f >= a + 5,
  lost_by_5: (f, a) => a >= f + 5,
  within_2: (f, a) => (f - a) ** 2 <= 4,
};

/** Adds conditions at the league's usual scores, which are the median total and the median of all sides' scores. */
function testsOf(league: readonly PlayedMatch[]): { tests: typeof TESTS; keys: string[] } {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const line = Math.max(1, middle(league.map((m) => m.home_score + m.away_score)));
  const side = middle(league.map((m) => m.home_score).concat(league.map((m) => m.away_score)));
  const levels: typeof TESTS = {
    [`over_${line - 1}_5`]: (f, a) => f + a >= line,
    [`under_${line - 1}_5`]: (f, a) => f + a < line,
    [`scored_${side}_up`]: (f) => f >= side,
    [`conceded_${side}_up`]: (_, a) => a >= side,
  };
  return { tests: { ...TESTS, ...levels }, keys: Object.keys(levels) };
}
const OF_SPORT: Record<string, string> = {
  football:
    'won lost unbeaten winless over_1_5 over_2_5 over_3_5 under_2_5 btts scored scored_two failed_to_score conceded conceded_two clean_sheet',
  'ice-hockey':
    'won lost over_4_5 over_5_5 over_6_5 under_4_5 under_5_5 under_6_5 scored_four conceded_four clean_sheet',
  handball: 'won lost unbeaten winless LEVELS won_by_5 lost_by_5 within_2',
};

const LEVEL = 0.1;

/** Returns P(X ≥ k) for X ~ Binomial(n, up / down), from a quotient of integers. */
export function exactTail(k: number, n: number, up: bigint, down: bigint): number {
  let sum = 0n;
  let ways = 1n;
  for (let j = 0; j <= n; j += 1) {
    if (j >= k) sum += ways * up ** BigInt(j) * (down - up) ** BigInt(n - j);
    ways = (ways * BigInt(n - j)) / BigInt(j + 1);
  }
  // Scale with more digits than a double has.
  const SCALE = 10n ** 40n;
  return Number((sum * SCALE) / down ** BigInt(n)) / 1e40;
}

interface Try {
  key: string;
  venue: Venue;
  n: number;
  met: number[];
  tail: number;
  smallest: number;
}

/** Returns each trend as `condition venue count/matches`, strongest first. */
export function naiveTrends(
  sport: string,
  matches: readonly PlayedMatch[],
  venues: readonly Venue[],
  league: readonly PlayedMatch[],
): string[] {
  if (league.length < 60) return [];
  const tries: Try[] = [];
  const { tests, keys } = testsOf(league);
  for (const venue of venues) {
    const mine = [...matches]
      .sort((a, b) => b.start - a.start)
      .filter((m) => venue === 'overall' || m[`${venue}_id`] === 1);
    for (const n of [10, 20, 40]
      .map((last) => Math.min(last, mine.length))
      .filter((n, i, all) => all.indexOf(n) === i)) {
      if (n < 5) continue;
      for (const key of OF_SPORT[sport]!.replace('LEVELS', keys.join(' ')).split(' ')) {
        const holds = tests[key]!;
        const sample = mine.slice(0, n);
        const atHome = league.filter((l) => holds(l.home_score, l.away_score)).length;
        const away = league.filter((l) => holds(l.away_score, l.home_score)).length;
        let up = 0;
        for (const m of sample) up += m.home_id === 1 ? atHome : away;
        const down = n * league.length;
        if (up === 0 || up === down) continue;
        const met = sample.filter((m) =>
          m.home_id === 1 ? holds(m.home_score, m.away_score) : holds(m.away_score, m.home_score),
        );
        const tail = (k: number) => exactTail(k, n, BigInt(up), BigInt(down));
        tries.push({ key, venue, n, met: met.map(({ id }) => id), tail: tail(met.length), smallest: tail(n) });
      }
    }
  }
  const bounds = tries.map((_, index) => LEVEL / (index + 1));
  const bound =
    bounds.find((one) => tries.filter(({ smallest }) => smallest <= one).length <= LEVEL / one + 1e-9) ?? LEVEL;
  const shown: Try[] = [];
  const order = tries
    .filter(({ tail, met, n }) => tail <= bound && 2 * met.length >= n)
    .sort((a, b) => compare(a.tail, b.tail) || b.n - a.n);
  for (const one of order) if (shown.length < 8 && shown.every((other) => !same(one, other, tests))) shown.push(one);
  return shown.map(({ key, venue, met, n }) => `${key} ${venue} ${met.length}/${n}`);
}

/** Compares two doubles, but treats them as equal if they differ only in the last digits. */
const compare = (a: number, b: number): number => (Math.abs(a - b) <= 1e-12 * Math.max(a, b) ? 0 : a - b);

function same(one: Try, other: Try, tests: typeof TESTS): boolean {
  const [a, b] = [tests[one.key]!, tests[other.key]!];
  const scores = Array.from({ length: 144 }, (_, i) => [i % 12, Math.floor(i / 12)] as const);
  if (!scores.some(([x, y]) => a(x, y) && !b(x, y)) || !scores.some(([x, y]) => b(x, y) && !a(x, y))) return true;
  const shared = one.met.filter((id) => other.met.includes(id)).length;
  return shared / new Set([...one.met, ...other.met]).size > 0.75;
}
