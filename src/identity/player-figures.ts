/**
 * The persons that names may mean, and figures. A figure is one name in one team, over a time in which it is plausibly one person.
 * Pure.
 */
import { DAY_MS } from '../wire/time.ts';
import { FAMILY_NAME_FIRST } from './person-key.ts';
import { readName, type WrittenName } from './player-names.ts';

/** A player identified by birth date or id. */
export interface Person {
  id: number;
  /** The identity, which does not depend on the import order. */
  key: string;
  /** sport|gender */
  kind: string;
  /** Folded words in each name. */
  names: readonly (readonly string[])[];
  country: string | null;
  /** Day number (days since 1970). Null if unknown. */
  born: number | null;
  isGoalkeeper: boolean;
  /** Matches in which a source with ids has the player, as days in ascending order by team. */
  played: ReadonlyMap<number, readonly number[]>;
  /** The national teams in `played`. */
  nations: readonly number[];
  /** The club's folded name in a squad list, without "FC". Null if unknown. */
  club: string | null;
}

export interface Mention {
  match_id: number;
  side: string;
  /** As the source writes it, because spellings differ in accents. */
  name: string;
  /** The match's day number. */
  day: number;
  /** Names in one list are different players. */
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
  /** As written. */
  name: string;
  mentions: readonly Mention[];
  /** Goals, which rule out goalkeepers. */
  goals: number;
  /** True if the name also occurs without a card, which may be a coach's. */
  hasPlayed: boolean;
}

export interface Figure extends NamedInTeam {
  /** Unique, and independent of the import order. */
  key: string;
  /** Keys of later periods that were joined to this figure. */
  formerKeys: readonly string[];
  first: number;
  last: number;
  written: WrittenName;
}

export const YEAR = 365.25;
/** If a name occurs twice in a team with a longer gap, the two are father and son, or namesakes. */
const LONGEST_GAP = 7 * YEAR;
/**
 * The same for a full name in a national team, where namesakes are rare. Among 173 scorer names with a gap of 7 to 15 years, one is
 * two persons. Nations that share few family names have more namesakes.
 */
const LONGEST_NATIONAL_GAP = { usual: 15 * YEAR, fewFamilyNames: 10 * YEAR } as const;
/** No player stays with a team for longer. */
const LONGEST_CAREER = 24 * YEAR;

/** @returns in key order, so that a name's periods follow in time order */
export function groupFigures(named: readonly NamedInTeam[]): Figure[] {
  const figures = named.flatMap((one) => {
    const written = readName(one.name);
    return splitPeriods(one.mentions).map(({ mentions, first, last }, index): Figure => {
      // The first period keeps the key when a later one is added.
      const since = index === 0 ? '' : `:${yearOf(first)}`;
      const key = `${one.kind}|${one.team_key}:${written.folded}${since}`;
      return { ...one, mentions, key, formerKeys: [], first, last, written };
    });
  });
  return figures.sort((a, b) => compareTexts(a.key, b.key));
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const yearOf = (day: number) => new Date(day * DAY_MS).getUTCFullYear();

/** Mentions without a long gap, with the days of the first and the last mention. */
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

/** Returns two periods of a name in a team as one figure. Null if they are too far apart for one career. */
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

/** @param days ascending */
export function hasDay(days: readonly number[], day: number): boolean {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return days[low] === day;
}
