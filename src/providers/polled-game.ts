/**
 * Decides from what is known about a game when it needs frequent requests, and which replies are too old to be
 * believed. Pure.
 */
import { HOUR_MS, MINUTE_MS } from '../wire/time.ts';

/** Pause between two requests about a game in its window. */
export const LIVE_MS = 20_000;
/** Pause between reads after a game is over. Scorers revise it in the hour after the end. */
export const RECHECK_MS = 10 * MINUTE_MS;
const RECHECKED_FOR_MS = HOUR_MS;

/** The window begins this long before the start, because our clock or the source's may be off by ten minutes. */
const WINDOW_BEFORE_MS = 15 * MINUTE_MS;
/** A game that has not begun this long after its planned start needs fewer requests. */
const WINDOW_LATE_MS = 2 * HOUR_MS;
/**
 * Upper bound for a game's length, including delays. A game that is still said to be live after this time is no longer
 * requested every 20 s.
 */
const LONGEST_GAME_MS = 12 * HOUR_MS;
/** A game cannot begin earlier than this before its planned start. A reply that says so is wrong. */
const EARLIEST_MS = 3 * HOUR_MS;
/** A game is in the known state from `KNOWN_AHEAD_MS` before the start until `KNOWN_AFTER_MS` after it. */
const KNOWN_AHEAD_MS = 8 * 24 * HOUR_MS;
const KNOWN_AFTER_MS = 3 * 24 * HOUR_MS;

/** `final` means that the source declares the game unchangeable. */
export type Phase = 'ahead' | 'live' | 'over' | 'final';
const PHASES: readonly Phase[] = ['ahead', 'live', 'over', 'final'];

export interface KnownGame {
  /** When the game starts, ms. */
  start: number;
  phase: Phase;
  /** When the game was first seen to be over, by our clock, ms. */
  endedAt?: number;
}

/** The games that a provider knows. */
export interface KnownGames<G extends KnownGame> {
  games: Record<string, G>;
}

/**
 * Returns why a phase cannot be believed: the reply is older than what is known, or contradicts the start. A finished
 * game never goes live again, whatever a stale reply says.
 * @param at when the reply arrived, ms
 * @param isStopped whether the reply says that the game was postponed or suspended, which may happen after it has begun
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

/** Returns the known game after a believed reply. */
export function toPhase(before: KnownGame | undefined, start: number, phase: Phase, at: number): KnownGame {
  const isOver = phase === 'over' || phase === 'final';
  return { start, phase, ...(isOver && { endedAt: before?.endedAt ?? at }) };
}

/** Whether a game is worth a request every 20 s. */
export const isInWindow = ({ start, phase }: KnownGame, now: number): boolean =>
  (phase === 'live' && now <= start + LONGEST_GAME_MS) ||
  (phase === 'ahead' && now >= start - WINDOW_BEFORE_MS && now <= start + WINDOW_LATE_MS);

/** Whether a game is late or unusually long, so that it is worth a request now and then. */
export const isOverdue = ({ start, phase }: KnownGame, now: number): boolean =>
  (phase === 'live' && now > start + LONGEST_GAME_MS) ||
  (phase === 'ahead' && now > start + WINDOW_LATE_MS && now <= start + LONGEST_GAME_MS);

/** Whether a game is over but details may still be revised. */
export const isRechecked = ({ endedAt }: KnownGame, now: number): boolean =>
  endedAt !== undefined && now <= endedAt + RECHECKED_FOR_MS;

/** Whether a game is near enough to stay in the known state. */
const isNear = ({ start }: Pick<KnownGame, 'start'>, at: number): boolean =>
  start <= at + KNOWN_AHEAD_MS && start >= at - KNOWN_AFTER_MS;

/** Returns the games that are near. */
export const nearGames = <G extends KnownGame>(games: Readonly<Record<string, G>>, at: number): Record<string, G> =>
  Object.fromEntries(Object.entries(games).filter(([, game]) => isNear(game, at)));
