/** A match's status as a short text, and other values derived from list items. */
import { DRAWINGS_VERSION } from '../catalogue/index.ts';
import type { Lang } from '../http/index.ts';
import { fill, HALF_TIME, LIVE, STATUS_WORDS, STATUS_WORDS_BY_PERIOD, TEXTS } from '../site/texts/index.ts';
import type { MatchItem } from '../wire/match.ts';

/** Returns `67′`, `Half-time`, `Full time`; null for an upcoming match, whose start is shown instead. */
export function statusText(item: Pick<MatchItem, 'status_detail' | 'minute' | 'extra'>, lang: Lang): string | null {
  switch (item.status_detail) {
    case 'not_started':
      return null;
    case 'in_play':
    case 'extra_time':
      return item.minute === null ? LIVE[lang] : `${item.minute}′`;
    case 'break':
      return item.extra.period_scores.length === 1 ? HALF_TIME[lang] : STATUS_WORDS.break[lang];
    default: {
      const words = STATUS_WORDS_BY_PERIOD[item.status_detail];
      const period = item.extra.period_scores.find(({ period }) => words !== undefined && period in words)?.period;
      return (words?.[period ?? ''] ?? STATUS_WORDS[item.status_detail])[lang];
    }
  }
}

export const sideOf = (item: MatchItem, side: 'home' | 'away') => item.participants.find((one) => one.side === side)!;
export const nameOf = ({ name, name_ru }: { name: string; name_ru: string | null }, lang: Lang) =>
  lang === 'ru' ? (name_ru ?? name) : name;

/** Returns the URL of a side's picture, relative to the root. */
export const picturePath = ({ participant_id }: { participant_id: number }): string =>
  `sides/${participant_id}/image?v=${DRAWINGS_VERSION}`;

/** Codes of the periods that are shoot-outs. */
export const SHOOT_OUTS: ReadonlySet<string> = new Set(['PEN', 'SO']);
/** The short word next to the shoot-out score. */
export const shootOutText = (kicks: { period: string }, lang: Lang): string =>
  kicks.period === 'SO' ? TEXTS[lang].pages.shootOutShort : TEXTS[lang].pages.penaltiesShort;
export const shootOut = (item: MatchItem) => item.extra.period_scores.find(({ period }) => SHOOT_OUTS.has(period));
/** Returns `4:2 pens` after a shoot-out. If the kicks are unknown, returns the winner; null if that is unknown too. */
export function shootOutResult(item: MatchItem, lang: Lang): string | null {
  const kicks = shootOut(item);
  if (kicks !== undefined) return `${kicks.home}:${kicks.away} ${shootOutText(kicks, lang)}`;
  const { shootout_winner: winner } = item.extra;
  return winner === undefined
    ? null
    : fill(TEXTS[lang].pages.wonOnPenalties, { team: nameOf(sideOf(item, winner), lang) });
}
