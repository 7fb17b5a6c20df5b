/** Plans in words, for pages. */
import type { Plan } from './plan-file.ts';

const PER = { burst: 'a second', day: 'a day', month: 'a month' } as const;
const number = (value: number) => value.toLocaleString('en-GB');

/** `20 requests a second, 500,000 requests a day` */
export const windowsText = ({ windows }: Plan): string =>
  windows.length === 0
    ? 'no limits'
    : windows.map(({ name, quota }) => `${number(quota)} requests ${PER[name]}`).join(', ');

/** `₽19,900`, `€12.50` */
export const priceText = ({ price: { amount, currency } }: Plan): string =>
  amount === 0
    ? 'free'
    : new Intl.NumberFormat('en-GB', {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        trailingZeroDisplay: 'stripIfInteger',
      }).format(amount);
