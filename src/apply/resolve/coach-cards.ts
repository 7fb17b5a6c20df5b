/** Finds coaches' cards. A coach is on no list of players. Pure. */
import { foldName } from '../../db/fold-name.ts';
import { FIT, matchName, readName } from '../../identity/player-names.ts';
import type { Incident } from '../../wire/match.ts';
import { COACH, isCoachCard, playerSide, type Unnumbered } from './given-players.ts';

type Side = 'home' | 'away';

/** Known people in a match. */
export interface Bench {
  lineups: readonly { side: Side; player_name: string }[];
  coaches: readonly { side: Side; coach_name: string }[];
  /** True if the reviewed list has the name as a coach of that side. */
  isListed: (side: Side, name: string) => boolean;
}

/**
 * Returns the incidents with coaches' cards marked: `payload.role` is `coach`, and no player is linked. If a marked
 * card turns out to be a player's, the role is removed. A person is a player if the name is in the side's line-up, or
 * in an incident that is not a card. Any other card is a coach's
 * - if the provider says so;
 * - if the name, in full or abbreviated, fits no player in the line-up, and the reviewed list has the name;
 * - if the side has such a line-up, and the name fits one of the side's coaches.
 */
export function markCoaches<T extends Unnumbered>(incidents: readonly T[], bench: Bench): T[] {
  if (!incidents.some(({ kind }) => kind === 'card')) return [...incidents];
  const known = new Map<string, boolean>();
  const playing = new Set(incidents.flatMap(namesInPlay));
  const isCoach = (side: Side, name: string) => {
    const key = keyOf(side, name);
    const found = known.get(key) ?? (!playing.has(key) && isOnBench(side, name, incidents, bench));
    known.set(key, found);
    return found;
  };
  return incidents.map((incident) => {
    const { kind, side, player_name } = incident;
    if (kind !== 'card' || player_name === null) return incident;
    if (side === null) return isCoachCard(incident) ? marked(incident) : incident;
    return isCoach(side, player_name) ? marked(incident) : unmarked(incident);
  });
}

/**
 * Marks coaches in stored incidents again after line-ups or coaches have changed. A mark that followed from the former
 * line-ups or coaches is decided again. A mark from the provider stays.
 */
export function remarkCoaches(incidents: readonly Incident[], former: Bench, bench: Bench): Incident[] {
  if (!incidents.some(({ kind }) => kind === 'card')) return [...incidents];
  const plain = incidents.map(unmarked);
  const derived = markCoaches(plain, former);
  return markCoaches(
    incidents.map((incident, index) => {
      const mark = derived[index];
      return mark && isCoachCard(mark) ? unmarked(incident) : incident;
    }),
    bench,
  );
}

const keyOf = (side: Side, name: string) => `${side}|${foldName(name)}`;

function marked<T extends Unnumbered>(incident: T): T {
  if (isCoachCard(incident) && incident.player_participant_id === null) return incident;
  return { ...incident, player_participant_id: null, payload: { ...incident.payload, role: COACH } };
}

function unmarked<T extends Unnumbered>(incident: T): T {
  if (!isCoachCard(incident)) return incident;
  const { role: _role, ...payload } = incident.payload;
  return { ...incident, payload };
}

/** Returns the names in an incident that is not a card. */
function namesInPlay({ kind, side, player_name, assist_name, payload }: Unnumbered): string[] {
  if (kind === 'card' || side === null) return [];
  const own = player_name === null ? [] : [keyOf(playerSide({ kind, side, payload })!, player_name)];
  const others = [assist_name, payload.player_in, payload.player_out].filter((name) => typeof name === 'string');
  return [...own, ...others.map((name) => keyOf(side, name))];
}

function isOnBench(side: Side, name: string, incidents: readonly Unnumbered[], bench: Bench): boolean {
  const key = keyOf(side, name);
  const lineup = bench.lineups.filter((one) => one.side === side);
  if (lineup.some(({ player_name }) => keyOf(side, player_name) === key)) return false;
  const isGiven = incidents.some(
    (one) => isCoachCard(one) && one.side === side && keyOf(side, one.player_name ?? '') === key,
  );
  if (isGiven) return true;
  if (lineup.some(({ player_name }) => isSamePerson(name, player_name))) return false;
  if (bench.isListed(side, name)) return true;
  return lineup.length > 0 && bench.coaches.some((one) => one.side === side && isSamePerson(name, one.coach_name));
}

/** True if the names are equal, or one abbreviates the other. */
function isSamePerson(a: string, b: string): boolean {
  const [one, other] = [readName(a), readName(b)];
  if (one.folded === other.folded) return true;
  const fits = (written: typeof one, full: string) => matchName(written, full.split(' ')) >= FIT.abbreviated;
  return fits(one, other.folded) || fits(other, one.folded);
}
