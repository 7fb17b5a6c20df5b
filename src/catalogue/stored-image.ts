/** The stored logo of a team or photo of a player. */
import type { Queryable } from '../db/postgres.ts';
import type { PreparedImage } from '../wire/image.ts';

/** @returns null for an unknown participant; `image` is null if it has none. */
export async function storedImage(
  db: Queryable,
  participantId: number,
): Promise<{ name: string; type: 'team' | 'player'; image: PreparedImage | null } | null> {
  const { rows } = await db.query<{ name: string; type: 'team' | 'player'; png: Buffer | null; etag: string | null }>(
    'SELECT p.name, p.type, i.png, i.etag FROM participant p LEFT JOIN participant_image i ON i.participant_id = p.id WHERE p.id = (SELECT coalesce(person_id, id) FROM participant WHERE id = $1)',
    [participantId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { name, type, png, etag } = row;
  return { name, type, image: png === null || etag === null ? null : { png, etag } };
}
