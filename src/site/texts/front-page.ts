/** Texts for the front page's columns in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  favourites: 'Favourites',
  favouritesHint: 'Mark teams and leagues with ☆. They are listed here.',
  details: 'Details',
  wholeMatch: 'Everything about the match',
  form: 'Form',
  formBefore: 'Form before the match',
  nothingYet: 'Nothing more is known about this match yet.',
  close: 'Close',
  afterDay: 'after {day}',
  leadersOfSeason: 'Leaders of the season',
};

const ru: typeof en = {
  favourites: 'Избранное',
  favouritesHint: 'Отметьте команды и лиги знаком ☆, и они будут здесь.',
  details: 'Подробности',
  wholeMatch: 'Всё о матче',
  form: 'Форма',
  formBefore: 'Форма до матча',
  nothingYet: 'Больше об этом матче пока ничего не известно.',
  close: 'Закрыть',
  afterDay: 'после {day}',
  leadersOfSeason: 'Лидеры сезона',
};

export const FRONT_PAGE: Record<Lang, typeof en> = { en, ru };
