/** Imports a folder with images. */
import { opendir, readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { checkSize, ImageError, prepareImage, storeImage } from '../../identity/index.ts';

export interface ImportImagesResult {
  read: number;
  stored: number;
  unchanged: number;
  rejected: { file: string; detail: string }[];
}

/**
 * Imports all images in a folder. A file is named by our id (`4711.png`), or by a provider and the provider's id
 * (`openligadb_40.png` or `openligadb:40.png`, since some file systems do not allow a colon). A bad file does not stop
 * the import.
 */
export async function importImages({ pool }: { pool: pg.Pool }, folder: string): Promise<ImportImagesResult> {
  const result: ImportImagesResult = { read: 0, stored: 0, unchanged: 0, rejected: [] };
  const files: string[] = [];
  for await (const entry of await opendir(folder))
    if (entry.isFile() && !entry.name.startsWith('.')) files.push(entry.name);
  for (const file of files.sort()) {
    result.read += 1;
    try {
      const changed = await importImage(pool, join(folder, file), parse(file).name);
      result[changed ? 'stored' : 'unchanged'] += 1;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      result.rejected.push({ file, detail: error.message });
    }
  }
  return result;
}

async function importImage(pool: pg.Pool, path: string, name: string): Promise<boolean> {
  const found = await findByName(pool, name);
  if (found === null) throw new ImageError('the file name must be the id of a known participant, or provider_id');
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
