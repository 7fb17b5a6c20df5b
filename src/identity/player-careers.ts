/**
 * Links abbreviated names in clubs that say too little by themselves, because several players fit, the surname is common, or only a
 * card has the name. Names that are already linked decide, because they show the players' careers as far as known. Pure.
 */
import { type Figure, type Person, YEAR } from './player-figures.ts';
import type { FiguresByPerson, Link } from './player-link-conflicts.ts';
import { type Fit, hasSurname } from './player-names.ts';

/** A name without a link, and the players whom it may mean. */
export interface OpenName {
  figure: Figure;
  candidates: readonly { person: Person; fit: Fit }[];
}

/** A name from the same source that ends in one club and begins in a second club within this time is one player who has moved. */
const LONGEST_MOVE = 2 * YEAR;
/** Days for which two clubs may have a name before it counts as two players, to allow for the matches around a transfer. */
const LONGEST_OVERLAP = 30;
/** A national team's matches confirm that a player is active for this long before and after. */
const CAPPED_FOR = 2 * YEAR;
/** A full name confirms an abbreviation in the same team for this long before and after. */
const SAME_TEAM_FOR = 3 * YEAR;
/** A name in one match may be a young player whom the catalogue does not have. */
const FEWEST_MATCHES = 2;

/** What a player's career says about a name. `elsewhere` means that a different club had the player then. */
type Evidence = 'team' | 'move' | 'cap' | 'none' | 'elsewhere';

/** @param linked the names that are already linked to each player */
export function linkByCareer({ figure, candidates }: OpenName, linked: FiguresByPerson): Link | null {
  if (figure.isNational || figure.written.initials.length === 0) return null;
  const [best, rival] = candidates
    .map(({ person, fit }) => ({ person, fit, evidence: findEvidence(figure, person, linked.get(person.id) ?? []) }))
    .filter(({ evidence }) => evidence !== 'none' && evidence !== 'elsewhere');
  if (best === undefined || rival !== undefined) return null;
  // If a second player fits, who may have no known career, a move or a cap proves nothing.
  const isSure = best.evidence === 'team' || (candidates.length === 1 && countMatches(figure) >= FEWEST_MATCHES);
  return isSure ? { person: best.person.id, fit: best.fit, reason: 'career' } : null;
}

const countMatches = ({ mentions }: Figure) => new Set(mentions.map(({ match_id }) => match_id)).size;

function findEvidence(figure: Figure, { nations, played }: Person, others: readonly Figure[]): Evidence {
  const clubs = others.filter((one) => !one.isNational);
  if (clubs.some((one) => one.team_id !== figure.team_id && commonDays(one, figure) > LONGEST_OVERLAP))
    return 'elsewhere';
  const isNear = ({ first, last }: Pick<Figure, 'first' | 'last'>, days: number) =>
    first - figure.last <= days && figure.first - last <= days;
  if (clubs.some((one) => one.team_id === figure.team_id && isFullName(one, figure) && isNear(one, SAME_TEAM_FOR)))
    return 'team';
  if (clubs.some((one) => one.written.folded === figure.written.folded && isNear(one, LONGEST_MOVE))) return 'move';
  const lineups = nations.flatMap((id) => {
    const days = played.get(id) ?? [];
    const [first, last] = [days[0], days.at(-1)];
    return first === undefined || last === undefined ? [] : [{ first, last }];
  });
  return [...others.filter((one) => one.isNational), ...lineups].some((one) => isNear(one, CAPPED_FOR))
    ? 'cap'
    : 'none';
}

const isFullName = ({ written }: Figure, abbreviated: Figure): boolean =>
  written.initials.length === 0 && hasSurname(abbreviated.written, written.words);

/** Days between the first and the last match that two names have in common. */
const commonDays = (a: Figure, b: Figure): number => Math.min(a.last, b.last) - Math.max(a.first, b.first);
