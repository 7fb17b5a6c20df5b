/** Trend texts for fans. Pure. */
import type { Lang } from '../../http/index.ts';
import { type ScoreUnit, UNITS } from '../../sports/score-units.ts';
import { findSport } from '../../sports/sports.ts';
import type { AnalyticsCard } from '../schema.ts';
import { type ConditionKey, type Family, type NamedCondition, numbered } from './trend-conditions.ts';
import type { Trend, Venue } from './trends.ts';

type InBoth = Record<Lang, string>;

const PLURALS: Record<Lang, Intl.PluralRules> = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };

/** An entry in `trends` in the pre-match analytics. */
export type TrendEntry = Omit<AnalyticsCard['trends'][number], 'explain'>;

export const trendEntry = (trend: Trend, side: TrendEntry['side'], lang: Lang): TrendEntry => ({
  ...trendText(trend, lang),
  side,
});

export function trendText(trend: Trend, lang: Lang): { label: string; detail: string } {
  const label = conditionLabel(trend.sport, trend.condition);
  const { venue } = trend.sample;
  const matches = MATCHES[lang](trend.matches, venue);
  const how = trend.count === trend.matches ? EACH[lang] : OF[lang].replace('{count}', String(trend.count));
  return {
    label: label[lang],
    detail: `${how} ${matches} (${LEAGUE[venue][lang]}: ${percent(trend.base_rate, lang)})`,
  };
}

const LABELS: Record<NamedCondition, InBoth> = {
  won: { en: 'Won', ru: 'Победа' },
  drawn: { en: 'Drew', ru: 'Ничья' },
  lost: { en: 'Lost', ru: 'Поражение' },
  unbeaten: { en: 'Unbeaten', ru: 'Без поражений' },
  winless: { en: 'Without a win', ru: 'Без побед' },
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
  won_to_nil: { en: 'Won to nil', ru: 'Победа всухую' },
  lost_to_nil: { en: 'Lost to nil', ru: 'Поражение всухую' },
};

/** Returns a number with its unit, such as `1 goal` or `21 очка`. */
function counted(count: number, { en, ru }: ScoreUnit): InBoth {
  const form = (lang: Lang) => (PLURALS[lang].select(count) === 'one' ? 'one' : 'many');
  return { en: `${count} ${en[form('en')]}`, ru: `${count} ${ru[form('ru')]}` };
}

const withCount =
  (en: string, ru: string) =>
  (count: number, unit: ScoreUnit): InBoth => {
    const text = counted(count, unit);
    return { en: en.replace('{count}', text.en), ru: ru.replace('{count}', text.ru) };
  };

/** A line such as 2.5, with a unit. English uses the plural; in Russian, a fraction takes the genitive singular. */
const line =
  (en: string, ru: string) =>
  (count: number, unit: ScoreUnit): InBoth => ({
    en: `${en} ${count}.5 ${unit.en.many}`,
    ru: `${ru} ${count},5 ${unit.ru.one}`,
  });

const NUMBERED: Record<Family, (count: number, unit: ScoreUnit) => InBoth> = {
  over: line('Over', 'Больше'),
  under: line('Under', 'Меньше'),
  scored_up: (count, unit) => withCount('Scored {count} or more', `${unit.verbs.scored} от {count}`)(count, unit),
  conceded_up: (count, unit) => withCount('Conceded {count} or more', `${unit.verbs.conceded} от {count}`)(count, unit),
  won_by: withCount('Won by {count} or more', 'Победа с разницей от {count}'),
  lost_by: withCount('Lost by {count} or more', 'Поражение с разницей от {count}'),
  within: withCount('Decided by at most {count}', 'Разница не больше {count}'),
};

function conditionLabel(sport: string, condition: ConditionKey): InBoth {
  const { trendTexts = {}, unit = 'goals' } = findSport(sport) ?? {};
  const own = trendTexts[condition];
  if (own) return own;
  const found = numbered(condition);
  return found ? NUMBERED[found.family](found.count, UNITS[unit]) : LABELS[condition as NamedCondition];
}

const EACH: InBoth = { en: 'in each of', ru: 'в каждом из' };
const OF: InBoth = { en: 'in {count} of', ru: 'в {count} из' };
const LEAGUE: Record<Venue, InBoth> = {
  overall: { en: 'league', ru: 'в среднем по лиге' },
  home: { en: 'league at home', ru: 'дома по лиге' },
  away: { en: 'league away', ru: 'в гостях по лиге' },
};

/**
 * The words after "of", such as `the last 10 home matches`. In Russian they are in the genitive, singular after 1, 21,
 * 31 …
 */
const MATCHES: Record<Lang, (matches: number, venue: Venue) => string> = {
  en: (matches, venue) => {
    const noun = PLURALS.en.select(matches) === 'one' ? 'match' : 'matches';
    return `the last ${matches} ${venue === 'overall' ? '' : `${venue} `}${noun}`;
  },
  ru: (matches, venue) => {
    const one = PLURALS.ru.select(matches) === 'one';
    const where = { overall: '', home: one ? 'домашнего ' : 'домашних ', away: one ? 'гостевого ' : 'гостевых ' };
    return `${matches} ${one ? 'последнего' : 'последних'} ${where[venue]}${one ? 'матча' : 'матчей'}`;
  },
};

const PERCENT_DIGITS = 2;
const NUMBERS = {
  en: new Intl.NumberFormat('en', { maximumSignificantDigits: PERCENT_DIGITS }),
  ru: new Intl.NumberFormat('ru', { maximumSignificantDigits: PERCENT_DIGITS }),
};
/** Returns a text such as `52 %`, or `0.4 %` for a rare event, with a non-breaking space. */
const percent = (rate: number, lang: Lang): string => `${NUMBERS[lang].format(rate * 100)}\u00a0%`;
