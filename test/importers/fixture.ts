/** Writes small files for a test, and reads them with an importer. */
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { EntryItem, Importer, RankingItem, TransferItem } from '../../src/importers/importer.ts';
import { type FeedUpdate, feedUpdate, type MatchUpdate } from '../../src/wire/feed-update.ts';

/**
 * Creates a folder with these files, which is removed after the test file has run. Files named `.gz` are compressed.
 */
export function filesOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-import-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name.endsWith('.gz') && typeof content === 'string' ? gzipSync(content) : content);
  }
  folders.push(folder);
  return folder;
}
const folders: string[] = [];
export const removeFiles = () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

export interface Read {
  updates: FeedUpdate[];
  rankings: RankingItem[];
  transfers: TransferItem[];
  entries: EntryItem['entry'][];
  matches: MatchUpdate['match'][];
  faults: { position: string; detail: string; endsFile?: true }[];
}

/** Reads everything with an importer. Fails if the feed's schema refuses an update. */
export async function readAll(importer: Importer, path: string): Promise<Read> {
  const read: Read = { updates: [], rankings: [], transfers: [], entries: [], matches: [], faults: [] };
  for await (const item of importer.read(path)) {
    if (item.kind === 'fault') {
      read.faults.push(item);
      continue;
    }
    if (item.kind === 'ranking') {
      read.rankings.push(item);
      continue;
    }
    if (item.kind === 'transfer') {
      read.transfers.push(item);
      continue;
    }
    if (item.kind === 'entry') {
      read.entries.push(item.entry);
      continue;
    }
    const parsed = feedUpdate.safeParse(item.update);
    assert.ok(parsed.success, `${item.position}: ${JSON.stringify(parsed.error?.issues)}`);
    read.updates.push(parsed.data);
    if (parsed.data.kind === 'match') read.matches.push(parsed.data.match);
  }
  return read;
}
