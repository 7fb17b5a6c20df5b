/** Texts for the script that shows stars, as data-… attributes of the page. */
import type { Lang } from '../http/index.ts';
import { NOTIFICATIONS, TEXTS } from '../site/texts/index.ts';

export const favouriteTexts = (lang: Lang): Record<string, string> => ({
  'favourite-text': TEXTS[lang].pages.favourite,
  'favourites-full': TEXTS[lang].pages.favouritesFull,
  ...NOTIFICATIONS[lang].script,
});
