/** The rules in data/analytics/trends.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { TrendLevel } from '../../sports/sport.ts';
import { SPORTS } from '../../sports/sports.ts';
import type { ConditionKey } from './trend-conditions.ts';

type Listed = ConditionKey | TrendLevel;

const count = z.int().min(1);
const share = z.number().gt(0).lt(1);
const distinct = (values: readonly unknown[]) => new Set(values).size === values.length;

const rules = z.strictObject({
  /** Maximum probability that a side without any tendency gets a trend by chance. */
  chance_level: share,
  fewest_matches: z.int().min(2),
  fewest_league_matches: count,
  fewest_share: share,
  last: z.array(count).min(1).refine(distinct, 'has a length twice'),
  same_above: share,
  most_per_side: count,
});
export interface TrendRules extends z.infer<typeof rules> {
  /** Conditions by sport. */
  sports: Readonly<Record<string, readonly Listed[]>>;
}

/** @throws ZodError for invalid rules, YAMLParseError for invalid YAML */
export const trendRules = (text: string): TrendRules => ({
  ...rules.parse(parse(text)),
  sports: Object.fromEntries(SPORTS.map(({ slug, trends }) => [slug, trends])),
});

let shipped: TrendRules | undefined;

/** Reads the file once. */
export function shippedTrendRules(): TrendRules {
  shipped ??= trendRules(readFileSync(new URL('../../../data/analytics/trends.yaml', import.meta.url), 'utf8'));
  return shipped;
}

/** @returns the sport's conditions; an empty list for a sport without trends */
export const listConditions = ({ sports }: TrendRules, sport: string): readonly Listed[] =>
  Object.hasOwn(sports, sport) ? (sports[sport] ?? []) : [];
