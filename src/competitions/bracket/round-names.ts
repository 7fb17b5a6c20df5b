/** Recognizes knock-out rounds by their names in the sources, with the patterns in data/bracket/rounds.yaml. Pure. */
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';
import { z } from 'zod';
import { findSport } from '../../sports/sports.ts';

const SUFFIXES = ['leg', 'game', 'replay', 'tie'] as const;
export type Suffix = (typeof SUFFIXES)[number];

const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
const source = z.string().transform(unaccented);
/** A regular expression that has to match the whole text. */
const pattern = source.transform((text) => new RegExp(`^(?:${text})$`, 'u'));
const entry = z.strictObject({
  name: z.string(),
  match: z.array(pattern).min(1),
  sides: z.int().min(2).optional(),
  numbered: z.literal(true).optional(),
  beside: z.strictObject({ round: z.string(), name: z.string() }).optional(),
  aside: z.literal(true).optional(),
});
const file = z.strictObject({
  words: z.record(z.string(), z.int().min(1)),
  phases: z.array(pattern),
  suffixes: z.record(z.enum(SUFFIXES), z.array(source)),
  rounds: z.array(entry),
});
type Entry = z.infer<typeof entry>;

export interface KnockoutRound {
  /** "Round of 16"; "Path A, Semi-finals". */
  name: string;
  /** Name prefix, such as "Path A", because a season may have several finals. Null for the only or main part. */
  part: string | null;
  /** Rounds are played in ascending order by the first number, then by the second. */
  order: readonly [number, number];
  /** Number of sides in the complete round; null if the name does not tell. */
  sides: number | null;
  /** True if a matchday in a league may have the same name. */
  numbered: boolean;
  /** Another round that other sides play at the same time, and the name of the two together; null if there is none. */
  beside: { round: string; name: string } | null;
  /** True if the winners do not play for the cup, as in a match for third place. */
  aside: boolean;
  suffix: Suffix | null;
}

const data = file.parse(parse(readFileSync(new URL('../../../data/bracket/rounds.yaml', import.meta.url), 'utf8')));
const SUFFIX_PATTERNS = SUFFIXES.map(
  (kind) => [kind, new RegExp(`^(.+?)[\\s,:(-]+(?:${data.suffixes[kind].join('|')})\\)?$`, 'u')] as const,
);
/** Maximum length of a round name. Real names are shorter, and matching takes quadratic time or more. */
const MOST_CHARACTERS = 120;
const SEPARATOR = /,\s+|\s+[-–—|/]\s+|:\s+/gu;

/**
 * Returns true if matches in this sport can be drawn. Two matches between the same sides are then legs or a match and its
 * replay; otherwise they are legs or a series.
 */
export const hasDraws = (sport: string): boolean => findSport(sport)?.draws ?? true;

/** Converts to lower case, without accents, with one kind of hyphen. */
const folded = (text: string) =>
  unaccented(text.toLowerCase())
    .replace(/[‐‑–—]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();

const isPhase = (text: string) => data.phases.some((phase) => phase.test(folded(text)));

/** Returns the round with this number of sides, for example "Semi-finals" for 4. Used if no source has named the round. */
export const toKnockoutRound = (sides: number, part: string | null): KnockoutRound =>
  listedRound(sides === 4 ? 'semi-finals' : sides === 2 ? 'final' : `round of ${sides}`, part);
export const thirdPlace = (part: string | null): KnockoutRound => listedRound('third place', part);

function listedRound(name: string, part: string | null): KnockoutRound {
  const found = readName(name)!;
  return { ...found, name: inPart(found.name, part), part };
}

/** Returns the name of a round in a part of the season. */
export const inPart = (name: string, part: string | null) => (part === null ? name : `${part}, ${name}`);

/** Maximum number of cached names. A season uses a few names in hundreds of matches. */
const MOST_NAMES = 2_000;
const names = new LRUCache<string, { round: KnockoutRound | null }>({ max: MOST_NAMES });

/**
 * @param written the match's round as the source names it
 * @param group the match's group; some sources put the stage here
 * @returns null if the text does not name a knock-out round
 */
export function knockoutRound(written: string, group: string | null): KnockoutRound | null {
  if (written.length > MOST_CHARACTERS) return null;
  const key = JSON.stringify([written, group]);
  const known = names.get(key) ?? { round: readRound(written, group) };
  names.set(key, known);
  return known.round;
}

/** Returns true if the name means a round whose winners do not play for the cup, as in a match for third place. */
export const isAside = (name: string): boolean => knockoutRound(name, null)?.aside === true;

function readRound(written: string, group: string | null): KnockoutRound | null {
  const found = readWhole(written) ?? readParts(written);
  if (found === null) return null;
  // A numbered round in a group is a matchday.
  if (found.numbered && group !== null && !isPhase(group)) return null;
  const stage = group === null || isPhase(group) ? null : group;
  const part = found.part ?? stage;
  return { ...found, part, name: inPart(found.name, part) };
}

function readWhole(written: string): KnockoutRound | null {
  const text = folded(written);
  const plain = readName(text);
  if (plain !== null) return plain;
  for (const [suffix, split] of SUFFIX_PATTERNS) {
    const found = readName(split.exec(text)?.[1] ?? '');
    if (found !== null) return { ...found, suffix };
  }
  return null;
}

/** Reads a name with prefixes, such as "Path A, Final" or "Play-offs - Semi-finals - Game 2". */
function readParts(written: string): KnockoutRound | null {
  for (const { index, 0: separator } of written.matchAll(SEPARATOR)) {
    const found = readWhole(written.slice(index + separator.length));
    if (found === null) continue;
    const prefix = written.slice(0, index).trim();
    return isPhase(prefix) ? { ...found, numbered: false } : { ...found, part: prefix };
  }
  return null;
}

/** @param text in lower case, as `folded` returns it */
function readName(text: string): KnockoutRound | null {
  for (const [index, one] of data.rounds.entries()) {
    for (const candidate of one.match) {
      const groups = candidate.exec(text);
      const found = groups && roundFrom(one, index, groups.groups ?? {});
      if (found) return found;
    }
  }
  return null;
}

function roundFrom(one: Entry, index: number, groups: Record<string, string | undefined>): KnockoutRound | null {
  const { ordinal } = groups;
  const number = ordinal === undefined ? Number(groups.number ?? 0) : data.words[ordinal];
  if (number === undefined) return null;
  const sides = one.sides ?? (Number(groups.sides ?? 0) || 2 * Number(groups.ties ?? 0) || null);
  const usualIndex =
    sides !== null && one.sides === undefined ? data.rounds.findIndex((other) => other.sides === sides) : -1;
  const usual = data.rounds[usualIndex];
  // A round's usual name is used if there is one, for example "Quarter-finals" instead of "Round of 8".
  if (usual !== undefined) return roundFrom(usual, usualIndex, {});
  // All rounds with more than 8 sides have the same place in the order; within it, the number of sides decides.
  const place = sides !== null && sides > 8 ? data.rounds.findIndex(({ name }) => name === 'Round of {sides}') : index;
  return {
    name: one.name.replace('{sides}', String(sides)).replace('{number}', String(number)),
    part: null,
    order: [place, sides === null ? number : -sides],
    sides,
    numbered: one.numbered === true,
    beside: one.beside ?? null,
    aside: one.aside === true,
    suffix: null,
  };
}
