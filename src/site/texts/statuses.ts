/** Short match status texts. */
import type { Lang } from '../../http/index.ts';
import type { ShownStatusDetail } from '../../wire/match.ts';

export const STATUS_WORDS: Record<
  Exclude<ShownStatusDetail, 'not_started' | 'in_play' | 'extra_time'>,
  Record<Lang, string>
> = {
  delayed: { en: 'Delayed', ru: 'Задержка' },
  postponed: { en: 'Postponed', ru: 'Перенесён' },
  break: { en: 'Break', ru: 'Перерыв' },
  penalties: { en: 'Penalties', ru: 'Пенальти' },
  suspended: { en: 'Suspended', ru: 'Остановлен' },
  interrupted: { en: 'Interrupted', ru: 'Прерван' },
  ended: { en: 'Full time', ru: 'Завершён' },
  after_extra_time: { en: 'After extra time', ru: 'Доп. время' },
  after_penalties: { en: 'After penalties', ru: 'По пенальти' },
  awarded: { en: 'Awarded', ru: 'Присуждён' },
  walkover: { en: 'Walkover', ru: 'Без игры' },
  retired: { en: 'Retired', ru: 'Отказ' },
  abandoned: { en: 'Abandoned', ru: 'Прекращён' },
  cancelled: { en: 'Cancelled', ru: 'Отменён' },
  awaiting_data: { en: 'Awaiting data', ru: 'Ждём данных' },
};
/** Words for results in sports where the periods after regular time have other names than in football. */
export const STATUS_WORDS_BY_PERIOD: Partial<Record<ShownStatusDetail, Record<string, Record<Lang, string>>>> = {
  after_extra_time: { OT: { en: 'After overtime', ru: 'В овертайме' } },
  after_penalties: { SO: { en: 'After a shoot-out', ru: 'По буллитам' } },
};
export const HALF_TIME: Record<Lang, string> = { en: 'Half-time', ru: 'Перерыв' };
export const LIVE: Record<Lang, string> = { en: 'Live', ru: 'Идёт' };
