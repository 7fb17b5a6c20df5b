/** Player positions in the page's language. Sources write them as codes or as English words. */
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import type { Lang } from '../http/index.ts';
import { LINES_RU } from '../site/texts/index.ts';
import { findSport } from '../sports/sports.ts';

/** @param position as the source writes it; returned unchanged if the sport does not define it */
export function positionText(position: string | null, sport: string, lang: Lang): string | null {
  const words = findSport(sport)?.positionsRu;
  if (position === null || lang === 'en' || words === undefined) return position;
  const written = position.toLowerCase();
  if (words !== 'lines') return words[written] ?? position;
  const line = LINE_OF_POSITION.get(written);
  return (line === undefined ? undefined : LINES_RU[line]) ?? position;
}
