/** SQL that assembles a card from its stored pieces. */
import { shownBlockSql } from '../db/shown-blocks.ts';

/** Returns SQL for the beginning of a card, before the blocks and the closing brace. */
export const headSql = (card: string) => `left(${card}.item, -1) || ',' || ${card}.detail`;

/**
 * Returns SQL for one card as JSON text. The stored pieces are concatenated, with blocks in order of name, as in their index.
 * The rows are sorted before the aggregate, because an ordered string_agg would sort the whole texts (measured: 2,600 cards a
 * second instead of 3,900). Postgres does the concatenation, because the driver would have to parse arrays (measured: 1,000
 * cards a second instead of 9,000).
 * @param match SQL for the match id
 * @param card alias of match_card
 * @param wanted condition on the alias `b` of match_block
 */
export const cardSql = (match: string, card: string, wanted = 'true') => `${headSql(card)} || coalesce((
    SELECT ',' || string_agg(o.member, ',') FROM (
      SELECT '"' || b.block || '":' || ${shownBlockSql('b')} AS member FROM match_block b
      WHERE b.match_id = ${match} AND b.block <> 'weather' AND (${wanted}) ORDER BY b.block) o), '') || '}'`;
