/** `touchline feed`: what POST /feed/v1/updates does, from a file or standard input. */
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { ApplyDeps } from './apply.ts';
import { receiveLines } from './receive.ts';

/** Rejections printed one by one. */
const SHOWN = 20;

/**
 * @param file NDJSON, or `-`
 * @throws {Error} with one line when the file cannot be read or an update was rejected.
 */
export async function feedFile(deps: ApplyDeps, file: string, say: (line: string) => void): Promise<void> {
  if (file !== '-') {
    await access(file).catch(() => {
      throw new Error(`cannot read ${file}`);
    });
  }
  const tally = await receiveLines(deps, file === '-' ? process.stdin : createReadStream(file));
  for (const { index, errors } of tally.rejected.slice(0, SHOWN)) {
    say(`rejected ${index}: ${errors.map(({ path, detail }) => `${path || 'update'}: ${detail}`).join('; ')}`);
  }
  say(`${tally.accepted} accepted, ${tally.unchanged} unchanged, ${tally.rejectedCount} rejected`);
  if (tally.rejectedCount > 0) throw new Error(`${tally.rejectedCount} updates were rejected`);
}
