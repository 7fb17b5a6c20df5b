/** Which prices of a match are new or have changed. Pure. */
import type { Blocks } from '../../wire/match.ts';

type Price = NonNullable<Blocks['odds']>[number];

export interface ObservedPrice extends Price {
  provider: string;
  /** ms, by the provider's clock. */
  observed_at: number;
}

const keyOf = (entry: Pick<Price, 'market_group' | 'market_name' | 'choice_name' | 'bookmaker'>) =>
  JSON.stringify([entry.market_group, entry.market_name, entry.choice_name, entry.bookmaker]);

/**
 * Finds what a price was before. Prices with the same names are distinguished by their order: each is found once.
 * @param before the stored odds
 */
export function formerPrices(before: Blocks['odds']): (entry: Parameters<typeof keyOf>[0]) => Price | undefined {
  const byKey = new Map<string, Price[]>();
  for (const entry of before ?? []) {
    const alike = byKey.get(keyOf(entry));
    if (alike === undefined) byKey.set(keyOf(entry), [entry]);
    else alike.push(entry);
  }
  return (entry) => byKey.get(keyOf(entry))?.shift();
}

/** @returns those of `after` that are new, have another price, or whose outcome is known now */
export function changedPrices(before: Blocks['odds'], after: readonly Price[]): Price[] {
  const former = formerPrices(before);
  return after.filter((entry) => {
    const was = former(entry);
    return was === undefined || was.decimal_value !== entry.decimal_value || was.winning !== entry.winning;
  });
}
