import type { Lang } from '../http/index.ts';
import { findSport } from '../sports/sports.ts';

/** @param slug returned unchanged for an unknown sport */
export function sportName(slug: string, lang: Lang): string {
  const sport = findSport(slug);
  if (sport === undefined) return slug;
  return lang === 'en' ? sport.name : sport.name_ru;
}
