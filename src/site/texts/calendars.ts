/** Texts in calendars. Readers see them in a calendar program, among entries from other sources. */
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
