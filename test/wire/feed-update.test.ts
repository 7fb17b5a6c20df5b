import assert from 'node:assert/strict';
import { feedUpdate } from '../../src/wire/feed-update.ts';

const update = (match: object) => ({
  schema: 1,
  kind: 'match',
  provider: 'acme',
  observed_at: '2024-05-01T12:00:00Z',
  match: {
    id: 'm1',
    sport: 'football',
    tournament: { name: 'Cup', country: 'INT' },
    season: { label: '2024' },
    home: { name: 'A' },
    away: { name: 'B' },
    ...match,
  },
});
const faults = (match: object) =>
  feedUpdate.safeParse(update(match)).error?.issues.map(({ path, code }) => `${path.join('.')} ${code}`) ?? [];

describe('a feed update', () => {
  it('has links with http or https, without a user name, white space or excessive length', () => {
    const highlight = (url: string, thumbnail: string | null = null) => ({
      highlights: [{ title: 'Goals', url, thumbnail }],
    });
    const good = [
      'https://example.com',
      'http://example.com:8080/a?b=c#d',
      'HTTPS://EXAMPLE.COM/@x',
      'https://пример.рф/гол',
    ];
    good.push(`https://example.com/${'a'.repeat(1_980)}`);
    for (const url of good) {
      assert.deepEqual(faults(highlight(url)), [], url);
      assert.deepEqual(faults(highlight('https://example.com', url)), [], url);
    }
    const bad = [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'ftp://example.com',
      'file:///etc/passwd',
    ];
    bad.push(
      'java\nscript:alert(1)',
      ' javascript:alert(1)',
      '//example.com',
      '/x',
      'example.com',
      'https:',
      'https://',
      '',
      'blob:https://a.example/1',
    );
    bad.push(
      'https://user:secret@example.com',
      'https://user@example.com',
      'https://a.example\\@b.example',
      'https:\\\\a.example',
    );
    bad.push(
      'https://exa mple.com',
      'https://example.com/\n',
      'https://example.com/ x',
      `https://example.com/${'a'.repeat(1_981)}`,
    );
    for (const url of bad) {
      assert.notDeepEqual(faults(highlight(url)), [], `${url} was accepted`);
      assert.notDeepEqual(faults(highlight('https://example.com', url)), [], `${url} was accepted as a thumbnail`);
    }
  });

  it('has texts whose length is counted in characters, as the documentation says', () => {
    const referee = (length: number) => ({ referee: '😀'.repeat(length) });
    assert.deepEqual(faults(referee(200)), []);
    assert.deepEqual(faults(referee(201)), ['match.referee too_big']);
    assert.deepEqual(faults({ referee: '' }).includes('match.referee too_small'), true);
    assert.deepEqual(faults({ referee: ' \u00a0\n' }), ['match.referee custom']);
  });

  it('has a maximum length for every list', () => {
    const points = (length: number) => ({
      momentum: { graphPoints: Array.from({ length }, (_, minute) => ({ minute, value: 0 })) },
    });
    assert.deepEqual(faults(points(5_000)), []);
    assert.deepEqual(faults(points(5_001)), ['match.momentum.graphPoints too_big']);
    assert.deepEqual(faults({ tv_channels: { GB: Array.from({ length: 5_001 }, () => 1) } }), [
      'match.tv_channels.GB too_big',
    ]);
  });
});
