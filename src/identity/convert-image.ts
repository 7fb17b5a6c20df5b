/**
 * Logos and photos. An image is validated and converted to one small format when it arrives. A request then only reads a row.
 */
import type { Queryable } from '../db/postgres.ts';
import { IMAGE_SIZE, imageEtag, type PreparedImage } from '../wire/prepared-image.ts';

/** Maximum size of an incoming file, in bytes. */
const IMAGE_MAX_BYTES = 700 * 1024;
/** Maximum number of pixels in an incoming image. Without it, a small file could unpack to gigabytes. */
const IMAGE_MAX_PIXELS = 16_000_000;
/** Maximum time for converting one image, in seconds. */
const IMAGE_TIMEOUT_SECONDS = 5;

/** A refused image. The message says why. */
export class ImageError extends Error {}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Returns the format according to the first bytes. A format that can refer to files (SVG) must not even reach a decoder. */
function detectFormat(bytes: Buffer): string | null {
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'PNG';
  if (text(bytes, 0, 3) === '\xff\xd8\xff') return 'JPEG';
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'GIF';
  return text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP' ? 'WebP' : null;
}

export function checkSize(bytes: number): void {
  if (bytes > IMAGE_MAX_BYTES) throw new ImageError(`must have at most ${IMAGE_MAX_BYTES / 1024} KB`);
}

/**
 * True if a PNG is animated: an acTL chunk comes before the first pixels. libvips would take the first frame without an
 * error.
 */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const chunk = text(bytes, at + 4, at + 8);
    if (chunk === 'acTL') return true;
    if (chunk === 'IDAT') return false;
  }
  return false;
}

/**
 * Converts a PNG, JPEG, WebP or GIF file to a PNG of 150x150 pixels. The whole image is centred on a transparent background,
 * without metadata.
 * @throws {ImageError} for SVG and other formats, and for animated, huge or corrupted files
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  checkSize(bytes.length);
  const format = detectFormat(bytes);
  if (format === null) throw new ImageError('must be a PNG, JPEG, WebP or GIF file');
  if (format === 'PNG' && isAnimatedPng(bytes)) throw new ImageError('must not be animated');
  // Imported when the first image arrives, because most processes convert none.
  const { default: sharp } = await import('sharp');
  const source = sharp(bytes, { limitInputPixels: false });
  const { width, height, pages = 1 } = await source.metadata().catch((error: Error) => corrupted(format, error));
  if (pages > 1) throw new ImageError('must not be animated');
  if (width * height > IMAGE_MAX_PIXELS) {
    throw new ImageError(`must have at most ${IMAGE_MAX_PIXELS / 1_000_000} million pixels, has ${width} x ${height}`);
  }
  const png = await source
    .autoOrient()
    .resize(IMAGE_SIZE, IMAGE_SIZE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .png({ compressionLevel: 9 })
    .toBuffer()
    .catch((error: Error) => corrupted(format, error));
  return { png, etag: imageEtag(png) };
}

function corrupted(format: string, error: Error): never {
  throw new ImageError(`is a corrupted ${format} file: ${error.message.split('\n')[0]}`);
}

/** Sets a participant's image. Null removes it. */
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
