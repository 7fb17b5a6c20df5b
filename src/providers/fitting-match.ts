/** Leaves out the parts of a match that the feed would not accept, so that the rest of the reply can be used. Pure. */
import { type MatchInput, matchUpdate } from '../wire/feed-update.ts';
import type { ProviderUpdate } from './provider.ts';
import type { Reader } from './reader.ts';

/** A placeholder, since the poller adds the real envelope. */
const ENVELOPE = { schema: 1, provider: 'any', observed_at: '2000-01-01T00:00:00Z', kind: 'match' } as const;

/**
 * @param path where the game is in the reply
 * @returns the update without the members that do not fit, which are reported. Empty if the rest does not identify the
 *   match
 */
export function fittingUpdates(match: MatchInput, path: string, reader: Reader): ProviderUpdate[] {
  const read = matchUpdate.safeParse({ ...ENVELOPE, match });
  if (read.success) return [{ kind: 'match', match }];
  const fitting = { ...match };
  for (const { path: at, message } of read.error.issues) {
    const member = String(at[1]);
    // The member has already been reported and left out. A list may have thousands of faults.
    if (!(member in fitting)) continue;
    reader.report(
      path === '' ? member : `${path}: ${member}`,
      `${at.slice(2).map(String).join('.')} ${message}`.trim(),
    );
    Reflect.deleteProperty(fitting, member);
  }
  const isWhole = matchUpdate.safeParse({ ...ENVELOPE, match: fitting }).success;
  return isWhole ? [{ kind: 'match', match: fitting }] : [];
}
