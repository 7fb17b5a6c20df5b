/**
 * Games that a provider knows, as far as its requests depend on them: when one needs requests often, and which replies are
 * too old to be believed. Pure.
 */
import { HOUR_MS, MINUTE_MS } from '../wire/time.ts';

/** The pause between two requests about a game in its window. */
export const LIVE_MS = 20_000;
/** The pause between reads of a game that is over: scorers are revised in the hour after the end. */
export const RECHECK_MS = 10 * MINUTE_MS;
const RECHECKED_FOR_MS = HOUR_MS;

/** The window begins before the start: our clock, or the source's, may be off by ten minutes. */
const WINDOW_BEFORE_MS = 15 * MINUTE_MS;
/** A game that has not begun by then needs requests less often. */
const WINDOW_LATE_MS = 2 * HOUR_MS;
/** No game takes longer, with delays: one that is still said to be live is not asked for every 20 s any more. */
const LONGEST_GAME_MS = 12 * HOUR_MS;
/** A reply that lets a game begin earlier before its start is wrong. */
const EARLIEST_MS = 3 * HOUR_MS;
/** Games are known from some days before their start to some days after it. */
const KNOWN_AHEAD_MS = 8 * 24 * HOUR_MS;
const KNOWN_AFTER_MS = 3 * 24 * HOUR_MS;

/** `final`: the source declares that it changes nothing any more. */
export type Phase = 'ahead' | 'live' | 'over' | 'final';
const PHASES: readonly Phase[] = ['ahead', 'live', 'over', 'final'];

export interface KnownGame {
  /** ms */
  start: number;
  phase: Phase;
  /** When it was over for the first time, by our clock, ms. */
  endedAt?: number;
}

/** The games that a provider knows. */
export interface KnownGames<G extends KnownGame> {
  games: Record<string, G>;
}

/**
 * Returns why a phase cannot be believed: a reply that is older than what is known, or one that contradicts the start.
 * What is over never goes live again, whatever a stale reply says.
 * @param at when the reply arrived, ms
 * @param isStopped whether the reply says that the game was postponed or suspended: it may be so after it has begun
 */
export function phaseFault(
  before: KnownGame | undefined,
  { start, phase }: KnownGame,
  at: number,
  isStopped = false,
): string | undefined {
  const hasBegun = phase !== 'ahead';
  if (hasBegun && !isStopped && at < start - EARLIEST_MS) return `${phase} hours before the start`;
  if (!before) {
    const isPast = at > start + LONGEST_GAME_MS;
    return isPast && !isStopped && (phase === 'live' || phase === 'ahead')
      ? `${phase} long after the start`
      : undefined;
  }
  const goesBack = PHASES.indexOf(phase) < PHASES.indexOf(before.phase);
  const isMoved = isStopped && before.phase === 'live';
  return goesBack && !isMoved ? `${phase} after it was ${before.phase}` : undefined;
}

/** The known game after a believed reply. */
export function toPhase(before: KnownGame | undefined, start: number, phase: Phase, at: number): KnownGame {
  const isOver = phase === 'over' || phase === 'final';
  return { start, phase, ...(isOver && { endedAt: before?.endedAt ?? at }) };
}

/** Whether a game is worth a request every 20 s. */
export const isInWindow = ({ start, phase }: KnownGame, now: number): boolean =>
  (phase === 'live' && now <= start + LONGEST_GAME_MS) ||
  (phase === 'ahead' && now >= start - WINDOW_BEFORE_MS && now <= start + WINDOW_LATE_MS);

/** Whether a game is late or unusually long: worth a request now and then. */
export const isOverdue = ({ start, phase }: KnownGame, now: number): boolean =>
  (phase === 'live' && now > start + LONGEST_GAME_MS) ||
  (phase === 'ahead' && now > start + WINDOW_LATE_MS && now <= start + LONGEST_GAME_MS);

/** Whether a game is over and its details may still be revised. */
export const isRechecked = ({ endedAt }: KnownGame, now: number): boolean =>
  endedAt !== undefined && now <= endedAt + RECHECKED_FOR_MS;

/** Whether a game is near enough to be kept. */
const isNear = ({ start }: Pick<KnownGame, 'start'>, at: number): boolean =>
  start <= at + KNOWN_AHEAD_MS && start >= at - KNOWN_AFTER_MS;

/** Returns the games that are near. */
export const nearGames = <G extends KnownGame>(games: Readonly<Record<string, G>>, at: number): Record<string, G> =>
  Object.fromEntries(Object.entries(games).filter(([, game]) => isNear(game, at)));
