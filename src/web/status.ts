/** Status of a match as a short text, and other derived values of list items. */
import type { Lang } from '../http/route.ts';
import { fill } from '../site/texts/fill.ts';
import { TEXTS } from '../site/texts/texts.ts';
import type { MatchItem, ShownStatusDetail } from '../wire/match.ts';

const WORDS: Record<Exclude<ShownStatusDetail, 'not_started' | 'in_play' | 'extra_time'>, Record<Lang, string>> = {
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
/** Words for results of sports whose periods after regular time have other names than in football. */
const WORDS_BY_PERIOD: Partial<Record<ShownStatusDetail, Record<string, Record<Lang, string>>>> = {
  after_extra_time: { OT: { en: 'After overtime', ru: 'В овертайме' } },
  after_penalties: { SO: { en: 'After a shoot-out', ru: 'По буллитам' } },
};
const HALF_TIME: Record<Lang, string> = { en: 'Half-time', ru: 'Перерыв' };
const LIVE: Record<Lang, string> = { en: 'Live', ru: 'Идёт' };

/** Returns `67′`, `Half-time`, `Full time`; null for an upcoming match, whose start is shown instead. */
export function statusText(item: Pick<MatchItem, 'status_detail' | 'minute' | 'extra'>, lang: Lang): string | null {
  switch (item.status_detail) {
    case 'not_started':
      return null;
    case 'in_play':
    case 'extra_time':
      return item.minute === null ? LIVE[lang] : `${item.minute}′`;
    case 'break':
      return item.extra.period_scores.length === 1 ? HALF_TIME[lang] : WORDS.break[lang];
    default: {
      const words = WORDS_BY_PERIOD[item.status_detail];
      const period = item.extra.period_scores.find(({ period }) => words !== undefined && period in words)?.period;
      return (words?.[period ?? ''] ?? WORDS[item.status_detail])[lang];
    }
  }
}

export const sideOf = (item: MatchItem, side: 'home' | 'away') => item.participants.find((one) => one.side === side)!;
export const nameOf = ({ name, name_ru }: { name: string; name_ru: string | null }, lang: Lang) =>
  lang === 'ru' ? (name_ru ?? name) : name;

/** Returns the URL of a side's picture, relative to the root. */
export const picturePath = ({ participant_id }: { participant_id: number }): string => `sides/${participant_id}/image`;

/** Returns the score of the shoot-out, if there was one. */
export const SHOOT_OUTS: ReadonlySet<string> = new Set(['PEN', 'SO']);
/** The short word beside its score. */
export const shootOutText = (kicks: { period: string }, lang: Lang): string =>
  kicks.period === 'SO' ? TEXTS[lang].pages.shootOutShort : TEXTS[lang].pages.penaltiesShort;
export const shootOut = (item: MatchItem) => item.extra.period_scores.find(({ period }) => SHOOT_OUTS.has(period));
/** Returns `4:2 pens` after a shoot-out, or else its winner; null if neither is known. */
export function shootOutResult(item: MatchItem, lang: Lang): string | null {
  const kicks = shootOut(item);
  if (kicks !== undefined) return `${kicks.home}:${kicks.away} ${shootOutText(kicks, lang)}`;
  const { shootout_winner: winner } = item.extra;
  return winner === undefined
    ? null
    : fill(TEXTS[lang].pages.wonOnPenalties, { team: nameOf(sideOf(item, winner), lang) });
}
