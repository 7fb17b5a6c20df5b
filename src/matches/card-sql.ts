/** SQL that assembles a card from its stored pieces. */
import { shownBlockSql } from '../db/shown-blocks.ts';

/**
 * Returns SQL for the beginning of a card, before the blocks and the closing brace. The ids of venue and referees are looked up
 * here. Stored in the card, they would change all cards of a referee who turns out to be known under another name.
 */
export const headSql = (card: string) => `left(${card}.item, -1) || ',' || ${detailSql(card)}`;

const detailSql = (card: string) => `${card}.detail || (
    SELECT ',"venue_id":' || coalesce(i.venue_id::text, 'null') || ',"referee_id":' || coalesce(r.ids[1]::text, 'null')
      || ',"referee_ids":[' || coalesce(array_to_string(r.ids, ','), '') || ']'
    FROM match i CROSS JOIN LATERAL (${refereeIdsSql('i.id')}) r WHERE i.id = ${card}.match_id)`;

/** Returns SQL for a row with the ids of a match's referees, in the order of their names. Null for none. */
export const refereeIdsSql = (
  match: string,
) => `SELECT array_agg(coalesce(p.person_id, p.id) ORDER BY s.position) AS ids
      FROM match_staff s JOIN participant p ON p.id = s.participant_id WHERE s.match_id = ${match} AND s.role = 'referee'`;

/**
 * Returns SQL for one card as JSON text. The stored pieces are concatenated, with blocks in order of name, as in their index.
 * The rows are sorted before the aggregate, because an ordered string_agg would sort the whole texts (measured: 2,600 cards a
 * second instead of 3,900). Postgres does the concatenation, because the driver would have to parse arrays (measured: 1,000
 * cards a second instead of 9,000).
 * @param match SQL for the match id
 * @param card alias of match_card
 * @param wanted condition on the alias `b` of match_block
 */
export const cardSql = (match: string, card: string, wanted = 'true') =>
  `${headSql(card)} || ${blockMembersSql(match, wanted)} || '}'`;

/** Returns SQL for a card's blocks as JSON members, each after a comma. */
const blockMembersSql = (match: string, wanted: string) => `coalesce((
    SELECT ',' || string_agg(o.member, ',') FROM (
      SELECT '"' || b.block || '":' || ${shownBlockSql('b')} AS member FROM match_block b
      WHERE b.match_id = ${match} AND b.block <> 'weather' AND (${wanted}) ORDER BY b.block) o), '')`;

/**
 * Returns SQL for a list item with blocks.
 * @param match SQL for the match id
 * @param card alias of match_card
 * @param stored SQL for the names of the blocks
 * @param fields SQL for the names of the fields that a card has and a list item does not
 */
export const itemWithBlocksSql = (match: string, card: string, stored: string, fields: string) =>
  `left(${card}.item, -1) || coalesce((
    SELECT ',' || string_agg('"' || d.key || '":' || d.value, ',') FROM json_each(('{' || ${detailSql(card)} || '}')::json) d
    WHERE d.key = ANY (${fields})), '') || ${blockMembersSql(match, `b.block = ANY (${stored})`)} || '}'`;
