/** Player positions in the page's language. Sources write them as codes or as English words. */
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import type { Lang } from '../http/index.ts';
import { LINES } from '../site/texts/index.ts';
import { findSport } from '../sports/sports.ts';

/** A letter for a team line, which readers need not know. Other codes, such as GK or CB, are widely known in English. */
const LETTER = /^[a-z]$/i;

/**
 * @param position as the source writes it: a code, a word, or several with commas between them. What the sport does not define is
 * returned unchanged
 */
export function positionText(position: string | null, sport: string, lang: Lang): string | null {
  const words = findSport(sport)?.positionsRu;
  if (position === null || words === undefined) return position;
  const one = (written: string) => {
    if (words !== 'lines') return lang === 'en' ? written : (words[written.toLowerCase()] ?? written);
    const line = LINE_OF_POSITION.get(written.toLowerCase());
    return line === undefined || (lang === 'en' && !LETTER.test(written)) ? written : (LINES[lang][line] ?? written);
  };
  return position.split(/, ?/).map(one).join(', ');
}
