/** Conditions that can be a side's trends. Pure. */
import { LRUCache } from 'lru-cache';
import type { TrendCondition, TrendLevel } from '../../sports/sport.ts';
import { SPORTS } from '../../sports/sports.ts';
import type { SideMatch } from '../form/rates-and-streaks.ts';

export type Seen = Pick<SideMatch, 'outcome' | 'scored' | 'conceded'>;
type Test = (match: Seen) => boolean;

export type ConditionKey = TrendCondition;

const total = ({ scored, conceded }: Seen): number => scored + conceded;
const margin = ({ scored, conceded }: Seen): number => scored - conceded;

type Numbered = Extract<
  ConditionKey,
  `${string}_5` | `${string}_up` | `${'won' | 'lost'}_by_${string}` | `within_${string}`
>;

const NAMED: Record<Exclude<ConditionKey, Numbered>, Test> = {
  won: ({ outcome }) => outcome === 'win',
  drawn: ({ outcome }) => outcome === 'draw',
  lost: ({ outcome }) => outcome === 'loss',
  unbeaten: ({ outcome }) => outcome !== 'loss',
  winless: ({ outcome }) => outcome !== 'win',
  btts: ({ scored, conceded }) => scored > 0 && conceded > 0,
  btts_no: ({ scored, conceded }) => scored === 0 || conceded === 0,
  scored: ({ scored }) => scored > 0,
  scored_two: ({ scored }) => scored > 1,
  scored_four: ({ scored }) => scored > 3,
  failed_to_score: ({ scored }) => scored === 0,
  conceded: ({ conceded }) => conceded > 0,
  conceded_two: ({ conceded }) => conceded > 1,
  conceded_four: ({ conceded }) => conceded > 3,
  clean_sheet: ({ conceded }) => conceded === 0,
  won_to_nil: ({ outcome, conceded }) => outcome === 'win' && conceded === 0,
  lost_to_nil: ({ outcome, scored }) => outcome === 'loss' && scored === 0,
};

/** Conditions with a number. The family name is the key to the texts. */
const FAMILIES = [
  { family: 'over', pattern: /^over_(\d+)_5$/u, test: (match, count) => total(match) > count },
  { family: 'under', pattern: /^under_(\d+)_5$/u, test: (match, count) => total(match) <= count },
  { family: 'scored_up', pattern: /^scored_(\d+)_up$/u, test: ({ scored }, count) => scored >= count },
  { family: 'conceded_up', pattern: /^conceded_(\d+)_up$/u, test: ({ conceded }, count) => conceded >= count },
  { family: 'won_by', pattern: /^won_by_(\d+)$/u, test: (match, count) => margin(match) >= count },
  { family: 'lost_by', pattern: /^lost_by_(\d+)$/u, test: (match, count) => -margin(match) >= count },
  { family: 'within', pattern: /^within_(\d+)$/u, test: (match, count) => Math.abs(margin(match)) <= count },
] as const satisfies readonly { family: string; pattern: RegExp; test: (match: Seen, count: number) => boolean }[];
export type Family = (typeof FAMILIES)[number]['family'];
export type NamedCondition = keyof typeof NAMED;

/** Returns a condition's family and number; undefined for a condition without a number. */
export function numbered(condition: ConditionKey): { family: Family; count: number; test: Test } | undefined {
  for (const { family, pattern, test } of FAMILIES) {
    const found = pattern.exec(condition);
    if (!found) continue;
    const count = Number(found[1]);
    return { family, count, test: (match) => test(match, count) };
  }
  return undefined;
}

const isNamed = (condition: string): condition is NamedCondition => Object.hasOwn(NAMED, condition);

/** Maximum number of cached conditions. It is large because each league has its own numbers in the conditions. */
const MOST_REMEMBERED = 2_000;
const tests = new LRUCache<ConditionKey, Test>({ max: MOST_REMEMBERED });

/** @throws Error for an unknown condition */
function testFor(condition: ConditionKey): Test {
  const known = tests.get(condition);
  if (known) return known;
  const test = isNamed(condition) ? NAMED[condition] : numbered(condition)?.test;
  if (!test) throw new Error(`there is no condition ${condition}`);
  tests.set(condition, test);
  return test;
}

export const isMet = (condition: ConditionKey, match: Seen): boolean => testFor(condition)(match);

const LEVELS: Record<TrendLevel, true> = {
  over_level: true,
  under_level: true,
  scored_level: true,
  conceded_level: true,
};
const isLevel = (condition: string): condition is TrendLevel => Object.hasOwn(LEVELS, condition);

/** A league's usual scores. In about half the matches, the total is above the line, and about half the sides reach the score. */
export interface LeagueLevels {
  /** Line for both sides' total score, where n stands for the line n.5. */
  total: number;
  side: number;
}

/** Fills in the league's numbers. @returns only the conditions that need no level, if the league has no match */
export function withLevels(
  conditions: readonly (ConditionKey | TrendLevel)[],
  levels: LeagueLevels | null,
): ConditionKey[] {
  return conditions.flatMap((condition): ConditionKey[] => {
    if (!isLevel(condition)) return [condition];
    if (levels === null) return [];
    const { total: line, side } = levels;
    const filled: Record<TrendLevel, ConditionKey> = {
      over_level: `over_${line}_5`,
      under_level: `under_${line}_5`,
      scored_level: `scored_${side}_up`,
      conceded_level: `conceded_${side}_up`,
    };
    return [filled[condition]];
  });
}

/** Every condition that is listed for a sport. */
export const CONDITION_KEYS: readonly ConditionKey[] = [
  ...new Set(SPORTS.flatMap(({ trends }) => withLevels(trends, null))),
];

/** Low scores. They include every score at which a condition without a number begins to hold. */
const FEW = Array.from({ length: 10 }, (_, score) => score);
const STEPS = [-2, -1, 0, 1, 2];

/**
 * Returns the scores around every point where one condition can hold without the other. These points are the conditions' numbers, and the
 * halves, sums and differences of these numbers.
 */
function comparedScores(numbers: readonly number[]): number[] {
  const [one = 0, other = 0] = numbers;
  const edges = [...numbers, ...numbers.map((number) => number / 2), one + other, Math.abs(one - other)];
  edges.push((one + other) / 2, Math.abs(one - other) / 2);
  const around = edges.flatMap((edge) => STEPS.map((step) => Math.floor(edge) + step));
  return [...new Set([...FEW, ...around.filter((score) => score >= 0)])];
}

const implications = new LRUCache<string, boolean>({ max: MOST_REMEMBERED });

/** True if every match that meets the first condition also meets the second. Shoot-outs are not considered. */
export function implies(one: ConditionKey, other: ConditionKey): boolean {
  const key = `${one} ${other}`;
  const known = implications.get(key) ?? compare(one, other);
  implications.set(key, known);
  return known;
}

function compare(one: ConditionKey, other: ConditionKey): boolean {
  const scores = comparedScores([one, other].flatMap((condition) => numbered(condition)?.count ?? []));
  return scores.every((scored) =>
    scores.every((conceded) => {
      const outcome = scored > conceded ? 'win' : scored < conceded ? 'loss' : 'draw';
      const match: Seen = { scored, conceded, outcome };
      return !isMet(one, match) || isMet(other, match);
    }),
  );
}
