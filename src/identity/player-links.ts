/**
 * Finds the person that a name in a match stands for, if the source has only the name. Pure. The result depends only on the
 * known data, not on the order of arrival or on earlier results.
 *
 * A team's names are grouped into "figures": one name in one team, over a period in which it is plausibly one person. A
 * figure is linked to a person (a player with a birth date or a provider's id) if the name fits, the age is plausible, and
 * there is a confirmation. The confirmation is the person's line-ups or club, the nation of a national team, or that no other
 * player in the catalogue fits. A figure without a link is a person of its own under that name.
 */
import { grouped } from '../wire/grouped.ts';
import { linkByCareer } from './player-careers.ts';
import {
  type Figure,
  groupFigures,
  hasDay,
  joinPeriods,
  type NamedInTeam,
  type Person,
  YEAR,
} from './player-figures.ts';
import { conflicts, FITS, figuresByPerson, type Link, RANK, type Reason } from './player-link-conflicts.ts';
import { FIT, type Fit, hasSurname, matchName, nameKeys, searchWords } from './player-names.ts';

export interface Links {
  figures: readonly Figure[];
  /** Figure key -> the person. */
  links: ReadonlyMap<string, Link>;
  /** Figures that several persons fit equally well. */
  doubtful: readonly { figure: Figure; persons: readonly number[]; why: string }[];
}

/**
 * Plausible player ages, in years. The widest range applies only if the match's line-up has the player. The narrowest applies
 * without a confirmation, since few players in first-division clubs are younger or older.
 */
const AGES = { any: [14, 46], confirmed: [15, 43], unconfirmed: [16, 41] } as const;
/**
 * A line-up confirms that a player is in the team for this many days before and after the match. `LOOSELY_CONFIRMED_FOR`
 * applies if only a part of the name fits.
 */
const CONFIRMED_FOR = 8 * YEAR;
const LOOSELY_CONFIRMED_FOR = 3 * YEAR;

interface Candidate {
  person: Person;
  fit: Fit;
  reason: Reason | null;
}

/**
 * Reviewed decisions. The key is sport|team key|folded name, and the value is the person's key. Null if the catalogue has no
 * such person.
 */
export type Decisions = ReadonlyMap<string, string | null>;

const decisionKey = ({ kind, team_key, written }: Figure) => `${kind.split('|')[0]}|${team_key}|${written.folded}`;

/**
 * Links figures to persons.
 * @param persons distinct persons
 * @param pause is called between small steps, and lets the process do other work
 */
export async function linkFigures(
  persons: readonly Person[],
  named: readonly NamedInTeam[],
  decisions: Decisions = new Map(),
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Links> {
  const periods = await groupFigures(named, pause);
  const index = await buildIndex(persons, pause);
  const byKey = new Map(persons.map((person) => [`${person.kind}|${person.key}`, person]));
  const links = new Map<string, Link>();
  const doubtful: { figure: Figure; persons: number[]; why: string }[] = [];
  for (const figure of periods) {
    await pause();
    const decided = decisions.get(decisionKey(figure));
    const choice =
      decided === undefined
        ? choose(figure, findCandidates(figure, index), index)
        : chosen(figure, byKey.get(`${figure.kind}|${decided}`));
    const [best] = choice;
    if (best !== undefined && choice.length === 1)
      links.set(figure.key, { person: best.person.id, fit: best.fit, reason: best.reason! });
    else if (choice.length > 1)
      doubtful.push({ figure, persons: choice.map(({ person }) => person.id), why: 'several players fit' });
  }
  const byId = new Map(persons.map((person) => [person.id, person]));
  const figures = joinCareers(periods, links, new Set(doubtful.map(({ figure }) => figure.key)), byId);
  for (const [key, link] of linkSurnames(figures, links, decisions)) links.set(key, link);
  await linkCareers(figures, links, decisions, index, pause);
  for (const { figure, why } of [...conflicts(figures, links, byId)]) {
    doubtful.push({ figure, persons: [links.get(figure.key)!.person], why });
    links.delete(figure.key);
  }
  return { figures, links, doubtful: doubtful.filter(({ figure }) => !links.has(figure.key)) };
}

/**
 * Joins the periods in which a name occurs if they belong to one career. Two periods stay separate if one of them is
 * doubtful, or if they are linked to different players. If only one of them has a link, the link applies to the whole career.
 */
function joinCareers(
  periods: readonly Figure[],
  links: Map<string, Link>,
  doubtful: ReadonlySet<string>,
  persons: ReadonlyMap<number, Person>,
): Figure[] {
  const figures = new Map<string, Figure>();
  /** The key of the figure that a name's next period may belong to. */
  const latest = new Map<string, string>();
  for (const period of periods) {
    const name = `${period.kind}|${decisionKey(period)}`;
    const former = figures.get(latest.get(name) ?? '');
    const whole = former === undefined ? null : joinPeriods(former, period);
    if (former !== undefined && whole !== null && isOneCareer(whole, former, period)) {
      const link = links.get(former.key) ?? links.get(period.key);
      if (link !== undefined) links.set(whole.key, link);
      links.delete(period.key);
      figures.set(whole.key, whole);
    } else {
      figures.set(period.key, period);
      latest.set(name, period.key);
    }
  }
  return [...figures.values()];

  function isOneCareer(whole: Figure, ...parts: [Figure, Figure]): boolean {
    if (parts.some(({ key }) => doubtful.has(key))) return false;
    const [one, other] = parts.flatMap(({ key }) => links.get(key) ?? []);
    if (one === undefined) return true;
    return other === undefined
      ? isOfAge(whole, persons.get(one.person)!.born, AGES.confirmed)
      : one.person === other.person;
  }
}

/** Persons by three sorts of keys: the kind; the kind and a word of a name; the kind and the beginning of a first name. */
type Index = ReadonlyMap<string, readonly Person[]>;

const initialKey = (kind: string, initial: string) => `${kind}|${initial}.`;

async function buildIndex(persons: readonly Person[], pause: () => Promise<unknown>): Promise<Index> {
  const index = new Map<string, Person[]>();
  for (const person of persons) {
    await pause();
    const words = new Set(person.names.flatMap(nameKeys));
    const initials = new Set(
      person.names.flatMap(([first = '']) => [first.slice(0, 1), first.slice(0, 2), first.slice(0, 3)]),
    );
    const keys = [
      ...[...words].map((word) => `${person.kind}|${word}`),
      ...[...initials].map((initial) => initialKey(person.kind, initial)),
    ];
    for (const key of [person.kind, ...keys]) {
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

function isPlausible(figure: Figure, { born, isGoalkeeper }: Person): boolean {
  return !(isGoalkeeper && figure.goals > 0) && isOfAge(figure, born, AGES.any);
}

const isOfAge = (
  { first, last }: Pick<Figure, 'first' | 'last'>,
  born: number | null,
  [youngest, oldest]: readonly [number, number],
) => born === null || (first - born >= youngest * YEAR && last - born <= oldest * YEAR);

function linkReason(figure: Figure, { played, club, born, country }: Person, fit: Fit): Reason | null {
  const days = played.get(figure.team_id);
  if (days !== undefined && figure.mentions.some(({ day }) => hasDay(days, day))) return 'match';
  if (fit === FIT.initial || !isOfAge(figure, born, AGES.confirmed)) return null;
  if (days !== undefined) {
    const time = fit === FIT.loose ? LOOSELY_CONFIRMED_FOR : CONFIRMED_FOR;
    if (days[0]! - figure.last <= time && figure.first - days.at(-1)! <= time) return 'club';
  }
  if (club !== null && club === figure.team) return 'club';
  if (!figure.isNational || country !== figure.team_country) return null;
  // A player in a nation's squad list plays for that nation, so a surname is enough.
  return fit > FIT.loose || club !== null ? 'nation' : null;
}

/**
 * Returns the person from the reviewed list if the age is plausible. A decision applies to only one period of a name, and the
 * age rules out the rest.
 */
function chosen(figure: Figure, person: Person | undefined): Candidate[] {
  return person !== undefined && isOfAge(figure, person.born, AGES.any)
    ? [{ person, fit: FIT.full, reason: 'decided' }]
    : [];
}

/** Returns the best candidates. A single candidate is the person. Several are ambiguous. None means that nobody fits. */
function choose(figure: Figure, candidates: readonly Candidate[], index: Index): Candidate[] {
  const confirmed = candidates.filter(({ reason }) => reason !== null);
  if (confirmed.length > 0) return pickBest(confirmed);
  if (figure.isNational) return chooseForeign(figure, candidates, index);
  const fitting = fittingCandidates(figure, candidates);
  // A name that is only on cards may be a coach's, so no player is linked, except a goalkeeper who is the only player with that name.
  if (!figure.hasPlayed && !(fitting.length === 1 && fitting[0]?.person.isGoalkeeper)) return [];
  const full = fitting.filter(({ fit }) => fit === FIT.full);
  const best = full.length > 0 ? full : fitting;
  if (best.length === 1 && isCommon(figure, index)) return [];
  return best.map((candidate) => ({ ...candidate, reason: 'only' as const }));
}

/** Returns the candidates who fit well enough without a confirmation. */
const fittingCandidates = (figure: Figure, candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ fit, person }) => fit >= FIT.abbreviated && isOfAge(figure, person.born, AGES.unconfirmed));

/**
 * A full name counts as common if more players than this are expected to have it by chance. The expected number is the share
 * of the first word in the catalogue, times the share of the last word, times the number of players. Of 173 scorers' names
 * that are rarer, each is one person, except the reviewed names in named-players.csv.
 */
const MOST_EXPECTED = 0.01;

/** Returns the player from another country who has the same rare full name and has not played for any nation yet. */
function chooseForeign(
  { kind, written, ...figure }: Figure,
  candidates: readonly Candidate[],
  index: Index,
): Candidate[] {
  const [only, other] = candidates.filter(({ fit }) => fit === FIT.full);
  if (only === undefined || other !== undefined || written.words.length < 2) return [];
  const { born, nations } = only.person;
  if (born === null || nations.length > 0 || !isOfAge(figure, born, AGES.unconfirmed)) return [];
  const share = (word: string) => index.get(`${kind}|${word}`)?.length ?? 0;
  const expected = (share(written.words[0]!) * share(written.words.at(-1)!)) / index.get(kind)!.length;
  return expected > MOST_EXPECTED ? [] : [{ ...only, reason: 'only' }];
}

/**
 * A surname is common if more players than this in the catalogue share it. A player who is not in the catalogue is then
 * likely to have the same surname and a usual initial.
 */
const MOST_NAMESAKES = 8;
/**
 * A name with a common surname is ambiguous only if more players than this are expected to have the initial, too. For
 * example, "Lopez U." can hardly be anyone but Unai López, although many players are called López.
 */
const MOST_EXPECTED_NAMESAKES = 0.3;

function isCommon({ kind, written, ...figure }: Figure, index: Index): boolean {
  const { initials, words } = written;
  if (initials.length === 0) return false;
  const alike = (index.get(`${kind}|${words.at(-1)}`) ?? []).filter(
    ({ names, born }) => isOfAge(figure, born, AGES.unconfirmed) && names.some((name) => hasSurname(written, name)),
  );
  const share = (initial: string) => index.get(initialKey(kind, initial))?.length ?? 0;
  const all = index.get(kind)!.length;
  const expected = initials.reduce((number, initial) => (number * share(initial)) / all, alike.length);
  return alike.length > MOST_NAMESAKES && expected > MOST_EXPECTED_NAMESAKES;
}

function pickBest(confirmed: readonly Candidate[]): Candidate[] {
  const weight = ({ fit, reason }: Candidate) => (reason === 'match' ? FITS * FITS + fit : fit * FITS + RANK[reason!]);
  const best = Math.max(...confirmed.map(weight));
  return confirmed.filter((candidate) => weight(candidate) === best);
}

/**
 * Links surnames in national teams, such as "Barella" in a list without first names. A surname is linked to the player if
 * only one in the team has it at that time. `links` has the players with full names.
 */
function* linkSurnames(
  figures: readonly Figure[],
  links: ReadonlyMap<string, Link>,
  decisions: Decisions,
): Generator<[string, Link]> {
  const named = figures.filter(({ isNational, written: { words } }) => isNational && words.length > 1);
  const teams = grouped(named, ({ team_id }) => team_id);
  for (const figure of figures) {
    const { written, team_id, isNational, first, last } = figure;
    if (!isNational || written.words.length > 1 || links.has(figure.key) || decisions.has(decisionKey(figure)))
      continue;
    const bearers = (teams.get(team_id) ?? []).filter(
      (mate) =>
        mate.first - last <= LOOSELY_CONFIRMED_FOR &&
        first - mate.last <= LOOSELY_CONFIRMED_FOR &&
        hasSurname(written, mate.written.words),
    );
    const persons = new Set(bearers.map(({ key }) => links.get(key)?.person));
    const [person] = persons;
    if (person !== undefined && persons.size === 1) yield [figure.key, { person, fit: FIT.loose, reason: 'team' }];
  }
}

/** Maximum number of rounds. If a player has moved twice, a new link may lead to a second one in the next round. */
const CAREER_ROUNDS = 3;

/** Adds the links that follow from players' careers, for names in clubs. */
async function linkCareers(
  figures: readonly Figure[],
  links: Map<string, Link>,
  decisions: Decisions,
  index: Index,
  pause: () => Promise<unknown>,
): Promise<void> {
  const open: Parameters<typeof linkByCareer>[0][] = [];
  for (const figure of figures) {
    if (figure.isNational || links.has(figure.key) || decisions.has(decisionKey(figure))) continue;
    await pause();
    const candidates = fittingCandidates(figure, findCandidates(figure, index));
    if (candidates.length > 0) open.push({ figure, candidates });
  }
  for (let round = 0; round < CAREER_ROUNDS; round += 1) {
    await pause();
    const linked = figuresByPerson(figures, links);
    const found = open
      .filter(({ figure }) => !links.has(figure.key))
      .flatMap((one) => {
        const link = linkByCareer(one, linked);
        return link === null ? [] : [{ key: one.figure.key, link }];
      });
    for (const { key, link } of found) links.set(key, link);
    if (found.length === 0) return;
  }
}
