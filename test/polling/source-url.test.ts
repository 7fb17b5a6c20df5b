import assert from 'node:assert/strict';
import { sourceUrl } from '../../src/polling/source-url.ts';
import { PROVIDERS } from '../../src/providers/providers.ts';

describe('the address for a request to a source', () => {
  const [provider] = PROVIDERS;
  const source = { ...provider!, baseUrl: 'https://api.example', otherUrls: { '/v2/': 'https://other.example/x' } };

  it("is below the source's main address, or below a second address that the path prefix selects", () => {
    assert.equal(sourceUrl(source, '/v1/a?b=1').href, 'https://api.example/v1/a?b=1');
    assert.equal(sourceUrl(source, '/v2/a').href, 'https://other.example/x/v2/a');
  });

  it('is below the operator’s address for all paths', () => {
    for (const path of ['/v1/a', '/v2/a'])
      assert.equal(sourceUrl(source, path, 'http://localhost:9/m').href, `http://localhost:9/m${path}`);
  });

  it('is an https address for every request that a source makes at the start', () => {
    for (const one of PROVIDERS) {
      const known = one.start(one.name === 'openligadb' ? 'bl1' : one.name === 'openfootball' ? 'en.1' : null);
      assert.notEqual(typeof known, 'string', one.name);
      const requests = one.requests(Date.parse('2026-11-26T12:00:00Z'), known);
      assert.ok(requests.length > 0, one.name);
      for (const { path } of requests) assert.match(sourceUrl(one, path).href, /^https:\/\/[a-z.-]+\//u);
    }
  });
});
