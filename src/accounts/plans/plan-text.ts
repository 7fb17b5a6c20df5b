/** Plans in words, for pages. */
import type { Lang } from '../../http/index.ts';
import type { Plan, PlanWindow } from './plan-file.ts';

const TEXTS = {
  en: {
    locale: 'en-GB',
    noLimits: 'no limits',
    requests: (count: string) => `${count} requests`,
    per: { burst: 'a second', day: 'a day', month: 'a month' },
    publishable: 'publishable keys',
    free: 'free',
  },
  ru: {
    locale: 'ru',
    noLimits: 'без лимитов',
    requests: (count: string) => `запросов: ${count}`,
    per: { burst: 'в секунду', day: 'в сутки', month: 'в месяц' },
    publishable: 'публичные ключи',
    free: 'бесплатно',
  },
} as const;

const listText = (windows: readonly PlanWindow[], lang: Lang): string => {
  const { locale, noLimits, requests, per } = TEXTS[lang];
  if (windows.length === 0) return noLimits;
  return windows.map(({ name, quota }) => `${requests(quota.toLocaleString(locale))} ${per[name]}`).join(', ');
};

/** `20 requests a second, 500,000 requests a day`. The publishable windows follow if they differ. */
export function windowsText({ windows, publishableWindows }: Plan, lang: Lang): string {
  const [secret, publishable] = [listText(windows, lang), listText(publishableWindows, lang)];
  return secret === publishable ? secret : `${secret}; ${TEXTS[lang].publishable}: ${publishable}`;
}

/** How much of the publishable windows one client address may use. */
export const perAddressText = ({ publishablePerAddress }: Plan, lang: Lang): string =>
  listText(publishablePerAddress, lang);

/** Formats a price, such as `₽19,900` or `€12.50`. */
export const priceText = ({ price: { amount, currency } }: Plan, lang: Lang): string =>
  amount === 0
    ? TEXTS[lang].free
    : new Intl.NumberFormat(TEXTS[lang].locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        trailingZeroDisplay: 'stripIfInteger',
      }).format(amount);
