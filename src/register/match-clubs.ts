/**
 * Decides which entries of a register mean which of our clubs. Pure. A wrong link is worse than none, so whatever has two
 * possible answers is in doubt.
 */
import { foldName } from '../db/fold-name.ts';
import { identifyParticipant, storedKey } from '../identity/entity-keys.ts';
import { CLUB_FIT, type ClubFit, type ClubName, fitNames, readClubName } from './club-names.ts';
import { type Decision, type Entry, inDoubt, linked, type Reason } from './decision.ts';

export interface Club {
  id: number;
  sport: string;
  gender: string;
  country: string;
  /** The stored key. */
  key: string;
  names: readonly ClubName[];
  /** The year in which the club was founded, if our sources say it. */
  founded: number | null;
  /** Year of the first match in the catalogue, or null if it has none. */
  first: number | null;
  /** The year in which the club was dissolved, if our name says so, as in "SC Tasmania 1900 Berlin (-1973)". */
  until: number | null;
}

interface Named {
  entry: Entry;
  name: ClubName;
}
interface Candidate {
  entry: Entry;
  fit: ClubFit;
}
interface Choice {
  club: Club;
  /** The only entry that fits, or undefined if there is none or if it is in doubt. */
  chosen?: Candidate;
  doubt?: { reason: Reason; entries: readonly Entry[] };
}

/** An entry wins over others with the same name only if it has at least this many ids, and this many times as many as the next. */
const MANY_IDS = 3;
const TIMES_AS_MANY = 2;
/** How many years before the foundation a club may have played, because sources count a merger or a new name as a foundation. */
const YEARS_BEFORE = 1;

/** Entries by the texts by which our clubs look them up. */
class EntryIndex {
  readonly #byName = new Map<string, Named[]>();
  readonly #byKey = new Map<string, Entry[]>();

  constructor(entries: readonly Entry[], { sport, gender }: Pick<Club, 'sport' | 'gender'>) {
    for (const entry of entries) {
      const name = readClubName(foldName(entry.name));
      for (const country of entry.countries) {
        for (const text of new Set([name.folded, name.plain])) add(this.#byName, `${country}|${text}`, { entry, name });
        const identity = identifyParticipant({ type: 'team', sport, gender, country, name: entry.name });
        add(this.#byKey, storedKey(identity), entry);
      }
    }
  }

  candidates({ key, country, names }: Club): Candidate[] {
    const fits = new Map<Entry, ClubFit>();
    const take = (entry: Entry, fit: ClubFit) => {
      if (fit > (fits.get(entry) ?? CLUB_FIT.none)) fits.set(entry, fit);
    };
    for (const entry of this.#byKey.get(key) ?? []) take(entry, CLUB_FIT.identity);
    for (const ours of names)
      for (const text of new Set([ours.folded, ours.plain]))
        for (const { entry, name } of this.#byName.get(`${country}|${text}`) ?? []) take(entry, fitNames(ours, name));
    return [...fits].map(([entry, fit]) => ({ entry, fit }));
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  if (map.get(key)?.push(value) === undefined) map.set(key, [value]);
}

const foundedIn = ({ since }: Entry): number | null => (since === null ? null : Number(since.slice(0, 4)));

function foundedLater(entry: Entry, { first, until }: Club): boolean {
  const founded = foundedIn(entry);
  if (founded === null) return false;
  return (first !== null && founded > first + YEARS_BEFORE) || (until !== null && founded >= until);
}

function choose(club: Club, all: readonly Candidate[]): Choice {
  const candidates = all.filter(({ entry }) => !foundedLater(entry, club));
  if (candidates.length === 0) return all.length === 0 ? { club } : doubtAbout(club, 'founded_later', all);
  const known = candidates.filter(({ entry }) => entry.idCount > 0);
  const best = known.length > 0 ? bestWithIds(known) : onlyByName(club, candidates);
  if (best === undefined) return doubtAbout(club, candidates.length > 1 ? 'several_entries' : 'weak_name', candidates);
  if (isNamesake(best, candidates, club)) return doubtAbout(club, 'several_entries', candidates);
  const isBetterNamed = candidates.some(({ entry, fit }) => entry.idCount === 0 && fit > best.fit);
  return isBetterNamed && best.fit === CLUB_FIT.plain
    ? doubtAbout(club, 'several_entries', candidates)
    : { club, chosen: best };
}

/** True if another entry, and not this one, was founded in the club's year: clubs that were founded again often keep the name. */
const isNamesake = (best: Candidate, candidates: readonly Candidate[], { founded }: Club): boolean =>
  founded !== null &&
  foundedIn(best.entry) !== founded &&
  candidates.some(({ entry, fit }) => fit >= best.fit && foundedIn(entry) === founded);

const doubtAbout = (club: Club, reason: Reason, candidates: readonly Candidate[]): Choice => ({
  club,
  doubt: { reason, entries: candidates.map(({ entry }) => entry) },
});

/**
 * Returns the entry that means the club. Teams for women, reserves and former clubs may have exactly the club's name, but then have
 * far fewer ids.
 */
function bestWithIds(known: readonly Candidate[]): Candidate | undefined {
  if (known.length === 1) return known[0];
  const [most, next] = known.toSorted((a, b) => b.entry.idCount - a.entry.idCount) as [Candidate, Candidate];
  const hasMany = most.entry.idCount >= MANY_IDS && most.entry.idCount >= TIMES_AS_MANY * next.entry.idCount;
  const named = known.filter(({ fit }) => fit > CLUB_FIT.plain);
  if (hasMany && (most.fit > CLUB_FIT.plain || named.length === 0)) return most;
  return named.length === 1 && named[0]!.entry.idCount >= most.entry.idCount ? named[0] : undefined;
}

/**
 * Without ids, only the same whole name counts, and only if no other entry is like it. If we have matches of the club, then some
 * provider has it as well, so an entry that no provider has is probably a former club with the same name.
 */
const onlyByName = ({ first }: Club, candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.length === 1 && candidates[0]!.fit > CLUB_FIT.plain && first === null ? candidates[0] : undefined;

/** @param clubs clubs of one sport and gender */
export function decideClubs(entries: readonly Entry[], clubs: readonly Club[]): Decision[] {
  const [first] = clubs;
  if (first === undefined) return [];
  const index = new EntryIndex(entries, first);
  const choices = clubs.map((club) => choose(club, index.candidates(club)));
  const byEntry = new Map<string, Choice[]>();
  for (const choice of choices) if (choice.chosen) add(byEntry, choice.chosen.entry.register_id, choice);
  const decisions = new Map([...byEntry].map(([id, list]) => [id, decideEntry(id, list)]));
  for (const { club, doubt } of choices) {
    for (const { register_id } of doubt?.entries ?? []) {
      const decided = decisions.get(register_id);
      if (decided === undefined) decisions.set(register_id, inDoubt(register_id, doubt!.reason, [club.id]));
      else if (decided.entity_id === null && decided.reason !== 'several_of_ours') decided.candidates.push(club.id);
    }
  }
  return [...decisions.values()];
}

/**
 * Links an entry to the club whose name fits best. If several clubs have chosen it, they are candidates for one club.
 * @param choices the clubs that have chosen the entry
 */
function decideEntry(register_id: string, choices: readonly Choice[]): Decision {
  const ids = choices.map(({ club }) => club.id);
  const best = Math.max(...choices.map(({ chosen }) => chosen!.fit));
  const [only, other] = choices.filter(({ chosen }) => chosen!.fit === best);
  if (other !== undefined) return inDoubt(register_id, 'several_of_ours', ids);
  return { ...linked(register_id, only!.club.id, 'name'), candidates: ids.length > 1 ? ids : [] };
}
