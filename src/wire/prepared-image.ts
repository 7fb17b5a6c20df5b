/** A participant's picture in the form that is stored and served. */
import { createHash } from 'node:crypto';

/** Side length of every served picture, in pixels. */
export const IMAGE_SIZE = 150;

export interface PreparedImage {
  png: Buffer;
  /** Opaque. Equal pictures have the same value. */
  etag: string;
}

export const imageEtag = (png: Buffer) => createHash('sha256').update(png).digest('base64url').slice(0, 22);
