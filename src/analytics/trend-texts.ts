/** Trend texts for fans. Pure. */
import type { Lang } from '../http/route.ts';
import { findSport } from '../sports/sports.ts';
import type { ConditionKey } from './trend-conditions.ts';
import type { Trend, Venue } from './trends.ts';

type InBoth = Record<Lang, string>;

/** An entry of `trends` of the pre-match analytics. */
export interface TrendEntry {
  /** @example Over 2.5 goals */
  label: string;
  /** @example in 9 of the last 10 home matches (league at home: 52 %) */
  detail: string;
  side: 'home' | 'away';
}

export const trendEntry = (trend: Trend, side: TrendEntry['side'], lang: Lang): TrendEntry => ({
  ...trendText(trend, lang),
  side,
});

export function trendText(trend: Trend, lang: Lang): { label: string; detail: string } {
  const label = findSport(trend.sport)?.trendTexts[trend.condition] ?? LABELS[trend.condition];
  const { venue } = trend.sample;
  const matches = MATCHES[lang](trend.matches, venue);
  const how = trend.count === trend.matches ? EACH[lang] : OF[lang].replace('{count}', String(trend.count));
  return {
    label: label[lang],
    detail: `${how} ${matches} (${LEAGUE[venue][lang]}: ${percent(trend.base_rate, lang)})`,
  };
}

/** Half goals have no plural form of their own: in Russian a fraction takes the genitive singular. */
const over = (line: number): InBoth => ({ en: `Over ${line}.5 goals`, ru: `Больше ${line},5 гола` });
const under = (line: number): InBoth => ({ en: `Under ${line}.5 goals`, ru: `Меньше ${line},5 гола` });

const LABELS: Record<ConditionKey, InBoth> = {
  won: { en: 'Won', ru: 'Победа' },
  drawn: { en: 'Drew', ru: 'Ничья' },
  lost: { en: 'Lost', ru: 'Поражение' },
  unbeaten: { en: 'Unbeaten', ru: 'Без поражений' },
  winless: { en: 'Without a win', ru: 'Без побед' },
  over_1_5: over(1),
  over_2_5: over(2),
  over_3_5: over(3),
  over_4_5: over(4),
  over_5_5: over(5),
  over_6_5: over(6),
  under_1_5: under(1),
  under_2_5: under(2),
  under_3_5: under(3),
  under_4_5: under(4),
  under_5_5: under(5),
  under_6_5: under(6),
  btts: { en: 'Both teams scored', ru: 'Обе команды забили' },
  btts_no: { en: 'At most one team scored', ru: 'Забила только одна команда или ни одной' },
  scored: { en: 'Scored', ru: 'Забили гол' },
  scored_two: { en: 'Scored two or more', ru: 'Забили два и больше' },
  scored_four: { en: 'Scored four or more', ru: 'Забили четыре и больше' },
  failed_to_score: { en: 'Failed to score', ru: 'Остались без гола' },
  conceded: { en: 'Conceded', ru: 'Пропустили гол' },
  conceded_two: { en: 'Conceded two or more', ru: 'Пропустили два и больше' },
  conceded_four: { en: 'Conceded four or more', ru: 'Пропустили четыре и больше' },
  clean_sheet: { en: 'Clean sheet', ru: 'Сыграли на ноль' },
};

const EACH: InBoth = { en: 'in each of', ru: 'в каждом из' };
const OF: InBoth = { en: 'in {count} of', ru: 'в {count} из' };
const LEAGUE: Record<Venue, InBoth> = {
  overall: { en: 'league', ru: 'в среднем по лиге' },
  home: { en: 'league at home', ru: 'дома по лиге' },
  away: { en: 'league away', ru: 'в гостях по лиге' },
};

const ENGLISH = new Intl.PluralRules('en');
const RUSSIAN = new Intl.PluralRules('ru');

/** The words after "of": `the last 10 home matches`; in Russian the genitive, singular after 1, 21, 31 … */
const MATCHES: Record<Lang, (matches: number, venue: Venue) => string> = {
  en: (matches, venue) => {
    const noun = ENGLISH.select(matches) === 'one' ? 'match' : 'matches';
    return `the last ${matches} ${venue === 'overall' ? '' : `${venue} `}${noun}`;
  },
  ru: (matches, venue) => {
    const one = RUSSIAN.select(matches) === 'one';
    const where = { overall: '', home: one ? 'домашнего ' : 'домашних ', away: one ? 'гостевого ' : 'гостевых ' };
    return `${matches} ${one ? 'последнего' : 'последних'} ${where[venue]}${one ? 'матча' : 'матчей'}`;
  },
};

const PERCENT_DIGITS = 2;
const NUMBERS = {
  en: new Intl.NumberFormat('en', { maximumSignificantDigits: PERCENT_DIGITS }),
  ru: new Intl.NumberFormat('ru', { maximumSignificantDigits: PERCENT_DIGITS }),
};
/** `52 %`, and a rare event as `0.4 %`, with a non-breaking space. */
const percent = (rate: number, lang: Lang): string => `${NUMBERS[lang].format(rate * 100)}\u00a0%`;
