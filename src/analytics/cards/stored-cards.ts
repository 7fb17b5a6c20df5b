/** Stores and reads computed analytics in the Postgres table `analytics_card`. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { columns, type Queryable, wireTimeSql } from '../../db/postgres.ts';

/** `match` is pre-match analytics, `side` form and trends, `league` a profile, `trends` a league's strongest trends. */
export type CardKind = 'match' | 'side' | 'league' | 'trends';

export interface CardKey {
  kind: CardKind;
  /** Match, participant or tournament id. */
  id: number;
  /** Request parameters that change the content, as text. */
  variant: string;
}

/** @param season season id; undefined if the request names no season */
export const tournamentVariant = (season: number | undefined): string => (season === undefined ? '' : String(season));

/** Columns for a subject's stored card; all are null if no card is stored. */
export interface CardRow {
  card_version: string | null;
  /** YYYY-MM-DDTHH:MM:SSZ */
  card_computed_at: string | null;
  card_body: Buffer | null;
  /** True if the job keeps the card fresh. False if the job has known for over a minute that the card is stale. */
  card_is_kept: boolean | null;
}

/** Increase this number when the computed or stored data changes, so that cards from other releases are computed again. */
export const CARD_FORMAT = 3;
/** Name of the job that keeps cards fresh. */
export const CARD_JOB = 'analytics_cards';
/** How long a stale card is still served. */
const STALE_SECONDS = 60;

/** SQL for the `CardRow` columns, after `joinCard`. `card_is_kept` is false while no process runs the job. */
export const cardColumns = (body: 'card.body' | 'NULL::bytea'): string =>
  `card.version AS card_version, ${wireTimeSql('card.computed_at')} AS card_computed_at, ${body} AS card_body,
     card.kept AND w.tournament_id IS NOT NULL AND coalesce(w.stale_since > clock_timestamp() - interval '${STALE_SECONDS} s', true)
       AND EXISTS (SELECT FROM job WHERE job.name = '${CARD_JOB}' AND job.expires_at > clock_timestamp()) AS card_is_kept`;

/**
 * SQL that joins a subject's card, and the window state of the subject's tournament. The arguments are SQL expressions.
 */
export const joinCard = ({ kind, id, variant, tournament }: Record<'kind' | 'id' | 'variant' | 'tournament', string>) =>
  `LEFT JOIN analytics_card card ON card.kind = ${kind} AND card.subject_id = ${id} AND card.variant = ${variant}
   LEFT JOIN analytics_window w ON w.tournament_id = ${tournament}`;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** @throws {Error} if the card is damaged */
export const readFacts = async <F>(body: Buffer): Promise<F> => JSON.parse((await decompress(body)).toString()) as F;

export interface NewCard extends CardKey {
  version: string;
  facts: unknown;
}

/**
 * Stores cards, replacing the previous ones.
 * @param isKept whether the job keeps these cards fresh from now on. False changes nothing for a card that it already keeps fresh.
 * @param now ms since 1970
 */
export async function storeCards(
  db: Queryable,
  cards: readonly NewCard[],
  { isKept, now }: { isKept: boolean; now: number },
): Promise<void> {
  const bodies = await Promise.all(cards.map(({ facts }) => compress(JSON.stringify(facts))));
  await db.query(
    `INSERT INTO analytics_card AS c (kind, subject_id, variant, version, computed_at, kept, body)
     SELECT kind, id, variant, version, $6::timestamptz, $7::boolean, body
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[]) AS n (kind, id, variant, version, body)
     ON CONFLICT (kind, subject_id, variant) DO UPDATE SET version = excluded.version, computed_at = excluded.computed_at,
       kept = c.kept OR excluded.kept, body = excluded.body`,
    [...columns(cards, 'kind', 'id', 'variant', 'version'), bodies, new Date(now), isKept],
  );
}
