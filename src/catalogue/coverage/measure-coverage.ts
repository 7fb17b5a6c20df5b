/** A tournament's match coverage, from season counts. */
import { BLOCK_NAMES, BLOCK_SPORTS } from '../../wire/match.ts';
import type { Coverage, Depth } from '../schema.ts';

type BlockCoverage = Coverage['blocks'][string];

/**
 * A block's counts in a season: the number of matches that have the block, the number of matches in which it is complete, and
 * the day of the first match that has it (YYYY-MM-DD).
 */
export type BlockCounts = readonly [held: number, full: number, since: string];

export interface SeasonCounts {
  /** Matches that should already have a result. */
  due: number;
  /** Matches that are over and can have details. */
  played: number;
  blocks: Readonly<Record<string, BlockCounts>>;
}

/** Matches with a result, out of `due`. */
export const RESULTS = 'results';
/** Weather is a field of the match, but it is measured like a block. */
export const WEATHER = 'weather';
/** Blocks that must all be full in a tournament with full depth. */
const ESSENTIAL = ['incidents', 'statistics', 'lineups'];

/** A block is full if it is complete in at least this percentage of the matches. */
const FULL_PCT = 95;
/** A block begins with the first season in which at least this share of the matches has it, because a single early match says little. */
const BEGUN_SHARE = 0.5;

/** Lists the blocks that matches in a sport can have. */
export const coverableBlocks = (sport: string): string[] => [
  RESULTS,
  ...BLOCK_NAMES.filter((block) => BLOCK_SPORTS[block]?.includes(sport) ?? true),
  WEATHER,
];

/**
 * Returns a tournament's coverage. A block's percentage counts only seasons since the block began.
 * @param seasons oldest first
 */
export function measureCoverage(sport: string, seasons: readonly SeasonCounts[], measured_at: string): Coverage {
  const blocks: Record<string, BlockCoverage> = Object.fromEntries(
    coverableBlocks(sport).map((block) => [block, blockCoverage(block, seasons)]),
  );
  const matches = seasons.reduce((sum, { played }) => sum + played, 0);
  return { depth: classifyDepth(matches, blocks), matches, measured_at, blocks };
}

const NONE: BlockCoverage = { level: 'none', pct: 0, full_pct: 0, since: null };

function blockCoverage(block: string, seasons: readonly SeasonCounts[]): BlockCoverage {
  const ofSeason = ({ due, played, blocks }: SeasonCounts) => {
    const [held, full, since] = blocks[block] ?? [0, 0, ''];
    return { matches: block === RESULTS ? due : played, held, full, since };
  };
  const counts = seasons.map(ofSeason).filter(({ matches }) => matches > 0);
  const begun = counts.findIndex(({ matches, held }) => held >= matches * BEGUN_SHARE);
  const first = begun >= 0 ? begun : counts.findIndex(({ held }) => held > 0);
  const start = counts[first];
  if (start === undefined) return NONE;
  const since = counts.slice(first);
  const sum = (of: 'matches' | 'held' | 'full') => since.reduce((total, one) => total + one[of], 0);
  const full_pct = percent(sum('full'), sum('matches'));
  const level = sum('full') * 100 >= FULL_PCT * sum('matches') ? 'full' : 'partial';
  return { level, pct: percent(sum('held'), sum('matches')), full_pct, since: start.since };
}

/** Returns a percentage, rounded to one decimal. Returns 0 only for an empty part, and 100 only for the whole. */
function percent(part: number, whole: number): number {
  if (part <= 0) return 0;
  if (part >= whole) return 100;
  return Math.min(Math.max(Math.round((part * 1_000) / whole) / 10, 0.1), 99.9);
}

function classifyDepth(matches: number, blocks: Readonly<Record<string, BlockCoverage>>): Depth {
  const has = (level: BlockCoverage['level']) => (block: string) => blocks[block]?.level === level;
  if (matches === 0) return 'none';
  if (ESSENTIAL.every(has('full'))) return 'full';
  // Weather does not count as a detail, because every ground has it.
  const details = Object.keys(blocks).filter((block) => block !== RESULTS && block !== WEATHER);
  return details.every(has('none')) ? 'results' : 'partial';
}
