/**
 * Reads stored team logos and player photos, and has the missing ones drawn. Images that are requested during a read wait for it, and are then read together.
 * Otherwise a page with dozens of images would need as many reads, which takes long if the database is slow.
 */
import { setImmediate as turn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { prepared, type Queryable } from '../db/postgres.ts';
import { readTogether } from '../http/index.ts';
import { teamColours } from '../identity/index.ts';
import type { PreparedImage } from '../wire/prepared-image.ts';
import type { TeamColours } from '../wire/team-colours.ts';
import { type Drawn, drawParticipant, monogram } from './monogram.ts';

/** Maximum number of images in one statement. An image has about 10 KB. */
const IMAGES_TOGETHER = 64;

/** A participant with an image. `image` is null without one. */
interface Pictured extends Drawn {
  image: PreparedImage | null;
}

interface Row extends Drawn {
  wanted: number;
  png: Buffer | null;
  etag: string | null;
}

const IMAGES = prepared(
  'images',
  `SELECT asked.id AS wanted, p.name, p.type, p.sport, p.gender, p.key, i.png, i.etag
   FROM participant asked JOIN participant p ON p.id = coalesce(asked.person_id, asked.id)
   LEFT JOIN participant_image i ON i.participant_id = p.id
   WHERE asked.id = ANY ($1::bigint[])`,
);

async function readImages(db: Queryable, ids: readonly number[]): Promise<(Pictured | null)[]> {
  const { rows } = await db.query<Row>(IMAGES([ids]));
  const found = new Map(
    rows.map(({ wanted, png, etag, ...participant }) => [
      wanted,
      { ...participant, image: png === null || etag === null ? null : { png, etag } },
    ]),
  );
  return ids.map((id) => found.get(id) ?? null);
}

const loaders = new WeakMap<Queryable, DataLoader<number, Pictured | null>>();

function loaderFor(db: Queryable): DataLoader<number, Pictured | null> {
  const known = loaders.get(db);
  if (known !== undefined) return known;
  let reading: Promise<unknown> = Promise.resolve();
  let turns: Promise<unknown> = Promise.resolve();
  const read = (ids: readonly number[]) => {
    const images = readImages(db, ids);
    reading = images.catch(() => {});
    return images;
  };
  const loader = new DataLoader(read, {
    cache: false,
    maxBatchSize: IMAGES_TOGETHER,
    batchScheduleFn: (begin) => {
      turns = turns
        .then(() => turn())
        .then(() => {
          begin();
          return reading;
        });
    },
  });
  loaders.set(db, loader);
  return loader;
}

/** Returns a participant's image: the stored one, or a drawing. @returns null for an unknown participant */
export async function participantImage(db: Queryable, participantId: number): Promise<PreparedImage | null> {
  const found = await readTogether(db, (shared) => loaderFor(shared).load(participantId));
  return found && (found.image ?? monogram(found));
}

/** A participant's stored PNG, or the drawing of one without it as SVG, which can be shown at any size. */
export interface ParticipantDrawing {
  content: Buffer | string;
  type: 'image/png' | 'image/svg+xml';
  /** The listed colours of a team; null if there are none. */
  colours: TeamColours | null;
}

/** Returns a participant's image for a larger picture. @returns null for an unknown participant */
export async function participantDrawing(db: Queryable, participantId: number): Promise<ParticipantDrawing | null> {
  const found = await readTogether(db, (shared) => loaderFor(shared).load(participantId));
  if (found === null) return null;
  const colours = found.type === 'team' ? teamColours(found) : null;
  return found.image === null
    ? { content: drawParticipant(found), type: 'image/svg+xml', colours }
    : { content: found.image.png, type: 'image/png', colours };
}
