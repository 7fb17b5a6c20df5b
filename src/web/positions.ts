/** Positions of players as pages show them. Sources write codes and words in English. */
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import type { Lang } from '../http/route.ts';

/** By the line of the team, from the goal on. */
const LINES_RU = ['вратарь', 'защитник', 'полузащитник', 'нападающий'];

/** @param position as the source writes it; a position of an unknown line stays */
export function positionText(position: string | null, lang: Lang): string | null {
  const line = position === null || lang === 'en' ? undefined : LINE_OF_POSITION.get(position.toLowerCase());
  return line === undefined ? position : LINES_RU[line]!;
}
