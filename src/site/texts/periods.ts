/** Names of a match's periods, in the words of its sport. */
import type { Lang } from '../../http/index.ts';
import type { PeriodWord } from '../../sports/sport-words.ts';
import { sportWords } from '../../sports/sports.ts';

/** Quarters, innings, sets and similar periods have numbers. Halves and overtime have other codes. */
const NUMBERED = /^([A-Z]+)(\d+)$/u;

function periodWord(period: string, sport: string): { text?: PeriodWord | undefined; number: string } {
  const { periods } = sportWords(sport);
  const [, kind = '', number = ''] = NUMBERED.exec(period) ?? [];
  return { text: periods[period] ?? periods[kind], number };
}

function inWords(period: string, sport: string, lang: Lang, form: 'name' | 'within'): string {
  const { text, number } = periodWord(period, sport);
  if (text === undefined) return period;
  const shown = text[form][lang];
  // A second overtime has the word for overtime and a number behind it.
  return shown.includes('#') ? shown.replace('#', number) : `${shown} ${number}`.trim();
}

/** Returns `Quarter 2`, `2-я четверть`. @param period its code; an unknown one is returned unchanged */
export const periodName = (period: string, sport: string, lang: Lang): string => inWords(period, sport, lang, 'name');

/** Returns the name as a sentence uses it: `quarter 2`, «2-й четверти». @param period its code; an unknown one is returned unchanged */
export const periodInSentence = (period: string, sport: string, lang: Lang): string =>
  inWords(period, sport, lang, 'within');

/** Returns the head of a period's column: `2`, `OT`. */
export function periodHead(period: string, sport: string, lang: Lang): string {
  const { text, number } = periodWord(period, sport);
  return `${text?.short?.[lang] ?? ''}${number}` || period;
}
