import type { Lang } from '../../http/index.ts';

/** Position names by team line, starting with the goalkeeper. */
export const LINES: Record<Lang, readonly string[]> = {
  en: ['Goalkeeper', 'Defender', 'Midfielder', 'Forward'],
  ru: ['вратарь', 'защитник', 'полузащитник', 'нападающий'],
};
