/** Links between names and players, and contradictions between links. Pure. */
import { grouped } from '../wire/grouped.ts';
import { type Figure, hasDay, type Person, YEAR } from './player-figures.ts';
import { contradicts, FIT, type Fit } from './player-names.ts';

/** Why a figure is linked to a person. */
export type Reason = 'decided' | 'match' | 'club' | 'team' | 'nation' | 'career' | 'only';

export interface Link {
  person: number;
  fit: Fit;
  reason: Reason;
}

/** Reasons with their ranks. A higher rank is stronger. */
export const RANK: Record<Reason, number> = { decided: 6, match: 5, club: 4, team: 3, nation: 2, career: 1, only: 0 };
/** The factor that combines a rank and a `Fit` into one number. Greater than any of either. */
export const FITS = 10;

/** The names that are linked to each player. The key `undefined` has the names without a link. */
export type FiguresByPerson = ReadonlyMap<number | undefined, readonly Figure[]>;

export const figuresByPerson = (figures: readonly Figure[], links: ReadonlyMap<string, Link>): FiguresByPerson =>
  grouped(figures, ({ key }) => links.get(key)?.person);

/** Finds contradicting links. Two names in one list, or in two teams on the same day, are never the same person. */
export function* conflicts(
  figures: readonly Figure[],
  links: ReadonlyMap<string, Link>,
  persons: ReadonlyMap<number, Person>,
): Generator<{ figure: Figure; why: string }> {
  for (const [id, linked] of figuresByPerson(figures, links)) {
    const person = id === undefined ? undefined : persons.get(id);
    if (person === undefined) continue;
    for (const figure of linked) {
      const why = contradiction(figure, person, linked, links);
      if (why !== null) yield { figure, why };
    }
  }
}

/** The most changes of club that one person can have in a year, counted in the known matches. */
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
    if (rival.team_id === figure.team_id) {
      if (shareList(figure, rival)) return 'two names in the same list fit the player';
      const isDecided = [figure, rival].some(({ key }) => links.get(key)!.reason === 'decided');
      if (!isDecided && contradicts(figure.written.words, rival.written.words))
        return 'two names of the team contradict each other';
      if (links.get(figure.key)!.fit === FIT.initial && overlap(figure, rival))
        return 'a namesake of the team has the same initial';
      continue;
    }
    const days = rival.mentions.map(({ day }) => day);
    if (figure.mentions.some(({ day }) => hasDay(days, day))) return 'two teams had the name on one day';
    if (!figure.isNational && !rival.isNational && alternate(figure, rival)) return 'two clubs had the name in turn';
  }
  return null;
}

const overlap = (a: Figure, b: Figure): boolean => a.first <= b.last && b.first <= a.last;

function shareList(a: Figure, b: Figure): boolean {
  const lists = new Set(b.mentions.map(({ match_id, block }) => `${match_id}|${block}`));
  return a.mentions.some(({ match_id, block }) => lists.has(`${match_id}|${block}`));
}

function alternate(a: Figure, b: Figure): boolean {
  const all = [...a.mentions.map(({ day }) => ({ day, of: a })), ...b.mentions.map(({ day }) => ({ day, of: b }))].sort(
    (x, y) => x.day - y.day,
  );
  const changes = all.filter(({ of }, at) => at > 0 && all[at - 1]?.of !== of).length;
  const years = Math.max(1, (Math.max(a.last, b.last) - Math.min(a.first, b.first)) / YEAR);
  return changes / years > MOST_CHANGES_A_YEAR;
}
