/** Short match status texts. A sport may have words of its own for some of them. */
import type { Lang } from '../../http/index.ts';
import type { ShownStatusDetail } from '../../wire/match.ts';

export const STATUS_WORDS: Record<
  Exclude<ShownStatusDetail, 'not_started' | 'in_play' | 'extra_time' | 'break'>,
  Record<Lang, string>
> = {
  delayed: { en: 'Delayed', ru: 'Задержка' },
  postponed: { en: 'Postponed', ru: 'Перенесён' },
  penalties: { en: 'Shoot-out', ru: 'Серия' },
  suspended: { en: 'Suspended', ru: 'Остановлен' },
  interrupted: { en: 'Interrupted', ru: 'Прерван' },
  ended: { en: 'Finished', ru: 'Завершён' },
  after_extra_time: { en: 'After extra time', ru: 'Доп. время' },
  after_penalties: { en: 'After a shoot-out', ru: 'По итогам серии' },
  awarded: { en: 'Awarded', ru: 'Присуждён' },
  walkover: { en: 'Walkover', ru: 'Без игры' },
  retired: { en: 'Retired', ru: 'Отказ' },
  abandoned: { en: 'Abandoned', ru: 'Прекращён' },
  cancelled: { en: 'Cancelled', ru: 'Отменён' },
  awaiting_data: { en: 'Awaiting data', ru: 'Ждём данных' },
};
export const LIVE: Record<Lang, string> = { en: 'Live', ru: 'Идёт' };
