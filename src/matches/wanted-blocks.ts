/** The parameter `blocks`, which selects detail blocks, for a card or for the matches of a list. */
import { commaList, invalidParameter, oneValue } from '../http/index.ts';
import { BLOCK_NAMES, type BlockName, FIELD_BLOCKS } from '../wire/match.ts';

export const blocksQuery = commaList(oneValue([...BLOCK_NAMES, ...FIELD_BLOCKS]))
  .optional()
  .meta({
    description:
      'Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once',
  });

/** Returns the requested blocks in schema order. Null for all blocks. */
export const wantedBlocks = (blocks: readonly string[] | undefined): BlockName[] | null =>
  blocks === undefined ? null : BLOCK_NAMES.filter((block) => blocks.includes(block));

/** Maximum number of matches in a list with blocks. */
export const MOST_WITH_BLOCKS = 100;
/** A list costs one more for each ten matches with blocks. */
const MATCHES_A_REQUEST = 10;

export const listBlocksQuery = blocksQuery.meta({
  description: `Adds these detail blocks to each match. A list has at most ${MOST_WITH_BLOCKS} matches then, and costs 1, and 1 more for each ${MATCHES_A_REQUEST} matches or part of them`,
});

/** The blocks to add to each match of a list. */
export interface ListedBlocks {
  /** Blocks that are stored on their own. */
  stored: readonly BlockName[];
  /** Blocks that are fields of the match. */
  fields: readonly string[];
}

/** Ids that come with a field. */
const IDS: Readonly<Partial<Record<(typeof FIELD_BLOCKS)[number], readonly string[]>>> = {
  venue_city: ['venue_id'],
  referee: ['referee_id', 'referee_ids'],
};

/**
 * Returns the requested blocks. Null if there are none.
 * @param limit number of matches that are requested
 * @throws {Problem} invalid_parameter for more than 100 matches
 */
export function listedBlocks(blocks: readonly string[] | undefined, limit: number): ListedBlocks | null {
  if (blocks === undefined) return null;
  if (limit > MOST_WITH_BLOCKS)
    throw invalidParameter('limit', 'out_of_range', `must be at most ${MOST_WITH_BLOCKS} with blocks`);
  const fields = FIELD_BLOCKS.filter((field) => blocks.includes(field)).flatMap((field) => [
    field,
    ...(IDS[field] ?? []),
  ]);
  return { stored: wantedBlocks(blocks)!, fields };
}

/** Returns the cost of a list. @param blocks the query's `blocks` @param matches number of matches in the list */
export const listCost = (blocks: readonly string[] | undefined, matches: number): number =>
  blocks === undefined || matches > MOST_WITH_BLOCKS ? 1 : 1 + Math.ceil(matches / MATCHES_A_REQUEST);
