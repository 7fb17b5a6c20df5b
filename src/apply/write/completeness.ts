/**
 * `meta.completeness` of a card, measured from each block: none, partial, or full.
 *
 * | Block                            | Full when                                                                                  |
 * | -------------------------------- | ------------------------------------------------------------------------------------------ |
 * | lineups                          | official or of a match that is over, with the starters of the sport on both sides           |
 * | coaches                          | both sides have one                                                                         |
 * | incidents                        | the match is over, and goals, points or sets among them add up to its score                 |
 * | statistics                       | the match is over, and each figure is there for both sides                                  |
 * | player_stats, average_positions  | the match is over, with the starters of the sport on both sides                             |
 * | shotmap, best_players            | the match is over, with entries of both sides                                               |
 * | momentum                         | the match is over, and the curve reaches the end of regular time                            |
 * | others                           | the match is over                                                                           |
 *
 * In a sport without a fixed number of starters a line-up is full when it is official, and one entry of each side is enough elsewhere.
 */
import { SPORTS } from '../../sports/sports.ts';
import { BLOCK_NAMES, BLOCK_SPORTS } from '../../wire/match.ts';
import type { BlockChanges, StoredBlocks } from '../merge/match-blocks.ts';

/** Empty blocks. */
const EMPTY = ['[]', '{}', '{"graphPoints":[]}', '{"home":[],"away":[]}'];
const isEmptyBlock = (json: string | undefined): boolean => json === undefined || EMPTY.includes(json);

/** Returns the SQL of the number of entries of the side with fewer. */
const fewest = (
  where = 'true',
) => `(SELECT least(count(*) FILTER (WHERE e.side = 'home'), count(*) FILTER (WHERE e.side = 'away'))
      FROM json_to_recordset(b.json::json) AS e (side text, is_substitute text) WHERE ${where})`;

const FIGURES_OF_BOTH = `NOT EXISTS (SELECT FROM json_to_recordset(b.json::json)
      AS e (home_value text, away_value text, home_text text, away_text text)
      WHERE coalesce(e.home_value, e.home_text) IS NULL OR coalesce(e.away_value, e.away_text) IS NULL)`;

/** SQL of whether the incidents add up to the score: a goal and a set count one, a point has its worth in its payload. */
const SCORE_EXPLAINED = `(SELECT coalesce(sum(e.worth) FILTER (WHERE e.side = 'home'), 0) = m.home_score
        AND coalesce(sum(e.worth) FILTER (WHERE e.side = 'away'), 0) = m.away_score
      FROM (SELECT i.side, CASE WHEN i.kind <> 'point' THEN 1
          WHEN json_typeof(i.payload -> 'points') = 'number' THEN (i.payload ->> 'points')::numeric END AS worth
        FROM json_to_recordset(b.json::json) AS i (kind text, side text, payload json) WHERE i.kind = k.scores_by) e)`;

const LAST_MINUTE = `(SELECT max(e.minute) FROM json_to_recordset(b.json::json -> 'graphPoints') AS e (minute float8))`;

/**
 * SQL of the text of the object, for the match `m`, from the parameters of `completenessValues`. Blocks are parsed only if the result
 * depends on their content.
 * @param first number of the first parameter
 */
export const completenessSql = (first: number) => `(SELECT '{' || string_agg('"' || name || '":"' ||
      CASE WHEN b.block IS NULL OR b.json IN (${EMPTY.map((json) => `'${json}'`).join(', ')}) THEN 'none'
           WHEN CASE
             WHEN name = 'lineups' AND k.starters IS NULL THEN m.lineup_confirmed
             WHEN name = 'lineups' THEN (m.status = 'finished' OR m.lineup_confirmed) AND ${fewest("e.is_substitute = 'false'")} >= k.starters
             WHEN name = 'coaches' THEN ${fewest()} > 0
             WHEN m.status <> 'finished' THEN false
             WHEN name = 'incidents' THEN k.scores_by IS NULL OR ${SCORE_EXPLAINED}
             WHEN name = 'statistics' THEN ${FIGURES_OF_BOTH}
             WHEN name = 'player_stats' THEN ${fewest()} >= coalesce(k.starters, 1)
             WHEN name IN ('shotmap', 'best_players') THEN ${fewest()} > 0
             WHEN name = 'average_positions' THEN least(json_array_length(b.json::json -> 'home'), json_array_length(b.json::json -> 'away'))
               >= coalesce(k.starters, 1)
             WHEN name = 'momentum' THEN ${LAST_MINUTE} >= k.minutes
             ELSE true END THEN 'full'
           ELSE 'partial' END || '"', ',' ORDER BY ord) || '}'
    FROM unnest($${first}::text[], $${first + 1}::text[]) WITH ORDINALITY AS known (name, sports, ord)
    LEFT JOIN match_block b ON b.match_id = m.id AND b.block = name
    LEFT JOIN LATERAL json_to_record($${first + 2}::json -> m.sport) AS k (starters int, scores_by text, minutes int) ON true
    WHERE sports = '' OR m.sport = ANY (string_to_array(sports, ',')))`;

/** Content of a complete match, by sport. */
const EXTENTS = Object.fromEntries(
  SPORTS.map(({ slug, starters, score, regularMinutes }) => [
    slug,
    { starters, scores_by: score.countedBy, minutes: regularMinutes },
  ]),
);

export const completenessValues = [
  BLOCK_NAMES,
  BLOCK_NAMES.map((name) => BLOCK_SPORTS[name]?.join(',') ?? ''),
  JSON.stringify(EXTENTS),
];

/** Blocks that can be full before the match is over. */
const EARLY = ['lineups', 'coaches'];

/**
 * Whether the completeness stays as it is when only these blocks of a match change. Until the end of the match it depends only on
 * which blocks are empty, but for the blocks above.
 */
export const isAsComplete = (
  status: string,
  stored: StoredBlocks,
  { rows, removed, changed }: Pick<BlockChanges, 'rows' | 'removed' | 'changed'>,
): boolean =>
  status !== 'finished' &&
  removed.length === 0 &&
  !EARLY.some((block) => changed.has(block)) &&
  rows.every(({ block, json }) => isEmptyBlock(json) === isEmptyBlock(stored.get(block)?.json));
