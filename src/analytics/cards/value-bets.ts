/** Finds market prices that are higher than the model's fair price. Pure. */

import type { Probabilities } from '../poisson/poisson.ts';
import { fairOdds } from '../poisson/poisson-model.ts';
import { DECIMALS, roundTo } from '../rounding.ts';
import type { AnalyticsCard } from '../schema.ts';

/** Above this, it is more likely that the model misses something than that the market is wrong. */
const CAUTION_ABOVE_PERCENT = 20;

/** The selections that are compared with prices, and their probabilities in the model. */
const SELECTIONS = [
  ['1x2', 'home', 'home_win'],
  ['1x2', 'draw', 'draw'],
  ['1x2', 'away', 'away_win'],
  ['over_under_2.5', 'over', 'over_2_5'],
  ['over_under_2.5', 'under', 'under_2_5'],
  ['btts', 'yes', 'btts'],
  ['btts', 'no', 'btts_no'],
] as const satisfies readonly (readonly [string, string, keyof Probabilities])[];

/** A current price at any bookmaker. */
export interface Price {
  market: string;
  selection: string;
  /** Decimal odds. Values that are not finite are ignored. A value of 1 or less is never a value bet. */
  decimal: number;
}

/** Markets and choices by the names that providers use. */
const MARKETS: Readonly<Record<string, Price['market']>> = {
  '1x2': '1x2',
  'match result': '1x2',
  'full time': '1x2',
  'full time result': '1x2',
  'over_under_2.5': 'over_under_2.5',
  'over/under 2.5': 'over_under_2.5',
  'total goals 2.5': 'over_under_2.5',
  btts: 'btts',
  'both teams to score': 'btts',
};
const CHOICES: Readonly<Record<string, Price['selection']>> = {
  1: 'home',
  x: 'draw',
  2: 'away',
  home: 'home',
  draw: 'draw',
  away: 'away',
  over: 'over',
  'over 2.5': 'over',
  under: 'under',
  'under 2.5': 'under',
  yes: 'yes',
  no: 'no',
};

/** @returns the prices for the selections that are compared */
export function currentPrices(
  odds: readonly { market_name: string; choice_name: string; decimal_value: number }[],
): Price[] {
  const known = <T>(names: Readonly<Record<string, T>>, name: string) => {
    const key = name.trim().toLowerCase();
    return Object.hasOwn(names, key) ? names[key] : undefined;
  };
  return odds.flatMap(({ market_name, choice_name, decimal_value }) => {
    const [market, selection] = [known(MARKETS, market_name), known(CHOICES, choice_name)];
    return market === undefined || selection === undefined ? [] : [{ market, selection, decimal: decimal_value }];
  });
}

type ValueBet = AnalyticsCard['value_bets'][number];

/**
 * edge = (best price ÷ fair price − 1) × 100, from the unrounded fair price.
 * @returns bets whose rounded edge is above 0, largest first
 */
export function valueBets(probabilities: Probabilities, prices: readonly Price[]): ValueBet[] {
  const bets = SELECTIONS.flatMap(([market, selection, key]) => {
    const fair = fairOdds(probabilities[key]);
    const best = prices
      .filter((price) => price.market === market && price.selection === selection && Number.isFinite(price.decimal))
      .reduce((highest, { decimal }) => Math.max(highest, decimal), 0);
    if (fair === null || best === 0) return [];
    const edge = (best / fair - 1) * 100;
    const answered = roundTo(DECIMALS, edge);
    if (!(answered > 0 && Number.isFinite(edge))) return [];
    const bet: ValueBet = {
      market,
      selection,
      market_odds: roundTo(DECIMALS, best),
      fair_odds: roundTo(DECIMALS, fair),
      edge_pct: answered,
      ...(answered > CAUTION_ABOVE_PERCENT && { caution: true }),
    };
    return [{ edge, bet }];
  });
  return bets.sort((a, b) => b.edge - a.edge).map(({ bet }) => bet);
}
