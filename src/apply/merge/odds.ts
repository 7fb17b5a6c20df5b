/** Match odds: adds fractions, movements and opening prices to decimal prices, and finds changed prices. Pure. */
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Blocks } from '../../wire/match.ts';

/** Returns an update's odds with fractions, and with the movement since the stored odds. */
export function wireOdds(
  given: NonNullable<MatchUpdate['match']['odds']>,
  previous: Blocks['odds'],
): NonNullable<Blocks['odds']> {
  const former = formerPrices(previous);
  return given.map((entry) => {
    const was = former(entry);
    const moved =
      was === undefined || was.decimal_value === entry.decimal_value
        ? undefined
        : entry.decimal_value > was.decimal_value;
    const opening = entry.opening_decimal ?? was?.opening_decimal ?? (moved === undefined ? null : was!.decimal_value);
    return {
      market_name: entry.market_name,
      market_group: entry.market_group,
      choice_name: entry.choice_name,
      fractional_value: fraction(entry.decimal_value),
      opening_value: opening === null ? null : fraction(opening),
      decimal_value: entry.decimal_value,
      opening_decimal: opening,
      bookmaker: entry.bookmaker,
      movement: moved === undefined ? (was?.movement ?? null) : moved ? 'up' : 'down',
      winning: entry.winning,
    };
  });
}

/** Prices are rounded to four decimals. */
const PRICE_SCALE = 10_000;

/** Returns a decimal price above 1 as a fraction in lowest terms. For example, 2.5 is 3/2. */
export function fraction(decimal: number): string {
  const over = Math.max(1, Math.round((decimal - 1) * PRICE_SCALE));
  let [a, b] = [over, PRICE_SCALE];
  while (b !== 0) [a, b] = [b, a % b];
  return `${over / a}/${PRICE_SCALE / a}`;
}

type Price = NonNullable<Blocks['odds']>[number];

export interface ObservedPrice extends Price {
  provider: string;
  /** ms, by the provider's clock. */
  observed_at: number;
}

const keyOf = (entry: Pick<Price, 'market_group' | 'market_name' | 'choice_name' | 'bookmaker'>) =>
  JSON.stringify([entry.market_group, entry.market_name, entry.choice_name, entry.bookmaker]);

/**
 * Returns a function that finds a price's former entry. Prices with the same names are told apart by their order. Each former
 * entry is returned once.
 * @param before the stored odds
 */
function formerPrices(before: Blocks['odds']): (entry: Parameters<typeof keyOf>[0]) => Price | undefined {
  const byKey = new Map<string, Price[]>();
  for (const entry of before ?? []) {
    const alike = byKey.get(keyOf(entry));
    if (alike === undefined) byKey.set(keyOf(entry), [entry]);
    else alike.push(entry);
  }
  return (entry) => byKey.get(keyOf(entry))?.shift();
}

/** Returns the prices in `after` that are new or different, or whose outcome has become known. */
export function changedPrices(before: Blocks['odds'], after: readonly Price[]): Price[] {
  const former = formerPrices(before);
  return after.filter((entry) => {
    const was = former(entry);
    return was === undefined || was.decimal_value !== entry.decimal_value || was.winning !== entry.winning;
  });
}
