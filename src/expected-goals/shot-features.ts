/** Describes a match's shots for the model, using only what is known before each shot, never its outcome. Pure. */
import { LRUCache } from 'lru-cache';
import type { Blocks } from '../wire/match.ts';

export type Shot = NonNullable<Blocks['shotmap']>[number];
/** The members of a shot map entry that the model reads. */
export type ModelledShot = Pick<Shot, 'side' | 'minute' | 'shotType' | 'situation' | 'bodyPart' | 'x' | 'y'>;

/** Returns only a text's letters, in lower case, because providers write `free-kick`, `FreeKick` or `free kick`. */
export function letters(text: string | null): string {
  if (text === null) return '';
  const known = plain.get(text);
  if (known !== undefined) return known;
  const found = text.toLowerCase().replaceAll(/[^a-z]/gu, '');
  plain.set(text, found);
  return found;
}
/** Cache for `letters`, because the same shot kinds and figure names occur again and again. */
const plain = new LRUCache<string, string>({ max: 1_000 });

const OWN_GOALS = ['owngoal', 'own'];
const SHOOT_OUTS = ['shootout', 'penaltyshootout'];
const FREE_KICKS = ['freekick', 'directfreekick'];
const FAST_BREAKS = ['fastbreak', 'counter', 'counterattack'];
const HEADERS = ['head', 'header'];

export const isGoal = ({ shotType }: Pick<Shot, 'shotType'>): boolean => letters(shotType) === 'goal';

const isOwnGoal = ({ shotType, situation }: ModelledShot): boolean =>
  OWN_GOALS.includes(letters(shotType)) || letters(situation) === 'owngoal';

/** True if an entry is a shot that gets expected goals. Own goals and shoot-out kicks get none. */
export const isAttempt = (shot: ModelledShot): boolean =>
  !isOwnGoal(shot) && !SHOOT_OUTS.includes(letters(shot.situation));

export const isPenalty = ({ situation }: Pick<Shot, 'situation'>): boolean => letters(situation) === 'penalty';

/** What happened before a shot. */
interface Before {
  /** The side's goals minus the opponent's goals. */
  lead: number;
  /** True if the previous shot was by the same side, in the same minute, and not a goal. */
  isRebound: boolean;
}
const NOTHING_BEFORE: Before = { lead: 0, isRebound: false };

/**
 * Returns the shots whose minute is known, with their positions in the list. They are in the order in which they were taken, even if the
 * provider lists the newest first.
 */
function inOrder(shots: readonly ModelledShot[]): [position: number, shot: ModelledShot][] {
  const timed = [...shots.entries()].flatMap(([position, shot]) =>
    shot.minute === null ? [] : [{ position, shot, minute: shot.minute }],
  );
  const [first, last] = [timed[0], timed.at(-1)];
  if (first && last && first.minute > last.minute) timed.reverse();
  return timed.sort((a, b) => a.minute - b.minute).map(({ position, shot }) => [position, shot]);
}

/** Returns what happened before each shot. Shots whose minute is unknown get neutral values. */
export function shotsBefore(shots: readonly ModelledShot[]): Before[] {
  const found = shots.map(() => NOTHING_BEFORE);
  const goals = { home: 0, away: 0 };
  let last: ModelledShot | undefined;
  for (const [position, shot] of inOrder(shots)) {
    const other = shot.side === 'home' ? 'away' : 'home';
    if (isOwnGoal(shot)) goals[other] += 1;
    if (!isAttempt(shot)) continue;
    found[position] = {
      lead: goals[shot.side] - goals[other],
      isRebound: last?.side === shot.side && last.minute === shot.minute && !isGoal(last),
    };
    if (isGoal(shot)) goals[shot.side] += 1;
    last = shot;
  }
  return found;
}

/** In metres. */
const PITCH = { length: 105, width: 68 };
const GOAL_WIDTH = 7.32;

/** Returns the distance to the middle of the goal in metres, and the angle between the posts in radians. */
function view(x: number, y: number): { distance: number; angle: number } {
  const depth = ((100 - x) / 100) * PITCH.length;
  const offset = ((y - 50) / 100) * PITCH.width;
  const angle = Math.atan2(offset + GOAL_WIDTH / 2, depth) - Math.atan2(offset - GOAL_WIDTH / 2, depth);
  return { distance: Math.hypot(depth, offset), angle };
}

const beyond = (value: number, knot: number): number => Math.max(0, value - knot);
/** Knots of the linear spline: the goal area, the penalty spot, the edge of the penalty area, and beyond. */
const DISTANCE_KNOTS = [6, 12, 18, 25];
const HEADER_KNOTS = [6, 12];
const ANGLE_KNOTS = [0.3, 0.6, 1];
/** Larger distances are treated as this distance, in metres. Few shots come from further away, and splines must not be extrapolated. */
const FURTHEST = 40;
const FURTHEST_HEADER = 18;
const LARGEST_LEAD = 2;

/** Returns the model's columns by name for a shot from play or a free kick; null without coordinates. */
export function shotColumns(
  shot: ModelledShot,
  { lead, isRebound }: Before = NOTHING_BEFORE,
): Record<string, number> | null {
  const { x, y } = shot;
  if (x === null || y === null) return null;
  const { distance: metres, angle } = view(x, y);
  const isFreeKick = FREE_KICKS.includes(letters(shot.situation));
  const header = Number(HEADERS.includes(letters(shot.bodyPart)) && !isFreeKick);
  const distance = Math.min(metres, header === 1 ? FURTHEST_HEADER : FURTHEST);
  const logDistance = Math.log(Math.max(1, distance));
  const rebound = Number(isRebound && !isFreeKick);
  const bounded = Math.max(-LARGEST_LEAD, Math.min(LARGEST_LEAD, lead));
  return {
    log_distance: logDistance,
    distance,
    ...Object.fromEntries(DISTANCE_KNOTS.map((knot) => [`distance_beyond_${knot}`, beyond(distance, knot)])),
    angle,
    ...Object.fromEntries(ANGLE_KNOTS.map((knot) => [`angle_beyond_${knot}`, beyond(angle, knot)])),
    header,
    header_log_distance: header * logDistance,
    header_distance: header * distance,
    ...Object.fromEntries(
      HEADER_KNOTS.map((knot) => [`header_distance_beyond_${knot}`, header * beyond(distance, knot)]),
    ),
    header_angle: header * angle,
    free_kick: Number(isFreeKick),
    fast_break: Number(FAST_BREAKS.includes(letters(shot.situation))),
    rebound,
    rebound_log_distance: rebound * logDistance,
    rebound_angle: rebound * angle,
    rebound_header: rebound * header,
    lead: bounded,
    lead_of_two: Number(bounded === LARGEST_LEAD),
  };
}
