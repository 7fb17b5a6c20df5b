/** Words that only notifications use. */
import type { Lang } from '../../http/index.ts';

const en = {
  goalCancelled: 'Goal disallowed',
  scoreCorrected: 'Score corrected',
  rescheduled: 'Rescheduled',
  resumed: 'Resumed',
  lineups: 'Line-ups confirmed',
};

const ru: typeof en = {
  goalCancelled: 'Гол отменён',
  scoreCorrected: 'Счёт исправлен',
  rescheduled: 'Изменено время',
  resumed: 'Игра возобновлена',
  lineups: 'Объявлены составы',
};

export const EVENT_NEWS: Record<Lang, typeof en> = { en, ru };
