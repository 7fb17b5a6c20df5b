/** A tournament's match coverage, from season counts. */
import { BLOCK_NAMES, BLOCK_SPORTS } from '../../wire/match.ts';
import type { Coverage, Depth } from '../schema.ts';

type BlockCoverage = Coverage['blocks'][string];

/**
 * Counts for a block in a season: matches that have it, matches whose block is complete, and the day of the first
 * (YYYY-MM-DD).
 */
export type BlockCounts = readonly [held: number, full: number, since: string];

export interface SeasonCounts {
  /** Matches that should have a result by now. */
  due: number;
  /** Matches that are over and can have details. */
  played: number;
  blocks: Readonly<Record<string, BlockCounts>>;
}

/** Matches with a result, out of `due`. */
export const RESULTS = 'results';
/** A match field that is measured like a block. */
export const WEATHER = 'weather';
/** Blocks that a tournament covered in full depth has. */
const ESSENTIAL = ['incidents', 'statistics', 'lineups'];

/** A block is full if this percentage of the matches has it complete. */
const FULL_PCT = 95;
/**
 * A block begins with the first season in which at least this share of the matches has it, because a single early match
 * says little.
 */
const BEGUN_SHARE = 0.5;

/** Lists the blocks that matches in a sport can have. */
export const coverableBlocks = (sport: string): string[] => [
  RESULTS,
  ...BLOCK_NAMES.filter((block) => BLOCK_SPORTS[block]?.includes(sport) ?? true),
  WEATHER,
];

/**
 * Percentages refer to the matches since the block began.
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

/** Rounds to one decimal. Only none and all give 0 and 100. */
function percent(part: number, whole: number): number {
  if (part <= 0) return 0;
  if (part >= whole) return 100;
  return Math.min(Math.max(Math.round((part * 1_000) / whole) / 10, 0.1), 99.9);
}

function classifyDepth(matches: number, blocks: Readonly<Record<string, BlockCoverage>>): Depth {
  const has = (level: BlockCoverage['level']) => (block: string) => blocks[block]?.level === level;
  if (matches === 0) return 'none';
  if (ESSENTIAL.every(has('full'))) return 'full';
  // Weather does not count as a detail, because it is available for any ground.
  const details = Object.keys(blocks).filter((block) => block !== RESULTS && block !== WEATHER);
  return details.every(has('none')) ? 'results' : 'partial';
}
