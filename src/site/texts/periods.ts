/** Names of match periods for use within a sentence, as in “start of the …”. */
import type { Lang } from '../../http/index.ts';

const NUMBERED: readonly (readonly [RegExp, Record<Lang, string>])[] = [
  [/^Q(\d+)$/u, { en: 'quarter $1', ru: '$1-й четверти' }],
  [/^P(\d+)$/u, { en: 'period $1', ru: '$1-го периода' }],
  [/^I(\d+)$/u, { en: 'inning $1', ru: '$1-го иннинга' }],
  [/^S(\d+)$/u, { en: 'set $1', ru: '$1-й партии' }],
  [/^R(\d+)$/u, { en: 'round $1', ru: '$1-го раунда' }],
  [/^M(\d+)$/u, { en: 'map $1', ru: '$1-й карты' }],
];
const PERIODS: Record<string, Record<Lang, string>> = {
  '1H': { en: 'first half', ru: 'первого тайма' },
  '2H': { en: 'second half', ru: 'второго тайма' },
  ET: { en: 'extra time', ru: 'дополнительного времени' },
  OT: { en: 'overtime', ru: 'овертайма' },
  PEN: { en: 'shoot-out', ru: 'серии пенальти' },
  SO: { en: 'shoot-out', ru: 'серии буллитов' },
};

/** @param period period code; an unknown one is returned unchanged */
export function periodText(period: string, lang: Lang): string {
  const numbered = NUMBERED.find(([pattern]) => pattern.test(period));
  if (numbered === undefined) return PERIODS[period]?.[lang] ?? period;
  const [pattern, text] = numbered;
  return period.replace(pattern, text[lang]);
}
