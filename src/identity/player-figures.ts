/**
 * Persons that names may stand for, and figures. A figure is one name in one team, over a period in which it is plausibly one
 * person. Pure.
 */
import { DAY_MS } from '../wire/time.ts';
import { FAMILY_NAME_FIRST } from './person-key.ts';
import { readName, type WrittenName } from './player-names.ts';

/** A player identified by birth date or id. */
export interface Person {
  id: number;
  /** The person's identity, which does not depend on the import order. */
  key: string;
  /** sport|gender */
  kind: string;
  /** The folded words of each of the person's names. */
  names: readonly (readonly string[])[];
  country: string | null;
  /** Day number (days since 1970). Null if unknown. */
  born: number | null;
  isGoalkeeper: boolean;
  /** For each team, the days (ascending) of the matches in which a source with ids lists the player. */
  played: ReadonlyMap<number, readonly number[]>;
  /** The national teams in `played`. */
  nations: readonly number[];
  /** The club's folded name without "FC", from a squad list. Null if unknown. */
  club: string | null;
}

export interface Mention {
  match_id: number;
  side: string;
  /** The name as the source writes it. Two spellings may differ only in accents. */
  name: string;
  /** The match's day number. */
  day: number;
  /** The block that has the name. Two names in the same block are different players. */
  block: string;
}

/** A name in a team. */
export interface NamedInTeam {
  kind: string;
  team_id: number;
  /** The team identity, which does not depend on the import order. */
  team_key: string;
  /** The team's folded name, without "FC". */
  team: string;
  team_country: string | null;
  isNational: boolean;
  /** The name as the source writes it. */
  name: string;
  mentions: readonly Mention[];
  /** The goals scored under this name. A name with goals is not a goalkeeper's. */
  goals: number;
  /** True if the name occurs not only on cards. A name that is only on cards may be a coach's. */
  hasPlayed: boolean;
}

export interface Figure extends NamedInTeam {
  /** Unique key, independent of the import order. */
  key: string;
  /** Keys of the later periods that have been joined to this figure. */
  formerKeys: readonly string[];
  first: number;
  last: number;
  written: WrittenName;
}

export const YEAR = 365.25;
/** If a name is missing from a team for longer than this, it is two people before and after, such as father and son. */
const LONGEST_GAP = 7 * YEAR;
/**
 * The longest gap for a full name in a national team, where namesakes are rare. Of 173 scorers' names with a gap of 7 to 15
 * years, only one is two people. Namesakes are more common in nations with few family names.
 */
const LONGEST_NATIONAL_GAP = { usual: 15 * YEAR, fewFamilyNames: 10 * YEAR } as const;
/** No player stays with a team for longer. */
const LONGEST_CAREER = 24 * YEAR;

/** Groups names into figures. @returns figures in key order, so that the periods of a name are in order of time */
export async function groupFigures(named: readonly NamedInTeam[], pause: () => Promise<unknown>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const one of named) {
    await pause();
    const written = readName(one.name);
    for (const [index, { mentions, first, last }] of splitPeriods(one.mentions).entries()) {
      // The first period's key has no year, so that it stays the same when a later period is added.
      const since = index === 0 ? '' : `:${yearOf(first)}`;
      const key = `${one.kind}|${one.team_key}:${written.folded}${since}`;
      figures.push({ ...one, mentions, key, formerKeys: [], first, last, written });
    }
  }
  return figures.sort((a, b) => compareTexts(a.key, b.key));
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const yearOf = (day: number) => new Date(day * DAY_MS).getUTCFullYear();

/** Mentions of a name without a long gap, with the days of the first and last mention. */
interface Period {
  mentions: Mention[];
  first: number;
  last: number;
}

function splitPeriods(mentions: readonly Mention[]): Period[] {
  const sorted = mentions.toSorted((a, b) => a.day - b.day || a.match_id - b.match_id);
  const periods: Period[] = [];
  for (const mention of sorted) {
    const { day } = mention;
    const period = periods.at(-1);
    if (period === undefined || day - period.last > LONGEST_GAP || day - period.first > LONGEST_CAREER)
      periods.push({ mentions: [mention], first: day, last: day });
    else {
      period.mentions.push(mention);
      period.last = day;
    }
  }
  return periods;
}

/** Joins two periods of a name in a team into one figure. Returns null if they are too far apart for one career. */
export function joinPeriods(earlier: Figure, later: Figure): Figure | null {
  const { isNational, team_country, written } = earlier;
  if (!isNational || written.initials.length > 0 || written.words.length < 2) return null;
  const gap = LONGEST_NATIONAL_GAP[FAMILY_NAME_FIRST.has(team_country ?? '') ? 'fewFamilyNames' : 'usual'];
  if (later.first - earlier.last > gap || later.last - earlier.first > LONGEST_CAREER) return null;
  return {
    ...earlier,
    mentions: [...earlier.mentions, ...later.mentions],
    formerKeys: [...earlier.formerKeys, later.key],
    last: later.last,
  };
}

/** True if the list contains the day. @param days ascending */
export function hasDay(days: readonly number[], day: number): boolean {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return days[low] === day;
}
