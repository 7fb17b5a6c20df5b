/**
 * Finds the person that a name in a match means, if the source has only the name. Pure: the result depends only on the
 * known data, not on the order of its arrival or on earlier results.
 *
 * The names of a team are grouped into "figures": one name in one team, over a time in which it is plausibly one
 * person. A figure is linked to a person (a player with a birth date or a provider's id) if the name fits, the age is
 * plausible, and there is a confirmation: the person's line-ups or club, the nation of a national team, or that no
 * other player of the catalogue fits. A figure without a link is a person of its own under that name.
 */
import { FIT, type Fit, hasSurname, matchName, readName, searchWords, type WrittenName } from './player-names.ts';

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
  first: number;
  last: number;
  written: WrittenName;
}

/** Reason why a figure is that person. */
export type Reason = 'decided' | 'match' | 'club' | 'nation' | 'only';

export interface Link {
  person: number;
  fit: Fit;
  reason: Reason;
}

export interface Links {
  figures: readonly Figure[];
  /** Figure key -> the person. */
  links: ReadonlyMap<string, Link>;
  /** Figures with several persons that fit equally. */
  doubtful: readonly { figure: Figure; persons: readonly number[]; why: string }[];
}

const YEAR = 365.25;
/** Two mentions of a name in a team with a longer gap are father and son, or namesakes. */
const LONGEST_GAP = 7 * YEAR;
/** No player stays with a team for longer. */
const LONGEST_CAREER = 24 * YEAR;
/**
 * Ages of players in years. Without a confirmation the narrower range applies, since players of first-division clubs are
 * neither so young nor so old.
 */
const AGES = { any: [14.5, 46], unconfirmed: [16, 41] } as const;
/**
 * Line-ups of a team confirm a player for this long before and after; a part of a name they confirm for a shorter time.
 */
const CONFIRMED_FOR = 8 * YEAR;
const LOOSELY_CONFIRMED_FOR = 3 * YEAR;

/** @returns in the order of keys */
function groupFigures(named: readonly NamedInTeam[]): Figure[] {
  const figures = named.flatMap((one) => {
    const periods = splitPeriods(one.mentions);
    return periods.map((mentions): Figure => {
      const first = mentions[0]!.day;
      // The first of several periods keeps its key when a later one is added.
      const since = mentions === periods[0] ? '' : `:${yearOf(first)}`;
      return {
        ...one,
        mentions,
        key: `${one.kind}|${one.team_key}:${readName(one.name).folded}${since}`,
        first,
        last: mentions.at(-1)!.day,
        written: readName(one.name),
      };
    });
  });
  return figures.sort((a, b) => compareTexts(a.key, b.key));
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const yearOf = (day: number) => new Date(day * 86_400_000).getUTCFullYear();

function splitPeriods(mentions: readonly Mention[]): Mention[][] {
  const sorted = mentions.toSorted((a, b) => a.day - b.day || a.match_id - b.match_id);
  const periods: Mention[][] = [];
  for (const mention of sorted) {
    const period = periods.at(-1);
    const isOther =
      period === undefined ||
      mention.day - period.at(-1)!.day > LONGEST_GAP ||
      mention.day - period[0]!.day > LONGEST_CAREER;
    if (isOther) periods.push([mention]);
    else period.push(mention);
  }
  return periods;
}

interface Candidate {
  person: Person;
  fit: Fit;
  reason: Reason | null;
}

/** Reviewed decisions: sport|team key|folded name -> key of the person; null if the catalogue has no such person. */
export type Decisions = ReadonlyMap<string, string | null>;

/** Figures between two pauses. */
const FIGURES_AT_ONCE = 500;

/**
 * @param persons distinct persons
 * @param pause lets the process do other work meanwhile
 */
export async function linkFigures(
  persons: readonly Person[],
  named: readonly NamedInTeam[],
  decisions: Decisions = new Map(),
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Links> {
  const figures = groupFigures(named);
  const index = buildIndex(persons);
  const links = new Map<string, Link>();
  const doubtful: { figure: Figure; persons: number[]; why: string }[] = [];
  for (const [at, figure] of figures.entries()) {
    if (at % FIGURES_AT_ONCE === 0) await pause();
    const decided = decisions.get(`${figure.kind.split('|')[0]}|${figure.team_key}|${figure.written.folded}`);
    const choice =
      decided === undefined ? choose(figure, findCandidates(figure, index), index) : chosen(figure, decided, persons);
    const [best] = choice;
    if (best !== undefined && choice.length === 1)
      links.set(figure.key, { person: best.person.id, fit: best.fit, reason: best.reason! });
    else if (choice.length > 1)
      doubtful.push({ figure, persons: choice.map(({ person }) => person.id), why: 'several players fit' });
  }
  for (const { figure, why } of [...conflicts(figures, links, new Map(persons.map((person) => [person.id, person])))]) {
    doubtful.push({ figure, persons: [links.get(figure.key)!.person], why });
    links.delete(figure.key);
  }
  return { figures, links, doubtful };
}

type Index = ReadonlyMap<string, readonly Person[]>;

function buildIndex(persons: readonly Person[]): Index {
  const index = new Map<string, Person[]>();
  for (const person of persons) {
    const words = new Set(person.names.flatMap((name) => [...name, name.join('')]));
    for (const word of words) {
      const key = `${person.kind}|${word}`;
      const list = index.get(key);
      if (list === undefined) index.set(key, [person]);
      else list.push(person);
    }
  }
  return index;
}

function findCandidates(figure: Figure, index: Index): Candidate[] {
  const persons = new Set(searchWords(figure.written).flatMap((word) => index.get(`${figure.kind}|${word}`) ?? []));
  const candidates: Candidate[] = [];
  for (const person of persons) {
    if (!isPlausible(figure, person)) continue;
    const fit = Math.max(...person.names.map((name) => matchName(figure.written, name))) as Fit;
    if (fit !== FIT.none) candidates.push({ person, fit, reason: linkReason(figure, person, fit) });
  }
  return candidates;
}

function isPlausible(figure: Figure, { born, country, isGoalkeeper }: Person): boolean {
  if (figure.isNational && country !== figure.team_country) return false;
  if (isGoalkeeper && figure.goals > 0) return false;
  return isOfAge(figure, born, AGES.any);
}

const isOfAge = ({ first, last }: Figure, born: number | null, [youngest, oldest]: readonly [number, number]) =>
  born === null || (first - born >= youngest * YEAR && last - born <= oldest * YEAR);

function linkReason(figure: Figure, { played, club }: Person, fit: Fit): Reason | null {
  const days = played.get(figure.team_id);
  if (days !== undefined && figure.mentions.some(({ day }) => hasDay(days, day))) return 'match';
  if (fit === FIT.initial) return null;
  if (days !== undefined) {
    const time = fit === FIT.loose ? LOOSELY_CONFIRMED_FOR : CONFIRMED_FOR;
    if (days[0]! - figure.last <= time && figure.first - days.at(-1)! <= time) return 'club';
  }
  if (club !== null && club === figure.team) return 'club';
  // A player in a squad list plays for the nation, so a surname is enough.
  return figure.isNational && (fit > FIT.loose || club !== null) ? 'nation' : null;
}

const RANK: Record<Reason, number> = { decided: 4, match: 3, club: 2, nation: 1, only: 0 };
/** More than the greatest `Fit`. */
const FITS = 10;

/** Returns the reviewed person if the age is plausible: a decision is about one period of a name. */
function chosen(figure: Figure, key: string | null, persons: readonly Person[]): Candidate[] {
  const person = key === null ? undefined : persons.find((one) => one.key === key && one.kind === figure.kind);
  return person !== undefined && isOfAge(figure, person.born, AGES.any)
    ? [{ person, fit: FIT.full, reason: 'decided' }]
    : [];
}

/** Returns the best candidates: one is the person, several are ambiguous, an empty list is no person. */
function choose(figure: Figure, candidates: readonly Candidate[], index: Index): Candidate[] {
  const confirmed = candidates.filter(({ reason }) => reason !== null);
  if (confirmed.length > 0) return pickBest(confirmed);
  if (figure.isNational || !figure.hasPlayed) return [];
  const fitting = candidates.filter(
    ({ fit, person }) => fit >= FIT.abbreviated && isOfAge(figure, person.born, AGES.unconfirmed),
  );
  const full = fitting.filter(({ fit }) => fit === FIT.full);
  const best = full.length > 0 ? full : fitting;
  if (best.length === 1 && isCommon(figure, index)) return [];
  return best.map((candidate) => ({ ...candidate, reason: 'only' as const }));
}

/** With more players of one surname in the catalogue, an unlisted one is likely to share the initial too. */
const MOST_NAMESAKES = 8;

function isCommon(figure: Figure, index: Index): boolean {
  const { written } = figure;
  if (written.initials.length === 0) return false;
  const alike = (index.get(`${figure.kind}|${written.words.at(-1)}`) ?? []).filter(
    ({ names, born }) => isOfAge(figure, born, AGES.unconfirmed) && names.some((name) => hasSurname(written, name)),
  );
  return alike.length > MOST_NAMESAKES;
}

function pickBest(confirmed: readonly Candidate[]): Candidate[] {
  const weight = ({ fit, reason }: Candidate) => (reason === 'match' ? FITS * FITS + fit : fit * FITS + RANK[reason!]);
  const best = Math.max(...confirmed.map(weight));
  return confirmed.filter((candidate) => weight(candidate) === best);
}

/** Finds contradicting links: two names of one list, or two teams on one day, are never one person. */
function* conflicts(
  figures: readonly Figure[],
  links: ReadonlyMap<string, Link>,
  persons: ReadonlyMap<number, Person>,
): Generator<{ figure: Figure; why: string }> {
  const byPerson = new Map<number, Figure[]>();
  for (const figure of figures) {
    const link = links.get(figure.key);
    if (link === undefined) continue;
    const list = byPerson.get(link.person);
    if (list === undefined) byPerson.set(link.person, [figure]);
    else list.push(figure);
  }
  for (const [id, linked] of byPerson) {
    const person = persons.get(id)!;
    for (const figure of linked) {
      const why = contradiction(figure, person, linked, links);
      if (why !== null) yield { figure, why };
    }
  }
}

/** Maximum number of club changes a year within the matches of a person. */
const MOST_CHANGES_A_YEAR = 3;

function contradiction(
  figure: Figure,
  person: Person,
  linked: readonly Figure[],
  links: ReadonlyMap<string, Link>,
): string | null {
  const strength = (one: Figure) => {
    const { reason, fit } = links.get(one.key)!;
    return RANK[reason] * FITS + fit;
  };
  for (const [team, days] of person.played)
    if (team !== figure.team_id && figure.mentions.some(({ day }) => hasDay(days, day)))
      return 'the player was in the line-up of another team that day';
  const rivals = linked.filter((one) => one !== figure && strength(one) >= strength(figure));
  for (const rival of rivals) {
    if (rival.team_id === figure.team_id && shareList(figure, rival)) return 'two names of one list fit the player';
    if (rival.team_id === figure.team_id) continue;
    const days = rival.mentions.map(({ day }) => day);
    if (figure.mentions.some(({ day }) => hasDay(days, day))) return 'two teams had the name on one day';
    if (!figure.isNational && !rival.isNational && alternate(figure, rival)) return 'two clubs had the name in turn';
  }
  return null;
}

/** @param days ascending */
function hasDay(days: readonly number[], day: number): boolean {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return days[low] === day;
}

function shareList(a: Figure, b: Figure): boolean {
  const lists = new Set(b.mentions.map(({ match_id, block }) => `${match_id}|${block}`));
  return a.mentions.some(({ match_id, block }) => lists.has(`${match_id}|${block}`));
}

function alternate(a: Figure, b: Figure): boolean {
  const all = [...a.mentions.map(({ day }) => ({ day, of: a })), ...b.mentions.map(({ day }) => ({ day, of: b }))].sort(
    (x, y) => x.day - y.day,
  );
  let changes = 0;
  for (const [at, one] of all.entries()) if (at > 0 && all[at - 1]!.of !== one.of) changes += 1;
  const years = Math.max(1, (all.at(-1)!.day - all[0]!.day) / YEAR);
  return changes / years > MOST_CHANGES_A_YEAR;
}
