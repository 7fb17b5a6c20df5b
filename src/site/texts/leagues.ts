/** Texts for the leagues page in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Leagues and their coverage',
  intro:
    'What is known of the matches of each league, as measured. GET /v1/tournaments gives the same for programs; filters of the API take the id.',
  search: 'Name or country',
  sport: 'Sport',
  country: 'Country',
  depth: 'Depth',
  all: 'All',
  show: 'Show',
  clear: 'All leagues',
  nothing: 'No league matches.',
  empty: 'The catalogue is empty.',
  found: '{leagues} leagues in {countries} countries',
  foundOne: '1 league',
  foundInOne: '{leagues} leagues',
  matches: '{count} matches',
  matchesOne: '1 match',
  matchesUnknown: 'matches not counted yet',
  tier: 'Tier {tier}',
  women: 'Women',
  mixed: 'Mixed',
  since: 'since {day}',
  lastMatch: 'Latest match',
  previous: 'Previous',
  next: 'Next',
  measured:
    'Each bar is the share of matches that have the data, of those that are over since it was first collected (the year beside it); results: of those that should have one. Measured after changes, completely on {day}.',
  notMeasured: 'The coverage is being measured; it is shown here in a minute.',
  depths: {
    full: 'Full detail',
    partial: 'Some detail',
    results: 'Results only',
    none: 'No results yet',
  } as Record<'full' | 'partial' | 'results' | 'none', string>,
  blocks: {
    results: 'Results',
    incidents: 'Incidents',
    lineups: 'Line-ups',
    statistics: 'Statistics',
    shotmap: 'Shots, xG',
    odds: 'Odds',
  } as Record<string, string>,
};
export type LeagueTexts = typeof en;

const ru: LeagueTexts = {
  title: 'Лиги и полнота данных',
  intro:
    'Что известно о матчах каждой лиги, по измерениям. То же для программ — GET /v1/tournaments; фильтры API принимают id.',
  search: 'Название или страна',
  sport: 'Спорт',
  country: 'Страна',
  depth: 'Полнота',
  all: 'Все',
  show: 'Показать',
  clear: 'Все лиги',
  nothing: 'Таких лиг нет.',
  empty: 'Каталог пуст.',
  found: 'Лиг: {leagues}, стран: {countries}',
  foundOne: '1 лига',
  foundInOne: 'Лиг: {leagues}',
  matches: 'матчей: {count}',
  matchesOne: '1 матч',
  matchesUnknown: 'матчи ещё не посчитаны',
  tier: 'Уровень {tier}',
  women: 'Женщины',
  mixed: 'Смешанная',
  since: 'с {day}',
  lastMatch: 'Последний матч',
  previous: 'Назад',
  next: 'Дальше',
  measured:
    'Полоса — доля матчей, для которых есть данные, среди сыгранных с тех пор, как их начали собирать (год указан рядом); для результатов — среди матчей, у которых он должен быть. Измеряется после изменений, полностью — {day}.',
  notMeasured: 'Полнота измеряется и через минуту появится здесь.',
  depths: {
    full: 'Полные данные',
    partial: 'Часть данных',
    results: 'Только результаты',
    none: 'Результатов ещё нет',
  },
  blocks: {
    results: 'Результаты',
    incidents: 'События',
    lineups: 'Составы',
    statistics: 'Статистика',
    shotmap: 'Удары, xG',
    odds: 'Котировки',
  },
};

export const leagues: Record<Lang, LeagueTexts> = { en, ru };
