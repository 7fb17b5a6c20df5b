/** The parameter `blocks`, which selects a card's detail blocks. */
import { commaList, oneValue } from '../http/index.ts';
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
