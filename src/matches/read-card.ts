/**
 * Reads cards as stored pieces. One statement reads all cards that are requested in the same turn of the event loop. With one
 * statement per card and 64 clients that read different cards, most of a reply's processor time was spent on statements.
 */
import type DataLoader from 'dataloader';
import { prepared, type Queryable } from '../db/postgres.ts';
import { readAbout } from '../db/routed-reads.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';
import { readTogether } from '../http/index.ts';

import type { BlockName } from '../wire/match.ts';
import { batchReads } from './batch-reads.ts';
import { headSql } from './card-sql.ts';

/** Maximum number of cards in one statement. Together, even the largest cards are then about 1 MB. */
const CARDS_TOGETHER = 16;

export interface StoredCard {
  version: number;
  status: 'scheduled' | 'live' | 'finished';
  finalized: boolean;
  /** The card as JSON in UTF-8. Null if the caller's version is current. */
  card: Buffer | null;
}

interface Wanted {
  id: number;
  /** Null for all blocks. */
  blocks: readonly BlockName[] | null;
  cachedVersion: number | undefined;
}

type Row = Omit<StoredCard, 'card'> & { nth: number; block: string | null; json: string | null };

/** Selects the pieces as rows. The heads come first, then each card's blocks by name. */
const CARDS = prepared(
  'cards',
  `WITH wanted AS (
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[]) WITH ORDINALITY AS w (id, cached, blocks, nth)
    ),
    head AS MATERIALIZED (
      SELECT w.nth::int AS nth, w.blocks::text[] AS blocks, m.id, m.version, m.status, m.finalized,
        m.version IS DISTINCT FROM w.cached AS changed,
        CASE WHEN m.version IS DISTINCT FROM w.cached THEN ${headSql('c')} END AS json
      FROM wanted w JOIN match m ON m.id = w.id JOIN match_card c ON c.match_id = m.id
    )
    SELECT nth, version, status, finalized, NULL AS block, json FROM head
    UNION ALL
    (SELECT head.nth, NULL, NULL, NULL, b.block, ${shownBlockSql('b')} FROM head JOIN match_block b ON b.match_id = head.id
      WHERE head.changed AND b.block <> 'weather' AND (head.blocks IS NULL OR b.block = ANY (head.blocks))
      ORDER BY head.nth, b.block)`,
);

const CLOSING = Buffer.from('}');

/**
 * Reads cards, and concatenates the pieces here. In Postgres, a text would be copied several times, and a single character
 * outside ASCII would slow down both decoding in the driver and encoding of the reply for the whole text.
 */
async function readCards(db: Queryable, wanted: readonly Wanted[]): Promise<(StoredCard | null)[]> {
  const ids = wanted.map(({ id }) => id);
  const { rows } = await readAbout(db, ids).query<Row>(
    CARDS([
      ids,
      wanted.map(({ cachedVersion }) => cachedVersion ?? null),
      wanted.map(({ blocks }) => (blocks === null ? null : `{${blocks.join()}}`)),
    ]),
  );
  const cards = wanted.map((): StoredCard | null => null);
  const pieces = wanted.map((): Buffer[] => []);
  for (const { nth, block, json, ...head } of rows) {
    const own = pieces[nth - 1];
    if (own === undefined) continue;
    if (block === null) cards[nth - 1] = { ...head, card: null };
    else own.push(Buffer.from(`,"${block}":`));
    if (json !== null) own.push(Buffer.from(json));
  }
  for (const [index, own] of pieces.entries()) {
    const card = cards[index];
    if (card && own.length > 0) card.card = Buffer.concat([...own, CLOSING]);
  }
  return cards;
}

const loaders = new WeakMap<Queryable, DataLoader<Wanted, StoredCard | null>>();

function loaderFor(db: Queryable): DataLoader<Wanted, StoredCard | null> {
  const known = loaders.get(db);
  if (known !== undefined) return known;
  const loader = batchReads((wanted: readonly Wanted[]) => readCards(db, wanted), CARDS_TOGETHER);
  loaders.set(db, loader);
  return loader;
}

/**
 * Reads one card.
 * @param blocks null for all
 * @param cachedVersion version of the caller's cached card
 * @returns null if there is no such match
 */
export const readCard = (
  db: Queryable,
  id: number,
  blocks: readonly BlockName[] | null,
  cachedVersion?: number,
): Promise<StoredCard | null> => readTogether(db, (shared) => loaderFor(shared).load({ id, blocks, cachedVersion }));
