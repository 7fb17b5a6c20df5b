/** Analytics texts in both languages. */
import type { Lang } from '../../http/index.ts';

/** Disclaimer that is part of every reply with figures. */
export const DISCLAIMERS: Readonly<Record<Lang, string>> = {
  en: 'Computed from the results of earlier matches, not from forecasts. It is information, not advice to bet; past results do not guarantee future ones.',
  ru: 'Рассчитано по результатам прошедших матчей, а не по прогнозам. Это справочная информация, а не совет делать ставки; прошлые результаты не гарантируют будущих.',
};
