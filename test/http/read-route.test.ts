import assert from 'node:assert/strict';
import { z } from 'zod';
import { Problem } from '../../src/http/errors.ts';
import { idParams, limit, oneValue } from '../../src/http/query.ts';
import { findByRoute, readRoute } from '../../src/http/read-route.ts';
import { type Reply, routeFor } from '../../src/http/route.ts';

interface Deps {
  clubs: readonly string[];
}

const deps: Deps = { clubs: ['Ajax', 'Benfica', 'Celtic'] };
const standard = { method: 'GET', summary: 'A fake', tag: 'Fake', access: 'key', cost: 1, cache: 'no-store' } as const;
const club = z.strictObject({ name: z.string(), lang: z.string() });

/** A route whose handler returns the body in this form. */
const clubRoute = (form: (body: object) => Reply['body']) =>
  routeFor<Deps>()({
    ...standard,
    path: '/v1/club/{id}',
    params: idParams,
    response: club,
    errors: ['not_found'],
    handler: ({ params: { id }, lang }, { clubs }) => {
      const name = clubs[id - 1];
      if (id === 13) throw new Problem('conflict', 'The club is secret.');
      if (name === undefined) throw new Problem('not_found', `There is no club ${id}.`);
      return { body: form({ name, lang }) };
    },
  });
const asObject = clubRoute((body) => body);

const list = routeFor<Deps>()({
  ...standard,
  path: '/v1/clubs',
  query: z.object({ order: oneValue(['up', 'down']).default('up'), limit: limit(2, 10) }),
  response: z.strictObject({ clubs: z.array(z.string()) }),
  handler: ({ query, principal, access }, { clubs }) => {
    assert.deepEqual([principal, access], [null, null]);
    return { body: { clubs: (query.order === 'up' ? clubs : clubs.toReversed()).slice(0, query.limit) } };
  },
});

describe('reading a route within the process', () => {
  it('gives the handler’s reply as an object, whether the handler returns an object or text', async () => {
    const expected = { name: 'Benfica', lang: 'ru' };
    for (const form of [
      (body: object) => body,
      (body: object) => JSON.stringify(body),
      (body: object) => Buffer.from(JSON.stringify(body)),
    ])
      assert.deepEqual(await readRoute(clubRoute(form), { params: { id: 2 }, lang: 'ru' }, deps), expected);
  });

  it('fills in query defaults, and refuses wrong values', async () => {
    assert.deepEqual(await readRoute(list, {}, deps), { clubs: ['Ajax', 'Benfica'] });
    assert.deepEqual(await readRoute(list, { query: { order: 'down', limit: '1' } }, deps), { clubs: ['Celtic'] });
    await assert.rejects(readRoute(list, { query: { limit: '11' } }, deps), z.ZodError);
  });

  it('throws the route’s problems, and returns null for a missing resource only if allowed', async () => {
    await assert.rejects(readRoute(asObject, { params: { id: 4 } }, deps), { code: 'not_found' });
    assert.equal(await findByRoute(asObject, { params: { id: 4 } }, deps), null);
    assert.deepEqual(await findByRoute(asObject, { params: { id: 1 } }, deps), { name: 'Ajax', lang: 'en' });
    await assert.rejects(findByRoute(asObject, { params: { id: 13 } }, deps), { code: 'conflict' });
  });

  it('does not compile if it names members that the schemas lack', () => {
    const wrong = async () => {
      // @ts-expect-error The reply has no such member.
      (await readRoute(asObject, { params: { id: 1 } }, deps)).nickname;
      // @ts-expect-error The id is missing.
      await readRoute(asObject, {}, deps);
      // @ts-expect-error The id has another name.
      await readRoute(asObject, { params: { club: 1 } }, deps);
      // @ts-expect-error The route has no query.
      await readRoute(asObject, { params: { id: 1 }, query: { order: 'up' } }, deps);
      // @ts-expect-error The order has no such value.
      await readRoute(list, { query: { order: 'sideways' } }, deps);
      // @ts-expect-error The query has no such member.
      await readRoute(list, { query: { offset: '1' } }, deps);
    };
    assert.ok(wrong);
  });
});
