/** A picture of a participant as it is stored and served. */
import { createHash } from 'node:crypto';

/** Pixels of the side of every picture served. */
export const IMAGE_SIZE = 150;

export interface PreparedImage {
  png: Buffer;
  /** Opaque; equal for equal pictures. */
  etag: string;
}

export const imageEtag = (png: Buffer) => createHash('sha256').update(png).digest('base64url').slice(0, 22);
