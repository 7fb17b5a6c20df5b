/** Logos and photos: checked and made into one small picture when they come in, so that serving one is reading a row. */
import { createHash } from 'node:crypto';
import { opendir, readFile, stat } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { type Queryable, transaction } from '../db/postgres.ts';

/** Pixels of the side of every picture served. */
export const IMAGE_SIZE = 150;
/** Bytes of a file that comes in. */
export const IMAGE_MAX_BYTES = 700 * 1024;
/** Pixels of a picture that comes in: a small file may unpack to gigabytes. */
export const IMAGE_MAX_PIXELS = 16_000_000;
/** Seconds that one picture may take. */
const IMAGE_TIMEOUT_SECONDS = 5;

/** A picture that cannot be taken; the message says why. */
export class ImageFault extends Error {}

export interface PreparedImage {
  png: Buffer;
  /** Opaque; equal for equal pictures. */
  etag: string;
}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Told by the first bytes, since a decoder must not even be asked about formats that can refer to other files (SVG). */
function formatOf(bytes: Buffer): string | null {
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'PNG';
  if (text(bytes, 0, 3) === '\xff\xd8\xff') return 'JPEG';
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'GIF';
  return text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP' ? 'WebP' : null;
}

function checkSize(bytes: number): void {
  if (bytes > IMAGE_MAX_BYTES) throw new ImageFault(`must have at most ${IMAGE_MAX_BYTES / 1024} KB`);
}

/** An APNG has an acTL chunk before its first pixels; libvips would show its first picture in silence. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const chunk = text(bytes, at + 4, at + 8);
    if (chunk === 'acTL') return true;
    if (chunk === 'IDAT') return false;
  }
  return false;
}

/**
 * Makes 150x150 PNG of a PNG, JPEG, WebP or GIF file: the whole picture, centred on a transparent ground, without its metadata.
 * @throws {ImageFault} for SVG and other formats, animated, huge or broken ones.
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  checkSize(bytes.length);
  const format = formatOf(bytes);
  if (format === null) throw new ImageFault('must be a PNG, JPEG, WebP or GIF file');
  if (format === 'PNG' && isAnimatedPng(bytes)) throw new ImageFault('must not be animated');
  const source = sharp(bytes, { limitInputPixels: false });
  const { width, height, pages = 1 } = await source.metadata().catch((error: Error) => broken(format, error));
  if (pages > 1) throw new ImageFault('must not be animated');
  if (width * height > IMAGE_MAX_PIXELS) {
    throw new ImageFault(`must have at most ${IMAGE_MAX_PIXELS / 1_000_000} million pixels, has ${width} x ${height}`);
  }
  const png = await source
    .autoOrient()
    .resize(IMAGE_SIZE, IMAGE_SIZE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .png({ compressionLevel: 9 })
    .toBuffer()
    .catch((error: Error) => broken(format, error));
  return { png, etag: imageEtag(png) };
}

export const imageEtag = (png: Buffer) => createHash('sha256').update(png).digest('base64url').slice(0, 22);

function broken(format: string, error: Error): never {
  throw new ImageFault(`is a broken ${format} file: ${error.message.split('\n')[0]}`);
}

/** Gives a participant its picture, or with null takes it away. */
export async function storeImage(client: Queryable, participantId: number, image: PreparedImage | null): Promise<void> {
  await client.query(
    image === null
      ? 'DELETE FROM participant_image WHERE participant_id = $1'
      : `INSERT INTO participant_image (participant_id, png, etag) VALUES ($1, $2, $3)
         ON CONFLICT (participant_id) DO UPDATE SET png = excluded.png, etag = excluded.etag`,
    image === null ? [participantId] : [participantId, image.png, image.etag],
  );
  await client.query('UPDATE participant SET image_etag = $2 WHERE id = $1', [participantId, image?.etag ?? null]);
}

/** @returns null for an unknown participant; `image` is null where it has none. */
export async function storedImage(
  db: Queryable,
  participantId: number,
): Promise<{ name: string; type: 'team' | 'player'; image: PreparedImage | null } | null> {
  const { rows } = await db.query<{ name: string; type: 'team' | 'player'; png: Buffer | null; etag: string | null }>(
    'SELECT p.name, p.type, i.png, i.etag FROM participant p LEFT JOIN participant_image i ON i.participant_id = p.id WHERE p.id = $1',
    [participantId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { name, type, png, etag } = row;
  return { name, type, image: png === null || etag === null ? null : { png, etag } };
}

export interface ImportImagesResult {
  read: number;
  stored: number;
  unchanged: number;
  rejected: { file: string; detail: string }[];
}

/**
 * Reads every file of a folder, named by our id (`4711.png`) or by a provider's (`openligadb_40.png` or
 * `openligadb:40.png`, since some file systems have no colon). One bad file stops no other.
 * @param progress called after each file.
 */
export async function importImages(
  { pool }: { pool: pg.Pool },
  folder: string,
  progress: (result: ImportImagesResult) => void = () => {},
): Promise<ImportImagesResult> {
  const result: ImportImagesResult = { read: 0, stored: 0, unchanged: 0, rejected: [] };
  const files: string[] = [];
  for await (const entry of await opendir(folder))
    if (entry.isFile() && extname(entry.name) !== '') files.push(entry.name);
  for (const file of files.sort()) {
    result.read += 1;
    try {
      const changed = await importImage(pool, join(folder, file), parse(file).name);
      result[changed ? 'stored' : 'unchanged'] += 1;
    } catch (error) {
      if (!(error instanceof ImageFault)) throw error;
      result.rejected.push({ file, detail: error.message });
    }
    progress(result);
  }
  return result;
}

async function importImage(pool: pg.Pool, path: string, name: string): Promise<boolean> {
  const found = await findByName(pool, name);
  if (found === null) throw new ImageFault('names no participant by our id or by provider and id');
  checkSize((await stat(path)).size);
  const image = await prepareImage(await readFile(path));
  if (image.etag === found.image_etag) return false;
  await transaction(pool, (client) => storeImage(client, found.id, image));
  return true;
}

async function findByName(db: Queryable, name: string): Promise<{ id: number; image_etag: string | null } | null> {
  const [, provider, external] = /^([a-z0-9][a-z0-9.-]*)[:_](.+)$/.exec(name) ?? [];
  const ours = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : null;
  const { rows } = await db.query<{ id: number; image_etag: string | null }>(
    `SELECT id, image_etag FROM participant
     WHERE id = coalesce($1::bigint, (SELECT entity_id FROM external_ref
       WHERE entity IN ('team', 'player') AND provider = $2 AND external_id = $3 ORDER BY entity DESC LIMIT 1))`,
    [ours, provider ?? null, external ?? null],
  );
  return rows[0] ?? null;
}
