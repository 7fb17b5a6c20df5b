import type { Lang } from '../http/index.ts';
import { nameText } from '../site/components/index.ts';
import type { Html } from '../site/html.ts';
import { failureRu } from '../site/texts/index.ts';

/** Says why an attempt to deliver failed. */
export const failureText = (failure: string, lang: Lang): Html =>
  nameText(lang === 'ru' ? failureRu(failure) : failure, lang);
