/**
 * Interprets a query before any name is looked at: as typed; without words that mention the gender, a national team or
 * a club; the same keys in the other keyboard layout.
 */
import { foldName } from '../../db/fold-name.ts';
import { otherLayout } from './keyboard-layout.ts';

export interface Spelling {
  /** Folded words. */
  text: string;
  /** Factor for the quality of the spelling's hits. 1 for the query as typed. */
  weight: number;
  /** Restricts hits to this gender. */
  gender?: 'women';
  /** Restricts hits to national teams. */
  isNational?: true;
}

export interface Spellings {
  /** Empty if the query has no letter or digit, or no name can match it. */
  typed: readonly Spelling[];
  /** Spellings in the other keyboard layout, for queries that find nothing likely as typed. */
  swapped: readonly Spelling[];
  /** Whether the query has punctuation marks that are letters in the other layout. */
  mayBeSwapped: boolean;
}

const OTHER_LAYOUT_WEIGHT = 0.95;
/** Without words such as "FC", which are part of some names. */
const SHORTENED_WEIGHT = 0.95;
/** Further words of a query are ignored. */
const MAX_WORDS = 8;
/** A letter repeated by holding a key down. */
const REPEATED_LETTER = /(.)\1{3,}/gu;
/** No word in a name is longer. */
const MAX_WORD_LETTERS = 40;

/** Whether a folded text is a surname with initials, in any order. */
export function isInitials(text: string): boolean {
  const words = text.split(' ');
  const initials = words.filter((word) => word.length === 1).length;
  return initials > 0 && initials < words.length && !/\d/u.test(text);
}

const wordSet = (words: string) => new Set(words.split(' '));
/** Folded, in English, Russian, German, Spanish, French and Italian. */
const WOMEN = wordSet(
  'women womens woman ladies female frauen damen femenino femenina feminine feminines feminin femminile zhenskaya zhenskiy zhenskaia zhenskoy zhenshchiny zhen',
);
const NATIONAL = wordSet(
  'national sbornaya sbornoy sbornuyu nationalmannschaft nationalelf nationalteam seleccion selection equipe nazionale natsionalnaya',
);
/** Besides a word in NATIONAL. */
const NATIONAL_FILLERS = wordSet(
  'team football soccer of the de di la del futbol komanda po futbolu men mens muzhskaya',
);
const CLUB_FILLERS = wordSet(
  'fc fk cf afc club klub football futbol futbolnyy the fussball calcio soccer team komanda',
);
/** Russian case endings, since "сборная Франции" is the team of "Франция". */
const RUSSIAN_ENDING = /(?:yey|iya|ii|iyu|oy|ey|ov|yi|iy|[aeiouy])$/;
const MIN_STEM = 3;

/** х, ъ, ж, э, б, ю, ё beside a letter. */
const MARKS_OF_LETTERS = /[a-z][[\];',.`]|[[\];',.`][a-z]/iu;

const splitWords = (query: string) =>
  foldName(query).replace(REPEATED_LETTER, '$1$1$1').split(' ').filter(Boolean).slice(0, MAX_WORDS);
const CYRILLIC = /[а-яё]/iu;

/** @returns spellings in the order in which they are tried */
export function buildSpellings(query: string): Spellings {
  const words = splitWords(query);
  if (words.some(isImpossible)) return { typed: [], swapped: [], mayBeSwapped: false };
  const other = otherLayout(query);
  const otherWords = other === null ? [] : splitWords(other);
  // Punctuation keys leave single letters, which begin words in many names.
  const isSwappable = otherWords.length > 0 && !otherWords.some((word) => word.length === 1 || isImpossible(word));
  return {
    typed: words.length === 0 ? [] : [{ text: words.join(' '), weight: 1 }, ...shortened(words, CYRILLIC.test(query))],
    swapped: isSwappable ? [{ text: otherWords.join(' '), weight: OTHER_LAYOUT_WEIGHT }] : [],
    mayBeSwapped: MARKS_OF_LETTERS.test(query),
  };
}

const isImpossible = (word: string) => word.length > MAX_WORD_LETTERS;

/** Returns the query without the words that describe the team kind. */
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
