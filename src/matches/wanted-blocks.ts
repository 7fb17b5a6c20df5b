/** The parameter `blocks`: which detail blocks a card is to have. */
import { commaList, oneOf } from '../http/query.ts';
import { BLOCK_NAMES, type BlockName, FIELD_BLOCKS } from '../wire/match.ts';

export const blocksQuery = commaList(oneOf([...BLOCK_NAMES, ...FIELD_BLOCKS] as unknown as [string, ...string[]]))
  .optional()
  .meta({ description: 'Only these detail blocks; the match fields always' });

/** In the order of the schema; null: all. */
export const wantedBlocks = (blocks: readonly string[] | undefined): BlockName[] | null =>
  blocks === undefined ? null : BLOCK_NAMES.filter((block) => blocks.includes(block));
