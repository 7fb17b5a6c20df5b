/**
 * Handles games from a source that has a cheap list of all games and separate replies about each. The list shows that
 * there is news about a game that has begun. Then the game's reply is read, which knows more and is applied in place of
 * the list entry, unless it does not come. Pure.
 */
import { type KnownGame, type Phase, phaseFault, toPhase } from './polled-game.ts';

/** If a game's reply is missing or behind the list for this time, the list entry is applied. */
const HOLD_MS = 120_000;

/** A game's state, which the list and the game's reply both give. */
export interface Said {
  phase: Phase;
  /** State, score and period. It differs if there is news. */
  mark: string;
  /** The amount played, in a unit that the source chooses. A smaller value is older. */
  played: number;
  home: number;
  away: number;
}

export interface ListedGame extends KnownGame {
  /** The state in the list. */
  listed: Said;
  /** The state that was applied last, from the list or the game's reply. */
  applied?: Said;
  /**
   * The last believed reply about the game: the mark, when it was read (ms), and a number that grows from reply to
   * reply.
   */
  read?: { mark: string; at: number; order: number };
  /** Since when the list and the game's reply differ, ms. */
  differsAt?: number;
}

/** The game's current state, if the game's reply has not given it yet. */
export const current = (game: ListedGame): KnownGame =>
  game.phase === 'ahead' ? { ...game, phase: game.listed.phase } : game;

/**
 * True if the list says that a game is over and the game's reply has not. Either the poller did not run, or the reply
 * did not come. Also true if the result has become official since then.
 */
export const isUnread = ({ phase, listed, read }: ListedGame): boolean =>
  read?.mark !== listed.mark &&
  (listed.phase === 'final' || (listed.phase === 'over' && phase !== 'over' && phase !== 'final'));

/**
 * Returns a version for a list request. While a game's list entry is held, the whole list is needed each minute, even
 * if unchanged.
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
  /** How far officials may set the clock back, in the unit that `played` has. */
  setBack: number;
}

/** Returns why a list entry cannot be believed. A list does not know which goals are taken back. */
export const entryFault = (before: ListedGame | undefined, claim: Claim): string | undefined =>
  claimFault(before, claim, (applied, { home, away, played }) => {
    const hasFallen = home < applied.home || away < applied.away;
    return hasFallen && played <= applied.played ? 'a lower score than before' : undefined;
  });

/** Returns why a game's reply cannot be believed. @param order a number that grows from reply to reply */
export const replyFault = (before: ListedGame | undefined, claim: Claim, order: number): string | undefined =>
  claimFault(before, claim, () =>
    before?.read && order < before.read.order ? 'an earlier play than before' : undefined,
  );

/** @param liveFault returns the fault for a game that is live and was live before */
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
 * Adds a believed list entry.
 * @param isNews whether it is applied at once, as for a fixture or a game that is not played
 * @param isRead whether the state could be read; an end without a result could not
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

/** Adds a believed reply about one game. @param isRead whether the state could be read */
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
