/** Tennis scores as results lists write them, the winner first: "6-4 3-6 7-6(5)", "6-3 2-1 RET", "W/O", "6-4 4-6 [10-8]". */

export interface TennisSet {
  /** Games, or points in a match tie-break. */
  winner: number;
  loser: number;
  /** Points in the set's tie-break. */
  tieBreak?: { winner: number; loser: number };
}

export interface TennisScore {
  status: 'ended' | 'retired' | 'walkover' | 'awarded' | 'abandoned';
  sets: TennisSet[];
}

const ENDS: Readonly<Record<string, TennisScore['status']>> = {
  RET: 'retired',
  'RET.': 'retired',
  'W/O': 'walkover',
  WALKOVER: 'walkover',
  DEF: 'awarded',
  'DEF.': 'awarded',
  DEFAULT: 'awarded',
  ABN: 'abandoned',
  ABD: 'abandoned',
  UNP: 'abandoned',
};
/** Points that win a tie-break if the lead is two points. */
const TIE_BREAK_POINTS = 7;

/** @returns undefined for a text that is not a score */
export function readScore(written: string): TennisScore | undefined {
  const words = written.trim().split(/\s+/u);
  const end = ENDS[words.at(-1)!.toUpperCase()];
  const played = end === undefined ? words : words.slice(0, -1);
  const sets = played.map(readSet).filter((set) => set !== undefined);
  if (sets.length < played.length || (end === undefined && sets.length === 0)) return undefined;
  return { status: end ?? 'ended', sets };
}

function readSet(word: string): TennisSet | undefined {
  const found = /^(?:(\d{1,2})-(\d{1,2})(?:\((\d{1,2})\))?|\[(\d{1,2})-(\d{1,2})\])$/u.exec(word);
  if (found === null) return undefined;
  const [, games, others, lost, points, conceded] = found;
  if (points !== undefined) return { winner: Number(points), loser: Number(conceded) };
  const set = { winner: Number(games), loser: Number(others) };
  if (lost === undefined) return set;
  const less = Number(lost);
  const more = Math.max(TIE_BREAK_POINTS, less + 2);
  const isWon = set.winner > set.loser;
  return { ...set, tieBreak: { winner: isWon ? more : less, loser: isWon ? less : more } };
}

/**
 * Counts sets. If a side gave up or did not play, the sets that were not played are awarded to the opponent, so that
 * the score shows who won.
 * @param best maximum number of sets in the match
 * @returns undefined if the sets do not add up to a win for the stated winner
 */
export function countSets({ status, sets }: TennisScore, best: number): { winner: number; loser: number } | undefined {
  const needed = Math.ceil(best / 2);
  const isFinished = (set: TennisSet, index: number) => status !== 'retired' || index < sets.length - 1 || isWhole(set);
  const counted = sets.filter(isFinished);
  const won = counted.filter(({ winner, loser }) => winner > loser).length;
  const lost = counted.filter(({ winner, loser }) => loser > winner).length;
  if (lost >= needed || won > needed) return undefined;
  if (status === 'ended')
    return won === needed && won + lost === sets.length ? { winner: won, loser: lost } : undefined;
  return { winner: needed, loser: lost };
}

/** Whether a set has been played to its end. */
function isWhole({ winner, loser, tieBreak }: TennisSet): boolean {
  const [more, less] = winner > loser ? [winner, loser] : [loser, winner];
  return tieBreak !== undefined || (more >= 6 && more - less >= 2) || (more === 7 && less === 6);
}
