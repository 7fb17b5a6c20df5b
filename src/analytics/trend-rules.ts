/** The rules of trends.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { SPORT_SLUGS } from '../wire/sports.ts';
import { CONDITION_KEYS, type ConditionKey } from './trend-conditions.ts';

const count = z.int().min(1);
const share = z.number().gt(0).lt(1);
const distinct = (values: readonly unknown[]) => new Set(values).size === values.length;

const rules = z.strictObject({
  /** Maximum probability that a side without any tendency gets a trend. */
  chance_level: share,
  fewest_matches: z.int().min(2),
  fewest_league_matches: count,
  fewest_share: share,
  last: z.array(count).min(1).refine(distinct, 'has a length twice'),
  same_above: share,
  most_per_side: count,
  sports: z.partialRecord(
    z.enum(SPORT_SLUGS),
    z.array(z.enum(CONDITION_KEYS)).min(1).refine(distinct, 'has a condition twice'),
  ),
});
export type TrendRules = z.infer<typeof rules>;

/** @throws ZodError for invalid rules, YAMLParseError for invalid YAML */
export const trendRules = (text: string): TrendRules => rules.parse(parse(text));

let shipped: TrendRules | undefined;

/** Reads the file once. */
export function shippedTrendRules(): TrendRules {
  shipped ??= trendRules(readFileSync(new URL('trends.yaml', import.meta.url), 'utf8'));
  return shipped;
}

/** @returns none for a sport without trends */
export const listConditions = ({ sports }: TrendRules, sport: string): readonly ConditionKey[] =>
  Object.hasOwn(sports, sport) ? sports[sport as keyof typeof sports]! : [];
