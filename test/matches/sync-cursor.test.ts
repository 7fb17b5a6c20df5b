import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readCursor, type SyncPosition, writeCursor } from '../../src/matches/sync-cursor.ts';

/** Filters of a sync, of which a cursor has only a digest. */
const FILTERS = ['football', null];
const PASS = { bound: 9, stream: 4, tail: false };
const AT = { timeline: 2, lsn: 0x16b3740 };

describe('a sync cursor', () => {
  const positions: readonly SyncPosition[] = [
    { after: 7, pass: null },
    { after: 7, pass: PASS },
    { after: 7, pass: null, at: AT },
    { after: 7, pass: { ...PASS, tail: true }, at: AT },
  ];
  it('keeps the place in the pass, and the position in the write-ahead log if there are replicas', () => {
    for (const position of positions) assert.deepEqual(readCursor(writeCursor(position, FILTERS), FILTERS), position);
  });

  it('of the previous release is read, and is the same as one without replicas', () => {
    const earlier = ['WzEsIkhBU0giLDdd', 'WzEsIkhBU0giLDcsOSw0LGZhbHNlXQ'];
    const text = (cursor: string) =>
      JSON.stringify(
        (JSON.parse(Buffer.from(cursor.split('.')[0]!, 'base64url').toString()) as unknown[]).with(1, 'HASH'),
      );
    for (const [index, cursor] of earlier.entries())
      assert.equal(text(writeCursor(positions[index]!, FILTERS)), Buffer.from(cursor, 'base64url').toString());
  });

  it('is refused if its position is not one', () => {
    const [text] = writeCursor(positions[2]!, FILTERS).split('.');
    const content = JSON.parse(Buffer.from(text!, 'base64url').toString()) as unknown[];
    for (const wrong of ['0-1', '1-', '', 7, null, ['1-1']]) {
      const damaged = writeRaw([...content.slice(0, -1), wrong]);
      assert.throws(() => readCursor(damaged, FILTERS), { code: 'invalid_cursor' }, String(wrong));
    }
  });
});

/** Returns a cursor with this content and a right checksum. */
function writeRaw(content: unknown[]): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${hash('sha256', text, 'base64url').slice(0, 8)}`;
}
