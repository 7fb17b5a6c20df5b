/** SQL for whether the players of a match are known. */

/** Matches incident JSON in the stored format, which has no spaces. */
const DETAILED = `b.json = '[]' OR b.json LIKE '%"kind":"subst"%' OR b.json LIKE '%"kind":"card"%'`;

/**
 * Returns a condition that is true if the match has stored line-ups and stored incidents. The incidents must come from
 * a source that reports cards and substitutions, unless the list is known to be empty. Line-ups alone do not tell which
 * substitutes came on.
 * @param match alias of the table match
 */
export const knowsAppearances = (
  match: string,
) => `(SELECT count(*) = 2 FROM match_block b WHERE b.match_id = ${match}.id
  AND (b.block = 'lineups' AND b.json <> '[]' OR b.block = 'incidents' AND (${DETAILED})))`;
