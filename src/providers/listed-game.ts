/**
 * Games of a source that has a cheap list of all of them and replies about each. The list says when there is news of a game that has
 * begun; its own reply is read then, knows more, and is applied in place of the list's entry, unless it does not come. Pure.
 */
import { type KnownGame, type Phase, phaseFault, toPhase } from './polled-game.ts';

/** If a game's own reply is behind the list, or missing, for this time, the list's entry is applied. */
const HOLD_MS = 120_000;

/** The state of a game, as the list and its own reply both give it. */
export interface Said {
  phase: Phase;
  /** State, score and period: differs if there is news. */
  mark: string;
  /** How much has been played, in a unit of the source: less is older. */
  played: number;
  home: number;
  away: number;
}

export interface ListedGame extends KnownGame {
  /** The state in the list. */
  listed: Said;
  /** The state that was applied last, from either. */
  applied?: Said;
  /** The last own reply that was believed: its mark, when it was read (ms), and a number that grows from reply to reply. */
  read?: { mark: string; at: number; order: number };
  /** Since when the list and the own reply differ, ms. */
  differsAt?: number;
}

/** The game as it is, if its own reply has not said so yet. */
export const current = (game: ListedGame): KnownGame =>
  game.phase === 'ahead' ? { ...game, phase: game.listed.phase } : game;

/**
 * Whether the list says that a game is over, and its own reply has not: the poller did not run, or the reply did not come; or
 * whether the result has become official since.
 */
export const isUnread = ({ phase, listed, read }: ListedGame): boolean =>
  read?.mark !== listed.mark &&
  (listed.phase === 'final' || (listed.phase === 'over' && phase !== 'over' && phase !== 'final'));

/**
 * Returns a version for the request of a list: while its entry of a game is held, the list is needed as a whole each minute, even if it is
 * unchanged.
 */
export const heldVersion = ({ differsAt }: ListedGame, now: number): { version?: string } =>
  differsAt === undefined ? {} : { version: String(Math.floor(now / 60_000)) };

export interface Claim {
  said: Said;
  /** ms */
  start: number;
  /** When the reply arrived, ms. */
  at: number;
  /** Whether the game is said to be postponed or suspended. */
  isStopped: boolean;
  /** By how much officials may set the clock back, in the unit of `played`. */
  setBack: number;
}

/** Returns why the entry of a list cannot be believed. A list does not know which goals are taken back. */
export const entryFault = (before: ListedGame | undefined, claim: Claim): string | undefined =>
  claimFault(before, claim, (applied, { home, away, played }) => {
    const hasFallen = home < applied.home || away < applied.away;
    return hasFallen && played <= applied.played ? 'a lower score than before' : undefined;
  });

/** Returns why a game's own reply cannot be believed. @param order a number that grows from reply to reply */
export const replyFault = (before: ListedGame | undefined, claim: Claim, order: number): string | undefined =>
  claimFault(before, claim, () =>
    before?.read && order < before.read.order ? 'an earlier play than before' : undefined,
  );

/** @param liveFault of a game that is live, and was live before */
function claimFault(
  before: ListedGame | undefined,
  { said, start, at, isStopped, setBack }: Claim,
  liveFault: (applied: Said, said: Said) => string | undefined,
): string | undefined {
  const fault = phaseFault(before, { start, phase: said.phase }, at, isStopped);
  const applied = before?.applied;
  if (fault !== undefined || applied?.phase !== 'live' || said.phase !== 'live') return fault;
  return said.played < applied.played - setBack ? 'an earlier time of play than before' : liveFault(applied, said);
}

/**
 * Adds a believed entry of a list.
 * @param isNews whether it is applied at once: of a fixture, or of a game that is not played
 * @param isRead whether its state could be read: an end without a result is none
 */
export function withEntry(
  before: ListedGame | undefined,
  { said, start, at }: Claim,
  isNews: boolean,
  isRead: boolean,
): { game: ListedGame; isApplied: boolean } {
  const { differsAt: _before, ...others } = before ?? { phase: 'ahead' as const };
  const isBehind = said.phase !== 'ahead' && said.mark !== before?.read?.mark;
  const differsAt = isBehind ? (before?.differsAt ?? at) : undefined;
  const isOverHeld = differsAt !== undefined && at - Math.max(differsAt, before?.read?.at ?? 0) >= HOLD_MS;
  const isApplied = before === undefined || isNews || isOverHeld;
  const game = { ...others, start, listed: said, ...(differsAt !== undefined && { differsAt }) };
  if (!isApplied) return { game, isApplied };
  return {
    game: { ...game, ...toPhase(before, start, isRead ? said.phase : game.phase, at), applied: said },
    isApplied,
  };
}

/** Adds a believed reply about one game. @param isRead whether its state could be read */
export function withReply<G extends ListedGame>(
  before: G | undefined,
  { said, start, at }: Claim,
  order: number,
  isRead: boolean,
): ListedGame {
  const { differsAt, ...others } = before ?? { listed: said };
  const listed = others.listed;
  return {
    ...others,
    ...toPhase(before, start, isRead ? said.phase : (before?.phase ?? 'ahead'), at),
    listed,
    applied: said,
    read: { mark: said.mark, at, order },
    ...(differsAt !== undefined && said.mark !== listed.mark && { differsAt }),
  };
}
