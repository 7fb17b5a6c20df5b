/** Plans in words, for pages. */
import type { Plan, PlanWindow } from './plan-file.ts';

const PER = { burst: 'a second', day: 'a day', month: 'a month' } as const;
const number = (value: number) => value.toLocaleString('en-GB');

const listText = (windows: readonly PlanWindow[]): string =>
  windows.length === 0
    ? 'no limits'
    : windows.map(({ name, quota }) => `${number(quota)} requests ${PER[name]}`).join(', ');

/** `20 requests a second, 500,000 requests a day`. The publishable windows follow if they differ. */
export function windowsText({ windows, publishableWindows }: Plan): string {
  const [secret, publishable] = [listText(windows), listText(publishableWindows)];
  return secret === publishable ? secret : `${secret}; publishable keys: ${publishable}`;
}

/** How much of the publishable windows one client address may use. */
export const perAddressText = ({ publishablePerAddress }: Plan): string => listText(publishablePerAddress);

/** Formats a price, such as `₽19,900` or `€12.50`. */
export const priceText = ({ price: { amount, currency } }: Plan): string =>
  amount === 0
    ? 'free'
    : new Intl.NumberFormat('en-GB', {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        trailingZeroDisplay: 'stripIfInteger',
      }).format(amount);
