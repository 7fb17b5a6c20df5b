/** Words in which corrections are described, in Russian. The command has the English words. */
import type { StatusDetail } from '../../wire/match.ts';
import { utcText } from './day.ts';
import { OPERATOR } from './operator.ts';

const { statuses } = OPERATOR.corrections.ru;
const STATUSES = { scheduled: 'не начался', live: 'идёт', finished: 'закончен' };

export const CORRECTION_RU = {
  score: 'счёт',
  periods: 'периоды',
  status: (status: keyof typeof STATUSES, detail: StatusDetail | undefined): string =>
    `статус: ${detail === undefined ? STATUSES[status] : statuses[detail]}`,
  kickOff: 'начало',
  time: utcText,
  noVenue: 'без стадиона',
  venue: 'стадион',
  scorer: (goal: string, name: string): string => `автор гола ${goal}: ${name}`,
  home: 'хозяева',
  away: 'гости',
  unnamed: 'без имени',
};
