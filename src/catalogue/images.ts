/** Participant images: checked and scaled at ingest. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Queryable } from '../db/postgres.ts';

export class ImageFault extends Error {}
export interface PreparedImage {
  png: Buffer;
  etag: string;
}

export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  const png = await sharp(bytes).resize(150, 150, { fit: 'contain', background: '#0000' }).png().toBuffer();
  return { png, etag: createHash('sha256').update(png).digest('base64url').slice(0, 22) };
}

export async function storeImage(client: Queryable, participantId: number, image: PreparedImage | null): Promise<void> {
  if (image === null) await client.query('DELETE FROM participant_image WHERE participant_id = $1', [participantId]);
  else
    await client.query(
      `INSERT INTO participant_image VALUES ($1, $2, $3) ON CONFLICT (participant_id) DO UPDATE SET png = excluded.png, etag = excluded.etag`,
      [participantId, image.png, image.etag],
    );
  await client.query('UPDATE participant SET image_etag = $2 WHERE id = $1', [participantId, image?.etag ?? null]);
}
