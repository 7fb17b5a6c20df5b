/** Knock-out pairing results in both languages. The API returns them in English. */
import type { Lang } from '../../http/index.ts';

/** English result phrases with their Russian translations. Scores are the same in both languages. */
const RESULT_RU: readonly (readonly [RegExp, string])[] = [
  [/after extra time/g, 'после доп. времени'],
  [/on penalties/g, 'по пенальти'],
  [/on aggregate/g, 'по сумме матчей'],
  [/on away goals/g, 'по голам на выезде'],
  [/in the replay/g, 'в переигровке'],
  [/in the series/g, 'в серии'],
  [/by lot/g, 'по жребию'],
];

export const pairingResultText = (result: string | null, lang: Lang): string =>
  lang === 'en'
    ? (result ?? '')
    : RESULT_RU.reduce((text, [words, russian]) => text.replace(words, russian), result ?? '');
