/** An account's keys over REST, for signed-in members only, so that a leaked key cannot create keys. */
import { z } from 'zod';
import { transaction } from '../../db/postgres.ts';
import { idParams, type RouteValue } from '../../http/index.ts';
import { accountIdOf } from '../audit.ts';
import { type AccountDeps, route } from '../deps.ts';
import { createOnce, IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '../idempotency.ts';
import {
  changeKey,
  createAccountKey,
  findAccountKey,
  listKeys,
  revokeOwnKey,
  rotateKey,
  toKeyOwner,
} from '../keys/manage-keys.ts';
import { keyItem } from './key-item.ts';
import * as schema from './schema.ts';

const member = { tag: 'Account', access: 'member', cost: 0, cache: 'no-store' } as const;
/** For routes that change keys. */
const changes = { ...member, needsRecentSignIn: true } as const;
const creates = {
  ...changes,
  requestHeaders: IDEMPOTENCY_HEADER,
  responseHeaders: REPLAYED_HEADER,
  status: 201,
} as const;

const list = route({
  ...member,
  method: 'GET',
  path: '/v1/account/keys',
  permission: 'read',
  summary: "The account's keys",
  description: 'For members signed in at `/account`, like all operations on keys.',
  response: schema.keys,
  handler: async ({ principal }, { pool, clock }) => {
    const keys = await listKeys(pool, { accountId: accountIdOf(principal) });
    return { body: { keys: keys.map((key) => keyItem(key, clock.now())) } };
  },
});

const create = route({
  ...creates,
  method: 'POST',
  path: '/v1/account/keys',
  permission: 'own_keys',
  summary: 'Create a key',
  body: schema.keyToCreate,
  exampleBody: { name: 'Scoreboard', addresses: ['192.0.2.0/24'], scopes: ['read', 'stream'] },
  response: schema.newKey,
  errors: ['conflict'],
  handler: (input, deps) =>
    createOnce(deps, input, 'key', async (db) => {
      const { origins, addresses, scopes, expires_at, personal, ...settings } = input.body;
      const accountId = accountIdOf(input.principal);
      const { key, keyId } = await createAccountKey(
        db,
        deps.clock,
        toKeyOwner(input),
        {
          ...settings,
          origins: origins ?? undefined,
          addresses: addresses ?? undefined,
          scopes: scopes ?? undefined,
          expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
        },
        personal,
      );
      return { item: keyItem(await findAccountKey(db, accountId, keyId), deps.clock.now()), secret: { key } };
    }),
});

const one = route({
  ...member,
  method: 'GET',
  path: '/v1/account/keys/{id}',
  permission: 'read',
  summary: 'A key',
  params: idParams,
  response: schema.key,
  errors: ['not_found'],
  handler: async ({ params, principal }, { pool, clock }) => ({
    body: keyItem(await findAccountKey(pool, accountIdOf(principal), params.id), clock.now()),
  }),
});

const change = route({
  ...changes,
  method: 'PATCH',
  path: '/v1/account/keys/{id}',
  permission: 'own_keys',
  summary: "Change a key's name, allowed origins, allowed addresses or scopes",
  description: 'Takes effect within 5 s, also for open streams. `null` removes a list.',
  params: idParams,
  body: schema.keyChange,
  exampleBody: { name: 'Scoreboard of the stadium' },
  response: schema.key,
  errors: ['not_found', 'conflict'],
  handler: (input, { pool, clock }) =>
    transaction(pool, async (db) => {
      const accountId = accountIdOf(input.principal);
      await changeKey(db, clock, toKeyOwner(input), input.params.id, input.body);
      return { body: keyItem(await findAccountKey(db, accountId, input.params.id), clock.now()) };
    }),
});

const revoke = route({
  ...changes,
  method: 'DELETE',
  path: '/v1/account/keys/{id}',
  permission: 'own_keys',
  summary: 'Revoke a key',
  description: 'Within 5 s the key is refused and all its streams have ended. The revoked key stays in the list.',
  params: idParams,
  status: 204,
  response: z.null(),
  errors: ['not_found'],
  handler: (input, { pool, clock }) =>
    transaction(pool, async (db) => {
      await revokeOwnKey(db, clock, toKeyOwner(input), input.params.id);
      return { body: null };
    }),
});

const rotate = route({
  ...creates,
  method: 'POST',
  path: '/v1/account/keys/{id}/rotate',
  permission: 'own_keys',
  summary: 'Replace a key',
  description: 'Creates a key with the same settings; the old key stays valid for `overlap_seconds`.',
  params: idParams,
  body: schema.rotation,
  exampleBody: { overlap_seconds: 3_600 },
  response: schema.newKey,
  errors: ['not_found', 'conflict'],
  handler: (input, deps) =>
    createOnce(deps, input, 'rotated key', async (db) => {
      const accountId = accountIdOf(input.principal);
      const { id } = input.params;
      const { key, keyId } = await rotateKey(db, deps.clock, toKeyOwner(input), id, input.body.overlap_seconds);
      return { item: keyItem(await findAccountKey(db, accountId, keyId), deps.clock.now()), secret: { key } };
    }),
});

export const keyRoutes: RouteValue<AccountDeps>[] = [list, create, one, change, revoke, rotate];
