import assert from 'node:assert/strict';
import { createVersionedReplies } from '../../src/http/versioned-replies.ts';

describe('cached replies with a version', () => {
  it('are read again only if the version has changed, and keep only their own bytes in memory', async () => {
    const cache = createVersionedReplies();
    let reads = 0;
    const read = async () => {
      reads += 1;
      return `{"reads":${reads}}`;
    };
    const first = await cache.get('key', 'v1', read);
    const same = await cache.get('key', 'v1', read);
    const next = await cache.get('key', 'v2', read);
    assert.deepEqual(
      [String(first.body), String(same.body), String(next.body)],
      ['{"reads":1}', '{"reads":1}', '{"reads":2}'],
    );
    const kept = same.body as Buffer;
    assert.equal(kept.buffer.byteLength, kept.length);
  });
});
