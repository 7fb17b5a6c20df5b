/**
 * A card's `meta.completeness`, measured from each block: none, partial, or full.
 *
 * | Block                            | Full when                                                                                  |
 * | -------------------------------- | ------------------------------------------------------------------------------------------ |
 * | lineups                          | official or the match is over, with the sport's starters on both sides                      |
 * | coaches                          | both sides have one                                                                         |
 * | incidents                        | the match is over, and goals, points or sets among them add up to its score                 |
 * | statistics                       | the match is over, and each figure is there for both sides                                  |
 * | player_stats, average_positions  | the match is over, with the sport's starters on both sides                                  |
 * | shotmap, best_players            | the match is over, with entries on both sides                                               |
 * | momentum                         | the match is over, and the curve reaches the end of regular time                            |
 * | the rest                         | the match is over                                                                           |
 *
 * In a sport without a fixed number of starters, a line-up is full when it is official, and in all other blocks one entry on
 * each side is enough.
 */
import { SPORTS } from '../../sports/sports.ts';
import { BLOCK_NAMES, BLOCK_SPORTS } from '../../wire/match.ts';
import type { BlockRow, StoredBlocks } from './blocks.ts';

/** JSON texts of an empty block. */
const EMPTY = ['[]', '{}', '{"graphPoints":[]}', '{"home":[],"away":[]}'];
const isEmptyBlock = (json: string | undefined): boolean => json === undefined || EMPTY.includes(json);

/** Returns the SQL for the number of entries of the side that has fewer. */
const fewest = (
  where = 'true',
) => `(SELECT least(count(*) FILTER (WHERE e.side = 'home'), count(*) FILTER (WHERE e.side = 'away'))
      FROM json_to_recordset(b.json::json) AS e (side text, is_substitute text) WHERE ${where})`;

const FIGURES_OF_BOTH = `NOT EXISTS (SELECT FROM json_to_recordset(b.json::json)
      AS e (home_value text, away_value text, home_text text, away_text text)
      WHERE coalesce(e.home_value, e.home_text) IS NULL OR coalesce(e.away_value, e.away_text) IS NULL)`;

/** SQL for whether the incidents add up to the score. A goal or a set counts as one. A point counts as the worth in its payload. */
const SCORE_EXPLAINED = `(SELECT coalesce(sum(e.worth) FILTER (WHERE e.side = 'home'), 0) = m.home_score
        AND coalesce(sum(e.worth) FILTER (WHERE e.side = 'away'), 0) = m.away_score
      FROM (SELECT i.side, CASE WHEN i.kind <> 'point' THEN 1
          WHEN json_typeof(i.payload -> 'points') = 'number' THEN (i.payload ->> 'points')::numeric END AS worth
        FROM json_to_recordset(b.json::json) AS i (kind text, side text, payload json) WHERE i.kind = k.scores_by) e)`;

const LAST_MINUTE = `(SELECT max(e.minute) FROM json_to_recordset(b.json::json -> 'graphPoints') AS e (minute float8))`;

/**
 * Returns the SQL for a join, as `k`, with what a complete match in the sport of `m` has.
 * @param first the first parameter's number
 */
export const extentJoin = (
  first: number,
) => `LEFT JOIN unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::text[],
    $${first + 3}::int[], $${first + 4}::text[], $${first + 5}::int[]) AS k (sport, blocks, without_blocks, starters, scores_by, minutes)
    ON k.sport = m.sport`;

const sportBlocks = (sport: string) => BLOCK_NAMES.filter((name) => BLOCK_SPORTS[name]?.includes(sport) ?? true);

export const extentValues = [
  SPORTS.map(({ slug }) => slug),
  SPORTS.map(({ slug }) => sportBlocks(slug).join(',')),
  SPORTS.map(({ slug }) => JSON.stringify(Object.fromEntries(sportBlocks(slug).map((name) => [name, 'none'])))),
  SPORTS.map(({ starters }) => starters),
  SPORTS.map(({ score }) => score.countedBy),
  SPORTS.map(({ regularMinutes }) => regularMinutes),
];

/**
 * SQL for the completeness object as text, for the match `m` with the extent `k`. The query starts from the match's blocks,
 * since most possible blocks are missing. It parses a block only if the result depends on the content. The object is empty if
 * this version does not know the sport.
 */
export const COMPLETENESS = `coalesce((SELECT CASE WHEN found.states IS NULL THEN k.without_blocks ELSE (
      SELECT '{' || string_agg('"' || name || '":"' || coalesce(found.states ->> name, 'none') || '"', ',' ORDER BY ord) || '}'
      FROM unnest(string_to_array(k.blocks, ',')) WITH ORDINALITY AS known (name, ord)) END
    FROM (SELECT jsonb_object_agg(b.block, CASE
           WHEN CASE
             WHEN b.block = 'lineups' AND k.starters IS NULL THEN m.lineup_confirmed
             WHEN b.block = 'lineups' THEN (m.status = 'finished' OR m.lineup_confirmed) AND ${fewest("e.is_substitute = 'false'")} >= k.starters
             WHEN b.block = 'coaches' THEN ${fewest()} > 0
             WHEN m.status <> 'finished' THEN false
             WHEN b.block = 'incidents' THEN k.scores_by IS NULL OR ${SCORE_EXPLAINED}
             WHEN b.block = 'statistics' THEN ${FIGURES_OF_BOTH}
             WHEN b.block = 'player_stats' THEN ${fewest()} >= coalesce(k.starters, 1)
             WHEN b.block IN ('shotmap', 'best_players') THEN ${fewest()} > 0
             WHEN b.block = 'average_positions' THEN least(json_array_length(b.json::json -> 'home'), json_array_length(b.json::json -> 'away'))
               >= coalesce(k.starters, 1)
             WHEN b.block = 'momentum' THEN ${LAST_MINUTE} >= k.minutes
             ELSE true END THEN 'full'
           ELSE 'partial' END) AS states
         FROM match_block b WHERE b.match_id = m.id AND b.json NOT IN (${EMPTY.map((json) => `'${json}'`).join(', ')})) found), '{}')`;

interface ChangedBlocks {
  rows: readonly Pick<BlockRow, 'block' | 'json'>[];
  removed: readonly string[];
  changed: ReadonlySet<string>;
}

/** Blocks that can be full before the match is over. */
const EARLY = ['lineups', 'coaches'];

/**
 * True if a match's completeness stays the same when only these blocks change. Before the match is over, it depends only on
 * which blocks are empty, except for the blocks in `EARLY`.
 */
export const isAsComplete = (
  status: string,
  stored: StoredBlocks,
  { rows, removed, changed }: ChangedBlocks,
): boolean =>
  status !== 'finished' &&
  removed.length === 0 &&
  !EARLY.some((block) => changed.has(block)) &&
  rows.every(({ block, json }) => isEmptyBlock(json) === isEmptyBlock(stored.get(block)?.json));
