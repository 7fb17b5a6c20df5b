import assert from 'node:assert/strict';
import { allRoutes } from '../../src/all-roles.ts';
import type { Changed } from '../../src/db/notices.ts';
import { findAddressLimit } from '../../src/http/address-rate-limit.ts';
import { Problem } from '../../src/http/errors.ts';
import { createPageCache, NO_MATCH } from '../../src/http/page-cache.ts';
import type { Reply } from '../../src/http/route.ts';

/** @param now time for the rendering limit, in ms */
function createPages(now?: () => number) {
  let publish: (changed: Changed) => void = () => {};
  const changes = {
    subscribe(listener: (changed: Changed) => void) {
      publish = listener;
    },
  };
  return { pages: createPageCache(changes, now), publish: (changed: Changed) => publish(changed) };
}
const textOf = async (reply: Reply | Promise<Reply>) => String((await reply).body);

describe('cached pages', () => {
  it('are rendered only a few times when a match changes often, and no client gets an older page than before', async () => {
    const { pages, publish } = createPages();
    let [state, made] = [0, 0];
    const make = async () => {
      made += 1;
      return { body: `state ${state}` };
    };
    const asked = Array.from({ length: 1_000 }, async () => {
      state += 1;
      publish([7]);
      const before = state;
      const shown = Number((await textOf(pages.get({ key: 'home', match: null, make }))).slice('state '.length));
      assert.ok(shown >= before, `${shown} after ${before}`);
    });
    await Promise.all(asked);
    assert.equal(made, 2);
  });

  it('have the same bytes, already compressed, if their content is unchanged', async () => {
    const { pages, publish } = createPages();
    const ask = async () => (await pages.get({ key: 'home', match: null, make: async () => ({ body: 'same' }) })).body;
    const first = await ask();
    publish([7]);
    assert.equal(await ask(), first);
  });

  it('are rendered at most three at a time, so that most database connections are left for requests with a key', async () => {
    const { pages } = createPages();
    let [running, most] = [0, 0];
    const make = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { body: 'made' };
    };
    await Promise.all(Array.from({ length: 50 }, (_, n) => pages.get({ key: `match ${n}`, match: 1, make })));
    assert.equal(most, 3);
  });

  it('are rendered for at most 60 requests of each kind at once, and requests beyond that get a page from memory or are refused', async () => {
    // The limit would refill while a busy machine renders the 60 pages.
    const { pages, publish } = createPages(() => 0);
    const ask = (key: string, match = NO_MATCH) =>
      textOf(pages.get({ key, match, make: async () => ({ body: `made ${key}` }) }));
    for (let n = 0; n < 60; n += 1) assert.equal(await ask(`match ${n}`, 1), `made match ${n}`);
    await assert.rejects(
      async () => ask('match 60', 1),
      (error) =>
        error instanceof Problem && error.code === 'rate_limited' && error.options.headers?.['Retry-After'] === '1',
    );
    assert.equal(await ask('match 5', 1), 'made match 5');
    publish([1]);
    assert.equal(await ask('match 5', 1), 'made match 5', 'an older one rather than none');
    assert.equal(await ask('home'), 'made home', 'another kind');
  });

  it('are neither rendered nor counted while they are current', async () => {
    const { pages, publish } = createPages();
    let [version, made] = [1, 0];
    const ask = (key: string) =>
      textOf(
        pages.get({
          key,
          match: null,
          isCurrent: async (cached) => cached.version === version,
          make: async () => {
            made += 1;
            return { body: `version ${version}`, version };
          },
        }),
      );
    for (let n = 0; n < 30; n += 1) await ask(`match ${n}`);
    publish([1]);
    for (let n = 0; n < 30; n += 1) assert.equal(await ask(`match ${n}`), 'version 1');
    assert.equal(made, 30);
    version = 2;
    publish([1]);
    for (let n = 0; n < 30; n += 1) assert.equal(await ask(`match ${n}`), 'version 2', `page ${n}`);
    assert.equal(made, 60);
  });
});

describe('limits on routes without a key', () => {
  it('every public route is limited by address', () => {
    for (const route of allRoutes) {
      if (!['public', 'visitor'].includes(route.access)) continue;
      const { requests, seconds } = findAddressLimit(route)!;
      assert.ok(requests / seconds <= 250, `${route.method} ${route.path}`);
    }
  });

  it('count a page and all its resources together', () => {
    for (const path of ['/', '/match/{id}', '/match/{id}/momentum.svg', '/sides/{id}/image', '/live'])
      assert.ok(allRoutes.find((route) => route.path === path)!.inTotal!.requests <= 15_000, path);
  });
});
