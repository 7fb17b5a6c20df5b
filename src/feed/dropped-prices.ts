/** Drops prices at or below 1 from a feed update, so that the rest of the update can be applied. */
import type { Fault } from '../wire/fault.ts';

const isDead = (price: unknown) => typeof price === 'number' && price <= 1;

/**
 * Removes prices at or below 1, which bookmakers send for a choice that they no longer offer. An entry with such a
 * price is removed. An opening price is set to null.
 * @returns a fault for each removed price
 */
export function leaveOutDeadPrices(value: unknown): Fault[] {
  const match = (value as { match?: { odds?: unknown } } | null)?.match;
  if (!Array.isArray(match?.odds)) return [];
  const leftOut: Fault[] = [];
  match.odds = match.odds.filter((entry: { decimal_value?: unknown; opening_decimal?: unknown } | null, index) => {
    for (const member of ['decimal_value', 'opening_decimal'] as const) {
      if (!isDead(entry?.[member])) continue;
      const detail = 'must be more than 1: this price is left out';
      leftOut.push({ path: `match.odds.${index}.${member}`, code: 'too_small', detail });
      if (member === 'decimal_value') return false;
      entry!.opening_decimal = null;
    }
    return true;
  });
  return leftOut;
}
