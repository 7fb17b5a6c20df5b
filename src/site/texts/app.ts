/** Texts for the installed app, and for the page that it shows without a connection, in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  description: 'Live scores, tables and statistics',
  offlineTitle: 'No connection',
  offline:
    'Touchline cannot be reached, so this page cannot show current scores. It loads itself again as soon as there is a connection.',
  again: 'Try again',
};

const ru: typeof en = {
  description: 'Счёт матчей, таблицы и статистика',
  offlineTitle: 'Нет соединения',
  offline:
    'Связи с Touchline нет, поэтому показать текущий счёт нельзя. Страница загрузится сама, как только появится соединение.',
  again: 'Попробовать снова',
};

export const APP: Record<Lang, typeof en> = { en, ru };
