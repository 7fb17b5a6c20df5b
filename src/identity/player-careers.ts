/**
 * Links abbreviated names in clubs that are ambiguous by themselves: several players fit, the surname is common, or the name
 * is only on a card. The players' careers then decide, as far as names that are already linked show them. Pure.
 */
import { type Figure, type Person, YEAR } from './player-figures.ts';
import type { FiguresByPerson, Link } from './player-link-conflicts.ts';
import { type Fit, hasSurname } from './player-names.ts';

/** A name without a link, and the players that it may stand for. */
export interface OpenName {
  figure: Figure;
  candidates: readonly { person: Person; fit: Fit }[];
}

/**
 * If a name from one source last occurs in one club and first occurs in a second club within this time, the player has moved.
 */
const LONGEST_MOVE = 2 * YEAR;
/** Number of days for which a name may occur in two clubs before it counts as two players. Allows for the matches around a transfer. */
const LONGEST_OVERLAP = 30;
/** How long before and after a national team's matches a player counts as active. */
const CAPPED_FOR = 2 * YEAR;
/** How long before and after a full name confirms an abbreviation in the same team. */
const SAME_TEAM_FOR = 3 * YEAR;
/**
 * A move or a cap counts only if the name is in at least this many matches. A name in a single match may be a young player
 * who is not in the catalogue.
 */
const FEWEST_MATCHES = 2;

/** What a player's career says about a name. `elsewhere` means that the player was with another club at that time. */
type Evidence = 'team' | 'move' | 'cap' | 'none' | 'elsewhere';

/**
 * Returns the link that follows from the candidates' careers, or null.
 * @param linked the names that are already linked to each player
 */
export function linkByCareer({ figure, candidates }: OpenName, linked: FiguresByPerson): Link | null {
  if (figure.isNational || figure.written.initials.length === 0) return null;
  const [best, rival] = candidates
    .map(({ person, fit }) => ({ person, fit, evidence: findEvidence(figure, person, linked.get(person.id) ?? []) }))
    .filter(({ evidence }) => evidence !== 'none' && evidence !== 'elsewhere');
  if (best === undefined || rival !== undefined) return null;
  // A move or a cap proves nothing if another player fits, too, because that player's career may be unknown.
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

/** Number of days by which the periods of two names overlap. */
const commonDays = (a: Figure, b: Figure): number => Math.min(a.last, b.last) - Math.max(a.first, b.first);
