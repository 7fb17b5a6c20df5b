/** Calendar texts, which are read in the reader's program, among the calendars already there. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: '{name}: matches',
  mine: 'My teams and tournaments',
  cancelled: 'Cancelled',
};

const ru: typeof en = {
  title: '{name}: матчи',
  mine: 'Мои команды и турниры',
  cancelled: 'Отменён',
};

export const calendars: Record<Lang, typeof en> = { en, ru };
