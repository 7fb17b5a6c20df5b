/** The persons that names may mean, and figures: one name in one team, over a time in which it is plausibly one person. Pure. */
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
  /** Folded words of each of the names. */
  names: readonly (readonly string[])[];
  country: string | null;
  /** Day number (days since 1970); null if unknown. */
  born: number | null;
  isGoalkeeper: boolean;
  /** Matches in which a source with ids has the player, by team: days, ascending. */
  played: ReadonlyMap<number, readonly number[]>;
  /** National teams among them. */
  nations: readonly number[];
  /** Folded name of the club in a squad list, without "FC"; null if unknown. */
  club: string | null;
}

export interface Mention {
  match_id: number;
  side: string;
  /** As written by the source: spellings of a name differ in accents. */
  name: string;
  /** Day number of the match. */
  day: number;
  /** Names of one list are different players. */
  block: string;
}

/** A name in a team. */
export interface NamedInTeam {
  kind: string;
  team_id: number;
  /** The identity of the team, which does not depend on the import order. */
  team_key: string;
  /** The folded name of the team, without "FC". */
  team: string;
  team_country: string | null;
  isNational: boolean;
  /** As written. */
  name: string;
  mentions: readonly Mention[];
  /** Goals, which rule out goalkeepers. */
  goals: number;
  /** Whether the name occurs other than with a card, which may be a coach's. */
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
/** Two mentions of a name in a team with a longer gap are father and son, or namesakes. */
const LONGEST_GAP = 7 * YEAR;
/**
 * The same for a full name in a national team, where namesakes are rare: of 173 names of scorers with a gap of 7 to 15
 * years, one is two persons. Nations that share few family names have more namesakes.
 */
const LONGEST_NATIONAL_GAP = { usual: 15 * YEAR, fewFamilyNames: 10 * YEAR } as const;
/** No player stays with a team for longer. */
const LONGEST_CAREER = 24 * YEAR;

/** @returns in the order of keys, so that the periods of a name follow in the order of time */
export function groupFigures(named: readonly NamedInTeam[]): Figure[] {
  const figures = named.flatMap((one) => {
    const written = readName(one.name);
    return splitPeriods(one.mentions).map(({ mentions, first, last }, index): Figure => {
      // The first of several periods keeps its key when a later one is added.
      const since = index === 0 ? '' : `:${yearOf(first)}`;
      const key = `${one.kind}|${one.team_key}:${written.folded}${since}`;
      return { ...one, mentions, key, formerKeys: [], first, last, written };
    });
  });
  return figures.sort((a, b) => compareTexts(a.key, b.key));
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const yearOf = (day: number) => new Date(day * DAY_MS).getUTCFullYear();

/** Mentions without a long gap, and the days of the first and the last of them. */
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

/** Returns two periods of a name in a team as one figure; null if they are too far apart for one career. */
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
