/**
 * Turns a query into the spellings to search for, before any name is read. These are the query as typed, the query without
 * words for the gender, a national team or a club, and the same keys in the other keyboard layout.
 */
import { foldName } from '../../db/fold-name.ts';
import { otherLayout } from './keyboard-layout.ts';

export interface Spelling {
  /** The folded words. */
  text: string;
  /** Factor for the quality of this spelling's hits. 1 for the query as typed. */
  weight: number;
  /** If present, only hits with this gender count. */
  gender?: 'women';
  /** If present, only national teams count. */
  isNational?: true;
}

export interface Spellings {
  /** Spellings of the query as typed. Empty if the query has no letter or digit, or if no name can match it. */
  typed: readonly Spelling[];
  /** Spellings in the other keyboard layout, for a query without a likely hit as typed. */
  swapped: readonly Spelling[];
  /** True if the query has punctuation marks that are letters in the other layout. */
  mayBeSwapped: boolean;
}

const OTHER_LAYOUT_WEIGHT = 0.95;
/** Factor for a spelling without words such as "FC". Such words are part of some names, so the full query weighs more. */
const SHORTENED_WEIGHT = 0.95;
/** Maximum number of words. The rest of a longer query is ignored. */
const MAX_WORDS = 8;
/** A letter repeated because a key was held down. */
const REPEATED_LETTER = /(.)\1{3,}/gu;
/** Maximum number of letters in a word. No name has a longer word. */
const MAX_WORD_LETTERS = 40;

/** True if a folded text is a surname with initials, in any order. */
export function isInitials(text: string): boolean {
  const words = text.split(' ');
  const initials = words.filter((word) => word.length === 1).length;
  return initials > 0 && initials < words.length && !/\d/u.test(text);
}

const wordSet = (words: string) => new Set(words.split(' '));
/** Folded words for women in English, Russian, German, Spanish, French and Italian. */
const WOMEN = wordSet(
  'women womens woman ladies female frauen damen femenino femenina feminine feminines feminin femminile zhenskaya zhenskiy zhenskaia zhenskoy zhenshchiny zhen',
);
const NATIONAL = wordSet(
  'national sbornaya sbornoy sbornuyu nationalmannschaft nationalelf nationalteam seleccion selection equipe nazionale natsionalnaya',
);
/** Words that are left out if the query also has a word from NATIONAL. */
const NATIONAL_FILLERS = wordSet(
  'team football soccer of the de di la del futbol komanda po futbolu men mens muzhskaya',
);
const CLUB_FILLERS = wordSet(
  'fc fk cf afc club klub football futbol futbolnyy the fussball calcio soccer team komanda',
);
/** Russian case endings. "сборная Франции", for example, means the team of "Франция". */
const RUSSIAN_ENDING = /(?:yey|iya|ii|iyu|oy|ey|ov|yi|iy|[aeiouy])$/;
const MIN_STEM = 3;

/** Punctuation keys of the letters х, ъ, ж, э, б, ю, ё, next to a letter. */
const MARKS_OF_LETTERS = /[a-z][[\];',.`]|[[\];',.`][a-z]/iu;

const splitWords = (query: string) =>
  foldName(query).replace(REPEATED_LETTER, '$1$1$1').split(' ').filter(Boolean).slice(0, MAX_WORDS);
const CYRILLIC = /[а-яё]/iu;

/** Returns a query's spellings. @returns spellings in the order in which they are tried */
export function buildSpellings(query: string): Spellings {
  const words = splitWords(query);
  if (words.some(isImpossible)) return { typed: [], swapped: [], mayBeSwapped: false };
  const other = otherLayout(query);
  const otherWords = other === null ? [] : splitWords(other);
  // A word of a single letter would begin words in many names. Punctuation keys may result in such words.
  const isSwappable = otherWords.length > 0 && !otherWords.some((word) => word.length === 1 || isImpossible(word));
  return {
    typed: words.length === 0 ? [] : [{ text: words.join(' '), weight: 1 }, ...shortened(words, CYRILLIC.test(query))],
    swapped: isSwappable ? [{ text: otherWords.join(' '), weight: OTHER_LAYOUT_WEIGHT }] : [],
    mayBeSwapped: MARKS_OF_LETTERS.test(query),
  };
}

const isImpossible = (word: string) => word.length > MAX_WORD_LETTERS;

/** Returns spellings without the words that describe the kind of team. Empty if the query has no such words. */
function shortened(words: readonly string[], isRussian: boolean): Spelling[] {
  const isWomen = words.some((word) => WOMEN.has(word));
  const isNational = words.some((word) => NATIONAL.has(word));
  const drop = [WOMEN, ...(isNational ? [NATIONAL, NATIONAL_FILLERS] : [CLUB_FILLERS])];
  const rest = words.filter((word) => !drop.some((set) => set.has(word)));
  if (rest.length === 0 || rest.length === words.length) return [];
  const kind = {
    weight: SHORTENED_WEIGHT,
    ...(isWomen && { gender: 'women' as const }),
    ...(isNational && { isNational: true as const }),
  };
  const spellings: Spelling[] = [{ text: rest.join(' '), ...kind }];
  const stems = rest.map(stem);
  if (isRussian && isNational && stems.join(' ') !== rest.join(' ')) spellings.push({ text: stems.join(' '), ...kind });
  return spellings;
}

function stem(word: string): string {
  const stem = word.replace(RUSSIAN_ENDING, '');
  return stem.length >= MIN_STEM ? stem : word;
}
