/** Texts for the page /leagues in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Leagues',
  search: 'League or country',
  found: 'Found: {leagues}',
  nothing: 'No league fits “{q}”.',
  noneHere: 'There are no leagues with matches here.',
  empty: 'There are no matches in the catalogue yet.',
  clear: 'All leagues',
  byCountry: 'By country',
  women: 'women',
  mixed: 'mixed',
  previous: 'Previous',
  next: 'Next',
  coverage: 'Which data each league has',
};

const ru: typeof en = {
  title: 'Лиги',
  search: 'Лига или страна',
  found: 'Найдено: {leagues}',
  nothing: 'Лиг по запросу «{q}» нет.',
  noneHere: 'Лиг с матчами здесь нет.',
  empty: 'В каталоге пока нет матчей.',
  clear: 'Все лиги',
  byCountry: 'По странам',
  women: 'женщины',
  mixed: 'смешанная',
  previous: 'Назад',
  next: 'Дальше',
  coverage: 'Какие данные есть о каждой лиге',
};

export const LEAGUE_LIST: Record<Lang, typeof en> = { en, ru };
