/** Names of the tabs of match, team, player and tournament pages, in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  label: 'Parts of this page',
  names: {
    overview: 'Overview',
    scorecard: 'Scorecard',
    lineups: 'Line-ups',
    statistics: 'Statistics',
    commentary: 'Commentary',
    table: 'Table',
    meetings: 'Meetings and form',
    matches: 'Matches',
    bracket: 'Knock-out rounds',
    leaders: 'Leaders',
    outlook: 'Outlook',
    squad: 'Squad',
    transfers: 'Transfers',
  },
};

export type TabTexts = typeof en;

const ru: TabTexts = {
  label: 'Разделы страницы',
  names: {
    overview: 'Обзор',
    scorecard: 'Протокол',
    lineups: 'Составы',
    statistics: 'Статистика',
    commentary: 'Комментарий',
    table: 'Таблица',
    meetings: 'Встречи и форма',
    matches: 'Матчи',
    bracket: 'Плей-офф',
    leaders: 'Лидеры',
    outlook: 'Прогноз',
    squad: 'Состав',
    transfers: 'Переходы',
  },
};

export const TABS: Record<Lang, TabTexts> = { en, ru };
