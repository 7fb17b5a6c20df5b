/** Logos and photos: checked and made into one small picture when they come in, so that serving one is reading a row. */
import sharp from 'sharp';
import type { Queryable } from '../db/postgres.ts';
import { IMAGE_SIZE, imageEtag, type PreparedImage } from '../wire/image.ts';

/** Bytes of a file that comes in. */
export const IMAGE_MAX_BYTES = 700 * 1024;
/** Pixels of a picture that comes in: a small file may unpack to gigabytes. */
export const IMAGE_MAX_PIXELS = 16_000_000;
/** Seconds that one picture may take. */
const IMAGE_TIMEOUT_SECONDS = 5;

/** A picture that cannot be taken; the message says why. */
export class ImageFault extends Error {}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Told by the first bytes, since a decoder must not even be asked about formats that can refer to other files (SVG). */
function formatOf(bytes: Buffer): string | null {
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'PNG';
  if (text(bytes, 0, 3) === '\xff\xd8\xff') return 'JPEG';
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'GIF';
  return text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP' ? 'WebP' : null;
}

export function checkSize(bytes: number): void {
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
