/** The card that all readers of a match get. */
import assert from 'node:assert/strict';
import { cardSql } from '../../src/matches/card-sql.ts';
import { findStoredMatch } from '../../src/matches/stored-match.ts';
import type { Card, FeedBench } from './feed.ts';

/** Returns a match's card. Fails if the card in sync, or a block on the match page, differs from it. */
export async function shownCard(bench: FeedBench, id: number): Promise<Card> {
  const card = await bench.card(id);
  const { rows } = await bench.db.pool.query<{ card: string }>(
    `SELECT ${cardSql('c.match_id', 'c')} AS card FROM match_card c WHERE c.match_id = $1`,
    [id],
  );
  assert.deepEqual(JSON.parse(rows[0]!.card), card);
  const page = await findStoredMatch(bench.db.pool, id, ['incidents', 'lineups']);
  for (const [block, shown] of Object.entries(page!.blocks))
    assert.deepEqual(shown, card[block as 'incidents' | 'lineups']);
  return card;
}
