/** Measures how similar two participants' names are. Pure. */
import type { ParticipantType } from '../wire/match.ts';

/** General words in names, which say only what kind of club or squad a team is. */
const GENERAL = new Set([
  'fc', 'fk', 'sc', 'sv', 'cf', 'ac', 'as', 'afc', 'club', 'de', 'the', 'vfb', 'vfl', 'tsv', 'tsg', 'ssv', 'sk', 'bk', 'if', 'ff', 'cd', 'ud', 'rc', 'united',
]); // biome-ignore format: a list
/** Words that name another team within a club, such as reserves. Names with and without such a word never mean the same team. */
const SQUAD = /^(?:ii|iii|iv|b|u\d\d|am|amateure|reserves?|youth|women|ladies|frauen|w|juniors?)$/u;

const LEAST_TEAM = 0.4;
/** Minimum likeness if one name contains the other. */
const CONTAINED = 0.5;
/** Minimum likeness for two players with the same birth date. */
const LEAST_PLAYER = 0.35;

interface Named {
  /** Folded names. */
  names: readonly string[];
  birthDate: string | null;
}

function trigrams(name: string): Set<string> {
  const found = new Set<string>();
  for (const word of name.split(' ')) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) found.add(padded.slice(at, at + 3));
  }
  return found;
}

function similarity(a: string, b: string): number {
  const [first, second] = [trigrams(a), trigrams(b)];
  const shared = [...first].filter((part) => second.has(part)).length;
  return shared / (first.size + second.size - shared);
}

const plain = (name: string): string[] => name.split(' ').filter((word) => !GENERAL.has(word) && !/^\d+$/u.test(word));
const squad = (name: string): string =>
  name
    .split(' ')
    .filter((word) => SQUAD.test(word))
    .sort()
    .join(' ');

const numbers = (name: string): string =>
  name
    .split(' ')
    .filter((word, index) => /^\d+$/u.test(word) && !(index === 0 && word === '1'))
    .join(' ');
const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

/** True if the longer name has all words of the shorter one, ignoring general words, as with Köln and 1. FC Köln. */
function contains(a: string, b: string): boolean {
  const [first, second] = [plain(a), plain(b)];
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  return short.length > 0 && short.every((word) => word.length > 2 && long.includes(word));
}

const combine = (a: readonly string[], b: readonly string[]) =>
  a.flatMap((one) => b.map((other) => [one, other] as const));

/** Returns the likeness of the two most similar names, from 0 to 1. */
export const likeness = (a: readonly string[], b: readonly string[]): number =>
  Math.max(
    0,
    ...combine(a, b).map(([one, other]) => {
      if (squad(one) !== squad(other) || differ(numbers(one), numbers(other))) return 0;
      return Math.max(similarity(plain(one).join(' '), plain(other).join(' ')), contains(one, other) ? CONTAINED : 0);
    }),
  );

/** True if two participants may be the same, by their names and birth dates. */
export function areAlike(type: ParticipantType, a: Named, b: Named): boolean {
  if (type === 'team') return likeness(a.names, b.names) >= LEAST_TEAM;
  if (a.birthDate !== null && b.birthDate !== null)
    return a.birthDate === b.birthDate && likeness(a.names, b.names) >= LEAST_PLAYER;
  // If a birth date is missing, the names must have the same words, in any order.
  const words = (name: string) => name.split(' ').sort().join(' ');
  return combine(a.names, b.names).some(([one, other]) => one.includes(' ') && words(one) === words(other));
}
