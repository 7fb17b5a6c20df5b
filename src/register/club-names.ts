/** Compares names of clubs as registers write them with ours. Pure. */

/** Words that say only that a name is a club's. Names that differ in nothing else are the same. */
// biome-ignore format: a list
const GENERAL = new Set([
  'ac', 'acf', 'ad', 'afc', 'as', 'asd', 'bk', 'ca', 'cd', 'cf', 'club', 'clube', 'clubs', 'cr', 'cs', 'csd', 'da', 'de', 'do', 'ec', 'el', 'fc', 'ff',
  'fk', 'football', 'futbol', 'futebol', 'fussball', 'esporte', 'hfc', 'hnk', 'if', 'jk', 'kv', 'la', 'mfk', 'nk', 'pfc', 'rc', 'rfc', 'sad', 'sc', 'sd',
  'sfc', 'sk', 'sp', 'spa', 'sport', 'ss', 'ssc', 'ssv', 'sv', 'the', 'tsg', 'tsv', 'ud', 'us', 'vfb', 'vfl',
]);
/** Clubs of one town in Scandinavia differ in these words alone: Kolding IF, Kolding BK, and Kolding FC are three clubs. */
const KINDS = new Set(['bk', 'fc', 'ff', 'if']);
const LEADING_GENERAL = /^(?:club|clube) (?:atletico|deportivo|sportivo) /u;

/** A name without general words and numbers, and the numbers. */
export interface ClubName {
  folded: string;
  /** The words of `KINDS` in the name. */
  kinds: readonly string[];
  /** Empty if the name has only general words. */
  plain: string;
  /** The last two digits of each number, such as "96", "04", or "99" for 1899. */
  numbers: string;
}

/** True for a year or a short form of one. A single digit may be the number of a squad, unless the name begins with 1. */
const isNumber = (word: string, at: number) => /^\d{2,}$/u.test(word) || (at === 0 && word === '1');

/** @param folded see `foldName` */
export function readClubName(folded: string): ClubName {
  const words = folded.replace(LEADING_GENERAL, '').split(' ');
  return {
    folded,
    kinds: words.filter((word) => KINDS.has(word)),
    plain: words.filter((word, at) => !GENERAL.has(word) && !isNumber(word, at)).join(' '),
    numbers: words
      .filter((word) => /^\d{2,}$/u.test(word))
      .map((number) => number.slice(-2))
      .join(' '),
  };
}

/** How well a register's name fits one of ours; higher is better. */
export const CLUB_FIT = {
  none: 0,
  /** Nothing but general words differs, and no numbers contradict each other. */
  plain: 1,
  /** The whole name is one of our names. */
  name: 2,
  /** Identity resolves the name to our club, by the reviewed files. */
  identity: 3,
} as const;
export type ClubFit = (typeof CLUB_FIT)[keyof typeof CLUB_FIT];

export function fitNames(a: ClubName, b: ClubName): ClubFit {
  if (a.folded === b.folded) return CLUB_FIT.name;
  if (a.plain === '' || a.plain !== b.plain) return CLUB_FIT.none;
  if (a.kinds.length > 0 && b.kinds.length > 0 && !a.kinds.some((kind) => b.kinds.includes(kind))) return CLUB_FIT.none;
  return a.numbers !== '' && b.numbers !== '' && a.numbers !== b.numbers ? CLUB_FIT.none : CLUB_FIT.plain;
}
