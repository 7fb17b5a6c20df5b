/** Compares player names as sources write them, in full or abbreviated, with full names. Pure. */
import { foldName } from '../db/fold-name.ts';

/** A name as written, folded. For example, "Salah M." has the surname "salah" and the initial "m". */
export interface WrittenName {
  /** All words, folded. */
  folded: string;
  /** Words of the last name, or of the whole name if it is not abbreviated. */
  words: string[];
  /** The first names' initials, such as "ch" for "Ch.". Empty if the name is not abbreviated. */
  initials: string[];
}

/** How well a written name fits a full name; higher is better. */
export const FIT = {
  /** No match. */
  none: 0,
  /**
   * The same surname, and another first name with the same initial. These may be brothers, or two forms of one name ("Joe",
   * "Joseph").
   */
  initial: 1,
  /** The surname only. */
  loose: 2,
  /** Another spelling: the same surname with a similar first name, or two words from a longer name. */
  similar: 3,
  /** Surname and initial. */
  abbreviated: 4,
  /** The same words. */
  full: 5,
} as const;
export type Fit = (typeof FIT)[keyof typeof FIT];

/**
 * Matches one or more groups of one to three letters and a dot, separated by hyphens or spaces: "M.", "Ch.", "J. S.", "P.-E.".
 */
const INITIALS = String.raw`(?:\p{L}{1,3}\.[\s-]*)+`;
const INITIALS_LAST = new RegExp(String.raw`^(\S.*?)\s+(${INITIALS})$`, 'u');
const INITIALS_FIRST = new RegExp(String.raw`^(${INITIALS})\s*(\p{L}{2,}.*)$`, 'u');
const SUFFIXES = new Set(['jr', 'junior', 'sr', 'filho', 'neto', 'ii', 'iii']);

const splitWords = (folded: string): string[] => folded.split(' ').filter((word) => word !== '');

export function readName(written: string): WrittenName {
  const name = written.normalize('NFC').trim();
  const folded = foldName(name);
  const last = INITIALS_LAST.exec(name);
  const first = last === null ? INITIALS_FIRST.exec(name) : null;
  const surname = last?.[1] ?? first?.[2];
  const given = last?.[2] ?? first?.[1];
  if (surname === undefined || given === undefined) return { folded, words: splitWords(folded), initials: [] };
  const initials = given
    .split('.')
    .map(foldName)
    .filter((initial) => initial !== '' && !SUFFIXES.has(initial));
  // A name such as "Gerald Phiri Jr." has no initials, so it counts as written in full.
  if (initials.length === 0) return { folded, words: splitWords(folded), initials };
  return { folded, words: splitWords(foldName(surname)), initials };
}

const startsAt = (words: readonly string[], at: number, part: readonly string[]) =>
  part.every((word, index) => words[at + index] === word);

/** Returns how well a written name fits a full name. @param full the words in a full name */
export function matchName({ words, initials }: WrittenName, full: readonly string[]): Fit {
  if (words.length === 0 || full.length === 0) return FIT.none;
  if (initials.length > 0) return abbreviatedFit(words, initials, full);
  if (isSame(words, full)) return FIT.full;
  return looseFit(words, full);
}

/**
 * Returns a folded word in a single transliteration, so that "Mykhailo" and "Mykhaylo" are equal. Does the same as sound_of
 * in the database.
 */
export const soundOf = (word: string): string =>
  word
    .replaceAll('x', 'ks')
    .replaceAll('ph', 'f')
    .replaceAll('ck', 'k')
    .replaceAll('kh', 'h')
    .replaceAll(/shch|sch/gu, 'sh')
    .replaceAll(/ts|tz/gu, 'c')
    .replaceAll(/([aou])e/gu, '$1')
    .replaceAll(/[jy]/gu, 'i')
    .replaceAll('w', 'v')
    .replaceAll(/(.)\1+/gu, '$1');

/** True if both names have the same words in any order. Sources disagree about the name order for Asian and Hungarian players. */
function isSame(words: readonly string[], full: readonly string[]): boolean {
  if (words.length !== full.length) return words.join('') === full.join('');
  return words.join('') === full.join('') || words.toSorted().join(' ') === full.toSorted().join(' ');
}

function abbreviatedFit(words: readonly string[], initials: readonly string[], full: readonly string[]): Fit {
  let fit: Fit = FIT.none;
  const ends = familyNameIndex(full);
  for (let at = 0; at + words.length <= full.length; at += 1) {
    if (!startsAt(full, at, words)) continue;
    const others = at === 0 ? full.slice(words.length) : full.slice(0, at);
    if (!others[0]?.startsWith(initials[0]!)) continue;
    // The second initial contradicts the full name. For example, "Larsen J. S." is not "Jacob Bruun Larsen".
    if (initials.length > 1 && others.length > 1 && !others.slice(1).some((word) => word.startsWith(initials[1]!)))
      continue;
    if (at > 0 && at + words.length >= ends) return FIT.abbreviated;
    fit = FIT.loose;
  }
  return fit;
}

/** Returns the number of words without a suffix such as "junior". */
function familyNameIndex(full: readonly string[]): number {
  let end = full.length;
  while (end > 1 && SUFFIXES.has(full[end - 1]!)) end -= 1;
  return end;
}

function looseFit(words: readonly string[], full: readonly string[]): Fit {
  const [short, long] = words.length < full.length ? [words, full] : [full, words];
  if (short.length > 1 && short.every((word) => long.includes(word))) return FIT.similar;
  if (short === words && startsAt(long, long.length - short.length, short)) return FIT.loose;
  if (words.length < 2 || full.length < 2 || contradicts(words, full)) return FIT.none;
  if (soundOf(words.join('')) === soundOf(full.join(''))) return FIT.similar;
  if (words.at(-1) !== full.at(-1)) return FIT.none;
  const [first, other] = [words[0]!, full[0]!];
  if (isSimilar(first, other)) return FIT.similar;
  return first.charAt(0) === other.charAt(0) ? FIT.initial : FIT.none;
}

/** True if both names have middle words, but none in common: "Park Yong-woo", "Park Jong-woo". */
export function contradicts(a: readonly string[], b: readonly string[]): boolean {
  const [middle, other] = [a.slice(1, -1), b.slice(1, -1)];
  return middle.length > 0 && other.length > 0 && !middle.some((word) => other.some((one) => isSimilar(word, one)));
}

/** Minimum length of an abbreviated first name, such as "Alex", "Joe" or "Ben". */
const SHORTEST_PREFIX = 3;
/** How many letters may differ at the end of two spellings, such as "Valery" and "Valeriy". */
const DIFFERENT_END = 2;
const SAME_START = 4;

function isSimilar(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= SHORTEST_PREFIX && long.startsWith(short)) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= SAME_START && long.length - same <= DIFFERENT_END;
}

/**
 * Returns the words with which to look up the persons that a written name may stand for. A person is a candidate if any of
 * these words is among the keys of the person's full names.
 */
export const searchWords = ({ words, initials }: WrittenName): string[] =>
  initials.length > 0 ? [words.at(-1)!] : [...new Set([words.at(-1)!, words[0]!, soundOf(words.join(''))])];

/** Returns the keys for a full name: the words, and the whole name's sound. */
export const nameKeys = (full: readonly string[]): string[] => [...full, soundOf(full.join(''))];

/** True if a full name ends with the surname of an abbreviated name. */
export const hasSurname = ({ words }: WrittenName, full: readonly string[]): boolean =>
  full.length > words.length && startsAt(full, familyNameIndex(full) - words.length, words);
