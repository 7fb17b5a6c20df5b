/**
 * Handles games from a source that has a cheap list of all games, and a reply of its own about each game. If the list
 * shows news about a game that has begun, the game's own reply is read. That reply has more detail, so it is applied in
 * place of the list entry. If the reply does not come, the list entry is applied. Pure.
 */
import { type KnownGame, type Phase, phaseFault, toPhase } from './polled-game.ts';

/** The list entry is applied if the game's own reply has been missing, or older than the list, for this long. */
const HOLD_MS = 120_000;

/** A game's state, as given by the list or by the game's own reply. */
export interface Said {
  phase: Phase;
  /** State, score and period as one text. If the mark has changed, there is news. */
  mark: string;
  /** How much was played, in a unit that the source chooses. A smaller value means older data. */
  played: number;
  home: number;
  away: number;
}

export interface ListedGame extends KnownGame {
  /** The state in the list. */
  listed: Said;
  /** The state that was applied last, from the list or from the game's own reply. */
  applied?: Said;
  /**
   * The last believed reply about the game: its mark, the time when it was read (ms), and a number that grows from
   * reply to reply.
   */
  read?: { mark: string; at: number; order: number };
  /** When the list and the game's own reply began to differ, ms. */
  differsAt?: number;
}

/** Returns the game. If no reply about the game has shown yet that it has begun, the list gives the phase. */
export const current = (game: ListedGame): KnownGame =>
  game.phase === 'ahead' ? { ...game, phase: game.listed.phase } : game;

/**
 * True if the list says that a game is over, and no reply about the game has said so. This happens if the poller was
 * not running, or if the reply did not come. Also true if the result has become official since the last reply.
 */
export const isUnread = ({ phase, listed, read }: ListedGame): boolean =>
  read?.mark !== listed.mark &&
  (listed.phase === 'final' || (listed.phase === 'over' && phase !== 'over' && phase !== 'final'));

/**
 * Returns a version for a list request. While the game's own reply differs from the list, the version changes each
 * minute, so that the list is read again even if it has not changed.
 */
export const heldVersion = ({ differsAt }: ListedGame, now: number): { version?: string } =>
  differsAt === undefined ? {} : { version: String(Math.floor(now / 60_000)) };

export interface Claim {
  said: Said;
  /** When the game starts, ms. */
  start: number;
  /** When the reply arrived, ms. */
  at: number;
  /** Whether the source says that the game is postponed or suspended. */
  isStopped: boolean;
  /** How far officials may set the clock back, in the unit of `played`. */
  setBack: number;
}

/**
 * Returns why a list entry cannot be believed. A list does not show that a goal was taken back, so a lower score is
 * believed only if more has been played.
 */
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
 * @param isNews whether the entry is applied at once, as for a fixture or a game that is not played
 * @param isRead false if the state could not be read, as for a finished game without a result
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
