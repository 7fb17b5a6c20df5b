/** Implements `/v1/sync`, which returns all matches as cards, page by page. After that, it returns only changes. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Deps, route } from '../deps.ts';
import { type AheadPage, idParam, limit, sportSlug, timeParam } from '../http/index.ts';
import { id, matchDetail } from '../wire/match.ts';
import { hasReached, NOWHERE, POSITION_HEADER, type Position, readPosition } from '../wire/position.ts';
import { readCursor, START, type SyncPosition, writeCursor } from './sync-cursor.ts';
import { readSyncPage, type SyncFilters, type SyncPage, TAIL_START } from './sync-queries.ts';
import { blocksQuery, wantedBlocks } from './wanted-blocks.ts';

/** Maximum number of matches in a page (spec: batches of up to 500). */
const SYNC_MATCHES = 500;

const syncPage = z.strictObject({
  count: z.int().min(0).meta({ description: 'Matches in this page' }),
  events: z.array(matchDetail),
  deleted: z.array(
    z
      .strictObject({
        id,
        reason: z
          .enum(['deleted', 'merged', 'moved'])
          .meta({ description: 'moved: the match no longer passes the filters' }),
        merged_into: id.nullable(),
      })
      .meta({ id: 'DeletedMatch' }),
  ),
  next_cursor: z.string(),
  has_more: z.boolean().meta({ description: 'If false, store `next_cursor` and use it for the next sync' }),
  stream_cursor: z.int().min(0).meta({ description: 'Open a stream at this cursor to miss no event' }),
});

/** Returns the next page's position. */
function nextPosition({ after, pass }: SyncPosition, { bound, stream, seq, reached, more }: SyncPage): SyncPosition {
  const tail = pass?.tail ?? false;
  if (more) return { after: reached ?? after, pass: { bound, stream, tail } };
  // A match that has changed since the first page may belong to the pass but not have been delivered.
  if (!tail && seq > bound) return { after: TAIL_START, pass: { bound, stream, tail: true } };
  return { after: bound, pass: null };
}

/** True if the cursor is newer than this database. The database has then been restored from a backup, and the sync starts again. */
const isAhead = ({ after, pass }: SyncPosition, seq: number) => (pass?.bound ?? after) > seq;

/** A page's place in the sync of certain matches. */
interface PagePlace {
  filters: SyncFilters;
  position: SyncPosition;
  size: number;
}

/** True if the client has asked for an earlier page of the same pass, so that it will probably ask for the next one, too. */
const isUnderWay = ({ position: { pass } }: PagePlace) => pass !== null && !pass.tail;

async function readFrom(deps: Deps, place: PagePlace, seen: Position | null) {
  const { filters, position, size } = place;
  // A page that was read ahead has reached the position in the cursor, but perhaps not what the client has seen elsewhere.
  const mayBeAhead = isUnderWay(place) && hasReached(position.at ?? NOWHERE, seen ?? NOWHERE);
  const page =
    (mayBeAhead && (await deps.caches.ahead.take<ShownPage>(JSON.stringify(place)))) ||
    (await readSyncPage(deps.pool, filters, position, size));
  if (!isAhead(position, page.seq)) return { page, next: nextPosition(position, page) };
  const restarted = await readSyncPage(deps.pool, filters, START, size);
  return { page: restarted, next: nextPosition(START, restarted) };
}

type ShownPage = SyncPage & AheadPage;

/**
 * Reads the page that the client will probably ask for next. The last page is not used, because it tells whether there has been any
 * change since the first one, and neither are tails, because changes add matches to them.
 */
function readAhead({ pool, caches }: Deps, place: PagePlace): void {
  if (!isUnderWay(place)) return;
  const { filters, position, size } = place;
  caches.ahead.begin(JSON.stringify(place), async (): Promise<ShownPage | null> => {
    const page = await readSyncPage(pool, filters, position, size);
    if (!page.more) return null;
    const shown = new Set(page.versions.split(',').map((version) => Number.parseInt(version, 10)));
    const bytes = page.events.reduce((sum, { length }) => sum + length, 0);
    return { ...page, bytes, shows: (matches) => [...matches].some((id) => shown.has(id)) };
  });
}

export const sync = route({
  method: 'GET',
  path: '/v1/sync',
  isWhole: true,
  example: { sport: 'football', limit: '1', blocks: 'coaches' },
  summary: 'All matches with full detail, then every change',
  description:
    'Read pages while `has_more` is true, then store `next_cursor`: a later sync with it returns only the changes since. No change is ever skipped, but a change may be returned twice. A page may be short or empty although more pages follow. A stream opened at `stream_cursor`, which is the same on all pages until `has_more` is false, continues without a gap. Cursors never expire; each belongs to its filters.',
  tag: 'Matches',
  access: 'key',
  cost: 1,
  cache: { maxAge: 0 },
  query: z.object({
    cursor: z.string().optional().meta({ description: "The previous page's `next_cursor`; absent or empty to start" }),
    limit: limit(100, SYNC_MATCHES),
    sport: sportSlug.optional(),
    tournament: idParam.optional(),
    updated_since: timeParam.optional(),
    blocks: blocksQuery,
  }),
  response: syncPage,
  errors: ['invalid_cursor', 'cursor_filter_mismatch'],
  handler: async ({ query: { cursor, limit: size, blocks, ...rest }, access, headers }, deps: Deps) => {
    const filters: SyncFilters = { ...rest, blocks: wantedBlocks(blocks), ...(access !== null && { access }) };
    // The access is part of the filters. If a key gets access to more matches, an earlier cursor must not be used, because
    // the earlier pages have left these matches out.
    const bound = [
      ...[filters.sport, filters.tournament, filters.updated_since, filters.blocks],
      ...(access === null ? [] : [access.sports, access.tournaments]),
    ];
    const position = cursor ? readCursor(cursor, bound) : START;
    const seen = readPosition(headers[POSITION_HEADER.toLowerCase()] ?? '');
    const { page, next: following } = await readFrom(deps, { filters, position, size }, seen);
    // The next page has to show at least what this one has shown.
    const next = deps.router === undefined ? following : { ...following, at: deps.router.shown };
    if (position.pass !== null) readAhead(deps, { filters, position: next, size });
    const { count, events, deleted, versions, stream } = page;
    const nextCursor = writeCursor(next, bound);
    const head = `{"count":${count},"events":[`;
    const end = `],"deleted":[${deleted}],"next_cursor":"${nextCursor}","has_more":${next.pass !== null},"stream_cursor":${stream}}`;
    return {
      body: Buffer.concat([Buffer.from(head), ...events, Buffer.from(end)]),
      etag: hash('sha1', JSON.stringify([versions, deleted, writeCursor(following, bound), stream]), 'base64url'),
    };
  },
});
